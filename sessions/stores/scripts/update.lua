-- update: replace the JSON of a session, and all its turns where asked to, if nobody else did.
--
-- KEYS[1]  its hash   KEYS[2]  its turns   KEYS[3]  list, the new turns (absent where none come)
-- ARGV[1]  the JSON that the caller has read   ARGV[2]  the JSON that takes its place
-- ARGV[3]  how many new turns there are, or "" to leave the turns alone
-- ARGV[4]  its title where the turns are new   ARGV[5]  "completed", "reopened" or ""
-- returns  the time of the update, µs; 0 where there is no such session, -1 where another writer
--          came first, -2 where KEYS[3] is not (any more) what it was
local found = redis.call("HMGET", KEYS[1], "json", "updated")
if not found[1] then
    return 0
elseif found[1] ~= ARGV[1] then
    return -1
elseif KEYS[3] and redis.call("LLEN", KEYS[3]) ~= tonumber(ARGV[3]) then
    return -2
end
local time = redis.call("TIME")
-- Each change has a later time than the one before, whatever the clock does: by it readers see that
-- nothing changed while they read (owner_reader), and the list index moves on.
local clock = math.max(time[1] * 1000000 + time[2], tonumber(found[2]) + 1)
local now = string.format("%.0f", clock)
redis.call("HSET", KEYS[1], "json", ARGV[2], "updated", now)
if ARGV[3] ~= "" then
    redis.call("UNLINK", KEYS[2])
    redis.call("HDEL", KEYS[1], "ended", "title")
end
if ARGV[3] ~= "" and ARGV[4] ~= "" then
    redis.call("HSET", KEYS[1], "title", ARGV[4])
end
if KEYS[3] then
    redis.call("RENAME", KEYS[3], KEYS[2])
    redis.call("PERSIST", KEYS[2]) -- it was laid aside with a time to live
    redis.call("HSET", KEYS[1], "ended", now)
end
if ARGV[5] == "completed" then
    redis.call("HSET", KEYS[1], "completed", now)
elseif ARGV[5] == "reopened" then
    redis.call("HDEL", KEYS[1], "completed")
end
return clock
