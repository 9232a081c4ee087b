# Two Debian packages, made by `make package`: ration, the command, and libration-dev, the library.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ration)
set(CPACK_PACKAGE_VENDOR ration)
set(CPACK_PACKAGE_CONTACT "The ration developers <ration@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "limits how often something happens, across processes and machines")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command development)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME ration)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS tzdata)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "The ration command sets, uses and shows rate limiters that are kept in a
Redis or Valkey server, also those of Java services that use Redisson. A
shell script or cron job obeys a shared limit by: ration acquire NAME -- CMD")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libration-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libssl-dev, libhowardhinnant-date-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "The C++ library of ration: headers, a static library and a CMake package. It
also needs the headers of Boost 1.90 or newer.")

include(CPack)
