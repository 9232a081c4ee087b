-- What a request for n permits would be told now, or how many are free. Takes nothing; writes nothing, except that it drops
-- expired grants where there are too many to read past.
--
-- KEYS  as in acquire.lua, all eight
-- ARGV  1 n, or 0: how many are free  2 expected algorithm or ''  3 the rate for which the value is known to be right, or ''
--       calendar_window: 4 "unit every zone" and 5 the windows of that, or ''
-- Reply as in acquire.lua, for a batch of one, as a table
--@include lib/constants.lua
local n, expected = tonumber(ARGV[1]), ARGV[2]
--@include lib/require_config.lua
--@include lib/time.lua

if algorithm == 'sliding_log' then
    local seen_rate = tonumber(ARGV[3])
    --@include lib/sliding_log/named.lua
    --@include lib/sliding_log/read.lua
    --@include lib/sliding_log/look.lua
elseif algorithm == 'fixed_window' then
    local window_key = KEYS[2 + own]
    --@include lib/fixed_window/look.lua
elseif algorithm == 'calendar_window' then
    local window_key, windows = KEYS[4 + own], calendar == ARGV[4] and ARGV[5] or ''
    --@include lib/calendar_window/look.lua
    if not reply then
        --@include lib/need_window.lua
    end
    return reply
end
local bucket_key = KEYS[4 + own]
--@include lib/token_bucket/look.lua
