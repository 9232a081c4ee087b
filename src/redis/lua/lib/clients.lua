-- The keys of a limiter with a name: those of everybody, and those of each client that has state of its own.

-- Calls action(value key, permits key, state key) for each, until one returns something; returns that.
local function for_each_state(action)
    local ids = redis.call('ZRANGE', KEYS[8], 0, -1)
    local stop = action(KEYS[2], KEYS[3], KEYS[4]) or action(KEYS[5], KEYS[6], KEYS[7])
    for i = 1, stop and 0 or #ids do
        local value = KEYS[2] .. ':' .. ids[i]
        if value ~= KEYS[5] then stop = action(value, KEYS[3] .. ':' .. ids[i], KEYS[4] .. ':' .. ids[i]) end
        if stop then break end
    end
    return stop
end

-- Forgets all grants.
local function clear_state()
    for_each_state(function(value, permits, state) redis.call('UNLINK', value, permits, state) end)
    redis.call('UNLINK', KEYS[8])
end
