-- This client has state of its own: whoever removes, renames or changes the limiter must find it.
-- Expects: now_ms, lifetime (ms)
redis.call('ZREMRANGEBYSCORE', KEYS[8], '-inf', format('%d', now_ms))
redis.call('ZADD', KEYS[8], format('%d', now_ms + lifetime), string.sub(KEYS[5], #KEYS[2] + 2))
if redis.call('PTTL', KEYS[8]) < lifetime then redis.call('PEXPIRE', KEYS[8], format('%d', lifetime)) end
