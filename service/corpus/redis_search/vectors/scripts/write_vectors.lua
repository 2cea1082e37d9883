-- write_vectors: store the vectors of chunks that there are, and say how far that has come.
--
-- KEYS[1]  models   KEYS[2]  what is known of the vectors
-- KEYS[3…] for each chunk its hash, and that of its vector
-- ARGV[1]  the model   ARGV[2]  the number up to which all documents have vectors, "" for as before
-- ARGV[3…] for each chunk the id of its document, tags besides those of the chunk, and its vector
-- returns  1, or 0 where the model has no vectors here (any more): nothing is written then
if not redis.call("ZSCORE", KEYS[1], ARGV[1]) then
    return 0
end
local at, new = 3, 0
for n = 3, #KEYS, 2 do
    -- A document that was replaced meanwhile has other chunks; vectors of its old ones would stay.
    local facts = redis.call("HGET", KEYS[n], "facts")
    if facts then
        local told = {"id", ARGV[at], "facts", facts .. ARGV[at + 1], "vector", ARGV[at + 2]}
        if redis.call("HSET", KEYS[n + 1], unpack(told)) > 0 then
            new = new + 1
        end
    end
    at = at + 3
end
if new > 0 then
    redis.call("HINCRBY", KEYS[2], "count", new)
end
if ARGV[2] ~= "" then
    redis.call("HSET", KEYS[2], "position", ARGV[2])
end
return 1
