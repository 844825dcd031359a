// src/report/app.cpp: the two files of the build folder, taken in by the assembler.
#include "report/app.hpp"

#ifdef HSTAR_REPORT_APP
asm(R"(
  .section .rodata
  .balign 16
hstar_report_script:
  .incbin ")" HSTAR_REPORT_APP R"(/report.js"
hstar_report_script_end:
hstar_report_style:
  .incbin ")" HSTAR_REPORT_APP R"(/report.css"
hstar_report_style_end:
  .byte 0
  .text
)");

extern "C" {
extern const char hstar_report_script[], hstar_report_script_end[], hstar_report_style[], hstar_report_style_end[];
}
#endif

namespace hstar::report {

App app() {
#ifdef HSTAR_REPORT_APP
  return {{hstar_report_script, hstar_report_script_end}, {hstar_report_style, hstar_report_style_end}};
#else
  return {};
#endif
}

}  // namespace hstar::report
