# Installs the build BUILD into a folder inside it, then configures, builds and runs the project in
# SOURCE, and the programs in EXAMPLES, which know that folder only.
set(prefix ${BUILD}/consumer/prefix)
file(REMOVE_RECURSE ${BUILD}/consumer)
foreach(command
    "${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}"
    "${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD}/consumer/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${TYPE}"
    "${CMAKE_COMMAND} --build ${BUILD}/consumer/build"
    "${BUILD}/consumer/build/consumer ${SOURCE}/pull.toml"
    "${BUILD}/consumer/build/compiled"
    "${BUILD}/consumer/build/guards"
    "${CMAKE_COMMAND} -S ${EXAMPLES} -B ${BUILD}/consumer/examples -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${TYPE}"
    "${CMAKE_COMMAND} --build ${BUILD}/consumer/examples"
    "${BUILD}/consumer/examples/mechanism"
    "${BUILD}/consumer/examples/user_force"
    "${BUILD}/consumer/examples/user_joint"
    "${BUILD}/consumer/examples/spatial_elements"
    "${BUILD}/consumer/examples/impact_law"
    "${BUILD}/consumer/examples/plain_ode"
    "${BUILD}/consumer/examples/stepper")
  separate_arguments(words UNIX_COMMAND "${command}")
  execute_process(COMMAND ${words} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endforeach()
