// src/cli/printable.hpp
#pragma once

#include <memory>
#include <streambuf>

namespace hstar::cli {

/// While it lives, std::cout and std::cerr write control characters as text (\x1b): titles, units and unknown keys come
/// from files of others and must not steer the terminal. Line ends and tabs stay.
class PrintableStreams {
 public:
  PrintableStreams();
  ~PrintableStreams();
  PrintableStreams(const PrintableStreams&) = delete;
  PrintableStreams& operator=(const PrintableStreams&) = delete;
  /// All that was printed reached standard output (a full disk does not take it). @throws FileError
  static void finish();

 private:
  std::unique_ptr<std::streambuf> out_, err_;
  std::streambuf *was_out_, *was_err_;
};

}  // namespace hstar::cli
