-- Removes a limiter and all its grants, those of every client included.
--
-- KEYS  as in acquire.lua, all eight
-- Reply {OK, 1 if there was one}
--@include lib/constants.lua
--@include lib/clients.lua
clear_state()
return {OK, redis.call('UNLINK', KEYS[1])}
