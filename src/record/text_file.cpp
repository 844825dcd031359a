// src/record/text_file.cpp
#include "record/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "hstar/file_error.hpp"

namespace hstar {

FileError FileError::writing(const std::string& path, int error_number) {
  return FileError("cannot write '" + path + "': " + std::strerror(error_number));
}

namespace record {

void write_text_file(const std::string& path, std::string_view text) {
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(path, ignored);
  const bool replaced = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  const std::string beside = replaced ? path + ".part" : path;
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  if (file == nullptr) throw FileError::writing(path, errno);
  errno = 0;
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int why = errno;
  good = std::fclose(file) == 0 && good;
  if (why == 0) why = errno;
  if (good && (!replaced || std::rename(beside.c_str(), path.c_str()) == 0)) return;
  if (good) why = errno;
  if (replaced) std::remove(beside.c_str());
  throw FileError::writing(path, why);
}

}  // namespace record
}  // namespace hstar
