-- The log of a limiter with a name. Expects: own. Leaves: log_key, value_key, permits_key, base, value
local value_key, permits_key, base = KEYS[2 + own], KEYS[3 + own], 0
local log_key, value = permits_key, redis.call('GET', value_key)
if value then
    local number = tonumber(value)
    if not number or number % 1 ~= 0 then return {INCOMPATIBLE, 'its value is ' .. value .. ', not a number of permits'} end
    value = number
else
    value = nil
end
