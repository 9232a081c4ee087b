-- As lib/config.lua, for those who insist on `expected`. Ends the script if there is no such config.
-- Leaves also: own: how much farther the keys of this client stand, if they are to be used, else 0
--@include lib/config.lua
if not problem and expected ~= '' and expected ~= algorithm then problem = {CONFLICT, algorithm} end
if problem then return problem end
local own = per_client and 3 or 0
