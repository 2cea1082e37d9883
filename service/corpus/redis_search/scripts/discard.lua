-- discard: delete hashes that no document has.
--
-- KEYS[1]  the lease   KEYS[2]  garbage   KEYS[3…]  the hashes
-- ARGV[1]  who writes   ARGV[2]  how long the lease goes on, milliseconds
-- ARGV[3…] the numbers of which nothing is left
-- returns  1, or 0 where the lease was lost: nothing is deleted then
if redis.call("GET", KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call("PEXPIRE", KEYS[1], ARGV[2])
for n = 3, #KEYS do
    redis.call("UNLINK", KEYS[n])
end
for n = 3, #ARGV do
    redis.call("HDEL", KEYS[2], ARGV[n])
end
return 1
