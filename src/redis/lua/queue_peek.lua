-- Looks at the next item of a delay queue, due or not.
--
-- KEYS  as in queue_offer.lua
-- Reply {OK, id, value} or {OK}
--@include lib/constants.lua
--@include lib/time.lua
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local back = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', format('%d', now), 'WITHSCORES', 'LIMIT', 0, 1)
local id = first[1]
if back[1] and (not id or tonumber(back[2]) < tonumber(first[2])) then id = back[1] end
local value = id and redis.call('HGET', KEYS[2], id)
if not value then return {OK} end
return {OK, id, value}
