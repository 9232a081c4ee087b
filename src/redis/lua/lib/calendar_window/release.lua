-- Gives back n permits of an open window. Expects: window_key, now, n. Leaves: reply
local windows = ''
--@include lib/calendar_window/read.lua
if stop then
    used = math.max(used - n, 0)
    --@include lib/calendar_window/write.lua
end
local reply = {OK, n}
