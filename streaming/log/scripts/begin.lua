-- begin: accept an answer; start it, or let it wait behind the one that runs in its session.
--
-- KEYS[1]  the session   KEYS[2]  its turns   KEYS[3]  its answers   KEYS[4]  its queue
-- KEYS[5]  hash of the answer   KEYS[6]  its log   KEYS[7]  the partition's leases
-- KEYS[8]  the answer of the client's idempotency key (absent where there is no such key)
-- ARGV[1]  the answer   ARGV[2]  JSON to create the session with, or ""   ARGV[3]  title, or ""
-- ARGV[4]  the session   ARGV[5]  kind   ARGV[6]  request   ARGV[7]  opening   ARGV[8]  Answer
-- ARGV[9]  its first event   ARGV[10]  owner   ARGV[11]  lease, ms   ARGV[12]  limit, ms
-- ARGV[13]  how many answers may wait   ARGV[14]  life of the idempotency key, s
-- ARGV[15]  longest life of a log, s   ARGV[16]  when the answer was asked for, µs
-- ARGV[17]  traceparent of its acceptance, or ""
-- returns  {"STARTED", updated, deadline}, {"QUEUED", updated}, {"REPEATED", answer},
--          {"NOT_FOUND"}, {"COMPLETED"} or {"QUEUE_FULL"}; updated in µs, deadline in ms.
--          Called again with the same answer, it changes nothing and returns what it returned at
--          first, or REPEATED where the answer is no longer this owner's to start.
-- Before the idempotency key: that is this answer since the first call, and would say REPEATED.
local mine = redis.call("HMGET", KEYS[5], "owner", "epoch", "state", "deadline")
if mine[1] then
    local updated = redis.call("HGET", KEYS[1], "updated")
    if mine[3] ~= "IN_PROGRESS" then
        return { "REPEATED", ARGV[1] }
    elseif mine[1] == "" then
        return { "QUEUED", updated }
    elseif mine[1] == ARGV[10] and mine[2] == "1" then
        return { "STARTED", updated, mine[4] }
    end
    return { "REPEATED", ARGV[1] }
end
if KEYS[8] then
    local first = redis.call("GET", KEYS[8])
    if first then
        return { "REPEATED", first }
    end
end
-- All refusals stand before the first write: what a script has written stays when it returns.
local session = redis.call("HMGET", KEYS[1], "json", "active", "completed", "updated")
if not session[1] and ARGV[2] == "" then
    return { "NOT_FOUND" }
elseif session[3] then
    return { "COMPLETED" }
end
local waits = (session[2] or "") ~= ""
if waits and redis.call("LLEN", KEYS[4]) >= tonumber(ARGV[13]) then
    return { "QUEUE_FULL" }
end

-- The update time grows with every change, though the clock of Redis may go back: lists hold the
-- greater for the newer. %.0f, since Lua writes a number of more than 14 digits with an exponent.
local time = redis.call("TIME")
local clock = math.max(time[1] * 1000000 + time[2], tonumber(session[4] or 0) + 1)
local updated = string.format("%.0f", clock)
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
if not session[1] then
    -- Asked for by the clock of a process, stored by that of Redis: it opens no later than asked.
    local created = string.format("%.0f", math.min(clock, tonumber(ARGV[16])))
    redis.call("HSET", KEYS[1], "json", ARGV[2], "created", created, "active", "")
end
if ARGV[3] ~= "" then
    redis.call("HSETNX", KEYS[1], "title", ARGV[3])
end
if KEYS[8] then
    redis.call("SET", KEYS[8], ARGV[1], "EX", ARGV[14])
end
redis.call("RPUSH", KEYS[3], ARGV[1])
-- Epoch 0 is nobody's: one that waits has no log and no lease, and nobody takes it over.
redis.call(
    "HSET", KEYS[5], "state", "IN_PROGRESS", "json", ARGV[8], "session", ARGV[4],
    "kind", ARGV[5], "request", ARGV[6], "started", ARGV[9], "epoch", 0, "attempts", 0
)
if ARGV[17] ~= "" then
    redis.call("HSET", KEYS[5], "trace", ARGV[17])
end
redis.call("HSET", KEYS[1], "updated", updated)
if waits then
    redis.call("HSET", KEYS[5], "owner", "", "opening", ARGV[7])
    redis.call("RPUSH", KEYS[4], ARGV[1])
    return { "QUEUED", updated }
end

local deadline = string.format("%.0f", ms + ARGV[12])
redis.call("HSET", KEYS[5], "owner", ARGV[10], "epoch", 1, "deadline", deadline)
redis.call("RPUSH", KEYS[2], ARGV[7])
redis.call("HSET", KEYS[1], "active", ARGV[1], "ended", updated)
redis.call("XADD", KEYS[6], "1-0", "e", ARGV[9])
redis.call("EXPIRE", KEYS[6], ARGV[15])
redis.call("ZADD", KEYS[7], string.format("%.0f", ms + ARGV[11]), ARGV[1])
return { "STARTED", updated, deadline }
