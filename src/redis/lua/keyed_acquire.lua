-- Takes permits of several keys of a keyed limiter, for each a batch of requests.
--
-- KEYS  the keys' state
-- ARGV  1-5 lib/keyed.lua  6 what stands before the permits in a new member of a log  7... a batch for each key (lib/batch.lua), or one for
--       all
-- Reply for each key a string: its first byte is the status, the rest is text (INCOMPATIBLE; FAILED: the server's error) or
--       doubles, as in acquire.lua, without permits and interval
--@include lib/constants.lua
--@include lib/keyed.lua
--@include lib/time.lua
local prefix = ARGV[6]

local take
if algorithm == 'token_bucket' then
    --@include lib/token_bucket/params.lua
    take = function(bucket_key, batch)
        --@include lib/token_bucket/take.lua
        return struct.pack('<Bdddddd', OK, 4, capacity, found, parts, updated - now, granted)
    end
elseif algorithm == 'fixed_window' then
    local ends = interval
    take = function(window_key, batch)
        --@include lib/fixed_window/take.lua
        return reply
    end
elseif algorithm == 'calendar_window' then
    take = function(window_key, batch)
        --@include lib/calendar_window/take.lua
        return reply or {NEED_WINDOW, now}
    end
else
    local span = 0
    take = function(log_key, batch)
        --@include lib/sliding_log/keyed.lua
        --@include lib/sliding_log/read.lua
        --@include lib/sliding_log/take.lua
        if granted > 0 then redis.call('PEXPIRE', log_key, format('%d', reset_after)) end
        return reply
    end
end

local function packed(reply)
    if type(reply[2]) == 'string' then return string.char(reply[1]) .. reply[2] end
    return struct.pack('<B' .. string.rep('d', #reply - 1), unpack(reply))
end

local replies = {}
for i = 1, #KEYS do
    -- What is wrong with one key must not cost the others what they were granted.
    local done, reply = pcall(take, KEYS[i], ARGV[6 + i] or ARGV[7])
    if not done then reply = {FAILED, type(reply) == 'table' and reply.err or tostring(reply)} end
    replies[i] = type(reply) == 'string' and reply or packed(reply)
end
return replies
