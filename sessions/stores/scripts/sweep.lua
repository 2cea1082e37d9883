-- sweep: unlink some answers of a deleted session.
--
-- KEYS[1]  the names of its answers, those to be unlinked first   KEYS[2]  the partition's trash
-- KEYS[3…]  hashes and logs of the answers to unlink, 200 at most
-- ARGV[1]  the name of the session   ARGV[2]  the name at the head of KEYS[1], or ""
-- ARGV[3]  how many answers these are
-- returns  how many answers are left
if #KEYS > 2 then
    redis.call("UNLINK", unpack(KEYS, 3))
end
-- Where the head is another, somebody else has swept these.
if redis.call("LINDEX", KEYS[1], 0) == ARGV[2] then
    redis.call("LTRIM", KEYS[1], ARGV[3], -1)
end
local left = redis.call("LLEN", KEYS[1])
if left == 0 then
    redis.call("ZREM", KEYS[2], ARGV[1])
end
return left
