-- announce: say that a data store changed, later than everything said before.
--
-- KEYS[1]  the data stores by when they changed   ARGV[1]  the data store
local now = redis.call("TIME")
local moment = now[1] * 1000000 + now[2]
local last = redis.call("ZREVRANGE", KEYS[1], 0, 0, "WITHSCORES")
if last[2] and tonumber(last[2]) >= moment then
    moment = tonumber(last[2]) + 1
end
-- What was deleted is announced where Redis has no memory left, too: the first write takes none.
redis.call("ZREM", KEYS[1], ARGV[1])
redis.call("ZADD", KEYS[1], string.format("%.0f", moment), ARGV[1])
return redis.status_reply("OK")
