-- Drops what lib/sliding_log/read.lua found to be expired. Of a keyed log all is gone already: see lib/sliding_log/write.lua.
if all then
    if base == 0 then redis.call('UNLINK', log_key) end
elseif purge > 0 then
    redis.call('ZREMRANGEBYRANK', log_key, base, base + purge - 1)
end
