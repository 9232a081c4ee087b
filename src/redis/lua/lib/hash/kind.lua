-- Sees that the hash is of the caller's kind. Clients of one kind keep the times at which fields expire in the sorted set KEYS[2];
-- with `native` the server does, and KEYS[2] is a string that says so for as long as a field may have such a time.
--
-- Expects: ARGV[1]: 'n' native, 'z' sorted_set, 'q' delay_queue
-- Leaves: native; mark: how many fields expire, or with native not 0 if any may. Ends the script if the kind is another.
local native = ARGV[1] == 'n'
local mark = redis.pcall(native and 'STRLEN' or 'ZCARD', KEYS[2])
if type(mark) == 'table' then
    if string.find(mark.err, 'WRONGTYPE', 1, true) then return {CONFLICT, native and 0 or 1} end
    return mark
end
