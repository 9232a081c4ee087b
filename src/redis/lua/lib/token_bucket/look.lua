-- Says what the caller needs to work out a decision. Expects: bucket_key, rate, interval, capacity, now. Ends the script.
--@include lib/token_bucket/params.lua
--@include lib/token_bucket/read.lua
return {OK, 4, capacity, missing, parts, updated - now, 0, rate, interval}
