-- Takes an item out of a delay queue, unless it is leased.
--
-- KEYS  as in queue_offer.lua
-- ARGV  1 id
-- Reply {OK, 1, or 0 if it is not there}
--@include lib/constants.lua
--@include lib/time.lua
local removed = redis.call('ZREM', KEYS[1], ARGV[1])
if removed == 0 then
    local lease_end = redis.call('ZSCORE', KEYS[3], ARGV[1])
    if lease_end and tonumber(lease_end) <= now then removed = redis.call('ZREM', KEYS[3], ARGV[1]) end
end
if removed == 1 then redis.call('HDEL', KEYS[2], ARGV[1]) end
return {OK, removed}
