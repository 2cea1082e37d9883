-- visitor_renew: take one renewal of a visitor's token, and tell which is the next.
--
-- KEYS[1]  hash of the visitor: generation, renewed (epoch ms), user, ended
-- KEYS[2]  zset of visitors who ended, by epoch ms
-- ARGV[1]  the generation that is shown   ARGV[2]  ms to keep the hash
-- ARGV[3]  ms for which the one before is taken as well
-- ARGV[4]  the mark of the visitor's principal    ARGV[5]  ms to keep that in KEYS[2]
-- returns  the next generation, -1 where the visitor has ended or was merged, -2 where the visitor
--          ends now, since an old one is shown
local found = redis.call("HMGET", KEYS[1], "generation", "renewed", "user", "ended")
if found[3] or found[4] then
    return -1
end
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local shown, current = tonumber(ARGV[1]), tonumber(found[1]) or 0
if shown < current then
    if shown == current - 1 and now - tonumber(found[2]) <= tonumber(ARGV[3]) then
        return current -- another tab of the page was faster
    end
    -- Two have the same visitor, one of them by theft: neither goes on (RFC 9700, 4.14.2).
    redis.call("HSET", KEYS[1], "ended", "1")
    redis.call("PEXPIRE", KEYS[1], ARGV[2])
    redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", now - tonumber(ARGV[5]))
    redis.call("ZADD", KEYS[2], now, ARGV[4])
    redis.call("PEXPIRE", KEYS[2], ARGV[5])
    return -2
end
redis.call("HSET", KEYS[1], "generation", shown + 1, "renewed", now)
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return shown + 1
