# What `cmake --install` writes: libraries, headers, the executable, and the package that
# find_package(hstar) reads. tests/consumer tries it.
include(CMakePackageConfigHelpers)
set(HSTAR_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hstar)

install(TARGETS hstar_events hstar EXPORT hstar ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/hstar events/include/hstar DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
if(HSTAR_TOOL)
  install(TARGETS hstar_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT hstar NAMESPACE hstar:: FILE hstarTargets.cmake DESTINATION ${HSTAR_PACKAGE_DIR})
configure_package_config_file(cmake/hstarConfig.cmake.in ${PROJECT_BINARY_DIR}/hstarConfig.cmake
  INSTALL_DESTINATION ${HSTAR_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hstarConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hstarConfig.cmake ${PROJECT_BINARY_DIR}/hstarConfigVersion.cmake
  DESTINATION ${HSTAR_PACKAGE_DIR})
install(FILES LICENSE README.md NOTATION.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES completions/hstar.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME hstar)
install(DIRECTORY examples validation DESTINATION ${CMAKE_INSTALL_DATADIR}/hstar PATTERN benchmarks EXCLUDE)
