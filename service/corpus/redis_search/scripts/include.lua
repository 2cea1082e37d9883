-- include: say up to where the feed is in the index.
--
-- KEYS[1]  the lease   KEYS[2]  totals
-- ARGV[1]  who writes   ARGV[2]  how long the lease goes on, milliseconds   ARGV[3]  the position
-- returns  1, or 0 where the lease was lost: another has gone on from the position before
if redis.call("GET", KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call("PEXPIRE", KEYS[1], ARGV[2])
redis.call("HSET", KEYS[2], "position", ARGV[3])
return 1
