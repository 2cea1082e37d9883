-- touch: give a session the place of its last update, in the eyes of new traversals only.
--
-- KEYS[1]  zset, the places of the sessions now       KEYS[2]  zset, the places that they left
-- KEYS[3]  list, the places left, in the order in which they were left
-- KEYS[4]  zset, the snapshots that traversals read   KEYS[5]  zset, when their tokens expire
-- KEYS[6]  set, the ids in the user's bucket (absent where the session has no user)
-- ARGV[1]  the member   ARGV[2]  its update time, µs   ARGV[3]  its id
-- ARGV[4]  how long a token is good, milliseconds
-- returns  1, or 0 where its place was that or later already
local member, updated = ARGV[1], tonumber(ARGV[2])
-- What is there is listed where Redis has no memory left, too: the first write takes none.
redis.call("ZREM", KEYS[5], "")
if KEYS[6] then
    redis.call("SADD", KEYS[6], ARGV[3])
end
local place = tonumber(redis.call("ZSCORE", KEYS[1], member) or nil)
if place and place >= updated then
    return 0
end

-- Forget a bounded number of traversals that are over, then of places that nobody asks for.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, snapshot in ipairs(redis.call("ZRANGEBYSCORE", KEYS[5], "-inf", now, "LIMIT", 0, 16)) do
    redis.call("ZREM", KEYS[5], snapshot)
    redis.call("ZREM", KEYS[4], snapshot)
end
local oldest = tonumber(redis.call("ZRANGE", KEYS[4], 0, 0)[1])
for _ = 1, 16 do
    local left = redis.call("LINDEX", KEYS[3], 0)
    if not left or (oldest and tonumber(left:sub(-16)) >= oldest) then
        break
    end
    redis.call("LPOP", KEYS[3])
    redis.call("ZREM", KEYS[2], left)
end

-- What the newest snapshot saw stays where it saw it, and nothing arrives within a snapshot.
local newest = tonumber(redis.call("ZREVRANGE", KEYS[4], 0, 0)[1])
if newest and place and place <= newest then
    -- As wide as any snapshot until 2286: next.lua and its reader cut it off by its length.
    local left = member .. string.format("\0%016.0f", newest)
    redis.call("ZADD", KEYS[2], string.format("%.0f", place), left)
    redis.call("RPUSH", KEYS[3], left)
    redis.call("PEXPIRE", KEYS[2], 2 * ARGV[4])
    redis.call("PEXPIRE", KEYS[3], 2 * ARGV[4])
end
if newest and updated <= newest then
    updated = math.max(newest, tonumber(redis.call("ZREVRANGE", KEYS[1], 0, 0, "WITHSCORES")[2] or 0)) + 1
end
redis.call("ZADD", KEYS[1], string.format("%.0f", updated), member)
return 1
