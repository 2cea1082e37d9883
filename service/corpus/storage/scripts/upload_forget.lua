-- upload_forget: drop an upload with its bytes; they count no more from then on.
--
-- KEYS[1]  hash, the uploads that are not ended   KEYS[2]  what was said at its beginning
-- KEYS[3]  the bytes that have come   ARGV[1]  its id
-- returns  1, or 0 where there is none of this id
redis.call("UNLINK", KEYS[2], KEYS[3])
return redis.call("HDEL", KEYS[1], ARGV[1])
