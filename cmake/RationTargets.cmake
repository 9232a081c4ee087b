# How ration's own targets are made. Nothing here is exported: users get no flag of ours.

add_library(ration_warnings INTERFACE)
target_compile_options(ration_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
    -Woverloaded-virtual -Wcast-align -Wcast-qual -Wformat=2 -Wimplicit-fallthrough -Wundef -Wextra-semi
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wsuggest-override
        # False in g++ 12: for every std::optional<std::string> passed by value; for "text" + std::string at -O3.
        -Wno-maybe-uninitialized -Wno-restrict>
    $<$<BOOL:${RATION_WERROR}>:-Werror>)

add_library(ration_sanitizers INTERFACE)
if(RATION_SANITIZE)
    target_compile_options(ration_sanitizers INTERFACE
        -fsanitize=${RATION_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        # g++ 12 reports false ones from inside Boost.Asio when it also instruments.
        $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
    target_link_options(ration_sanitizers INTERFACE -fsanitize=${RATION_SANITIZE})
endif()

# Every target of ours: C++20 without extensions, our warnings, the chosen sanitizers.
function(ration_configure target)
    target_compile_features(${target} PRIVATE cxx_std_20)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ration_warnings> $<BUILD_INTERFACE:ration_sanitizers>)
endfunction()

# ration_add_layer(NAME core SOURCES file... [LINK lower layers...] [PRIVATE libraries...])
#
# One layer of src/, as the target ration_NAME. A layer sees public headers as <ration/x.hpp>, private ones as
# "core/x.hpp", and links lower layers only. Layers are not installed: src/CMakeLists.txt merges them into one archive.
function(ration_add_layer)
    cmake_parse_arguments(PARSE_ARGV 0 layer "" "NAME" "SOURCES;LINK;PRIVATE")
    set(target ration_${layer_NAME})
    add_library(${target} STATIC ${layer_SOURCES})
    ration_configure(${target})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PUBLIC Threads::Threads ${layer_LINK} PRIVATE ${layer_PRIVATE})
    # Usable in a user's shared library, at no cost in a program.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
endfunction()
