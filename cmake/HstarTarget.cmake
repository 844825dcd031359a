# One place for how our own targets are compiled: results equal across machines; what other compilers warn of does not
# keep their users from building.
set(hstar_werror ${HSTAR_WERROR})
if(HSTAR_WERROR STREQUAL "AUTO")
  set(hstar_werror OFF)
  if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
    set(hstar_werror ON)
  endif()
endif()

function(hstar_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                           $<$<BOOL:${hstar_werror}>:-Werror> -ffp-contract=off)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The compiler collects its garbage at half a gigabyte: a tenth of its time.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=500000)
  endif()
  if(HSTAR_SANITIZE)
    # GCC's flow warnings see the instrumentation and cry wolf; the release build keeps them.
    target_compile_options(${target} PRIVATE -Wno-mismatched-new-delete -Wno-maybe-uninitialized)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# Links the library with a file here, and programs that use an installed hstar with the library of that name: the package
# may be used where libraries have other folders.
function(hstar_link file)
  file(REAL_PATH ${file} real)
  get_filename_component(name ${real} NAME)
  string(REGEX REPLACE "^lib(.*)\\.(so|a).*" "\\1" name ${name})
  target_link_libraries(hstar PRIVATE $<BUILD_INTERFACE:${file}> $<INSTALL_INTERFACE:${name}>)
endfunction()

# Standard headers and what else is given, read once a target: they are half of the work on a small file. Headers of our
# own have no place here, since an edit of one would compile everything again. Every file still includes what it uses:
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds, too.
function(hstar_precompile target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <cmath> <complex> <cstddef> <functional> <limits> <map> <memory> <numeric> <optional> <span>
    <sstream> <stdexcept> <string> <string_view> <utility> <vector> <fmt/core.h> ${ARGN})
endfunction()

# Files of the library that are compiled as one, since each alone reads the same headers for seconds: NAME and what stands
# in it. Their anonymous namespaces are one, too. -DHSTAR_UNITS=OFF compiles every file alone, as scripts/tidy reads them.
function(hstar_unit name)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY hstar PROPERTIES UNITY_GROUP ${name})
endfunction()

# Units of the library, and files that are none, in which no run spends its time: what -O2 does beyond -O1 is a third of
# the compiler's work on them.
function(hstar_cold)
  list(TRANSFORM ARGN REPLACE "^([a-z0-9_]+)$" "${PROJECT_BINARY_DIR}/src/CMakeFiles/hstar.dir/Unity/unity_\\1_cxx.cxx")
  set_source_files_properties(${ARGN} TARGET_DIRECTORY hstar PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
endfunction()
