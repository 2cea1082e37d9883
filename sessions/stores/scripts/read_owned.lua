-- read_owned: a session with its turns, for one user.
--
-- What is somebody else's is told apart here, so that its turns are not sent: their size would show
-- in the time to answer that it is there.
--
-- KEYS[1]  its hash   KEYS[2]  its turns
-- ARGV[1]  whose it has to be, a user pseudo id; "" is nobody
-- ARGV[2]  how many turns are read at most   ARGV[3…]  the fields of the hash that are read
-- returns  the fields in their order, and behind them the turns where there are no more than that;
--          nothing where there is no such session, where it is damaged, or somebody else's
local json = redis.call("HGET", KEYS[1], "json")
if not json or ARGV[1] == "" then
    return false
end
local whole, document = pcall(cjson.decode, json)
if not whole or type(document) ~= "table" or document.userPseudoId ~= ARGV[1] then
    return false
end
local found = { redis.call("HMGET", KEYS[1], unpack(ARGV, 3)) }
if redis.call("LLEN", KEYS[2]) <= tonumber(ARGV[2]) then
    found[2] = redis.call("LRANGE", KEYS[2], 0, -1)
end
return found
