-- stage: lay some elements aside, for a moment, where a later script finds them whole.
--
-- KEYS[1]  list, of its writer alone
-- ARGV[1]  how long it is kept, milliseconds   ARGV[2…]  the elements, 1,000 at most
-- returns  how many there are now
-- In one script: a writer that is killed leaves nothing behind that has no time to live.
local count = redis.call("RPUSH", KEYS[1], unpack(ARGV, 2))
redis.call("PEXPIRE", KEYS[1], ARGV[1])
return count
