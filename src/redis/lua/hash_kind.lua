-- Looks what kind of clients use a hash, and whether this server can expire fields by itself.
--
-- KEYS  as in hash_put.lua
-- Reply {OK, kind: 'n' native, 'z' a sorted set, '' none yet, 1 if the server can, 0 if not}
--@include lib/constants.lua
local mark = redis.call('TYPE', KEYS[2]).ok
-- Any error but this says that there is no such command, or not for this user.
local left = redis.pcall('HPTTL', KEYS[1], 'FIELDS', 1, '')
local can = not (type(left) == 'table' and left.err) or string.find(left.err, 'WRONGTYPE', 1, true)
return {OK, mark == 'string' and 'n' or mark == 'zset' and 'z' or '', can and 1 or 0}
