// src/cli/demo_verb.cpp: `hstar demo`: examples/01_drag_sled.toml, which the program carries with it.
#include <filesystem>
#include <string>

#include "cli/verbs.hpp"
#include "record/text_file.hpp"

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

int demo_verb(bool open) {
  RunArguments run;
  run.folder = "out/demo";
  run.model = run.folder + "/drag_sled.toml";
  run.open = open;
  std::filesystem::create_directories(run.folder);
  record::write_text_file(run.model, std::string(hstar_demo_model, hstar_demo_model_end));
  return run_verb(run);
}

}  // namespace hstar::cli
