-- Gives a limiter another name: its config, its grants, and those of every client.
--
-- KEYS  1-8 as in acquire.lua  9-16 the same of the new name
-- Reply {OK}  {NOT_INITIALIZED}  {CONFLICT}: something has that name already
--@include lib/constants.lua
--@include lib/clients.lua
if redis.call('EXISTS', KEYS[1]) == 0 then return {NOT_INITIALIZED} end
if redis.call('EXISTS', KEYS[9]) == 1 then return {CONFLICT} end

local function move(from, to)
    if redis.call('EXISTS', from) == 1 then
        redis.call('RENAME', from, to)
    else
        redis.call('UNLINK', to) -- left by one of that name that has expired
    end
end
for_each_state(function(value, permits, state)
    local suffix = string.sub(value, #KEYS[2] + 1)
    move(value, KEYS[10] .. suffix)
    move(permits, KEYS[11] .. suffix)
    move(state, KEYS[12] .. suffix)
end)
move(KEYS[8], KEYS[16])
move(KEYS[1], KEYS[9])
return {OK}
