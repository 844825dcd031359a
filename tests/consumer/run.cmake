# Installs the build BUILD into a folder inside it, then configures, builds and runs the project in
# SOURCE, which knows that folder only.
set(prefix ${BUILD}/consumer/prefix)
file(REMOVE_RECURSE ${BUILD}/consumer)
foreach(command
    "${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}"
    "${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD}/consumer/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${TYPE}"
    "${CMAKE_COMMAND} --build ${BUILD}/consumer/build"
    "${BUILD}/consumer/build/consumer ${SOURCE}/pull.toml"
    "${BUILD}/consumer/build/compiled"
    "${BUILD}/consumer/build/guards")
  separate_arguments(words UNIX_COMMAND "${command}")
  execute_process(COMMAND ${words} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endforeach()
