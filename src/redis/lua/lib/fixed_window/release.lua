-- Gives back n permits. Expects: window_key, rate, interval, n. Leaves: reply
--@include lib/fixed_window/read.lua
if free < rate then
    redis.call('SET', window_key, format('%d', math.min(free + n, rate)), 'PX', format('%d', left))
end
local reply = {OK, n}
