-- As lib/sliding_log/enter.lua, where lib/sliding_log/place.lua says. Needs lib/sliding_log/members.lua.
do
    local score = format('%.17g', place.at)
    if place.joined then
        replace_member(log_key, place.joined, score, permits_of(place.joined) + entry)
    else
        local noted = struct.pack('<I4I2', now_ms % 4294967296, math.floor(now_ms / 4294967296))
        redis.call('ZADD', log_key, score,
            string.sub(prefix, 1, 1) .. noted .. string.sub(prefix, 8) .. struct.pack('<I4', entry))
    end
end
