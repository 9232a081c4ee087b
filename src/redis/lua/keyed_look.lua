-- What a request for n permits of a key would be told now, or how many are free. Takes nothing.
--
-- KEYS  1 the key's state
-- ARGV  1-5 lib/keyed.lua  6 n, or 0: how many are free
-- Reply as in acquire.lua, for a batch of one, as a table
--@include lib/constants.lua
--@include lib/keyed.lua
--@include lib/time.lua
local n = tonumber(ARGV[6])

if algorithm == 'token_bucket' then
    local bucket_key = KEYS[1]
    --@include lib/token_bucket/look.lua
elseif algorithm == 'fixed_window' then
    local window_key = KEYS[1]
    --@include lib/fixed_window/look.lua
elseif algorithm == 'calendar_window' then
    local window_key = KEYS[1]
    --@include lib/calendar_window/look.lua
    return reply or {NEED_WINDOW, now}
end
local log_key = KEYS[1]
--@include lib/sliding_log/keyed.lua
--@include lib/sliding_log/read.lua
--@include lib/sliding_log/look.lua
