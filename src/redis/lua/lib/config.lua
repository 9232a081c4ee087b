-- Reads the config of the limiter KEYS[1].
--
-- Expects: expected: what algorithm the caller takes it for, or ''; decides only where the data does not say
-- Leaves: problem: nil, or the reply that says why there is none
--         algorithm, rate, interval (ms; token_bucket and calendar_window: µs), per_client, keep_alive (ms, 0: none),
--         burst (nil if none), capacity, calendar ("unit every zone", nil if none)
local rate, interval, scope, keep_alive, algorithm = unpack(
    redis.call('HMGET', KEYS[1], 'rate', 'interval', 'type', 'keepAliveTime', 'algorithm'))
local longest = MAX_INTERVAL_US / 1000
local burst, calendar, problem
if not algorithm then
    -- Redisson's. Up to 3.13.2 it counts in a fixed window, and nothing in the data says so.
    algorithm = 'sliding_log'
    if expected == 'fixed_window' and redis.call('EXISTS', KEYS[3], KEYS[6] or KEYS[3]) == 0 then algorithm = expected end
elseif algorithm == 'token_bucket' or algorithm == 'calendar_window' then
    if rate then
        problem = {INCOMPATIBLE, 'it is a ' .. algorithm .. ' of ration, but a Java client has set a rate on it too; '
            .. 'replace it by set_rate'}
    end
    local unit, every, zone
    rate, interval, burst, scope, unit, every, zone = unpack(
        redis.call('HMGET', KEYS[1], 'permits', 'micros', 'burst', 'scope', 'unit', 'every', 'zone'))
    if unit and every and zone then calendar = unit .. ' ' .. every .. ' ' .. zone end
    longest = MAX_INTERVAL_US
elseif algorithm ~= 'sliding_log' and algorithm ~= 'fixed_window' then
    problem = {INCOMPATIBLE, 'its algorithm is ' .. algorithm .. ', which this version of ration does not know'}
end
if not problem then
    if not (rate and interval and scope) then
        problem = {NOT_INITIALIZED}
    else
        local r, i, k, b = tonumber(rate), tonumber(interval), tonumber(keep_alive or 0), tonumber(burst or 1)
        if not (r and i and k and b) or r < 1 or r > MAX_PERMITS or i < 1 or i > longest or k < 0 or k > EXACT or b < 1
            or b > MAX_PERMITS or (r % 1) + (i % 1) + (k % 1) + (b % 1) ~= 0 or (scope ~= '0' and scope ~= '1') then
            problem = {INCOMPATIBLE, 'its rate is ' .. rate .. ' per ' .. interval .. ', its type ' .. scope
                .. ', its keepAliveTime ' .. (keep_alive or 0) .. '; that is outside of what ration accepts'}
        end
        rate, interval, keep_alive, burst = r, i, k, burst and b or nil
    end
end
local per_client = scope == '1'
local capacity = burst or rate
