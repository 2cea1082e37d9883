-- create: open a session or a conversation.
--
-- KEYS[1]  its hash   KEYS[2]  its turns   KEYS[3]  its answers   KEYS[4]  its queue
-- KEYS[5]  what an earlier one of this name left to be unlinked
-- KEYS[6]  list, the turns that it begins with (absent where there are none)
-- ARGV[1]  its JSON, without turns   ARGV[2]  its title, or ""   ARGV[3]  how many turns KEYS[6] has
-- returns  the time of creation, µs; 0 where there is one of this name, -1 where KEYS[5] is still
--          there, -2 where KEYS[6] is not (any more) what it was
if redis.call("HEXISTS", KEYS[1], "json") == 1 then
    return 0
elseif redis.call("EXISTS", KEYS[5]) == 1 then
    return -1
elseif KEYS[6] and redis.call("LLEN", KEYS[6]) ~= tonumber(ARGV[3]) then
    return -2
end
-- Refused here where Redis has no memory left: behind UNLINK everything would be let through.
redis.call("SETRANGE", KEYS[5], 0, "")
redis.call("UNLINK", KEYS[1], KEYS[2], KEYS[3], KEYS[4])
local time = redis.call("TIME")
local now = string.format("%.0f", time[1] * 1000000 + time[2])
redis.call("HSET", KEYS[1], "json", ARGV[1], "created", now, "updated", now, "active", "")
if ARGV[2] ~= "" then
    redis.call("HSET", KEYS[1], "title", ARGV[2])
end
if KEYS[6] then
    redis.call("RENAME", KEYS[6], KEYS[2])
    redis.call("PERSIST", KEYS[2]) -- it was laid aside with a time to live
    redis.call("HSET", KEYS[1], "ended", now)
end
return tonumber(now)
