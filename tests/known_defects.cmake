# Tests that find defects which are known and not repaired yet. Each is expected to fail and is a failing test again as
# soon as it passes: take its line out then. What each finds stands beside it (docs/developing.md, "Known defects").
set(HSTAR_KNOWN_DEFECTS
  oracle                      # 1769: an accumulation whose flights shrink like their squares (plastic, let go by forces) has no "zeno" line
)
function(hstar_known_defect name)
  if(name IN_LIST HSTAR_KNOWN_DEFECTS)
    set_tests_properties(${name} PROPERTIES WILL_FAIL TRUE)
  endif()
endfunction()
