-- log_copy: copy what is left of a log, page by page, and put the copy in its place.
--
-- KEYS[1]  the log, a stream   KEYS[2]  hash: bytes, cut (another number whenever some were taken out)
-- KEYS[3]  the copy
-- ARGV[1]  from where on: "-", or "(" and an id   ARGV[2]  most entries to copy
-- ARGV[3]  the cut when the copy was begun, "" at the beginning   ARGV[4]  life of the copy, s
-- returns  the last id copied and the cut; "-" to begin anew, "" when the copy has its place
-- The first write takes no memory: what frees memory goes on where Redis has none left.
redis.call("HDEL", KEYS[2], "")
local cut = redis.call("HGET", KEYS[2], "cut") or "0"
if ARGV[1] == "-" then
    redis.call("UNLINK", KEYS[3])
elseif ARGV[3] ~= cut then
    redis.call("UNLINK", KEYS[3])
    return { "-", "" }
end
local found = redis.call("XRANGE", KEYS[1], ARGV[1], "+", "COUNT", ARGV[2])
for _, entry in ipairs(found) do
    redis.call("XADD", KEYS[3], entry[1], unpack(entry[2]))
end
if #found == tonumber(ARGV[2]) then
    redis.call("EXPIRE", KEYS[3], ARGV[4])
    return { found[#found][1], cut }
end
local first = redis.call("XRANGE", KEYS[1], "-", "+", "COUNT", 1)[1]
if not first or redis.call("EXISTS", KEYS[3]) == 0 then
    redis.call("UNLINK", KEYS[1], KEYS[3])
    return { "", cut }
end
-- The oldest may have gone for newer ones while others were copied.
redis.call("XTRIM", KEYS[3], "MINID", first[1])
local life = redis.call("PTTL", KEYS[1])
redis.call("RENAME", KEYS[3], KEYS[1])
if life > 0 then
    redis.call("PEXPIRE", KEYS[1], life)
else
    redis.call("PERSIST", KEYS[1])
end
return { "", cut }
