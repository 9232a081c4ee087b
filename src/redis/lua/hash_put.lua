-- Puts fields into a hash.
--
-- KEYS  1 the hash  2 when its fields expire
-- ARGV  1 kind (lib/hash/kind.lua)  2 how many fields  3 '1' if some are to be put only where absent
--       4 the TTL of all in ms, '' if none has one, 'each' if they differ
--       5... field and value for each, then, if they differ, the TTL in ms or '' for each, then, if some are, '1' or '' for each
-- Reply {OK}: all were put; if some only where absent, {OK, 1 or 0 for each: put or not}  {CONFLICT, 1 if it is native, 0 if not}
--@include lib/constants.lua
--@include lib/hash/kind.lua
--@include lib/time.lua
local count, each = tonumber(ARGV[2]), ARGV[4] == 'each'
local last_value = 4 + 2 * count
local last_ttl = each and last_value + count or last_value

local shortest, longest
if not each then
    shortest = tonumber(ARGV[4])
    longest = shortest
end
for i = last_value + 1, last_ttl do
    local ttl = tonumber(ARGV[i])
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
if ARGV[3] == '1' then
    for i = 1, count do
        local field, ttl, put = ARGV[3 + 2 * i], each and ARGV[last_value + i] or ARGV[4], 1
        if ARGV[last_ttl + i] == '1' and redis.call('HEXISTS', KEYS[1], field) == 1 then
            local until_ms = not native and redis.call('ZSCORE', KEYS[2], field)
            if not until_ms or tonumber(until_ms) > now_ms then put = 0 end
        end
        if put == 1 then
            redis.call('HSET', KEYS[1], field, ARGV[4 + 2 * i])
            --@include lib/hash/set_moment.lua
        end
        reply[i + 1] = put
    end
else
    redis.call('HSET', KEYS[1], unpack(ARGV, 5, last_value))
    if each then
        -- Of a field that is put twice, the last one counts.
        local last = {}
        for i = 1, count do last[ARGV[3 + 2 * i]] = ARGV[last_value + i] end
        --@include lib/hash/set_moments.lua
    elseif shortest and not native then
        -- All the same: in one command. The values make room for the moments.
        local moment = format('%d', now_ms + shortest)
        for i = 5, last_value, 2 do
            ARGV[i + 1] = ARGV[i]
            ARGV[i] = moment
        end
        redis.call('ZADD', KEYS[2], unpack(ARGV, 5, last_value))
    elseif shortest or mark > 0 and not native then
        for i = 2, count do ARGV[4 + i] = ARGV[3 + 2 * i] end
        if native then
            redis.call('HPEXPIRE', KEYS[1], ARGV[4], 'FIELDS', count, unpack(ARGV, 5, 4 + count))
        else
            redis.call('ZREM', KEYS[2], unpack(ARGV, 5, 4 + count))
        end
    end
end
if native and longest then
    --@include lib/hash/mark_native.lua
end
return reply
