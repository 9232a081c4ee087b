-- Needs lib/sliding_log/members.lua.

-- ms from now until `lacking` more permits are free. `granted`: permits granted now that are not in the log yet; they stand
-- behind all members that are not of the future. Looks at no more members than `lacking`.
local function time_until(lacking, granted)
    local first, before_own = base + expired, live
    if granted > 0 and future then
        before_own = live - redis.call('ZCOUNT', log_key, '(' .. format('%d', now_ms), '+inf')
    end
    local rank, step = 0, 4
    while rank < live do
        if granted > 0 and rank >= before_own then
            lacking, granted = lacking - granted, 0
            if lacking <= 0 then return interval end
        end
        local stop = math.min(rank + step, live)
        if granted > 0 then stop = math.min(stop, before_own) end
        local members = redis.call('ZRANGE', log_key, first + rank, first + stop - 1)
        for i = 1, #members do
            lacking = lacking - (permits_of(members[i]) or 0)
            if lacking <= 0 then return redis.call('ZSCORE', log_key, members[i]) + interval - now_ms end
        end
        rank, step = stop, CHUNK
    end
    return interval
end

-- ms as µs. A score may have a fraction: see lib/sliding_log/enter_coarsely.lua.
local function micros(ms)
    return math.floor(ms * 1000 + 0.5)
end
