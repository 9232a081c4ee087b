-- Says what a take of n permits would say; n 0: how many are free. Expects: what lib/sliding_log/read.lua leaves; n. Ends
-- the script.
if not exact then
    if not unsure then
        local ttl = base == 0 and redis.call('PTTL', value_key) or 0
        local number = stored
        --@include lib/sliding_log/write.lua
        if ttl > 0 then redis.call('PEXPIRE', value_key, format('%d', ttl)) end
    end
    --@include lib/sliding_log/purge.lua
    return {AGAIN}
end
do
    local reply = {OK, 1, rate, free, 0, 0, 0}
    if n > 0 and n <= rate then
        local denied = n > free
        --@include lib/sliding_log/members.lua
        --@include lib/sliding_log/wait.lua
        --@include lib/sliding_log/resets.lua
        reply[5], reply[6] = micros(reset_before), micros(reset_after)
        if denied then reply[8] = time_until(n - free, lost) end
    end
    return reply
end
