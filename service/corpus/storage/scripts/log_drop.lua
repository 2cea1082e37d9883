-- log_drop: take entries out of a log.
--
-- KEYS[1]  the log, a stream   KEYS[2]  hash: bytes (of all entries), cut (another number whenever some were taken out)
-- ARGV[1]  1 where who followed the log must read it anew, 0 where they know by themselves
-- ARGV[2…] ids of entries, at most 500
-- returns  how many there were
local gone, bytes = 0, 0
for at = 2, #ARGV do
    local entry = redis.call("XRANGE", KEYS[1], ARGV[at], ARGV[at])[1]
    if entry then
        redis.call("XDEL", KEYS[1], ARGV[at])
        bytes = bytes + #entry[2][2]
        gone = gone + 1
    end
end
if gone > 0 then
    redis.call("HINCRBY", KEYS[2], "bytes", -bytes)
    if ARGV[1] == "1" then
        redis.call("HINCRBY", KEYS[2], "cut", 1)
    end
end
return gone
