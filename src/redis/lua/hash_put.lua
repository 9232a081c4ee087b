-- Puts fields into a hash.
--
-- KEYS  1 the hash  2 when its fields expire
-- ARGV  1 kind (lib/hash/kind.lua)  2... for each field: field, value, TTL in ms or '', '1' if only where it is absent
-- Reply {OK, 1 or 0 for each: put or not}  {CONFLICT, 1 if it is native, 0 if not}
--@include lib/constants.lua
--@include lib/hash/kind.lua
--@include lib/time.lua

local shortest, longest
for at = 4, #ARGV, 4 do
    local ttl = tonumber(ARGV[at])
    if ttl then
        if not shortest or ttl < shortest then shortest = ttl end
        if not longest or ttl > longest then longest = ttl end
    end
end
if shortest then
    local moment = now_ms + shortest
    --@include lib/hash/tell.lua
end

local reply = {OK}
for at = 2, #ARGV, 4 do
    local field, ttl, put = ARGV[at], ARGV[at + 2], 1
    if ARGV[at + 3] == '1' and redis.call('HEXISTS', KEYS[1], field) == 1 then
        local until_ms = not native and redis.call('ZSCORE', KEYS[2], field)
        if not until_ms or tonumber(until_ms) > now_ms then put = 0 end
    end
    if put == 1 then
        redis.call('HSET', KEYS[1], field, ARGV[at + 1])
        if native then
            if ttl ~= '' then redis.call('HPEXPIRE', KEYS[1], ttl, 'FIELDS', 1, field) end
        elseif ttl ~= '' then
            redis.call('ZADD', KEYS[2], format('%d', now_ms + ttl), field)
            mark = mark + 1
        elseif mark > 0 then
            redis.call('ZREM', KEYS[2], field)
        end
    end
    reply[#reply + 1] = put
end
if native and longest then
    --@include lib/hash/mark_native.lua
end
return reply
