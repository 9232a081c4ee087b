-- Finds where a grant goes that may share an entry: less than `span` ms after the first grant of the newest entry it joins
-- that, which then frees `interval` after its last grant. The first grant's time is in six bytes of the member, where others
-- have random ones. Needs lib/sliding_log/members.lua.
--
-- Expects: log_key, live, now_ms, now_text, span. Leaves in place: at: the score of the entry; joined: the member that becomes it, if
-- any; newest: that is the newest. Ends the script or function if it finds something that is no log.
place = {at = now_ms}
if live > 0 then
    local newest = redis.call('ZREVRANGE', log_key, 0, 0, 'WITHSCORES')
    local member, score = newest[1], tonumber(newest[2])
    if now_ms >= score then
        local first = score
        if #member == 21 then
            local low, high = struct.unpack('<I4I2', member, 2)
            local noted = low + high * 4294967296
            if noted <= score and score - noted < span then first = noted end -- else random bytes
        end
        if now_ms - first < span or now_ms == score then place.joined, place.newest = member, true end
    else
        local later = redis.call('ZRANGEBYSCORE', log_key, now_text, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
        if later[2] - now_ms < span then
            place.at, place.joined = tonumber(later[2]), later[1]
        else
            -- The clock has stepped back. Dated now, an entry of its own could not take up those that follow.
            place.at = now_ms + (span - 0.001)
        end
    end
    if place.joined and not permits_of(place.joined) then return NOT_A_LOG end
end
