-- finish: store how an answer ended, and start the next one that waits in its session.
--
-- KEYS[1]  the session   KEYS[2]  its turns   KEYS[3]  its queue   KEYS[4]  the partition's leases
-- KEYS[5]  hash of the answer   KEYS[6]  its log
-- KEYS[7]  hash of the next one   KEYS[8]  its log (both absent where none is known to wait)
-- ARGV[1]  the answer   ARGV[2]  its owner   ARGV[3]  its epoch   ARGV[4]  id of the last entry
-- ARGV[5]  the last event   ARGV[6]  the state   ARGV[7]  the whole Answer
-- ARGV[8]  what goes into the turns, or ""   ARGV[9]  life of the log from now on, s
-- ARGV[10]  the next answer, or ""   ARGV[11]  lease, ms   ARGV[12]  limit, ms
-- ARGV[13]  longest life of a log, s   ARGV[14]  id of the entry before the last one
-- returns  {"FINISHED", updated, next or "", its deadline}; {"LOST"} where another owner has it or
--          its session was deleted; {"WAITING", name}: call again, *name* is the next one;
--          {"BEHIND"} where the log ends elsewhere: a failover took entries away.
--          Called again, it returns what it returned at first.
-- The owner before the state: whoever lost the answer must not take the outcome of another for its
-- own, and tell it.
local answer = redis.call("HMGET", KEYS[5], "owner", "epoch", "state", "outcome")
if answer[1] ~= ARGV[2] or answer[2] ~= ARGV[3] then
    return { "LOST" }
elseif answer[3] ~= "IN_PROGRESS" then
    return cjson.decode(answer[4])
end
-- An end behind a hole would stay: ids only grow, so what is missing could not be appended again.
local top = redis.call("XREVRANGE", KEYS[6], "+", "-", "COUNT", 1)[1]
if (top and top[1]) ~= ARGV[14] then
    return { "BEHIND" }
end
-- The caller names the keys of the next answer, as a script may only touch keys it was given; so it
-- has to be told first which one that is.
local next = redis.call("LINDEX", KEYS[3], 0) or ""
if next ~= ARGV[10] then
    return { "WAITING", next }
end
local waited = next ~= "" and redis.call("HMGET", KEYS[7], "opening", "started")
if waited and not waited[1] then
    -- It waits no more, whatever became of it.
    redis.call("LPOP", KEYS[3])
    return { "WAITING", redis.call("LINDEX", KEYS[3], 0) or "" }
end

local time = redis.call("TIME")
local before = tonumber(redis.call("HGET", KEYS[1], "updated") or 0)
local updated = string.format("%.0f", math.max(time[1] * 1000000 + time[2], before + 1))
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
local deadline = ""
-- The first write is one that Redis refuses where it has no memory left: then nothing is changed.
redis.call("XADD", KEYS[6], ARGV[4], "e", ARGV[5])
redis.call("EXPIRE", KEYS[6], ARGV[9])
redis.call("ZREM", KEYS[4], ARGV[1])
if ARGV[8] ~= "" then
    redis.call("RPUSH", KEYS[2], ARGV[8])
end
if waited then
    -- In the same step, by the same owner: were it lost in between, nobody would start who waits.
    -- Behind the closing of this one: turns are read in the order in which they were appended.
    redis.call("LPOP", KEYS[3])
    deadline = string.format("%.0f", ms + ARGV[12])
    redis.call("HDEL", KEYS[7], "opening")
    redis.call("HSET", KEYS[7], "owner", ARGV[2], "epoch", 1, "deadline", deadline)
    -- It is read with the turns while it waits: a client that wrote back what it read put it there.
    local known = false
    for _, item in ipairs(redis.call("LRANGE", KEYS[2], -100, -1)) do
        known = known or item == waited[1]
    end
    if not known then
        redis.call("RPUSH", KEYS[2], waited[1])
    end
    redis.call("XADD", KEYS[8], "1-0", "e", waited[2])
    redis.call("EXPIRE", KEYS[8], ARGV[13])
    redis.call("ZADD", KEYS[4], string.format("%.0f", ms + ARGV[11]), next)
end
redis.call("HSET", KEYS[1], "active", next, "updated", updated, "ended", updated)
local outcome = { "FINISHED", updated, next, deadline }
redis.call("HDEL", KEYS[5], "started", "cancel")
redis.call("HSET", KEYS[5], "state", ARGV[6], "json", ARGV[7], "outcome", cjson.encode(outcome))
if ARGV[6] == "FAILED" then
    redis.call("HSET", KEYS[5], "error", ARGV[5])
end
return outcome
