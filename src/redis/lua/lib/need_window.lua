-- Ends the script by asking for the windows of a calendar rate. Expects: now, rate, calendar
local unit, every, zone = string.match(calendar or '', '^(%S+) (%S+) (%S+)$')
if not unit then return {INCOMPATIBLE, 'it is a calendar_window without a unit, a number of them, or a zone'} end
return {NEED_WINDOW, now, rate, unit, every, zone}
