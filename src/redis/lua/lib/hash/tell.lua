-- Tells those who remove each field at its moment that one comes earlier than all before. Before anything is written: whoever may
-- not publish is refused as a whole.
--
-- Expects: moment (ms)
if ARGV[1] == 'q' then
    local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
    if not first or moment < tonumber(first) then redis.call('PUBLISH', KEYS[2], '') end
end
