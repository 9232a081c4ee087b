-- The same for a sliding log: what is left of the config's time goes to its state, as Redisson does. State of one client
-- always ends by itself, soon after it has lost its meaning.
-- Expects: keep_alive, per_client, interval, value_key, permits_key
--@include lib/touch.lua
if per_client and (ttl <= 0 or ttl > interval + 60000) then ttl = interval + 60000 end
if ttl > 0 then
    redis.call('PEXPIRE', value_key, format('%d', ttl))
    redis.call('PEXPIRE', permits_key, format('%d', ttl))
end
