-- reserve: count tokens of a day beforehand, unless they would be more than there are.
--
-- KEYS[1]  tokens of the day   ARGV[1]  how many there are   ARGV[2]  how many are reserved
-- ARGV[3]  seconds for which the day is remembered
-- returns  1 where they are reserved, or 0
if tonumber(redis.call("GET", KEYS[1]) or 0) + ARGV[2] > tonumber(ARGV[1]) then
    return 0
end
redis.call("INCRBY", KEYS[1], ARGV[2])
redis.call("EXPIRE", KEYS[1], ARGV[3])
return 1
