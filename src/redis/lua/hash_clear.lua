-- Removes all fields of a hash.
--
-- KEYS  as in hash_put.lua
-- ARGV  1 kind
-- Reply {OK}  {CONFLICT, ...}
--@include lib/constants.lua
--@include lib/hash/kind.lua
if redis.call('TYPE', KEYS[1]).ok ~= 'none' then redis.call('HLEN', KEYS[1]) end -- of another type: not ours
redis.call('UNLINK', KEYS[1], KEYS[2])
return {OK}
