# `cmake --install` gives libration.a, its headers and a package for find_package(ration) (component `development`), and the
# ration command with its manual page and completions (component `command`).
include(CMakePackageConfigHelpers)

set(ration_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ration")

install(TARGETS ration
    EXPORT rationTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
install(EXPORT rationTargets NAMESPACE ration:: DESTINATION "${ration_package_dir}" COMPONENT development)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/rationConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/rationConfig.cmake"
    INSTALL_DESTINATION "${ration_package_dir}"
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/rationConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/rationConfig.cmake" "${PROJECT_BINARY_DIR}/rationConfigVersion.cmake"
    DESTINATION "${ration_package_dir}" COMPONENT development)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libration-dev" RENAME copyright
    COMPONENT development)

if(TARGET ration_cli)
    install(TARGETS ration_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT command)
    install(FILES "${PROJECT_SOURCE_DIR}/docs/man/ration.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT command)
    install(FILES "${PROJECT_SOURCE_DIR}/src/cli/completion/ration.bash" RENAME ration
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT command)
    install(FILES "${PROJECT_SOURCE_DIR}/src/cli/completion/_ration"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT command)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" RENAME copyright
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/ration" COMPONENT command)
    if(PROJECT_IS_TOP_LEVEL)
        include("${CMAKE_CURRENT_LIST_DIR}/RationPackage.cmake")
    endif()
endif()
