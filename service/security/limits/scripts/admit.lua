-- admit: take a request from all buckets that it draws on, and a place among those under way, or
-- nothing at all where one of them has none.
--
-- KEYS     of each bucket the string with the epoch millisecond at which it is full again; then of
--          each place the sorted set: request -> epoch ms at which it counts no more
-- ARGV[1]  how many buckets   ARGV[2]  window, milliseconds   ARGV[3]  tokens that are taken
-- ARGV[4]  the request's id   ARGV[5]  milliseconds after which it counts no more
-- ARGV[6…] of each bucket its size; then of each set how many requests it may have
-- returns  {which refuses, counted from 1, or 0; ms to wait; epoch ms; 1 where it took the last place
--          of a set, or 0; remaining and ms until full, a bucket}
local clock = redis.call("TIME")
local now = clock[1] * 1000 + clock[2] / 1000
local buckets, window, tokens = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local refuses, wait, last, levels, later = 0, 0, 0, {}, {}
for i = 1, buckets do
    local size = tonumber(ARGV[5 + i])
    local interval = window / size
    local full = math.max(now, tonumber(redis.call("GET", KEYS[i]) or now))
    later[i] = full + math.min(tokens, size) * interval
    local over = later[i] - now - window
    -- A microsecond for what is lost in adding: a bucket gives the last of its tokens, too.
    if over > 0.001 then
        if over > wait then
            refuses, wait = i, over
        end
    else
        full = later[i]
    end
    levels[#levels + 1] = math.floor((window - (full - now)) / interval + 0.001)
    levels[#levels + 1] = math.ceil(full - now)
end
if refuses > 0 then
    return {refuses, math.ceil(wait), now, 0, unpack(levels)}
end
for i = buckets + 1, #KEYS do
    redis.call("ZREMRANGEBYSCORE", KEYS[i], "-inf", now)
    local left = tonumber(ARGV[5 + i]) - redis.call("ZCARD", KEYS[i])
    if left <= 0 then
        return {i, 1000, now, 0, unpack(levels)}
    elseif left == 1 then
        last = 1
    end
end
for i = 1, buckets do
    redis.call("SET", KEYS[i], string.format("%.3f", later[i]), "PX", math.ceil(later[i] - now) + 1)
end
for i = buckets + 1, #KEYS do
    redis.call("ZADD", KEYS[i], now + ARGV[5], ARGV[4])
    redis.call("PEXPIRE", KEYS[i], ARGV[5])
end
return {0, 0, now, last, unpack(levels)}
