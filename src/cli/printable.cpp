// src/cli/printable.cpp
#include "cli/printable.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "hstar/file_error.hpp"

namespace hstar::cli {
namespace {

class PrintableBuffer final : public std::streambuf {
 public:
  explicit PrintableBuffer(std::FILE* file) : file_(file) {}

 protected:
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return c == traits_type::eof() || xsputn(&one, 1) == 1 ? traits_type::not_eof(c) : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    escaped_.clear();
    for (const char c : std::string_view(text, static_cast<std::size_t>(size))) {
      const auto byte = static_cast<unsigned char>(c);
      // In UTF-8 the control characters U+0080 to U+009F are C2 and a byte below A0.
      const bool control = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F || (before_ == 0xC2 && byte < 0xA0);
      if (before_ == 0xC2 && !control) escaped_ += '\xC2';
      if (control && before_ == 0xC2)
        escaped_ += fmt::format("\\u{:04x}", byte);
      else if (control)
        escaped_ += fmt::format("\\x{:02x}", byte);
      else if (byte != 0xC2)
        escaped_ += c;
      before_ = byte;
    }
    return std::fwrite(escaped_.data(), 1, escaped_.size(), file_) == escaped_.size() ? size : 0;
  }
  int sync() override { return std::fflush(file_); }

 private:
  std::FILE* file_;
  std::string escaped_;
  unsigned char before_ = 0;  ///< the last byte; C2 is kept until the next one is known
};

}  // namespace

PrintableStreams::PrintableStreams()
    : out_(std::make_unique<PrintableBuffer>(stdout)),
      err_(std::make_unique<PrintableBuffer>(stderr)),
      was_out_(std::cout.rdbuf(out_.get())),
      was_err_(std::cerr.rdbuf(err_.get())) {}

PrintableStreams::~PrintableStreams() {
  std::cout.rdbuf(was_out_);
  std::cerr.rdbuf(was_err_);
}

void PrintableStreams::finish() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout)
    throw FileError::writing("standard output", errno != 0 ? errno : EIO);
}

}  // namespace hstar::cli
