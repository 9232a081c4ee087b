-- How a reply begins: src/redis/status.hpp.
local OK, NOT_INITIALIZED, CONFLICT, INCOMPATIBLE, AGAIN, NEED_WINDOW, FAILED, INVALID, NEED_KEYS =
    0, 1, 2, 3, 4, 5, 6, 7, 8
-- What a rate may be: Rate::max_permits and max_interval of include/ration/rate.hpp.
local MAX_PERMITS, MAX_INTERVAL_US = 4294967295, 315619200000000
-- How many members of a log one call looks at (docs/redis-layout.md, budgets), and how many it reads at once.
local MEMBER_BUDGET, CHUNK = 500, 250
-- 2^53: up to here a Lua number is exact.
local EXACT = 9007199254740992
-- Redis would print a Lua number as %.17g, which is slow and, from 1e17 on, no integer: format('%d', number).
local format = string.format
