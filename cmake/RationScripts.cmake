# Makes one C++ file of all Lua scripts, each with its SHA1:
#
#   cmake -DSOURCE_DIR=src/redis/lua -DOUTPUT_DIR=DIR -DSCRIPTS=acquire,look -P RationScripts.cmake
#
# `--@include lib/x.lua` on a line of its own is replaced by that file. Comments and indentation stay behind: the server has no
# use for them. DIR/lua/NAME.lua is what it gets, DIR/scripts.cpp defines what src/redis/script.hpp declares.

string(REPLACE "," ";" names "${SCRIPTS}")
set(definitions "")
foreach(name IN LISTS names)
    file(READ "${SOURCE_DIR}/${name}.lua" text)
    while(text MATCHES "--@include ([a-z_/]+\\.lua)")
        set(directive "${CMAKE_MATCH_0}")
        file(READ "${SOURCE_DIR}/${CMAKE_MATCH_1}" piece)
        string(REPLACE "${directive}" "${piece}" text "${text}")
    endwhile()
    string(REGEX REPLACE "\n[ ]*--[^\n]*" "" text "\n${text}")
    string(REGEX REPLACE "\n[ \n]+" "\n" text "${text}")
    string(REGEX REPLACE "^\n" "" text "${text}")
    string(SHA1 sha1 "${text}")
    file(WRITE "${OUTPUT_DIR}/lua/${name}.lua" "${text}")
    string(APPEND definitions "\nScript const ${name}{\"${name}\", \"${sha1}\", R\"lua(${text})lua\"};\n")
endforeach()
file(WRITE "${OUTPUT_DIR}/scripts.cpp" "// Made by cmake/RationScripts.cmake from src/redis/lua.
#include \"redis/script.hpp\"

namespace ration::redis::scripts {
${definitions}
}  // namespace ration::redis::scripts
")
