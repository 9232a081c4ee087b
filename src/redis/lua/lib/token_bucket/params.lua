-- Expects: rate, interval (µs). Leaves: whole (parts that make one permit), refill (parts that come per µs): see
-- src/core/token_bucket.hpp
local whole, refill = interval, rate
do
    local a, b = rate, interval
    while b > 0 do a, b = b, a % b end
    whole, refill = whole / a, refill / a
end
