-- As lib/config.lua, for those who insist on `expected`. Ends the script if there is no such config.
-- Leaves also: own: 1 if the keys of this client are to be used, else 0
--@include lib/config.lua
if not problem and expected ~= '' and expected ~= algorithm then problem = {CONFLICT, algorithm} end
if problem then return problem end
local own = per_client and 1 or 0
