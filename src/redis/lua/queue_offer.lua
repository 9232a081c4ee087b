-- Puts an item into a delay queue.
--
-- KEYS  1 the queue: ids by the time in µs at which they are due  2 the items' values  3 leased ids by the end of their lease
-- ARGV  1 value  2 '' or the time in µs  3 the delay in µs, if no time is given  4 the end of the new id
-- Reply {OK, id}
--@include lib/constants.lua
--@include lib/time.lua
local due = math.max(now, math.min(tonumber(ARGV[2]) or now + ARGV[3], EXACT))
-- The time comes first: items of the same moment are delivered in the order of their ids.
local id = format('%016d', now) .. ARGV[4]
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
if not first or due < tonumber(first) then redis.call('PUBLISH', KEYS[2], '') end
redis.call('ZADD', KEYS[1], format('%d', due), id)
redis.call('HSET', KEYS[2], id, ARGV[1])
return {OK, id}
