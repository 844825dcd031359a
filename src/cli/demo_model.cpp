// src/cli/demo_model.cpp
#include "cli/demo_model.hpp"

asm(R"(
  .section .rodata
hstar_demo_model:
  .incbin ")" HSTAR_DEMO_MODEL R"("
hstar_demo_model_end:
  .byte 0
  .text
)");

extern "C" {
extern const char hstar_demo_model[], hstar_demo_model_end[];
}

namespace hstar::cli {

std::string demo_model() { return {hstar_demo_model, hstar_demo_model_end}; }

}  // namespace hstar::cli
