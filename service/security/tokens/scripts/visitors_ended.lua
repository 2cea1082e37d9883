-- visitors_ended: tell which visitors have ended lately.
--
-- KEYS[1]  zset of visitors who became a user or were ended: mark of the principal, by epoch ms
-- ARGV[1]  ms to look back
-- returns  their marks
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call("ZRANGEBYSCORE", KEYS[1], now - tonumber(ARGV[1]), "+inf")
