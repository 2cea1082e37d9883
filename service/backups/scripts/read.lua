-- read: tell what some keys of one slot hold, all at one moment.
--
-- KEYS     the keys
-- ARGV[1]  most elements that are told of a hash or a stream
-- returns  epoch ms, then for each key: {} where it is not there, else its type, how long it lives
--          on in ms (-1 for ever), and its elements, nil where there are more; behind those of a
--          stream its last id and, from Redis 7.0 on, how many were added and the last deleted id
local most = tonumber(ARGV[1])

local function counts(key)
    local info, found = redis.call("XINFO", "STREAM", key), {}
    for at = 1, #info, 2 do
        found[info[at]] = info[at + 1]
    end
    return found["last-generated-id"], found["entries-added"], found["max-deleted-entry-id"]
end

local function told(key)
    local kind = redis.call("TYPE", key).ok
    if kind == "none" then
        return {}
    end
    local found = false
    if kind == "string" then
        found = { redis.call("GET", key) }
    elseif kind == "hash" then
        found = redis.call("HLEN", key) <= most and redis.call("HGETALL", key)
    elseif kind == "list" then
        found = redis.call("LRANGE", key, 0, -1)
    elseif kind == "set" then
        found = redis.call("SMEMBERS", key)
    elseif kind == "zset" then
        found = redis.call("ZRANGE", key, 0, -1, "WITHSCORES")
    end
    local life = redis.call("PTTL", key)
    if kind ~= "stream" then
        return { kind, life, found }
    end
    found = redis.call("XLEN", key) <= most and redis.call("XRANGE", key, "-", "+")
    local last, added, deleted = counts(key)
    if not added then
        return { kind, life, found, last }
    end
    return { kind, life, found, last, tostring(added), deleted }
end

local time = redis.call("TIME")
local reply = { time[1] * 1000 + math.floor(time[2] / 1000) }
for at, key in ipairs(KEYS) do
    reply[at + 1] = told(key)
end
return reply
