-- upload_keep: keep a piece of an upload, or that one is begun, while there is room for it.
--
-- KEYS[1]  hash, the uploads that are not ended: id -> "<when it ends, ms> <bytes> <corpus>"
-- KEYS[2]  what was said at its beginning   KEYS[3]  the bytes that have come
-- ARGV[1]  its id   ARGV[2]  its corpus   ARGV[3]  what is said at its beginning, "" for a piece
-- ARGV[4]  where the piece begins   ARGV[5]  the piece   ARGV[6]  how long it can go on, ms
-- ARGV[7]  how many bytes are to come, at its beginning, or 0
-- ARGV[8]  how many uploads there may be   ARGV[9]  of one corpus
-- ARGV[10] how many bytes there may be   ARGV[11] of one corpus
-- returns  {"KEPT", bytes}; {"BEHIND", bytes} where some are missing before the piece;
--          {"FULL", ms until the next upload that is in the way ends}; {"ABSENT"}
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local begins, mine = ARGV[3] ~= "", nil
local count, bytes, of_corpus, bytes_of_corpus = 0, 0, 0, 0
local soonest, over = now + ARGV[6], {}
local entries = redis.call("HGETALL", KEYS[1]) -- at most as many as there may be
for index = 1, #entries, 2 do
    local ends, size, corpus = entries[index + 1]:match("^(%d+) (%d+) (.+)$")
    ends, size = tonumber(ends), tonumber(size)
    if ends <= now then
        over[#over + 1] = entries[index] -- its bytes went by themselves at that moment
    else
        if entries[index] == ARGV[1] and corpus == ARGV[2] then
            mine = size
        elseif ends < soonest then
            soonest = ends
        end
        count, bytes = count + 1, bytes + size
        if corpus == ARGV[2] then
            of_corpus, bytes_of_corpus = of_corpus + 1, bytes_of_corpus + size
        end
    end
end
if not begins and not mine then
    return { "ABSENT" }
end
local offset, have = tonumber(ARGV[4]), mine or 0
if offset > have then
    return { "BEHIND", have }
end
local size = math.max(have, offset + #ARGV[5])
local more = begins and tonumber(ARGV[7]) or size - have
local no_room = more > 0 and (bytes + more > tonumber(ARGV[10]) or bytes_of_corpus + more > tonumber(ARGV[11]))
if no_room or begins and (count >= tonumber(ARGV[8]) or of_corpus >= tonumber(ARGV[9])) then
    return { "FULL", soonest - now }
end

-- What takes memory is written first: where Redis has none left, all of this is refused.
if begins then
    redis.call("SET", KEYS[2], ARGV[3])
else
    redis.call("SETRANGE", KEYS[3], offset, ARGV[5])
end
if #over > 0 then
    redis.call("HDEL", KEYS[1], unpack(over))
end
redis.call("HSET", KEYS[1], ARGV[1], string.format("%.0f %.0f %s", now + ARGV[6], size, ARGV[2]))
for _, key in ipairs(KEYS) do
    redis.call("PEXPIRE", key, ARGV[6])
end
return { "KEPT", size }
