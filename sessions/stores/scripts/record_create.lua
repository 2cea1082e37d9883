-- record_create: store a small resource and list it.
--
-- KEYS[1]  its JSON   KEYS[2]  zset, the ids of its collection
-- KEYS[3]  how many were let through of late
-- ARGV[1]  the JSON   ARGV[2]  its id   ARGV[3]  how long it is kept, milliseconds, or 0 for ever
-- ARGV[4]  "1" where it is stored even if Redis has no memory left, else "0"
-- returns  1, or 0 where there is one of this name
if redis.call("EXISTS", KEYS[1]) == 1 then
    return 0
end
-- Behind a first write that takes no memory the rest is let through; but not without end.
if ARGV[4] == "1" and tonumber(redis.call("GET", KEYS[3]) or 0) < 10000 then
    redis.call("ZREM", KEYS[2], ARGV[2])
    if redis.call("INCR", KEYS[3]) == 1 then
        redis.call("PEXPIRE", KEYS[3], 3600000)
    end
end
redis.call("SET", KEYS[1], ARGV[1])
-- The id stays listed beyond that: whoever lists finds it without JSON, and takes it off.
if ARGV[3] ~= "0" then
    redis.call("PEXPIRE", KEYS[1], ARGV[3])
end
redis.call("ZADD", KEYS[2], 0, ARGV[2])
return 1
