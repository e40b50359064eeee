# `cmake --install` gives the program, the library, the headers, a pkg-config file and a CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS freshet EXPORT freshet LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/freshet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT freshet NAMESPACE freshet:: FILE freshet-config.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/freshet)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/freshet-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/freshet-config-version.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/freshet)
# The pkg-config file finds its prefix from where it lies, so that the folder may be moved.
file(RELATIVE_PATH FRESHET_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/freshet.pc.in ${CMAKE_CURRENT_BINARY_DIR}/freshet.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/freshet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
