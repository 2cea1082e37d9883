-- delete: remove documents and tell every replica, if there were any.
--
-- KEYS[1]  documents   KEYS[2]  passages   KEYS[3]  digests   KEYS[4]  ids   KEYS[5]  feed
-- KEYS[6]  the feed's number   KEYS[7]  figures   KEYS[8]  images
-- ARGV[1]  entries that the feed keeps   ARGV[2]  the ids, packed for the feed
-- ARGV[3…] the ids; at most 256
-- returns  how many were there
-- Deleted first: where Redis has no memory left it refuses a script that begins with a write which
-- takes some, and no later write of one that has begun. So there a deletion always goes through.
local gone = 0
for at = 3, #ARGV do
    gone = gone + redis.call("HDEL", KEYS[1], ARGV[at])
    redis.call("HDEL", KEYS[2], ARGV[at])
    redis.call("HDEL", KEYS[3], ARGV[at])
    redis.call("ZREM", KEYS[4], ARGV[at])
    local figures = redis.call("HGET", KEYS[7], ARGV[at]) or ""
    for n = 1, figures:byte(1) or 0 do -- a list begins with its count, and digests of 16 bytes
        redis.call("HDEL", KEYS[8], figures:sub(16 * n - 14, 16 * n + 1) .. ARGV[at])
    end
    redis.call("HDEL", KEYS[7], ARGV[at])
end
if gone > 0 then
    -- Numbers are the clock's: those of writes that a failover lost, or of a store that was dropped,
    -- never come back.
    local now = redis.call("TIME")
    local clock = now[1] * 1000000 + now[2]
    local number = math.max(clock, (tonumber(redis.call("GET", KEYS[6]) or "0") or 0) + 1)
    number = string.format("%.0f", number)
    redis.call("SET", KEYS[6], number)
    redis.call("XADD", KEYS[5], "MAXLEN", "~", ARGV[1], number .. "-1", "i", ARGV[2])
end
return gone
