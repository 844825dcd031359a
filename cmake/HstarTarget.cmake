# One place for how our own targets are compiled: warnings as errors, results equal across machines.
function(hstar_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                           -Werror -ffp-contract=off)
  if(HSTAR_SANITIZE)
    # GCC's flow warnings see the instrumentation and cry wolf; the release build keeps them.
    target_compile_options(${target} PRIVATE -Wno-mismatched-new-delete -Wno-maybe-uninitialized)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()
