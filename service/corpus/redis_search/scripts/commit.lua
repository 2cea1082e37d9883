-- commit: show documents, and hide those that they replace or that are gone, with what is counted.
--
-- KEYS[1]  the lease   KEYS[2]  garbage   KEYS[3]  entries   KEYS[4]  terms   KEYS[5]  totals
-- KEYS[6]  numbers
-- ARGV[1]  who writes   ARGV[2]  how long the lease goes on, milliseconds
-- ARGV[3…] five lists, each after its count: numbers that are garbage no more, with the ids of
--          their documents; numbers with the counts of chunks that are garbage now; ids with
--          entries to keep; ids to drop; fields of terms with what is added to each. What remains
--          are fields of totals with the same.
-- returns  1, or 0 where the lease was lost: nothing is written then
if redis.call("GET", KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call("PEXPIRE", KEYS[1], ARGV[2])
local at = 3
local function each(step, call)
    local last = at + tonumber(ARGV[at])
    at = at + 1
    while at <= last do
        call(ARGV[at], ARGV[at + 1])
        at = at + step
    end
end
local function add(key)
    return function(field, by)
        if redis.call("HINCRBY", key, field, by) <= 0 then
            redis.call("HDEL", key, field)
        end
    end
end
each(2, function(number, id)
    redis.call("HDEL", KEYS[2], number)
    redis.call("ZADD", KEYS[6], number, id)
end)
each(2, function(number, count) redis.call("HSET", KEYS[2], number, count) end)
each(2, function(id, entry) redis.call("HSET", KEYS[3], id, entry) end)
each(1, function(id)
    redis.call("HDEL", KEYS[3], id)
    redis.call("ZREM", KEYS[6], id)
end)
each(2, add(KEYS[4]))
local total = add(KEYS[5])
while at <= #ARGV do
    total(ARGV[at], ARGV[at + 1])
    at = at + 2
end
return 1
