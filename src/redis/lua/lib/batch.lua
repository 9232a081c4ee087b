-- Goes through a batch as core::evaluate does.
--
-- Expects: batch: '1' if the first patient refusal always ends it, else '0'; then 13 bytes for each run of equal requests:
--          permits (double), how many (u32), patient (u8). capacity, free
-- Leaves: granted; refusals: nil, or for each refusal the permits that are lacking, and those granted before it.
--         Neighbours that ask the same of the same state are one.
local granted, refusals = 0, nil
do
    local left, head = free, string.byte(batch) == 48
    local last_n, last_granted
    for at = 2, #batch, 13 do
        local n, count, patient = struct.unpack('<dI4B', batch, at)
        if n <= capacity then
            local passing = 0
            if n <= left then
                passing = n * count <= left and count or math.floor(left / n)
                left = left - passing * n
                granted = granted + passing * n
            end
            if passing < count then
                if n ~= last_n or granted ~= last_granted then
                    refusals = refusals or {}
                    refusals[#refusals + 1] = n - left
                    refusals[#refusals + 1] = granted
                    last_n, last_granted = n, granted
                end
                -- The very first may be passed over; one behind it blocks.
                if patient == 1 and not (head and passing == 0 and count == 1) then break end
            end
        end
        head = false
    end
end
