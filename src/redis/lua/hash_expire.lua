-- Gives a field another TTL, or takes it away.
--
-- KEYS  as in hash_put.lua
-- ARGV  1 kind  2 field  3 TTL in ms, or '' to take it away
-- Reply {OK, 1 if that changed anything, 0 if not}  {CONFLICT, ...}
--@include lib/constants.lua
--@include lib/hash/kind.lua
local field, ttl = ARGV[2], ARGV[3]
if redis.call('HEXISTS', KEYS[1], field) == 0 then return {OK, 0} end
if native then
    if ttl == '' then return {OK, redis.call('HPERSIST', KEYS[1], 'FIELDS', 1, field)[1] == 1 and 1 or 0} end
    local longest = ttl
    redis.call('HPEXPIRE', KEYS[1], ttl, 'FIELDS', 1, field)
    --@include lib/hash/mark_native.lua
    return {OK, 1}
end
--@include lib/time.lua
local until_ms = redis.call('ZSCORE', KEYS[2], field)
if until_ms and tonumber(until_ms) <= now_ms then return {OK, 0} end
if ttl == '' then return {OK, redis.call('ZREM', KEYS[2], field)} end
local moment = now_ms + ttl
--@include lib/hash/tell.lua
redis.call('ZADD', KEYS[2], format('%d', moment), field)
return {OK, 1}
