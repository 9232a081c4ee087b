-- Expects: bucket_key, updated, missing, parts, whole, refill, now
if missing == 0 and updated <= now then
    redis.call('UNLINK', bucket_key)
else
    local full_in -- µs, rounded up
    if missing * whole < EXACT then
        full_in = math.ceil((missing * whole - parts) / refill)
    elseif missing / refill * whole >= EXACT then
        full_in = EXACT
    else
        --@include lib/token_bucket/mul_div.lua
        full_in = mul_div(missing, whole, refill) + 1
    end
    redis.call('SET', bucket_key, struct.pack('<ddd', updated, missing, parts), 'PX',
        format('%d', math.ceil((updated - now + full_in) / 1000) + 1))
end
