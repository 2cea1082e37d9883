-- swap: store one document if nobody else changed it, and tell every replica.
--
-- KEYS[1]  documents   KEYS[2]  passages   KEYS[3]  digests   KEYS[4]  ids   KEYS[5]  feed
-- KEYS[6]  the feed's number
-- ARGV[1]  entries that the feed keeps   ARGV[2]  the id, packed for the feed
-- ARGV[3]  the JSON that the caller has read, "" where there was none
-- ARGV[4]  the id   ARGV[5]  JSON   ARGV[6]  passages   ARGV[7]  digest
-- returns  1, or 0 where another writer came first
if (redis.call("HGET", KEYS[1], ARGV[4]) or "") ~= ARGV[3] then
    return 0
end
redis.call("HSET", KEYS[1], ARGV[4], ARGV[5])
redis.call("HSET", KEYS[2], ARGV[4], ARGV[6])
redis.call("HSET", KEYS[3], ARGV[4], ARGV[7])
redis.call("ZADD", KEYS[4], 0, ARGV[4])
-- Numbers are the clock's: those of writes that a failover lost, or of a store that was dropped,
-- never come back.
local now = redis.call("TIME")
local clock = now[1] * 1000000 + now[2]
local number = math.max(clock, (tonumber(redis.call("GET", KEYS[6]) or "0") or 0) + 1)
number = string.format("%.0f", number)
redis.call("SET", KEYS[6], number)
redis.call("XADD", KEYS[5], "MAXLEN", "~", ARGV[1], number .. "-1", "i", ARGV[2])
return 1
