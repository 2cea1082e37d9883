-- complete: make an installation of what was restored.
--
-- KEYS[1]  hash of the installation
-- ARGV[1]  who restored   ARGV[2…]  its fields and their values
-- returns  1, or 0 where somebody else restores
if redis.call("HGET", KEYS[1], "restoring") ~= ARGV[1] then
    return 0
end
redis.call("HDEL", KEYS[1], "restoring")
for at = 2, #ARGV, 2 do
    redis.call("HSET", KEYS[1], ARGV[at], ARGV[at + 1])
end
return 1
