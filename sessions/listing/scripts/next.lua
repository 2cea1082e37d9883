-- next: go on with a traversal, and hold what it reads still for as long again.
--
-- KEYS[1]  zset, the places of the sessions now       KEYS[2]  zset, the places that they left
-- KEYS[3]  list, the places left, in the order in which they were left
-- KEYS[4]  zset, the snapshots that traversals read   KEYS[5]  zset, when their tokens expire
-- ARGV[1]  the snapshot   ARGV[2], ARGV[3]  place and member of the last entry that was read
-- ARGV[4]  how many entries   ARGV[5]  "desc" or "asc"   ARGV[6]  how long a token is good, ms
-- returns  nil where the token has expired; else 1 where nothing follows or 0, and the members and
--          places by turns, for the places of now and then for the places left, each of those
--          with "\0" and the last snapshot that saw it there at the end of the member
if not redis.call("ZSCORE", KEYS[5], ARGV[1]) then
    return nil
end
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- Twice the life of a token: what it reads outlives it, and goes where nobody reads any more.
-- PEXPIRE takes no memory: behind it the rest is let through where Redis has none left.
for index = 2, 5 do
    redis.call("PEXPIRE", KEYS[index], 2 * ARGV[6])
end
redis.call("ZADD", KEYS[5], string.format("%.0f", now + ARGV[6]), ARGV[1])

local place, member, count = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local descending = ARGV[5] == "desc"

-- Tells whether a comes before b, byte by byte: the operator goes by the server's locale.
local function before(a, b)
    for index = 1, math.min(#a, #b) do
        local left, right = a:byte(index), b:byte(index)
        if left ~= right then
            return left < right
        end
    end
    return #a < #b
end

-- Reads what follows the cursor in key. Entries at its very place come again: no two sessions
-- have one, unless they were written in the same microsecond, so the loop is short.
local function following(key, suffix)
    local command = descending and "ZREVRANGEBYSCORE" or "ZRANGEBYSCORE"
    local limit = descending and "-inf" or ARGV[1]
    local offset, found = 0, {}
    while true do
        local chunk = redis.call(command, key, ARGV[2], limit, "WITHSCORES", "LIMIT", offset, count)
        for index = 1, #chunk, 2 do
            local name = chunk[index]:sub(1, #chunk[index] - suffix)
            local follows = not descending and before(member, name) or descending and before(name, member)
            if tonumber(chunk[index + 1]) ~= place or follows then
                found[#found + 1] = chunk[index]
                found[#found + 1] = chunk[index + 1]
            end
        end
        if #chunk < 2 * count then
            return 1, found
        elseif #found > 0 then
            return 0, found
        end
        offset = offset + count
    end
end

local ended, entries = following(KEYS[1], 0)
local left_ended, left = following(KEYS[2], 17)
return { ended, entries, left_ended, left }
