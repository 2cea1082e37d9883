-- visitor_forget: forget who a visitor became, and still accept no token of the visitor.
--
-- KEYS[1]  hash of the visitor   KEYS[2]  zset of merges to be finished, by epoch ms
-- ARGV[1]  ms to keep that the visitor has ended   ARGV[2]  the merge, as it is finished
redis.call("DEL", KEYS[1])
redis.call("HSET", KEYS[1], "ended", "1")
redis.call("PEXPIRE", KEYS[1], ARGV[1])
redis.call("ZREM", KEYS[2], ARGV[2])
return 1
