-- append: add a turn without an answer to a session.
--
-- KEYS[1]  its hash   KEYS[2]  its turns
-- ARGV[1]  the turn   ARGV[2]  the title that the session takes if it has none, or ""
-- returns  the time of the turn, µs; 0 where there is no such session
local found = redis.call("HMGET", KEYS[1], "json", "updated")
if not found[1] then
    return 0
end
local time = redis.call("TIME")
-- Each change has a later time than the one before, whatever the clock does: by it readers see that
-- nothing changed while they read (owner_reader), and the list index moves on.
local clock = math.max(time[1] * 1000000 + time[2], tonumber(found[2] or 0) + 1)
local now = string.format("%.0f", clock)
redis.call("RPUSH", KEYS[2], ARGV[1])
redis.call("HSET", KEYS[1], "updated", now, "ended", now)
if ARGV[2] ~= "" then
    redis.call("HSETNX", KEYS[1], "title", ARGV[2])
end
return clock
