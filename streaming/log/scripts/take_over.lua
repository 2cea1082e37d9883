-- take_over: give a running answer whose lease ran out to a new owner, who knows what was told.
--
-- KEYS[1]  hash of the answer   KEYS[2]  its log   KEYS[3]  the partition's leases
-- ARGV[1]  the answer   ARGV[2]  the new owner   ARGV[3]  lease, ms
-- ARGV[4]  the last id of the log as the new owner has read it, or "" where there is no log
-- ARGV[5]  field of the first entry of the new epoch: "e" goes on, "r" resets   ARGV[6]  its event
-- ARGV[7]  longest life of a log, s
-- returns  the epoch; -1 where the lease still runs or the answer has ended, -2 where
--          the log has moved on: read it again
local expiry = redis.call("ZSCORE", KEYS[3], ARGV[1])
local answer = redis.call("HMGET", KEYS[1], "state", "epoch", "attempts")
if answer[1] ~= "IN_PROGRESS" then
    -- Should its lease have outlived it, no reaper shall find that again.
    redis.call("ZREM", KEYS[3], ARGV[1])
    return -1
end
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if not expiry or tonumber(expiry) > now then
    return -1
end
-- What its owner appended since the log was read is not in the fold of the new one, which would go
-- on behind text it does not know.
local top = redis.call("XREVRANGE", KEYS[2], "+", "-", "COUNT", 1)[1]
if (top and top[1] or "") ~= ARGV[4] then
    return -2
end
local epoch, attempts = answer[2] + 1, answer[3] + 1
redis.call("HSET", KEYS[1], "owner", ARGV[2], "epoch", epoch, "attempts", attempts)
-- The fence: from here on Redis refuses every id of an earlier epoch, without a script.
redis.call("XADD", KEYS[2], epoch .. "-0", ARGV[5], ARGV[6])
redis.call("EXPIRE", KEYS[2], ARGV[7])
redis.call("ZADD", KEYS[3], string.format("%.0f", now + ARGV[3]), ARGV[1])
return epoch
