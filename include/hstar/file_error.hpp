// include/hstar/file_error.hpp
#pragma once

#include <string>

#include "hstar/error.hpp"

namespace hstar {

/// A result that could not be written: a full disk, a folder without permission, a folder that another run uses. The
/// input is not to blame: the command line ends with exit code 3.
class FileError : public InputError {
 public:
  using InputError::InputError;
  /// "cannot write 'path': No space left on device", from errno.
  [[nodiscard]] static FileError writing(const std::string& path, int error_number);
};

}  // namespace hstar
