-- Says what a take of n permits would say. Expects: window_key, windows, rate, now, n. Leaves: reply, nil if the windows do not
-- hold `now`
--@include lib/calendar_window/read.lua
local reply
if stop then
    reply = {OK, 3, rate, rate - used, stop - now, stop - now, 0, n > rate - used and stop - now or nil}
end
