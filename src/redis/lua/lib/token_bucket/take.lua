-- Takes permits of a bucket as the batch asks. Expects: bucket_key, rate, interval, capacity, now, batch, and what
-- lib/token_bucket/params.lua leaves. Leaves: reply, granted. The caller works out each decision from what was found.
-- He has to know rate and interval too.
--@include lib/token_bucket/read.lua
local free = capacity - missing
--@include lib/batch.lua
local reply = {OK, 4, capacity, missing, parts, updated - now, granted}
if granted > 0 then
    missing = missing + granted
    --@include lib/token_bucket/write.lua
end
