-- put: store documents whole and tell every replica that they changed.
--
-- KEYS[1]  documents   KEYS[2]  passages   KEYS[3]  digests   KEYS[4]  ids   KEYS[5]  feed
-- KEYS[6]  the feed's number
-- ARGV[1]  entries that the feed keeps   ARGV[2]  the ids, packed for the feed
-- ARGV[3…] for each document: its id, JSON, passages, digest; at most 256 documents
-- returns  the number of the feed's new entry
for at = 3, #ARGV, 4 do
    local id = ARGV[at]
    redis.call("HSET", KEYS[1], id, ARGV[at + 1])
    redis.call("HSET", KEYS[2], id, ARGV[at + 2])
    redis.call("HSET", KEYS[3], id, ARGV[at + 3])
    redis.call("ZADD", KEYS[4], 0, id)
end
-- Numbers go on from the clock: those of a store that was dropped never come back.
local now = redis.call("TIME")
redis.call("SET", KEYS[6], now[1] .. string.format("%06d", now[2]), "NX")
local number = redis.call("INCR", KEYS[6])
redis.call("XADD", KEYS[5], "MAXLEN", "~", ARGV[1], string.format("%.0f-1", number), "i", ARGV[2])
return number
