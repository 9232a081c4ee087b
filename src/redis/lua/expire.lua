-- Sets or clears the time at which a limiter vanishes.
--
-- KEYS  as in acquire.lua, all eight
-- ARGV  1 after, at or never  2 ms from now, or since 1970
-- Reply {OK, 1 if that changed something}
--@include lib/constants.lua
--@include lib/clients.lua

local ttl = redis.call('PTTL', KEYS[1])
if ttl == -2 then return {OK, 0} end
local command = ({after = 'PEXPIRE', at = 'PEXPIREAT', never = 'PERSIST'})[ARGV[1]]
local function apply(key)
    if command == 'PERSIST' then return redis.call(command, key) end
    return redis.call(command, key, ARGV[2])
end

local algorithm, interval = unpack(redis.call('HMGET', KEYS[1], 'algorithm', 'interval'))
local changed = apply(KEYS[1])
local ends = redis.call('PTTL', KEYS[1])
if ends == -2 then -- that time is past
    clear_state()
elseif algorithm == 'fixed_window' then
    -- The value's time to live is the window. It ends with the limiter; if it was cut short by that once, nobody knows
    -- how much of the window is left, so it lasts a whole one.
    for_each_state(function(value_key)
        local left = redis.call('PTTL', value_key)
        local whole_window = tonumber(interval)
        if left > 0 and ttl > 0 and left >= ttl - 1 and (ends < 0 or ends > ttl) then left = whole_window end
        if left > 0 then redis.call('PEXPIRE', value_key, format('%d', ends > 0 and math.min(ends, left) or left)) end
    end)
elseif not algorithm then
    apply(KEYS[2])
    apply(KEYS[3])
    -- What one client has may have been cut short by the old time; it always ends by itself.
    local own = (tonumber(interval) or 0) + 60000
    local lifetime = format('%d', ends > 0 and math.min(ends, own) or own)
    for_each_state(function(value_key, permits_key)
        if value_key == KEYS[2] then return end
        redis.call('PEXPIRE', value_key, lifetime)
        redis.call('PEXPIRE', permits_key, lifetime)
    end)
end
return {OK, changed}
