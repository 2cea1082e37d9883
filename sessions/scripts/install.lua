-- install: write what all processes of an installation must agree on, once.
--
-- KEYS[1]  hash of the installation
-- ARGV[1]  schema    ARGV[2]  number of partitions
-- returns  the schema and the number of partitions that are stored
redis.call("HSETNX", KEYS[1], "schema", ARGV[1])
redis.call("HSETNX", KEYS[1], "partitions", ARGV[2])
return redis.call("HMGET", KEYS[1], "schema", "partitions")
