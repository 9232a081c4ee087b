-- Takes permits of a window as the batch asks. Expects: window_key, rate, interval, batch; ends: ms until the limiter itself
-- ends, or at least the interval. Leaves: reply, granted
--@include lib/fixed_window/read.lua
local capacity = rate
--@include lib/batch.lua
local reply = {OK, 2, rate, free, left * 1000, left * 1000, granted}
if refusals then
    for i = 1, #refusals, 2 do reply[#reply + 1] = left * 1000 end
end
--@include lib/pack.lua
if granted > 0 then
    redis.call('SET', window_key, format('%d', free - granted), 'PX', format('%d', math.min(left, ends)))
elseif moved then
    redis.call('PEXPIRE', window_key, format('%d', math.min(left, ends)))
end
