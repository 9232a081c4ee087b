# What ration stands on. `scripts/setup build` provides all of it on Debian 12.

set(RATION_BOOST_VERSION 1.90)

# Boost: what the parent project or Boost_ROOT names, else the system's if new enough, else the headers that
# scripts/setup fetched.
function(ration_system_boost_is_new_enough result)
    set(${result} FALSE PARENT_SCOPE)
    if(EXISTS /usr/include/boost/version.hpp)
        file(STRINGS /usr/include/boost/version.hpp line REGEX "^#define BOOST_LIB_VERSION ")
        string(REGEX REPLACE ".*\"([0-9]+)_([0-9]+).*" "\\1.\\2" version "${line}")
        if(version VERSION_GREATER_EQUAL RATION_BOOST_VERSION)
            set(${result} TRUE PARENT_SCOPE)
        endif()
    endif()
endfunction()

if(NOT TARGET Boost::headers)
    set(fetched_boost "${PROJECT_SOURCE_DIR}/build/deps/boost")
    ration_system_boost_is_new_enough(system_boost)
    if(PROJECT_IS_TOP_LEVEL AND NOT system_boost AND NOT DEFINED Boost_ROOT AND NOT DEFINED ENV{Boost_ROOT}
            AND EXISTS "${fetched_boost}/stamp")
        set(Boost_ROOT "${fetched_boost}")
        set(Boost_NO_BOOST_CMAKE ON) # headers alone: no package configuration to look for
    endif()
    if(POLICY CMP0167)
        cmake_policy(SET CMP0167 OLD) # CMake's own FindBoost also finds headers without a package configuration
    endif()
    find_package(Boost ${RATION_BOOST_VERSION} QUIET)
    if(NOT TARGET Boost::headers)
        message(FATAL_ERROR "ration needs the headers of Boost ${RATION_BOOST_VERSION} or newer, and found none. "
            "Run 'scripts/setup build' in ration's folder, or set Boost_ROOT.")
    endif()
    message(STATUS "ration: Boost ${Boost_VERSION_STRING} in ${Boost_INCLUDE_DIRS}")
endif()

find_package(Threads REQUIRED)

if(NOT TARGET OpenSSL::SSL)
    find_package(OpenSSL 3 QUIET)
    if(NOT TARGET OpenSSL::SSL)
        message(FATAL_ERROR "ration needs OpenSSL 3, and found none. Run 'scripts/setup build' in ration's folder "
            "(Debian: libssl-dev).")
    endif()
endif()

if(NOT TARGET date::date-tz)
    find_package(date QUIET)
    if(NOT TARGET date::date-tz)
        message(FATAL_ERROR "ration needs Howard Hinnant's date with its time zone library, and found none. "
            "Run 'scripts/setup build' in ration's folder (Debian: libhowardhinnant-date-dev).")
    endif()
endif()
