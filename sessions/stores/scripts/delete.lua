-- delete: make a session disappear at once, with its running answer; the rest is swept later.
--
-- KEYS[1]  its hash   KEYS[2]  its turns   KEYS[3]  its queue   KEYS[4]  its answers
-- KEYS[5]  where KEYS[4] waits to be swept   KEYS[6]  the partition's trash
-- KEYS[7]  the partition's leases
-- KEYS[8]  hash of the running answer   KEYS[9]  its log (both absent where none runs)
-- ARGV[1]  the name of the session   ARGV[2]  the name of the running answer, or ""
-- returns  1; 0 where there is no such session, -1 where another answer runs by now, -2 where
--          what an earlier session of this name left is not swept yet
local found = redis.call("HMGET", KEYS[1], "json", "active")
if not found[1] then
    return 0
elseif (found[2] or "") ~= ARGV[2] then
    return -1
elseif redis.call("EXISTS", KEYS[5]) == 1 then
    return -2
end
redis.call("UNLINK", KEYS[1], KEYS[2], KEYS[3])
if KEYS[8] then
    -- Without its hash, log and lease nothing that its writer still sends finds a place.
    redis.call("UNLINK", KEYS[8], KEYS[9])
    redis.call("ZREM", KEYS[7], ARGV[2])
end
if redis.call("EXISTS", KEYS[4]) == 1 then
    redis.call("RENAME", KEYS[4], KEYS[5])
    redis.call("ZADD", KEYS[6], redis.call("TIME")[1], ARGV[1])
end
return 1
