-- release: give a running answer up for immediate take-over, which does not count as a failure.
--
-- KEYS[1]  hash of the answer   KEYS[2]  the partition's leases
-- ARGV[1]  the answer   ARGV[2]  its owner   ARGV[3]  its epoch
-- returns  1, or 0 where it is no longer this owner's. Called again it changes nothing.
local answer = redis.call("HMGET", KEYS[1], "owner", "epoch", "state", "released")
if answer[1] ~= ARGV[2] or answer[2] ~= ARGV[3] or answer[3] ~= "IN_PROGRESS" then
    return 0
end
-- The take-over that follows counts an attempt, of which an answer has few; here nobody failed. Once
-- an epoch: called again, it would give attempts away.
if answer[4] ~= ARGV[3] then
    redis.call("HINCRBY", KEYS[1], "attempts", -1)
    redis.call("HSET", KEYS[1], "released", ARGV[3])
end
-- Its lease ends now, it is not removed: what has no lease is never found again.
local time = redis.call("TIME")
local now = string.format("%.0f", time[1] * 1000 + math.floor(time[2] / 1000))
redis.call("ZADD", KEYS[2], now, ARGV[1])
return 1
