// include/hstar/error.hpp
//
// How hstar says that its input is wrong: an exception with the place, the name, the value, the
// bound and the remedy. Numerical ends of a run are not errors; they are a RunOutcome (run.hpp).
#pragma once

#include <stdexcept>
#include <string>

namespace hstar {

/// A place in a model file; line 0: no file (built in code or given on the command line).
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
  [[nodiscard]] std::string text() const;  ///< "sled.toml:12:8", the file alone, or ""
};

/// Bad input: a model file, an option, a mechanism built in code. what() is the whole message,
/// beginning with "file:line:column: " when there is a place.
class InputError : public std::runtime_error {
 public:
  InputError(const Location& where, const std::string& message);
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace hstar
