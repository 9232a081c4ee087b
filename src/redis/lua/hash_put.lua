-- Puts fields into a hash.
--
-- KEYS  1 the hash  2 when its fields expire
-- ARGV  1 kind (lib/hash/kind.lua)  2 how many fields  3 '1' if some are to be put only where absent
--       4... field and value for each, then the TTL in ms or '' for each, then, if some are, '1' or '' for each
-- Reply {OK}: all were put; if some only where absent, {OK, 1 or 0 for each: put or not}  {CONFLICT, 1 if it is native, 0 if not}
--@include lib/constants.lua
--@include lib/hash/kind.lua
--@include lib/time.lua
local count = tonumber(ARGV[2])
local before_ttls = 3 + 2 * count

local shortest, longest, some_stay
for i = before_ttls + 1, before_ttls + count do
    local ttl = tonumber(ARGV[i])
    if not ttl then
        some_stay = true
    else
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
        local field, ttl, put = ARGV[2 + 2 * i], ARGV[before_ttls + i], 1
        if ARGV[before_ttls + count + i] == '1' and redis.call('HEXISTS', KEYS[1], field) == 1 then
            local until_ms = not native and redis.call('ZSCORE', KEYS[2], field)
            if not until_ms or tonumber(until_ms) > now_ms then put = 0 end
        end
        if put == 1 then
            redis.call('HSET', KEYS[1], field, ARGV[3 + 2 * i])
            --@include lib/hash/set_moment.lua
        end
        reply[i + 1] = put
    end
else
    redis.call('HSET', KEYS[1], unpack(ARGV, 4, before_ttls))
    if shortest and shortest == longest and not some_stay then
        -- All the same: in one command.
        local words = {}
        if native then
            for i = 1, count do words[i] = ARGV[2 + 2 * i] end
            redis.call('HPEXPIRE', KEYS[1], shortest, 'FIELDS', count, unpack(words))
        else
            local moment = format('%d', now_ms + shortest)
            for i = 1, count do
                words[2 * i - 1] = moment
                words[2 * i] = ARGV[2 + 2 * i]
            end
            redis.call('ZADD', KEYS[2], unpack(words))
        end
    elseif shortest or mark > 0 then
        -- Of a field that is put twice, the last one counts.
        local last = {}
        for i = 1, count do last[ARGV[2 + 2 * i]] = ARGV[before_ttls + i] end
        for field, ttl in pairs(last) do
            --@include lib/hash/set_moment.lua
        end
    end
end
if native and longest then
    --@include lib/hash/mark_native.lua
end
return reply
