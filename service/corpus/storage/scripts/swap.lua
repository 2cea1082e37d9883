-- swap: store one document if nobody else changed it, and tell every replica.
--
-- KEYS[1]  documents   KEYS[2]  passages   KEYS[3]  digests   KEYS[4]  ids   KEYS[5]  feed
-- KEYS[6]  the feed's number   KEYS[7]  figures   KEYS[8]  images
-- ARGV[1]  entries that the feed keeps   ARGV[2]  the id, packed for the feed
-- ARGV[3]  the JSON that the caller has read, "" where there was none
-- ARGV[4]  the id   ARGV[5]  JSON   ARGV[6]  passages   ARGV[7]  digest
-- ARGV[8…] its images, as for put
-- returns  1, or 0 where another writer came first
if (redis.call("HGET", KEYS[1], ARGV[4]) or "") ~= ARGV[3] then
    return 0
end
redis.call("HSET", KEYS[1], ARGV[4], ARGV[5])
redis.call("HSET", KEYS[2], ARGV[4], ARGV[6])
redis.call("HSET", KEYS[3], ARGV[4], ARGV[7])
redis.call("ZADD", KEYS[4], 0, ARGV[4])
local id, count = ARGV[4], tonumber(ARGV[8])
if count >= 0 then
    local before = redis.call("HGET", KEYS[7], id) or ""
    for n = 1, before:byte(1) or 0 do -- a list begins with its count, and digests of 16 bytes
        redis.call("HDEL", KEYS[8], before:sub(16 * n - 14, 16 * n + 1) .. id)
    end
    redis.call("HDEL", KEYS[7], id)
end
if count > 0 then
    local list = ARGV[9]
    redis.call("HSET", KEYS[7], id, list)
    for n = 1, count do
        redis.call("HSET", KEYS[8], list:sub(16 * n - 14, 16 * n + 1) .. id, ARGV[9 + n])
    end
end
-- Numbers are the clock's: those of writes that a failover lost, or of a store that was dropped,
-- never come back.
local now = redis.call("TIME")
local clock = now[1] * 1000000 + now[2]
local number = math.max(clock, (tonumber(redis.call("GET", KEYS[6]) or "0") or 0) + 1)
number = string.format("%.0f", number)
redis.call("SET", KEYS[6], number)
redis.call("XADD", KEYS[5], "MAXLEN", "~", ARGV[1], number .. "-1", "i", ARGV[2])
return 1
