-- Expects: what lib/sliding_log/read.lua leaves, denied. Leaves: ms until all is free: reset_before, as it is (if denied);
-- reset_after, once something is granted now
local reset_before, reset_after = lost > 0 and interval or 0, interval
if live > 0 and (denied or future) then
    local newest = redis.call('ZREVRANGE', log_key, 0, 0, 'WITHSCORES')[2] + 0
    reset_after = math.max(newest, now_ms) - now_ms + interval
    reset_before = lost > 0 and reset_after or newest - now_ms + interval
end
