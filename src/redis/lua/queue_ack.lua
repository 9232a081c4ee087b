-- Is done with an item that is leased.
--
-- KEYS  as in queue_offer.lua
-- ARGV  1 id
-- Reply {OK, 1, or 0 if it is not leased any more}
--@include lib/constants.lua
--@include lib/time.lua
local lease_end = redis.call('ZSCORE', KEYS[3], ARGV[1])
if not lease_end or tonumber(lease_end) <= now then return {OK, 0} end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return {OK, 1}
