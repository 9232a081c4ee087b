-- Reads a token bucket: one key, three doubles (updated in µs, permits missing, parts that came back; as text they would
-- take a quarter of the script's time), which expires when the bucket is full. A clock that stepped back brings nothing
-- until it has caught up.
--
-- Expects: bucket_key, whole, refill, now. Leaves: updated, missing, parts, as of now
-- Ends the script or function if it finds something that is no bucket.
local updated, missing, parts = now, 0, 0
do
    local text = redis.call('GET', bucket_key)
    if text then
        if #text == 24 then updated, missing, parts = struct.unpack('<ddd', text) end
        if #text ~= 24 or updated % 1 + missing % 1 + parts % 1 ~= 0 or updated < 0 or missing < 0 or parts < 0 then
            return {INCOMPATIBLE, 'its state, ' .. #text .. ' bytes, is not that of a token_bucket'}
        end
        if parts >= whole then parts = 0 end -- of another rate: it may cost a part of a permit, it never gives one away
        if now > updated and missing > 0 then
            local elapsed, back = now - updated, nil
            if elapsed / whole * refill > missing + 2 then
                back = missing -- clearly more than that: spares the exact product, and keeps its quotient small
            elseif elapsed * refill + parts < EXACT then
                local came = elapsed * refill + parts
                parts = came % whole
                back = (came - parts) / whole
            else
                --@include lib/token_bucket/mul_div.lua
                local rest
                back, rest = mul_div(elapsed, refill, whole)
                parts = parts + rest
                if parts >= whole then back, parts = back + 1, parts - whole end
            end
            missing = missing - back
            if missing <= 0 then missing, parts = 0, 0 end
        end
        if updated < now then updated = now end
    end
end
