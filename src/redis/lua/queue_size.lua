-- Counts the items of a delay queue that wait, due or not.
--
-- KEYS  as in queue_offer.lua
-- Reply {OK, count}
--@include lib/constants.lua
--@include lib/time.lua
return {OK, redis.call('ZCARD', KEYS[1]) + redis.call('ZCOUNT', KEYS[3], '-inf', format('%d', now))}
