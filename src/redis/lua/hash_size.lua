-- Counts the fields of a hash that are there. Not for native: the server's own count has those that it has not dropped yet.
--
-- KEYS  as in hash_put.lua
-- ARGV  1 kind
-- Reply {OK, count}  {CONFLICT, ...}
--@include lib/constants.lua
--@include lib/hash/kind.lua
local count = redis.call('HLEN', KEYS[1])
if mark > 0 and count > 0 then
    --@include lib/time.lua
    count = math.max(0, count - redis.call('ZCOUNT', KEYS[2], '-inf', format('%d', now_ms)))
end
return {OK, count}
