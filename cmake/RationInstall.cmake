# `cmake --install` gives libration.a, its headers, the ration command, and a package for find_package(ration).
include(CMakePackageConfigHelpers)

set(ration_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ration")

install(TARGETS ration
    EXPORT rationTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT rationTargets NAMESPACE ration:: DESTINATION "${ration_package_dir}")

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/rationConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/rationConfig.cmake"
    INSTALL_DESTINATION "${ration_package_dir}"
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/rationConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/rationConfig.cmake" "${PROJECT_BINARY_DIR}/rationConfigVersion.cmake"
    DESTINATION "${ration_package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

if(TARGET ration_cli)
    install(TARGETS ration_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
