-- first: begin a traversal, and hold what it reads still until its token expires.
--
-- KEYS[1]  zset, the places of the sessions now
-- KEYS[2]  zset, the snapshots that traversals read   KEYS[3]  zset, when their tokens expire
-- ARGV[1]  how many entries   ARGV[2]  "desc" or "asc"   ARGV[3]  how long a token is good, ms
-- returns  the snapshot, or "" where this is all and nothing is held; members and places by turns
local command = ARGV[2] == "desc" and "ZREVRANGE" or "ZRANGE"
local entries = redis.call(command, KEYS[1], 0, ARGV[1] - 1, "WITHSCORES")
if redis.call("ZCARD", KEYS[1]) <= tonumber(ARGV[1]) then
    return { "", entries }
end
-- Not before any place that is taken, and after every snapshot before it, whatever the clocks say.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call("ZREVRANGE", KEYS[1], 0, 0, "WITHSCORES")[2])
local newest = tonumber(redis.call("ZREVRANGE", KEYS[2], 0, 0)[1] or 0)
local snapshot = string.format("%016.0f", math.max(time[1] * 1000000 + time[2], last, newest + 1))
-- Lists are read where Redis has no memory left, too, if only to delete: behind a first write that
-- takes none the rest is let through, unless so many read that they would fill it by themselves.
if redis.call("ZCARD", KEYS[2]) < 100000 then
    redis.call("ZREM", KEYS[2], snapshot)
end
-- Those that are over go, a bounded number: where nothing is updated nobody else forgets them.
for _, over in ipairs(redis.call("ZRANGEBYSCORE", KEYS[3], "-inf", now, "LIMIT", 0, 16)) do
    redis.call("ZREM", KEYS[3], over)
    redis.call("ZREM", KEYS[2], over)
end
redis.call("ZADD", KEYS[2], snapshot, snapshot)
redis.call("ZADD", KEYS[3], string.format("%.0f", now + ARGV[3]), snapshot)
redis.call("PEXPIRE", KEYS[2], 2 * ARGV[3])
redis.call("PEXPIRE", KEYS[3], 2 * ARGV[3])
return { snapshot, entries }
