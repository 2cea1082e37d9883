-- claim: mark an empty Redis as one that is being restored, so that no service starts on it.
--
-- KEYS[1]  hash of the installation
-- ARGV[1]  number of partitions   ARGV[2]  who restores
-- returns  1, or 0 where an installation is there
-- Schema 0 is nobody's: services of before this mark refuse it as well.
local schema = redis.call("HGET", KEYS[1], "schema")
if schema and schema ~= "0" then
    return 0
end
redis.call("HSET", KEYS[1], "schema", "0", "partitions", ARGV[1], "restoring", ARGV[2])
return 1
