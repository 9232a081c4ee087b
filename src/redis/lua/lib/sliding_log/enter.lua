-- Enters a grant of now. Expects: log_key, now_text, entry (permits), prefix: what stands before the permits in a new member
do
    local head = prefix
    -- Four random bytes, as Redisson had before 3.16.4, do meet again. An overwritten member would be a lost grant.
    while redis.call('ZADD', log_key, 'NX', now_text, head .. struct.pack('<I4', entry)) == 0 do
        local at = #head - 3
        local bumped = (struct.unpack('<I2', head, at) + 1) % 65536
        head = string.sub(head, 1, at - 1) .. struct.pack('<I2', bumped) .. string.sub(head, at + 2)
    end
end
