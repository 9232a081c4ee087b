-- Needs lib/sliding_log/members.lua.

-- µs until `ms` after the millisecond that it is. A permit frees up when the server's clock shows a new millisecond.
local function wait_of(ms)
    return math.ceil(ms) * 1000 - now % 1000
end

-- µs until `lacking` more permits are free. `granted`: permits granted now that are not in the log yet; they stand
-- behind all members that are not of the future, or where lib/sliding_log/place.lua says. Looks at no more members than
-- `lacking`.
-- Times are subtracted first: a score with a fraction has no digits to spare.
local function time_until(lacking, granted, place)
    local first, count, own_wait = base + expired, live, interval
    if place and granted > 0 then
        own_wait = place.at - now_ms + interval
        if place.newest then count, granted = count - 1, granted + permits_of(place.joined) end
    end
    local before_own = count
    if granted > 0 and future then
        before_own = live - redis.call('ZCOUNT', log_key, '(' .. now_text, '+inf')
    end
    local rank, step = 0, 4
    while rank < count do
        if granted > 0 and rank >= before_own then
            lacking, granted = lacking - granted, 0
            if lacking <= 0 then return wait_of(own_wait) end
        end
        local stop = math.min(rank + step, count)
        if granted > 0 then stop = math.min(stop, before_own) end
        local members = redis.call('ZRANGE', log_key, first + rank, first + stop - 1)
        for i = 1, #members do
            lacking = lacking - (permits_of(members[i]) or 0)
            if lacking <= 0 then return wait_of(redis.call('ZSCORE', log_key, members[i]) - now_ms + interval) end
        end
        rank, step = stop, CHUNK
    end
    return wait_of(own_wait)
end

-- ms as µs. A score may have a fraction: see lib/sliding_log/enter_coarsely.lua.
local function micros(ms)
    return math.floor(ms * 1000 + 0.5)
end
