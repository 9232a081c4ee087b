-- Gives back n permits of a key, the oldest first, never above full.
--
-- KEYS  1 the key's state
-- ARGV  1-5 lib/keyed.lua  6 n
-- Reply {OK, how many of n}  {INCOMPATIBLE, why}  {AGAIN}
--@include lib/constants.lua
--@include lib/keyed.lua
--@include lib/time.lua
local n = tonumber(ARGV[6])

if algorithm == 'token_bucket' then
    local bucket_key = KEYS[1]
    --@include lib/token_bucket/release.lua
    return reply
elseif algorithm == 'fixed_window' then
    local window_key = KEYS[1]
    --@include lib/fixed_window/release.lua
    return reply
elseif algorithm == 'calendar_window' then
    local window_key = KEYS[1]
    --@include lib/calendar_window/release.lua
    return reply
end
local log_key = KEYS[1]
--@include lib/sliding_log/keyed.lua
--@include lib/sliding_log/read.lua
--@include lib/sliding_log/release.lua
return reply
