-- Reads a fixed window as Redisson <= 3.13.2 keeps it: the free permits, in a key whose time to live is what is left of the
-- window. A full one is as good as none: the window opens with the first grant.
--
-- Expects: window_key, rate, interval
-- Leaves: free; left: ms of the window, or of the one that would open now; moved: the key says otherwise, because after a
--         step of the clock back, or with a shorter interval, the end moves here
-- Ends the script or function if it finds something that is no window.
local free, left, moved = redis.call('GET', window_key), redis.call('PTTL', window_key), false
if not free or left == 0 then -- 0: Redis drops a key one millisecond after its time
    free, left = rate, interval
else
    local number = tonumber(free)
    if not number or number % 1 ~= 0 then return {INCOMPATIBLE, 'its value is ' .. free .. ', not a number of permits'} end
    free = number
    if free >= rate then
        free, left = rate, interval
    elseif left < 0 or left > interval then
        left, moved = interval, true
    end
end
