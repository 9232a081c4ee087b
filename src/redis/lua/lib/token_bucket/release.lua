-- Gives back n permits. Expects: bucket_key, rate, interval, now, n. Leaves: reply
--@include lib/token_bucket/params.lua
--@include lib/token_bucket/read.lua
missing = missing - n
if missing <= 0 then missing, parts = 0, 0 end
--@include lib/token_bucket/write.lua
local reply = {OK, n}
