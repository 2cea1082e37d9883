-- discard: delete hashes that no document has, with the vectors of their chunks.
--
-- KEYS[1]  the lease   KEYS[2]  garbage   KEYS[3]  models
-- KEYS[4…] the hashes; then for each model what is known of its vectors, and the same of theirs
-- ARGV[1]  who writes   ARGV[2]  how long the lease goes on, milliseconds
-- ARGV[3]  how many hashes   ARGV[4]  the models, in the order of their keys, set apart by spaces
-- ARGV[5…] the numbers of which nothing is left
-- returns  1; 0 where the lease was lost, or -1 where there are other models: nothing is deleted
if redis.call("GET", KEYS[1]) ~= ARGV[1] then
    return 0
end
local models = redis.call("ZRANGE", KEYS[3], 0, -1)
table.sort(models)
-- What one has written since they were looked for would stay for ever.
if table.concat(models, " ") ~= ARGV[4] then
    return -1
end
redis.call("PEXPIRE", KEYS[1], ARGV[2])
local count = tonumber(ARGV[3])
for n = 4, 3 + count do
    redis.call("UNLINK", KEYS[n])
end
for at = 4 + count, #KEYS, 1 + count do
    local gone = 0
    for n = at + 1, at + count do
        gone = gone + redis.call("UNLINK", KEYS[n])
    end
    if gone > 0 then
        redis.call("HINCRBY", KEYS[at], "count", -gone)
    end
end
for n = 5, #ARGV do
    redis.call("HDEL", KEYS[2], ARGV[n])
end
return 1
