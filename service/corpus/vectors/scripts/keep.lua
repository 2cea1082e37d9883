-- keep: store the vectors of documents that there are.
--
-- KEYS[1]  documents   KEYS[2]  vectors of one model, id -> vectors of its chunks
-- ARGV[1]  seconds after which vectors that nobody uses go   ARGV[2…] for each document: id, vectors
-- returns  how many were stored
local kept = 0
for at = 2, #ARGV, 2 do
    -- One that was deleted while it was embedded would stay for ever.
    if redis.call("HEXISTS", KEYS[1], ARGV[at]) == 1 then
        redis.call("HSET", KEYS[2], ARGV[at], ARGV[at + 1])
        kept = kept + 1
    end
end
redis.call("EXPIRE", KEYS[2], ARGV[1])
return kept
