-- As lib/sliding_log/enter.lua, but a grant less than `span` ms after the first grant of the newest entry joins that; it then
-- frees `interval` after its last grant. The first grant's time is in six bytes of the member, where others have random ones.
-- Needs lib/sliding_log/members.lua.
do
    local dated, joined = now_ms, false
    if redis.call('ZCARD', log_key) > base then
        local newest = redis.call('ZREVRANGE', log_key, 0, 0, 'WITHSCORES')
        local member, score = newest[1], tonumber(newest[2])
        if now_ms >= score then
            local first = score
            if #member == 21 then
                local low, high = struct.unpack('<I4I2', member, 2)
                local noted = low + high * 4294967296
                if noted <= score and score - noted < span then first = noted end -- else random bytes
            end
            if now_ms - first < span or now_ms == score then
                replace_member(log_key, member, format('%d', now_ms), permits_of(member) + entry)
                joined = true
            end
        else
            -- The clock has stepped back. Dated now, an entry of its own could not take up those that follow.
            local later = redis.call('ZRANGEBYSCORE', log_key, format('%d', now_ms), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
            if later[2] - now_ms < span then
                replace_member(log_key, later[1], later[2], permits_of(later[1]) + entry)
                joined = true
            end
            dated = now_ms + span - 0.001
        end
    end
    if not joined then
        local noted = struct.pack('<I4I2', now_ms % 4294967296, math.floor(now_ms / 4294967296))
        redis.call('ZADD', log_key, format('%.17g', dated),
            string.sub(prefix, 1, 1) .. noted .. string.sub(prefix, 8) .. struct.pack('<I4', entry))
    end
end
