-- Removes fields of a hash. One that has expired is left to the sweeper, who tells whoever listens.
--
-- KEYS  as in hash_put.lua
-- ARGV  1 kind  2... fields
-- Reply {OK, how many were there}  {CONFLICT, ...}
--@include lib/constants.lua
--@include lib/hash/kind.lua
if mark == 0 then return {OK, redis.call('HDEL', KEYS[1], unpack(ARGV, 2))} end
if native then
    -- HDEL would count what has expired and was not dropped yet.
    local left, live = redis.call('HPTTL', KEYS[1], 'FIELDS', #ARGV - 1, unpack(ARGV, 2)), {}
    for i = 1, #left do
        if left[i] ~= -2 then live[#live + 1] = ARGV[i + 1] end
    end
    local removed = #live > 0 and redis.call('HDEL', KEYS[1], unpack(live)) or 0
    if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('UNLINK', KEYS[2]) end
    return {OK, removed}
end
--@include lib/time.lua
local moments = redis.call('ZMSCORE', KEYS[2], unpack(ARGV, 2))
local removed = 0
for i = 1, #moments do
    if not moments[i] then
        removed = removed + redis.call('HDEL', KEYS[1], ARGV[i + 1])
    elseif tonumber(moments[i]) > now_ms then
        removed = removed + redis.call('HDEL', KEYS[1], ARGV[i + 1])
        redis.call('ZREM', KEYS[2], ARGV[i + 1])
    end
end
return {OK, removed}
