-- Takes items that are due out of a delay queue, in order of their time.
--
-- KEYS  as in queue_offer.lua
-- ARGV  1 how many at most  2 for how many µs they are leased, or '': they are gone
-- Reply {OK, µs until the next is due or comes back or -1, id, value, ...}
--@include lib/constants.lua
--@include lib/time.lua
--@include lib/queue/return_unacked.lua
local reply = {OK, -1}
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', format('%d', now), 'LIMIT', 0, ARGV[1])
if #due > 0 then
    local values = redis.call('HMGET', KEYS[2], unpack(due))
    redis.call('ZREM', KEYS[1], unpack(due))
    local lease_end = ARGV[2] ~= '' and format('%d', now + ARGV[2])
    if not lease_end then redis.call('HDEL', KEYS[2], unpack(due)) end
    for i = 1, #due do
        if values[i] then
            if lease_end then redis.call('ZADD', KEYS[3], lease_end, due[i]) end
            reply[#reply + 1] = due[i]
            reply[#reply + 1] = values[i]
        end
    end
end
for i = 1, 3, 2 do
    local first = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')[2]
    local left = first and math.max(0, tonumber(first) - now)
    if left and (reply[2] < 0 or left < reply[2]) then reply[2] = left end
end
return reply
