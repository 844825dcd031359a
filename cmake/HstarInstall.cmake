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

# What a Python package holds besides its Python files: `cmake --install BUILD --component wheel --prefix PACKAGE`. With
# HSTAR_WHEEL the shared libraries are there, too, those of the C and C++ run time excepted.
if(TARGET hstar_python AND HSTAR_TOOL)
  set(dependencies)
  if(HSTAR_WHEEL)
    # RPATH, not RUNPATH: it also finds what those libraries load themselves.
    target_link_options(hstar_python PRIVATE -Wl,--disable-new-dtags)
    target_link_options(hstar_tool PRIVATE -Wl,--disable-new-dtags)
    set_target_properties(hstar_python PROPERTIES INSTALL_RPATH "$ORIGIN/libs")
    set_target_properties(hstar_tool PROPERTIES INSTALL_RPATH "$ORIGIN/../libs")
    set(dependencies RUNTIME_DEPENDENCY_SET hstar_wheel)
    install(RUNTIME_DEPENDENCY_SET hstar_wheel
      PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|stdc\\+\\+|gcc_s)\\.so"
      LIBRARY DESTINATION libs COMPONENT wheel EXCLUDE_FROM_ALL)
  endif()
  install(TARGETS hstar_python ${dependencies} LIBRARY DESTINATION . COMPONENT wheel EXCLUDE_FROM_ALL)
  install(TARGETS hstar_tool ${dependencies} RUNTIME DESTINATION bin COMPONENT wheel EXCLUDE_FROM_ALL)
endif()

# A Debian package and a tarball: `cpack --config BUILD/CPackConfig.cmake -G DEB` (or TGZ). What it depends on is read from
# the executable.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_CONTACT "the hstar maintainers <hstar@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libtomlplusplus-dev, libsundials-dev, libsuitesparse-dev, libhdf5-dev, zlib1g-dev")
include(CPack)
