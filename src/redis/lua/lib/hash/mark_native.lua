-- Says for `longest` ms at least that the server keeps the times of this hash.
-- Expects: mark, longest
if mark == 0 then
    redis.call('SET', KEYS[2], 'native', 'PX', longest)
else
    redis.call('PEXPIRE', KEYS[2], longest, 'GT')
end
