-- delete: remove documents and tell every replica, if there were any.
--
-- KEYS[1]  documents   KEYS[2]  passages   KEYS[3]  digests   KEYS[4]  ids   KEYS[5]  feed
-- KEYS[6]  the feed's number
-- ARGV[1]  entries that the feed keeps   ARGV[2]  the ids, packed for the feed
-- ARGV[3…] the ids; at most 256
-- returns  how many were there
local gone = 0
for at = 3, #ARGV do
    gone = gone + redis.call("HDEL", KEYS[1], ARGV[at])
    redis.call("HDEL", KEYS[2], ARGV[at])
    redis.call("HDEL", KEYS[3], ARGV[at])
    redis.call("ZREM", KEYS[4], ARGV[at])
end
if gone > 0 then
    local now = redis.call("TIME")
    redis.call("SET", KEYS[6], now[1] .. string.format("%06d", now[2]), "NX")
    local number = redis.call("INCR", KEYS[6])
    redis.call("XADD", KEYS[5], "MAXLEN", "~", ARGV[1], string.format("%.0f-1", number), "i", ARGV[2])
end
return gone
