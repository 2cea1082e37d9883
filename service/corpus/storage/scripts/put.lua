-- put: store documents whole and tell every replica that they changed.
--
-- KEYS[1]  documents   KEYS[2]  passages   KEYS[3]  digests   KEYS[4]  ids   KEYS[5]  feed
-- KEYS[6]  the feed's number
-- ARGV[1]  entries that the feed keeps   ARGV[2]  the ids, packed for the feed
-- ARGV[3…] for each document: its id, JSON, passages, digest; at most 256 documents
-- returns  the number of the feed's new entry
-- The first write takes memory: where Redis has none left all of this is refused, and no part of it.
for at = 3, #ARGV, 4 do
    local id = ARGV[at]
    redis.call("HSET", KEYS[1], id, ARGV[at + 1])
    redis.call("HSET", KEYS[2], id, ARGV[at + 2])
    redis.call("HSET", KEYS[3], id, ARGV[at + 3])
    redis.call("ZADD", KEYS[4], 0, id)
end
-- Numbers are the clock's: those of writes that a failover lost, or of a store that was dropped,
-- never come back.
local now = redis.call("TIME")
local clock = now[1] * 1000000 + now[2]
local number = math.max(clock, (tonumber(redis.call("GET", KEYS[6]) or "0") or 0) + 1)
number = string.format("%.0f", number)
redis.call("SET", KEYS[6], number)
redis.call("XADD", KEYS[5], "MAXLEN", "~", ARGV[1], number .. "-1", "i", ARGV[2])
return number
