-- drop: take a session that is gone out of the list.
--
-- KEYS[1]  zset, the places of the sessions now
-- KEYS[2]  set, the ids in the user's bucket (absent where the user is not known)
-- ARGV[1]  the member   ARGV[2]  its id   ARGV[3]  the place at which it was seen
-- returns  1, or 0 where it is not there (any more): a session of that name came again
local place = redis.call("ZSCORE", KEYS[1], ARGV[1])
if not place or tonumber(place) ~= tonumber(ARGV[3]) then
    return 0
end
if KEYS[2] then
    redis.call("SREM", KEYS[2], ARGV[2])
end
return redis.call("ZREM", KEYS[1], ARGV[1])
