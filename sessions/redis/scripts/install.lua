-- install: write what all processes of an installation must agree on, once.
--
-- KEYS[1]  hash of the installation
-- ARGV[1]  schema    ARGV[2]  number of partitions
-- returns  the schema and the number of partitions that are stored
-- Who starts beside what is there writes nothing: Redis may have no memory left for that.
if redis.call("HEXISTS", KEYS[1], "schema") == 0 then
    redis.call("HSET", KEYS[1], "schema", ARGV[1], "partitions", ARGV[2])
end
return redis.call("HMGET", KEYS[1], "schema", "partitions")
