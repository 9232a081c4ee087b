-- The log of one key. Expects: log_key, rate. Leaves: base, value, value_key (none), seen_rate
local base, seen_rate, value_key = 1, rate, nil
local value = redis.call('ZSCORE', log_key, 'used')
value = value and rate - value or nil
