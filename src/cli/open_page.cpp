// src/cli/open_page.cpp
#include "cli/open_page.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ostream.h>
#include <spawn.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

namespace hstar::cli {

void open_page(const std::string& path) {
  std::string program = "xdg-open", page = std::filesystem::absolute(path).string();
  char* const arguments[] = {program.data(), page.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ) != 0)
    fmt::print(std::cerr, "notice: there is no xdg-open here; open {} in a browser\n", page);
  posix_spawn_file_actions_destroy(&quiet);
}

}  // namespace hstar::cli
