-- Leaves: now (the server's time in µs), now_ms
local now, now_ms
do
    local time = redis.call('TIME')
    now = time[1] * 1000000 + time[2]
    now_ms = (now - now % 1000) / 1000
end
