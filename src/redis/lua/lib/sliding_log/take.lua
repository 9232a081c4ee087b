-- Takes permits of a log as the batch asks.
--
-- Expects: what lib/sliding_log/read.lua leaves; batch, prefix, span (ms; 0: every grant has a member of its own)
-- Leaves: reply, granted. Ends the script or function with {AGAIN} if there is too much to read for one call.
if unsure then
    --@include lib/sliding_log/purge.lua
    return {AGAIN}
end
local capacity = rate
--@include lib/batch.lua
local denied = refusals ~= nil
if denied and not exact then
    local number = stored
    --@include lib/sliding_log/write.lua
    --@include lib/sliding_log/purge.lua
    return {AGAIN}
end
--@include lib/sliding_log/resets.lua
local reply, place
if span > 0 and granted > 0 then
    --@include lib/sliding_log/members.lua
    --@include lib/sliding_log/place.lua
end
if denied then
    --@include lib/sliding_log/members.lua
    --@include lib/sliding_log/wait.lua
    reply = {OK, 1, rate, free, micros(reset_before), micros(reset_after), granted}
    for i = 1, #refusals, 2 do
        reply[#reply + 1] = time_until(refusals[i], refusals[i + 1] + lost, place)
    end
    --@include lib/pack.lua
else
    reply = struct.pack('<Bdddddd', OK, 1, rate, free, 0, reset_after * 1000, granted)
end

-- The first write is one that a full server refuses, so that it refuses all or nothing.
if granted > 0 or purge > 0 or lost > 0 then
    if base == 0 and stored == value then
        redis.call('DECRBY', value_key, granted == 1 and '1' or format('%d', granted)) -- the same, at half the price
    else
        local number = stored - granted
        --@include lib/sliding_log/write.lua
    end
    --@include lib/sliding_log/purge.lua
    if lost > 0 then
        local entry = lost
        --@include lib/sliding_log/enter.lua
    end
    if granted > 0 then
        local entry = granted
        if place then
            --@include lib/sliding_log/members.lua
            --@include lib/sliding_log/enter_coarsely.lua
        else
            --@include lib/sliding_log/enter.lua
        end
    end
end
