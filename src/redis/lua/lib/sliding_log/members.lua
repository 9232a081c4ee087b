-- A member of a log: its last four bytes are the permits, in every generation of Redisson.

-- nil: not a member of Redisson's or ours.
local function permits_of(member)
    local length = #member
    if length ~= 21 and length ~= 8 and length ~= 13 and length ~= 20 then return nil end
    return (struct.unpack('<I4', member, length - 3))
end

local NOT_A_LOG = {INCOMPATIBLE, 'its log has a member that no version of Redisson writes'}

-- The permits of the members from rank `first` to `last`, or nil if one is none.
local function sum(key, first, last)
    local total = 0
    while first <= last do
        local stop = math.min(first + CHUNK - 1, last)
        local members = redis.call('ZRANGE', key, first, stop)
        for i = 1, #members do
            local permits = permits_of(members[i])
            if not permits then return nil end
            total = total + permits
        end
        first = stop + 1
    end
    return total
end

-- Changes the permits of a member in place.
local function replace_member(key, member, score, permits)
    redis.call('ZADD', key, score, string.sub(member, 1, -5) .. struct.pack('<I4', permits))
    redis.call('ZREM', key, member)
end
