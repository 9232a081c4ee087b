-- Reads some of the fields of a hash, those left out that have expired.
--
-- KEYS  as in hash_put.lua
-- ARGV  1 kind  2 where to begin: '0', or what the last call said  3 about how many
-- Reply {OK, where to go on or '0', field, value, ...}  {CONFLICT, ...}
--@include lib/constants.lua
--@include lib/hash/kind.lua
local cursor, entries = unpack(redis.call('HSCAN', KEYS[1], ARGV[2], 'COUNT', ARGV[3]))
local reply = {OK, cursor}
if native or mark == 0 then
    for i = 1, #entries do reply[i + 2] = entries[i] end
    return reply
end
--@include lib/time.lua
for i = 1, #entries, 2 do
    local until_ms = redis.call('ZSCORE', KEYS[2], entries[i])
    if not until_ms or tonumber(until_ms) > now_ms then
        reply[#reply + 1] = entries[i]
        reply[#reply + 1] = entries[i + 1]
    end
end
return reply
