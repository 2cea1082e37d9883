-- key_replace: keep an API key, new or changed, if nobody else changed it.
--
-- KEYS[1]  hash of the keys by id   KEYS[2]  string, the state of all of them
-- ARGV[1]  the id   ARGV[2]  the JSON that the caller has read, "" where it makes the key
-- ARGV[3]  the JSON that takes its place   ARGV[4]  the new state
-- returns  1, or 0 where another writer came first
if (redis.call("HGET", KEYS[1], ARGV[1]) or "") ~= ARGV[2] then
    return 0
end
-- A key must be revocable in a Redis without memory: behind a write that takes none it is stored.
redis.call("HDEL", KEYS[1], "")
redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
redis.call("SET", KEYS[2], ARGV[4])
return 1
