-- lease: have the right to write an index, or keep it, or give it up.
--
-- KEYS[1]  who has it   ARGV[1]  who asks   ARGV[2]  for how long, milliseconds; 0 gives it up
-- returns  1, or 0 where somebody else has it
local holder = redis.call("GET", KEYS[1])
if holder and holder ~= ARGV[1] then
    return 0
end
if ARGV[2] == "0" then
    redis.call("DEL", KEYS[1])
else
    redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
end
return 1
