-- record_replace: replace the JSON of a small resource, or delete it, if nobody else changed it.
--
-- KEYS[1]  its JSON   KEYS[2]  zset, the ids of its collection
-- ARGV[1]  the JSON that the caller has read   ARGV[2]  the JSON that takes its place, or "" to
--          delete it   ARGV[3]  its id
-- ARGV[4]  "1" where it is replaced even if Redis has no memory left, else "0"
-- returns  1; 0 where there is none, -1 where another writer came first
local found = redis.call("GET", KEYS[1])
if not found then
    redis.call("ZREM", KEYS[2], ARGV[3])
    return 0
elseif found ~= ARGV[1] then
    return -1
elseif ARGV[2] == "" then
    redis.call("DEL", KEYS[1])
    redis.call("ZREM", KEYS[2], ARGV[3])
else
    if ARGV[4] == "1" then
        redis.call("ZREM", KEYS[2], "") -- a first write that takes no memory
    end
    redis.call("SET", KEYS[1], ARGV[2], "KEEPTTL")
end
return 1
