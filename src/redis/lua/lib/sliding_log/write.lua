-- Stores the number of free permits: of a keyed log, those in use. Expects: base, value_key, log_key, rate, all, number
if base == 0 then
    redis.call('SET', value_key, format('%d', number))
else
    if all then redis.call('UNLINK', log_key) end
    -- With nothing in use it is as good as none, and a new key would have no time to live.
    if not all or number < rate then redis.call('ZADD', log_key, format('%d', rate - number), 'used') end
end
