-- Looks whether a field is there, and for how long.
--
-- KEYS  as in hash_put.lua
-- ARGV  1 kind  2 field
-- Reply {OK, ms to live, -1: it does not expire, -2: it is not there}  {CONFLICT, ...}
--@include lib/constants.lua
--@include lib/hash/kind.lua
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then return {OK, -2} end
if native then return {OK, redis.call('HPTTL', KEYS[1], 'FIELDS', 1, ARGV[2])[1]} end
local until_ms = mark > 0 and redis.call('ZSCORE', KEYS[2], ARGV[2])
if not until_ms then return {OK, -1} end
--@include lib/time.lua
local left = tonumber(until_ms) - now_ms
return {OK, left > 0 and left or -2}
