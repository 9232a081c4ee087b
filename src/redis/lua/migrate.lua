-- Rewrites the members of a log that Redisson before 3.17.0 wrote (or ration for it) in the current format, which is the only
-- one that newer versions can read. Times and permits stay. The one script that reads a log as a whole however long it is:
-- half of it rewritten, no version could read it.
--
-- KEYS  as in acquire.lua, all eight
-- ARGV  1 what stands before the permits in a new member of a log
-- Reply {OK, how many were rewritten} | {INCOMPATIBLE, why}: nothing was changed
--@include lib/constants.lua
--@include lib/clients.lua
--@include lib/sliding_log/members.lua
local found = {} -- log, member, score, permits
local problem = for_each_state(function(_, permits_key)
    for first = 0, redis.call('ZCARD', permits_key) - 1, CHUNK do
        local part = redis.call('ZRANGE', permits_key, first, first + CHUNK - 1, 'WITHSCORES')
        for i = 1, #part, 2 do
            local permits = permits_of(part[i])
            if not permits then return NOT_A_LOG end
            if #part[i] == 8 or #part[i] == 20 then found[#found + 1] = {permits_key, part[i], part[i + 1], permits} end
        end
    end
end)
if problem then return problem end

local head, number = string.sub(ARGV[1], 1, -5), 0
for i = 1, #found do
    local key, member, score, permits = unpack(found[i])
    repeat
        number = number + 1
    until redis.call('ZADD', key, 'NX', score, head .. struct.pack('<I4I4', number, permits)) == 1
    redis.call('ZREM', key, member)
end
return {OK, #found}
