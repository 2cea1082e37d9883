-- audit_append: add an entry to the audit log, if it is chained to the last one.
--
-- KEYS[1]  the log, a stream
-- ARGV[1]  the hash of the entry before, as the caller knows it; "" before the first
-- ARGV[2]  the entry, JSON   ARGV[3]  its hash
-- returns  {id}, or {false, hash} with the hash of the last entry where another writer came first
local last = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1]
local head = last and last[2][4] or ""
if head ~= ARGV[1] then
    return { false, head }
end
-- Who frees memory leaves a trace where there is none left, too: the first write takes none.
redis.call("XDEL", KEYS[1], "0-1")
return { redis.call("XADD", KEYS[1], "*", "entry", ARGV[2], "hash", ARGV[3]) }
