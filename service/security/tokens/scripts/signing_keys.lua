-- signing_keys: read the keys that sign tokens, after adding one where none is young enough.
--
-- KEYS[1]  hash: kid -> "<created, epoch ms>:<secret, hex>"
-- ARGV[1]  a new kid           ARGV[2]  its secret, hex
-- ARGV[3]  ms after which the youngest key is followed by another, 0 for now
-- ARGV[4]  ms for which a key verifies once it has a successor, 0 for none
-- returns  kids and values in turn
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = redis.call("HGETALL", KEYS[1]) -- few: each rotation deletes what verifies no more
local created, youngest = {}, -1
for at = 1, #found, 2 do
    local when = tonumber(string.match(found[at + 1], "^%d+"))
    created[#created + 1] = { kid = found[at], at = when }
    youngest = math.max(youngest, when)
end
if youngest >= 0 and now - youngest < tonumber(ARGV[3]) then
    return found
end
-- A key that is made in the millisecond of another has to be the younger one.
now = math.max(now, youngest + 1)
table.sort(created, function(a, b) return a.at < b.at end)
for at, key in ipairs(created) do
    local successor = created[at + 1] and created[at + 1].at or now
    if successor + tonumber(ARGV[4]) <= now then
        redis.call("HDEL", KEYS[1], key.kid)
    end
end
redis.call("HSET", KEYS[1], ARGV[1], string.format("%d:%s", now, ARGV[2]))
return redis.call("HGETALL", KEYS[1])
