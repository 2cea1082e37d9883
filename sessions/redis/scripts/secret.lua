-- secret: return a secret of the installation, made by whoever asks first.
--
-- KEYS[1]  hash of the installation   ARGV[1]  its field   ARGV[2]  the secret where there is none
-- returns  the secret
local found = redis.call("HGET", KEYS[1], ARGV[1])
if found then
    return found
end
-- It is small and needed to read: behind a first write that takes no memory it is let through.
redis.call("HDEL", KEYS[1], ARGV[1])
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return ARGV[2]
