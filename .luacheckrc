-- For the scripts as the server gets them (cmake/RationScripts.cmake): pieces alone name what other pieces define.
std = "lua51"
read_globals = {"redis", "struct", "KEYS"}
globals = {"ARGV"} -- a table of each call's own: what was read may be written over
max_line_length = false
-- A shared piece may leave more than a script uses (2, 3), and names repeat from piece to piece (4).
ignore = {"2..", "3..", "4.."}
