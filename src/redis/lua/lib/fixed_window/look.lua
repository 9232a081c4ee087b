-- Says what a take of n permits would say. Expects: window_key, rate, interval, n. Ends the script.
--@include lib/fixed_window/read.lua
return {OK, 2, rate, free, left * 1000, left * 1000, 0, n > free and left * 1000 or nil}
