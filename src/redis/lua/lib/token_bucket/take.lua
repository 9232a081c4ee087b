-- Takes permits of a bucket as the batch asks. Expects: bucket_key, rate, interval, capacity, now, batch, and what
-- lib/token_bucket/params.lua leaves. Leaves: granted; and what it found: found (permits missing), parts, updated. The caller
-- works out each decision from these.
--@include lib/token_bucket/read.lua
local free, found = capacity - missing, missing
--@include lib/batch.lua
if granted > 0 then
    missing = missing + granted
    --@include lib/token_bucket/write.lua
end
