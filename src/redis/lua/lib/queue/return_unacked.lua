-- Puts what was leased and not acked in time back into the queue, a bounded number of items. They are due since their lease ended.
-- Expects: now
do
    local back = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', format('%d', now), 'WITHSCORES', 'LIMIT', 0, 100)
    for i = 1, #back, 2 do
        redis.call('ZADD', KEYS[1], back[i + 1], back[i])
        redis.call('ZREM', KEYS[3], back[i])
    end
end
