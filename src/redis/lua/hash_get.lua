-- Reads fields of a hash. One that has expired is not there, whether it was removed or not.
--
-- KEYS  as in hash_put.lua
-- ARGV  1 kind  2... fields
-- Reply {OK, value or nil for each}  {CONFLICT, ...}
--@include lib/constants.lua
--@include lib/hash/kind.lua
local values = redis.call('HMGET', KEYS[1], unpack(ARGV, 2))
if not native and mark > 0 then
    --@include lib/time.lua
    local moments = redis.call('ZMSCORE', KEYS[2], unpack(ARGV, 2))
    for i = 1, #values do
        if moments[i] and tonumber(moments[i]) <= now_ms then values[i] = false end
    end
end
return {OK, unpack(values)}
