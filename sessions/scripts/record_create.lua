-- record_create: store a small resource and list it.
--
-- KEYS[1]  its JSON   KEYS[2]  zset, the ids of its collection
-- ARGV[1]  the JSON   ARGV[2]  its id   ARGV[3]  how long it is kept, milliseconds, or 0 for ever
-- returns  1, or 0 where there is one of this name
if not redis.call("SET", KEYS[1], ARGV[1], "NX") then
    return 0
end
if ARGV[3] ~= "0" then
    redis.call("PEXPIRE", KEYS[1], ARGV[3])
end
redis.call("ZADD", KEYS[2], 0, ARGV[2])
return 1
