-- Reads fields of a hash. One that has expired is not there, whether it was removed or not.
--
-- KEYS  as in hash_put.lua
-- ARGV  1 kind  2... fields
-- Reply {OK, value or nil for each}  {CONFLICT, ...}
--@include lib/constants.lua
if ARGV[1] == 'n' then
    --@include lib/hash/kind.lua
    return {OK, unpack(redis.call('HMGET', KEYS[1], unpack(ARGV, 2)))}
end
--@include lib/time.lua
-- One look for all fields: mostly nothing has expired that was not removed. It tells the kind, too (lib/hash/kind.lua).
local due = redis.pcall('ZRANGEBYSCORE', KEYS[2], '-inf', format('%d', now_ms), 'LIMIT', 0, 1)
if due.err then
    if string.find(due.err, 'WRONGTYPE', 1, true) then return {CONFLICT, 1} end
    return due
end
local values = redis.call('HMGET', KEYS[1], unpack(ARGV, 2))
if #due > 0 then
    local moments = redis.call('ZMSCORE', KEYS[2], unpack(ARGV, 2))
    for i = 1, #values do
        if moments[i] and tonumber(moments[i]) <= now_ms then values[i] = false end
    end
end
return {OK, unpack(values)}
