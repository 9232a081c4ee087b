-- Removes what has expired, a bounded number of fields. Whoever else sweeps finds them gone, so each is removed and told of once.
-- Not for native.
--
-- KEYS  as in hash_put.lua
-- ARGV  1 kind  2 how many at most  3 '1' if somebody wants to know what was removed
-- Reply {OK, how many, ms until the next is due or -1, field, value, ...}  {CONFLICT, ...}
--@include lib/constants.lua
--@include lib/hash/kind.lua
if mark == 0 then return {OK, 0, -1} end
--@include lib/time.lua
local due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', format('%d', now_ms), 'LIMIT', 0, ARGV[2])
local reply = {OK, #due, -1}
if #due > 0 then
    local values = ARGV[3] == '1' and redis.call('HMGET', KEYS[1], unpack(due))
    redis.call('HDEL', KEYS[1], unpack(due))
    redis.call('ZREMRANGEBYRANK', KEYS[2], 0, #due - 1)
    if values then
        for i = 1, #due do
            if values[i] then
                reply[#reply + 1] = due[i]
                reply[#reply + 1] = values[i]
            end
        end
    end
end
local next_ms = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
if next_ms then reply[3] = math.max(0, tonumber(next_ms) - now_ms) end
return reply
