-- Reads a log as Redisson keeps it: the number of free permits, and a zset with a member for each call that was granted
-- something, its score the time in ms.
--
-- Keyed limiters keep the same in one key: the permits in use are the score of the member 'used', which ranks below every
-- time. `base` is the number of such members: 0 or 1.
--
-- Expects: log_key, base, value (the free permits as stored, or nil), seen_rate (the rate for which the caller knows that
--          value to be right, or nil), rate, interval, now_ms
-- Leaves: free: permits not in use; fewer if not `exact`
--         stored: what is to be written as value if nothing is granted. Differs from free by what is not purged yet
--         expired, live: members. future: there are some with a later time than now
--         purge: how many of the expired to drop now; all: every member
--         lost: permits in use of which there is no member; they count as granted now
--         unsure: not even `stored` is known before more of the expired are gone
--         now_text: now_ms as Redis wants it
-- Ends the script or function if it finds something that is no log.
local now_text = format('%d', now_ms)
local card = redis.call('ZCARD', log_key) - base
local free, stored, expired, live, purge, lost = value, value, 0, card, 0, 0
local all, exact, unsure, future = false, true, false, false
if card <= 0 then
    if not value or value > rate then free, stored = rate, rate end
    live, lost = 0, rate - free
else
    if redis.call('ZCOUNT', log_key, format('(%d', now_ms - interval), now_text) < card then
        local horizon = format('%d', now_ms - interval)
        expired = redis.call('ZCOUNT', log_key, base == 0 and '-inf' or '(4294967296', horizon)
        live = card - expired
        future = live > 0 and redis.call('ZCOUNT', log_key, '(' .. now_text, '+inf') > 0
    end
    -- A rate that somebody else has changed may have left the value behind, and a new client cannot know.
    local recount = not value or value > rate or (seen_rate and seen_rate ~= rate)
        or (not seen_rate and card <= MEMBER_BUDGET)
    if live == 0 then
        free, stored, purge, all = rate, rate, expired, true
    elseif recount or expired > 0 then
        --@include lib/sliding_log/members.lua
        purge = math.min(expired, MEMBER_BUDGET)
        if not recount then
            local released = sum(log_key, base, base + purge - 1)
            if not released then return NOT_A_LOG end
            stored = value + released
            free = stored
            recount = stored > rate
        end
        if recount and purge < expired then
            exact, unsure = false, true
        elseif recount or purge < expired then
            if not recount and live > MEMBER_BUDGET then
                exact = false
            else
                local in_use = sum(log_key, base + expired, base + card - 1)
                if not in_use then return NOT_A_LOG end
                free = rate - in_use
                if recount then stored = free end
            end
        end
    end
end
