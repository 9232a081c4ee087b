-- Takes permits of a limiter for a batch of requests, in order, in one step.
--
-- KEYS  1 config  2 value  3 permits  4 state
--       5-7 value, permits and state of this client  8 clients: only if the limiter is per client, since every key costs the server
--       a tenth of a microsecond
-- ARGV  1 batch (lib/batch.lua)  2 what stands before the permits in a new member of a log
--       3 the rate for which the value is known to be right, or ''
--       and, if need be:  4 expected algorithm or ''  5 log_resolution in ms
--       6 "unit every zone" and 7 the windows of that, for a calendar_window
-- Reply a string (lib/pack.lua) of
--       OK, kind, capacity, free before, reset in µs before and after a grant, permits granted, µs for each refusal ...
--       token_bucket: OK, 4, capacity, missing, parts, µs ahead, permits granted, permits, interval in µs
--       {NOT_INITIALIZED} | {CONFLICT, algorithm} | {INCOMPATIBLE, why} | {AGAIN}: nothing was decided, ask again
--       {NEED_KEYS}: ask again with all eight
--       {NEED_WINDOW, time in µs, permits, unit, every, zone}: ask again with the windows of that time
--@include lib/constants.lua
local batch, prefix, expected = ARGV[1], ARGV[2], ARGV[4] or ''
--@include lib/require_config.lua
if per_client and not KEYS[8] then return {NEED_KEYS} end
--@include lib/time.lua

if algorithm == 'sliding_log' then
    local seen_rate, span = tonumber(ARGV[3]), tonumber(ARGV[5] or 0)
    --@include lib/sliding_log/named.lua
    --@include lib/sliding_log/read.lua
    --@include lib/sliding_log/take.lua
    --@include lib/touch_log.lua
    if per_client and granted > 0 then
        local lifetime = interval + 60000
        --@include lib/register.lua
    end
    return reply
elseif algorithm == 'fixed_window' then
    local window_key = KEYS[2 + own]
    --@include lib/touch.lua
    local ends = ttl > 0 and ttl or interval
    --@include lib/fixed_window/take.lua
    if per_client and granted > 0 then
        local lifetime = interval + 60000
        --@include lib/register.lua
    end
    return reply
elseif algorithm == 'calendar_window' then
    local window_key, windows = KEYS[4 + own], calendar == ARGV[6] and ARGV[7] or ''
    --@include lib/calendar_window/take.lua
    if not stop then
        --@include lib/need_window.lua
    end
    --@include lib/touch.lua
    if per_client and granted > 0 then
        local lifetime = math.ceil((stop - now) / 1000) + 60000
        --@include lib/register.lua
    end
    return reply
end
local bucket_key = KEYS[4 + own]
--@include lib/token_bucket/params.lua
--@include lib/token_bucket/take.lua
--@include lib/touch.lua
if per_client and granted > 0 then
    local lifetime = redis.call('PTTL', bucket_key) + 60000
    --@include lib/register.lua
end
return struct.pack('<Bdddddddd', OK, 4, capacity, found, parts, updated - now, granted, rate, interval)
