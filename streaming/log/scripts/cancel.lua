-- cancel: ask for the end of an answer; one that still waits ends at once.
--
-- KEYS[1]  hash of the answer   KEYS[2]  its log   KEYS[3]  the queue of its session
-- ARGV[1]  the answer   ARGV[2]  the event that ends it if it waits   ARGV[3]  the Answer then
-- ARGV[4]  life of its log from then on, s
-- returns  {"RUNNING", owner}; {"ENDED"} where it had, {"WITHDRAWN", started} where it waited,
--          {"NOT_FOUND"}
local answer = redis.call("HMGET", KEYS[1], "state", "owner", "started")
if not answer[1] then
    return { "NOT_FOUND" }
elseif answer[1] ~= "IN_PROGRESS" then
    return { "ENDED" }
end
-- An answer is cancelled where Redis has no memory left, too: the first write takes none.
redis.call("HDEL", KEYS[1], "cancel")
redis.call("HSET", KEYS[1], "cancel", 1)
if answer[2] ~= "" then
    return { "RUNNING", answer[2] }
end
-- It gets the log that it would have had: readers who wait are told like those of any other.
redis.call("LREM", KEYS[3], 1, ARGV[1])
redis.call("XADD", KEYS[2], "1-0", "e", answer[3])
redis.call("XADD", KEYS[2], "1-1", "e", ARGV[2])
redis.call("EXPIRE", KEYS[2], ARGV[4])
redis.call("HDEL", KEYS[1], "started", "opening")
redis.call("HSET", KEYS[1], "state", "FAILED", "json", ARGV[3], "error", ARGV[2], "epoch", 1)
return { "WITHDRAWN", answer[3] }
