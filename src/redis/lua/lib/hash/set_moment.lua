-- Says when a field that was just put expires.
-- Expects: field, ttl (ms or ''), native, mark, now_ms
if native then
    if ttl ~= '' then redis.call('HPEXPIRE', KEYS[1], ttl, 'FIELDS', 1, field) end
elseif ttl ~= '' then
    redis.call('ZADD', KEYS[2], format('%d', now_ms + ttl), field)
    mark = mark + 1
elseif mark > 0 then
    redis.call('ZREM', KEYS[2], field)
end
