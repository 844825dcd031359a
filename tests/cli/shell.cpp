// tests/cli/shell.cpp
#include "cli/shell.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace hstar::test {

Scratch::Scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "hstar-test-XXXXXX").string();
  const char* made = mkdtemp(pattern.data());
  REQUIRE(made != nullptr);
  folder_ = made;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Scratch::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

Said Scratch::shell(const std::string& command) const {
  const std::string line = "cd '" + folder_ + "' && { " + command + " ; } >.out 2>.err </dev/null";
  const int status = std::system(line.c_str());
  Said said;
  said.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  said.out = read_file(path(".out"));
  said.err = read_file(path(".err"));
  return said;
}

Said Scratch::hstar(const std::string& arguments, const std::string& before) const {
  return shell(before + " '" HSTAR_PROGRAM "' " + arguments);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::size_t Csv::column(const std::string& name) const {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] == name) return i;
  }
  FAIL("no column " << name);
  return 0;
}

const std::string& Csv::word(std::size_t row, const std::string& name) const { return rows.at(row).at(column(name)); }

double Csv::number(std::size_t row, const std::string& name) const {
  return std::strtod(word(row, name).c_str(), nullptr);
}

Csv read_csv(const std::string& path) {
  Csv csv;
  std::istringstream file(read_file(path));
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) {
      csv.comments.push_back(line);
      continue;
    }
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    if (csv.header.empty()) {
      csv.header = cells;
    } else {
      csv.rows.push_back(cells);
    }
  }
  return csv;
}

std::string source(const std::string& path) { return std::string(HSTAR_SOURCE_DIR) + "/" + path; }

}  // namespace hstar::test
