-- documents: tell some documents of a data store whole, all at one moment, in the order of ids.
--
-- KEYS[1]  ids   KEYS[2]  documents   KEYS[3]  passages   KEYS[4]  digests   KEYS[5]  figures
-- KEYS[6]  images
-- ARGV[1]  from which id on: "-", or "(" and an id   ARGV[2]  how many at most
-- ARGV[3]  bytes after which no more are told
-- returns  for each: its id, JSON, passages, digest, list of images or nil, {field, image, …}
local reply, bytes = {}, 0
for _, id in ipairs(redis.call("ZRANGEBYLEX", KEYS[1], ARGV[1], "+", "LIMIT", 0, ARGV[2])) do
    local told = { id }
    for part = 2, 5 do
        told[part] = redis.call("HGET", KEYS[part], id)
        bytes = bytes + #(told[part] or "")
    end
    local figures, images = told[5] or "", {}
    for n = 1, figures:byte(1) or 0 do -- a list begins with its count, and digests of 16 bytes
        local field = figures:sub(16 * n - 14, 16 * n + 1) .. id
        local image = redis.call("HGET", KEYS[6], field)
        if image then
            images[#images + 1] = field
            images[#images + 1] = image
            bytes = bytes + #image
        end
    end
    told[6] = images
    reply[#reply + 1] = told
    if bytes > tonumber(ARGV[3]) then
        break
    end
end
return reply
