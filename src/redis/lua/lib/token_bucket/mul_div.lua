-- a * b / c: the whole quotient and the remainder, exactly, where a * b may be far beyond 2^53.
-- Requires: whole numbers, a and the quotient < 2^53, b and c < 2^52.
local function mul_div(a, b, c)
    if a * b < EXACT then
        local rest = (a * b) % c
        return (a * b - rest) / c, rest
    end
    -- Bit by bit, the highest first: the rest stays below 3c.
    local whole_b, rest_b = math.floor(b / c), b % c
    local quotient, rest = 0, 0
    local bit = 4503599627370496 -- 2^52
    while bit >= 1 do
        quotient, rest = quotient * 2, rest * 2
        if a >= bit then
            a, quotient, rest = a - bit, quotient + whole_b, rest + rest_b
            if rest >= 2 * c then quotient, rest = quotient + 2, rest - 2 * c end
        end
        if rest >= c then quotient, rest = quotient + 1, rest - c end
        bit = bit / 2
    end
    return quotient, rest
end
