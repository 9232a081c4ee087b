-- One key of a keyed limiter: all state in one key, the rate in the arguments
--   1 algorithm  2 permits  3 interval in ms (token_bucket: in µs)  4 capacity  5 windows (calendar_window) or ''
-- Leaves: algorithm, rate, interval, capacity, windows
local algorithm, rate, interval, capacity, windows = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
