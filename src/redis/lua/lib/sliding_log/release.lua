-- Gives back n permits, the oldest first: what stays in use stays so for as long as it was granted. Looks at a limited
-- number of members: the reply says how many of the n were given back.
--
-- Expects: what lib/sliding_log/read.lua leaves; n. Leaves: reply
local reply
if not all and purge < expired then
    if not unsure then
        local number = stored
        --@include lib/sliding_log/write.lua
    end
    --@include lib/sliding_log/purge.lua
    reply = {AGAIN}
elseif n >= rate - free then
    local number = rate
    --@include lib/sliding_log/write.lua
    redis.call('UNLINK', log_key)
    reply = {OK, n}
else
    --@include lib/sliding_log/members.lua
    local first = base + expired
    local members = redis.call('ZRANGE', log_key, first, first + MEMBER_BUDGET - 1, 'WITHSCORES')
    local left, dropped = n, 0
    local split, score, rest
    for i = 1, #members, 2 do
        local permits = permits_of(members[i])
        if not permits then return NOT_A_LOG end
        if permits > left then
            split, score, rest = members[i], members[i + 1], permits - left
            break
        end
        left, dropped = left - permits, dropped + 1
    end
    -- Permits that only the value knows of count as granted now, so they are the last.
    if split or dropped == live then left = 0 end
    local number = stored + n - left
    --@include lib/sliding_log/write.lua
    if expired + dropped > 0 then redis.call('ZREMRANGEBYRANK', log_key, base, first + dropped - 1) end
    if split and rest < permits_of(split) then replace_member(log_key, split, score, rest) end
    reply = {OK, n - left}
end
