-- write_chunks: store some chunks of documents that are not shown yet.
--
-- KEYS[1]  the lease   KEYS[2]  garbage   KEYS[3…]  the hashes, one for each chunk
-- ARGV[1]  who writes   ARGV[2]  how long the lease goes on, milliseconds
-- ARGV[3]  how many documents; for each its number and its count of chunks
-- ARGV[…]  for each hash the count of what follows of it: fields and values in turn
-- returns  1, or 0 where the lease was lost: nothing is written then
-- Until they are committed they are garbage, so that a writer that dies leaves nothing behind.
if redis.call("GET", KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call("PEXPIRE", KEYS[1], ARGV[2])
local at = 4
for _ = 1, tonumber(ARGV[3]) do
    redis.call("HSET", KEYS[2], ARGV[at], ARGV[at + 1])
    at = at + 2
end
for n = 3, #KEYS do
    local count = tonumber(ARGV[at])
    redis.call("HSET", KEYS[n], unpack(ARGV, at + 1, at + count))
    at = at + count + 1
end
return 1
