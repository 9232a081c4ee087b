-- The keys of a limiter with a name: those of everybody, and those of each client that has state of its own.

-- Calls action(value key, permits key, state key) for each, until one returns something; returns that.
local function for_each_state(action)
    local ids = redis.call('ZRANGE', KEYS[8], 0, -1)
    local stop = action(KEYS[2], KEYS[4], KEYS[6]) or action(KEYS[3], KEYS[5], KEYS[7])
    for i = 1, stop and 0 or #ids do
        local value = KEYS[2] .. ':' .. ids[i]
        if value ~= KEYS[3] then stop = action(value, KEYS[4] .. ':' .. ids[i], KEYS[6] .. ':' .. ids[i]) end
        if stop then break end
    end
    return stop
end

-- Forgets all grants.
local function clear_state()
    for_each_state(function(value, permits, state) redis.call('UNLINK', value, permits, state) end)
    redis.call('UNLINK', KEYS[8])
end
