-- Takes permits of a window as the batch asks. Expects: window_key, windows, rate, now, batch. Leaves: reply, granted; stop is
-- nil if the windows do not hold `now`, and then nothing was done
--@include lib/calendar_window/read.lua
local reply, granted
if stop then
    local capacity, free, left = rate, rate - used, stop - now
    local taken
    do
        --@include lib/batch.lua
        reply = {OK, 3, rate, free, left, left, granted}
        if refusals then
            for i = 1, #refusals, 2 do reply[#reply + 1] = left end
        end
        --@include lib/pack.lua
        taken = granted
    end
    granted = taken
    if granted > 0 then
        used = used + granted
        --@include lib/calendar_window/write.lua
    end
end
