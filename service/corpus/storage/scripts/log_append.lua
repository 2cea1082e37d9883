-- log_append: add entries to a log that is bounded by their number and their bytes.
--
-- KEYS[1]  the log, a stream   KEYS[2]  hash: bytes (of all entries), cut (another number whenever some were taken out)
-- ARGV[1]  most entries   ARGV[2]  most bytes   ARGV[3]  seconds that it lives after the last entry
-- ARGV[4…] the entries
-- returns  how many old ones had to go for them
-- The first write takes memory: where Redis has none left all of this is refused, and no part of it.
local bytes = tonumber(redis.call("HGET", KEYS[2], "bytes") or "0")
local now = redis.call("TIME")
-- Begins with the time: a log that was deleted and made anew has another number than before.
redis.call("HSETNX", KEYS[2], "cut", string.format("%.0f", now[1] * 1000000 + now[2]))
for at = 4, #ARGV do
    redis.call("XADD", KEYS[1], "*", "b", ARGV[at])
    bytes = bytes + #ARGV[at]
end
local count = redis.call("XLEN", KEYS[1])
local gone = 0
-- Ends soon: it was within its bounds before, so that what goes is about as much as what came.
while count > tonumber(ARGV[1]) or (bytes > tonumber(ARGV[2]) and count > 0) do
    local oldest = redis.call("XRANGE", KEYS[1], "-", "+", "COUNT", 1)[1]
    redis.call("XDEL", KEYS[1], oldest[1])
    bytes = bytes - #oldest[2][2]
    count = count - 1
    gone = gone + 1
end
redis.call("HSET", KEYS[2], "bytes", string.format("%.0f", bytes))
redis.call("EXPIRE", KEYS[1], ARGV[3])
redis.call("EXPIRE", KEYS[2], ARGV[3])
return gone
