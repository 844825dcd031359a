// src/record/npz.hpp
//
// NumPy's archive of arrays (.npz): a ZIP file whose members are .npy files, stored without compression, all dates the
// same, so that the same arrays give the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hstar::record {

class NpzWriter {
 public:
  /// Row-major doubles; no shape is a scalar.
  void add(const std::string& name, const std::vector<std::size_t>& shape, std::span<const double> values);
  /// Text (ASCII), as NumPy's U.
  void add(const std::string& name, const std::vector<std::string>& text);
  /// @throws FileError if the file cannot be written.
  void write(const std::string& path) const;

 private:
  struct Member {
    std::string name, bytes;
    std::uint32_t crc = 0;
  };
  void add_member(const std::string& name, const std::string& type, const std::string& shape, const std::string& data);
  std::vector<Member> members_;
};

}  // namespace hstar::record
