-- Reads a calendar window: one key, "<permits used> <end in µs>", which expires at that end. Lua knows no time zones: the
-- caller sends the current window and the next one as "<begin> <end of the first> <end of the second>".
--
-- Expects: window_key, windows, now
-- Leaves: used, stop: of the open window, or of the one that would open now; stop is nil if the windows do not hold `now`
-- Ends the script or function if it finds something that is no window.
local used, stop = 0, nil
do
    local text = redis.call('GET', window_key)
    if text then
        local u, s = string.match(text, '^(%d+) (%d+)$')
        if not u then return {INCOMPATIBLE, 'its state is ' .. text .. ', not that of a calendar_window'} end
        if tonumber(u) > 0 and tonumber(s) > now then used, stop = tonumber(u), tonumber(s) end
    end
    if not stop then
        local first, middle, last = string.match(windows, '^(%d+) (%d+) (%d+)$')
        if first and now >= tonumber(first) and now < tonumber(last) then
            stop = now < tonumber(middle) and tonumber(middle) or tonumber(last)
        end
    end
end
