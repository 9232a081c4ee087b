-- Says when fields that were just put expire, in few commands: one for each TTL if the server keeps the moments, else two.
-- Expects: last (TTL in ms or '' by field), native, mark, now_ms
local of_ttl, moments = {}, {}
for field, ttl in pairs(last) do
    if native or ttl == '' then
        local fields = of_ttl[ttl] or {}
        fields[#fields + 1] = field
        of_ttl[ttl] = fields
    else
        moments[#moments + 1] = format('%d', now_ms + ttl)
        moments[#moments + 1] = field
    end
end
if #moments > 0 then redis.call('ZADD', KEYS[2], unpack(moments)) end
for ttl, fields in pairs(of_ttl) do
    if ttl ~= '' then
        redis.call('HPEXPIRE', KEYS[1], ttl, 'FIELDS', #fields, unpack(fields))
    elseif not native and mark > 0 then
        redis.call('ZREM', KEYS[2], unpack(fields))
    end
end
