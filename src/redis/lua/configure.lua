-- Sets the rate of a limiter: if it has none, in any case, if it is another, or keeping its grants.
--
-- KEYS  as in acquire.lua, all eight
-- ARGV  1 mode: absent, replace, different, keep  2 algorithm asked for, or ''  3 kind of rate: plain, burst, calendar
--       4 permits  5 interval in µs  6 burst or ''  7 unit  8 every  9 zone, of a calendar rate  10 '1' if per client
--       11 keep_alive in ms or 0  12 windows of the calendar rate, or ''  13 as ARGV[2] of acquire.lua
-- Reply {OK, 0 created | 1 unchanged | 2 changed | 3 absent}  {NEED_WINDOW, time in µs}  {AGAIN}
--       {CONFLICT, stored algorithm, wanted one}  {INCOMPATIBLE, why}  {INVALID, why}
--@include lib/constants.lua
--@include lib/time.lua
--@include lib/clients.lua
local CREATED, UNCHANGED, CHANGED, ABSENT = 0, 1, 2, 3

local function read_config(expected)
    --@include lib/config.lua
    if problem then return nil, problem end
    return {algorithm = algorithm, rate = rate, interval = interval, burst = burst, calendar = calendar,
        per_client = per_client, keep_alive = keep_alive}
end

local mode, asked, kind = ARGV[1], ARGV[2], ARGV[3]
local before, problem = read_config(asked)
if not before and mode == 'keep' and problem[1] == NOT_INITIALIZED then return {OK, ABSENT} end
if not before and problem[1] == INCOMPATIBLE and (mode == 'absent' or mode == 'keep') then return problem end

-- As core::algorithm_for: what was asked for, else what it is, else what is natural.
local algorithm = asked
if algorithm == '' then
    algorithm = ({plain = 'sliding_log', burst = 'token_bucket', calendar = 'calendar_window'})[kind]
    if before and kind == 'plain' and before.algorithm ~= 'calendar_window' then algorithm = before.algorithm end
end

if before and mode == 'absent' then
    if asked ~= '' and asked ~= before.algorithm then return {CONFLICT, before.algorithm, asked} end
    return {OK, UNCHANGED}
end
if mode == 'keep' and algorithm ~= before.algorithm then return {CONFLICT, before.algorithm, algorithm} end

local as_redisson = algorithm == 'sliding_log' or algorithm == 'fixed_window'
local after = {
    algorithm = algorithm,
    rate = tonumber(ARGV[4]),
    interval = as_redisson and ARGV[5] / 1000 or tonumber(ARGV[5]),
    burst = tonumber(ARGV[6]),
    calendar = kind == 'calendar' and ARGV[7] .. ' ' .. ARGV[8] .. ' ' .. ARGV[9] or nil,
    per_client = ARGV[10] == '1',
    keep_alive = tonumber(ARGV[11]),
}
if after.interval % 1 ~= 0 then
    return {INVALID, 'in Redis the interval of a ' .. algorithm .. ' is a whole number of milliseconds'}
end

if before and mode == 'different' then
    local same = true
    for _, field in ipairs({'algorithm', 'rate', 'interval', 'burst', 'calendar', 'per_client', 'keep_alive'}) do
        same = same and before[field] == after[field]
    end
    if same then return {OK, UNCHANGED} end
end

-- Writes it over what is there. First of all writes: a full server refuses it, and then nothing has happened.
local function write_config()
    if as_redisson then
        redis.call('HSET', KEYS[1], 'rate', ARGV[4], 'interval', format('%d', after.interval), 'type', ARGV[10],
            'keepAliveTime', ARGV[11])
        redis.call('HDEL', KEYS[1], 'algorithm', 'permits', 'micros', 'burst', 'scope', 'unit', 'every', 'zone')
        if algorithm == 'fixed_window' then redis.call('HSET', KEYS[1], 'algorithm', algorithm) end
    else
        -- Without rate, interval and type, Redisson says that it is not initialized, and does not misread it.
        redis.call('HSET', KEYS[1], 'algorithm', algorithm, 'permits', ARGV[4], 'micros', ARGV[5], 'scope', ARGV[10],
            'keepAliveTime', ARGV[11])
        redis.call('HDEL', KEYS[1], 'rate', 'interval', 'type', 'burst', 'unit', 'every', 'zone')
        if after.burst then redis.call('HSET', KEYS[1], 'burst', ARGV[6]) end
        if after.calendar then redis.call('HSET', KEYS[1], 'unit', ARGV[7], 'every', ARGV[8], 'zone', ARGV[9]) end
    end
end

if mode ~= 'keep' then
    write_config()
    redis.call('PERSIST', KEYS[1])
    clear_state()
    if after.keep_alive > 0 then redis.call('PEXPIRE', KEYS[1], ARGV[11]) end
    return {OK, before and CHANGED or CREATED}
end

-- Keeps the grants, debt included, unless they were counted for others than they would be from now on.
if before.per_client ~= after.per_client then
    write_config()
    clear_state()
elseif algorithm == 'sliding_log' then
    local rate, interval, prefix = before.rate, math.min(before.interval, after.interval), ARGV[13]
    local base, seen_rate = 0, -1 -- none: all is counted
    local changes, again = {}, false
    local stop = for_each_state(function(value_key, log_key)
        if redis.call('EXISTS', value_key, log_key) == 0 then return nil end
        local value = tonumber(redis.call('GET', value_key) or nil)
        --@include lib/sliding_log/read.lua
        again = again or unsure
        changes[#changes + 1] = function()
            if unsure then
                --@include lib/sliding_log/purge.lua
                return
            end
            redis.call('SET', value_key, format('%d', after.rate - (rate - free)), 'KEEPTTL')
            --@include lib/sliding_log/purge.lua
            if lost > 0 then
                local entry = lost
                --@include lib/sliding_log/enter.lua
            end
            if after.per_client then
                redis.call('PEXPIRE', value_key, format('%d', after.interval + 60000))
                redis.call('PEXPIRE', log_key, format('%d', after.interval + 60000))
            end
        end
    end)
    if stop then return stop end
    if not again then write_config() end
    for _, change in ipairs(changes) do change() end
    if again then return {AGAIN} end
elseif algorithm == 'fixed_window' then
    local changes = {}
    local stop = for_each_state(function(window_key)
        local rate, interval = before.rate, before.interval
        --@include lib/fixed_window/read.lua
        changes[#changes + 1] = function()
            local used = rate - free
            if used > 0 then
                redis.call('SET', window_key, format('%d', after.rate - used), 'PX',
                    format('%d', math.min(left, after.interval)))
            else
                redis.call('UNLINK', window_key)
            end
        end
    end)
    if stop then return stop end
    write_config()
    for _, change in ipairs(changes) do change() end
elseif algorithm == 'calendar_window' then
    local moved_to
    if before.calendar ~= after.calendar then
        local first, middle, last = string.match(ARGV[12], '^(%d+) (%d+) (%d+)$')
        if not first or now < tonumber(first) or now >= tonumber(last) then return {NEED_WINDOW, now} end
        moved_to = now < tonumber(middle) and tonumber(middle) or tonumber(last)
    end
    local changes = {}
    local refused = for_each_state(function(_, _, window_key)
        local windows = ''
        --@include lib/calendar_window/read.lua
        changes[#changes + 1] = function()
            if not stop then
                redis.call('UNLINK', window_key)
            elseif moved_to then
                stop = moved_to
                --@include lib/calendar_window/write.lua
            end
        end
    end)
    if refused then return refused end
    write_config()
    for _, change in ipairs(changes) do change() end
else
    local rate, interval = after.rate, after.interval
    --@include lib/token_bucket/params.lua
    local new_whole, new_refill = whole, refill
    local changes = {}
    local stop = for_each_state(function(_, _, bucket_key)
        local rate, interval = before.rate, before.interval
        --@include lib/token_bucket/params.lua
        --@include lib/token_bucket/read.lua
        --@include lib/token_bucket/mul_div.lua
        -- Rounded down: the change may cost a part of a permit, it never gives one away.
        parts = mul_div(parts, new_whole, whole)
        whole, refill = new_whole, new_refill
        changes[#changes + 1] = function()
            --@include lib/token_bucket/write.lua
        end
    end)
    if stop then return stop end
    write_config()
    for _, change in ipairs(changes) do change() end
end

-- What the clients have may last longer from now on, and must be found until it ends.
local registered = redis.call('PTTL', KEYS[8])
if registered >= 0 then
    local lifetime = registered
    for_each_state(function(value_key, permits_key, state_key)
        lifetime = math.max(lifetime, redis.call('PTTL', value_key), redis.call('PTTL', permits_key),
            redis.call('PTTL', state_key))
    end)
    for _, id in ipairs(redis.call('ZRANGE', KEYS[8], 0, -1)) do
        redis.call('ZADD', KEYS[8], 'GT', format('%d', now_ms + lifetime), id)
    end
    redis.call('PEXPIRE', KEYS[8], format('%d', lifetime))
end

local shared_log = algorithm == 'sliding_log' and not after.per_client
if before.keep_alive > 0 then
    redis.call('PERSIST', KEYS[1])
    if shared_log then
        redis.call('PERSIST', KEYS[2])
        redis.call('PERSIST', KEYS[3])
    end
end
local keep_alive = after.keep_alive
if shared_log then
    local per_client, interval, value_key, permits_key = false, after.interval, KEYS[2], KEYS[3]
    --@include lib/touch_log.lua
else
    --@include lib/touch.lua
end
return {OK, CHANGED}
