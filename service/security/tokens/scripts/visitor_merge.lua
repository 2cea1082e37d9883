-- visitor_merge: decide, once and for ever, which user a visitor has become.
--
-- KEYS[1]  hash of the visitor   KEYS[2]  zset of merges to be finished, by epoch ms
-- KEYS[3]  zset of visitors who ended, by epoch ms
-- ARGV[1]  the user              ARGV[2]  the merge, as it is finished
-- ARGV[3]  ms until it is looked at for the last time
-- ARGV[4]  the mark of the visitor's principal    ARGV[5]  ms to keep that in KEYS[3]
-- returns  1, or 0 where the visitor has become another user or was ended
local found = redis.call("HMGET", KEYS[1], "user", "ended")
if found[2] or (found[1] and found[1] ~= ARGV[1]) then
    return 0
end
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("HSET", KEYS[1], "user", ARGV[1])
redis.call("PERSIST", KEYS[1]) -- what the visitor did stays theirs for as long as it is kept
if not found[1] then
    redis.call("HSET", KEYS[1], "merge", ARGV[2])
    redis.call("ZADD", KEYS[2], now + tonumber(ARGV[3]), ARGV[2])
    redis.call("ZREMRANGEBYSCORE", KEYS[3], "-inf", now - tonumber(ARGV[5]))
    redis.call("ZADD", KEYS[3], now, ARGV[4])
    redis.call("PEXPIRE", KEYS[3], ARGV[5])
end
return 1
