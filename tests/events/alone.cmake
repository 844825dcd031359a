# events/ knows a time, a state vector and functions of both: it must compile with nothing but its own
# headers and the standard library, and include nothing else.
file(GLOB_RECURSE files ${SOURCE}/include/*.hpp ${SOURCE}/src/*.hpp ${SOURCE}/src/*.cpp)
list(LENGTH files count)
if(count LESS 10)
  message(FATAL_ERROR "only ${count} files found in ${SOURCE}")
endif()
foreach(file IN LISTS files)
  file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include")
  foreach(line IN LISTS lines)
    if(line MATCHES "<[a-z_]+>")  # standard headers have no dot and no slash
      continue()
    endif()
    if(line MATCHES "\"hstar/events/[a-z_]+\\.hpp\"" OR line MATCHES "\"[a-z_]+\\.hpp\"")
      continue()
    endif()
    message(SEND_ERROR "${file}: forbidden ${line}")
  endforeach()
endforeach()

file(MAKE_DIRECTORY ${WORK})
file(GLOB sources ${SOURCE}/src/*.cpp)
foreach(source IN LISTS sources)
  execute_process(
    COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I${SOURCE}/include ${source}
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed ERROR_VARIABLE text)
  if(failed)
    message(SEND_ERROR "${source} does not compile alone:\n${text}")
  endif()
endforeach()
# each public header by itself
file(GLOB headers ${SOURCE}/include/hstar/events/*.hpp)
foreach(header IN LISTS headers)
  execute_process(
    COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -I${SOURCE}/include -x c++ ${header}
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed ERROR_VARIABLE text)
  if(failed)
    message(SEND_ERROR "${header} does not compile alone:\n${text}")
  endif()
endforeach()
