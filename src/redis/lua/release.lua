-- Gives back n permits of the current window, the oldest first, never above full.
--
-- KEYS  as in acquire.lua, all eight
-- ARGV  1 n  2 expected algorithm or ''  3 the rate for which the value is known to be right, or ''
-- Reply {OK, how many of n}: the rest, if any, is to be given back by another call
--       {NOT_INITIALIZED} | {CONFLICT, algorithm} | {INCOMPATIBLE, why} | {AGAIN}
--@include lib/constants.lua
local n, expected = tonumber(ARGV[1]), ARGV[2]
--@include lib/require_config.lua
--@include lib/time.lua

if algorithm == 'sliding_log' then
    local seen_rate = tonumber(ARGV[3])
    --@include lib/sliding_log/named.lua
    --@include lib/sliding_log/read.lua
    --@include lib/sliding_log/release.lua
    --@include lib/touch_log.lua
    return reply
end
--@include lib/touch.lua
if algorithm == 'fixed_window' then
    local window_key = KEYS[2 + own]
    --@include lib/fixed_window/release.lua
    return reply
elseif algorithm == 'calendar_window' then
    local window_key = KEYS[4 + own]
    --@include lib/calendar_window/release.lua
    return reply
end
local bucket_key = KEYS[4 + own]
--@include lib/token_bucket/release.lua
return reply
