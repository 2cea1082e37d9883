-- put: store documents whole and tell every replica that they changed.
--
-- KEYS[1]  documents   KEYS[2]  passages   KEYS[3]  digests   KEYS[4]  ids   KEYS[5]  feed
-- KEYS[6]  the feed's number   KEYS[7]  figures   KEYS[8]  images
-- ARGV[1]  entries that the feed keeps   ARGV[2]  the ids, packed for the feed
-- ARGV[3…] for each document: its id, JSON, passages, digest, the count of its images, or -1 to keep
--          those that there are; above 0 their list and they themselves; at most 256 documents
-- returns  the number of the feed's new entry
-- The first write takes memory: where Redis has none left all of this is refused, and no part of it.
local at = 3
while at <= #ARGV do
    local id, count = ARGV[at], tonumber(ARGV[at + 4])
    redis.call("HSET", KEYS[1], id, ARGV[at + 1])
    redis.call("HSET", KEYS[2], id, ARGV[at + 2])
    redis.call("HSET", KEYS[3], id, ARGV[at + 3])
    redis.call("ZADD", KEYS[4], 0, id)
    if count >= 0 then
        local before = redis.call("HGET", KEYS[7], id) or ""
        for n = 1, before:byte(1) or 0 do -- a list begins with its count, and digests of 16 bytes
            redis.call("HDEL", KEYS[8], before:sub(16 * n - 14, 16 * n + 1) .. id)
        end
        redis.call("HDEL", KEYS[7], id)
    end
    if count > 0 then
        local list = ARGV[at + 5]
        redis.call("HSET", KEYS[7], id, list)
        for n = 1, count do
            redis.call("HSET", KEYS[8], list:sub(16 * n - 14, 16 * n + 1) .. id, ARGV[at + 5 + n])
        end
        at = at + 1 + count
    end
    at = at + 5
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
