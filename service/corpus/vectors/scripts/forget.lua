-- forget: drop the vectors of documents that are gone.
--
-- KEYS[1]  documents   KEYS[2]  vectors of one model, id -> vectors of its chunks
-- ARGV[1…] the ids
-- returns  how many were dropped
local gone = 0
for _, id in ipairs(ARGV) do
    if redis.call("HEXISTS", KEYS[1], id) == 0 then
        gone = gone + redis.call("HDEL", KEYS[2], id)
    end
end
return gone
