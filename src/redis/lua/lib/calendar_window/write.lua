-- Expects: window_key, used, stop
redis.call('SET', window_key, format('%d', used) .. ' ' .. format('%d', stop), 'PXAT', format('%d', math.ceil(stop / 1000)))
