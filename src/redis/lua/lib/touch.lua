-- The limiter was used: its time to live begins anew.
-- Expects: keep_alive. Leaves: ttl, of the config
local ttl = keep_alive
if ttl > 0 then
    redis.call('PEXPIRE', KEYS[1], format('%d', ttl))
else
    ttl = redis.call('PTTL', KEYS[1])
end
