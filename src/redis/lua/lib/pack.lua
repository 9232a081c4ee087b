-- The reply of a take as one string: its first byte is the status, the rest is doubles. A table of numbers would cost the server
-- a microsecond more. Expects: reply, {OK, numbers ...}. Leaves it packed.
reply = struct.pack('<B' .. string.rep('d', #reply - 1), unpack(reply))
