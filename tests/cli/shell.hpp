// tests/cli/shell.hpp
//
// Runs the built hstar in a folder of its own and hands back what a user would see.
#pragma once

#include <string>
#include <vector>

namespace hstar::test {

struct Said {
  int code = -1;         ///< exit code; 128 + n when signal n ended it
  std::string out, err;  ///< standard output and error
};

/// A new, empty folder under the system's temporary folder, removed at the end of its life.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  /// Writes a file into the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  /// Runs `hstar ARGUMENTS` (shell words) in this folder; `before` goes before the program, e.g. "timeout 1".
  [[nodiscard]] Said hstar(const std::string& arguments, const std::string& before = {}) const;
  /// Runs any shell command in this folder.
  [[nodiscard]] Said shell(const std::string& command) const;

 private:
  std::string folder_;
};

[[nodiscard]] std::string read_file(const std::string& path);  ///< "" if there is none

/// A CSV file of hstar: comment lines apart, cells as text.
struct Csv {
  std::vector<std::string> comments, header;
  std::vector<std::vector<std::string>> rows;
  [[nodiscard]] std::size_t column(const std::string& name) const;
  [[nodiscard]] double number(std::size_t row, const std::string& name) const;
  [[nodiscard]] const std::string& word(std::size_t row, const std::string& name) const;
};
[[nodiscard]] Csv read_csv(const std::string& path);

/// Path of a file of the source tree.
[[nodiscard]] std::string source(const std::string& path);

}  // namespace hstar::test
