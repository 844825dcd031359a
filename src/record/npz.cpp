// src/record/npz.cpp
#include "record/npz.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "record/text_file.hpp"

namespace hstar::record {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

template <class Number>
void put(std::string& to, Number x) {
  std::array<char, sizeof x> bytes{};
  std::memcpy(bytes.data(), &x, sizeof x);
  to.append(bytes.data(), bytes.size());
}

/// CRC-32 of ISO 3309, as ZIP asks for.
std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

}  // namespace

void NpzWriter::add_member(const std::string& name, const std::string& type, const std::string& shape,
                           const std::string& data) {
  // Version 1.0: the header is padded so that the data begin at a multiple of 64 bytes.
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t before = 10, align = 64;
  header.append(align - (before + header.size() + 1) % align, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  put(bytes, static_cast<std::uint16_t>(header.size()));
  bytes += header + data;
  const std::uint32_t crc = crc32(bytes);
  members_.push_back({name + ".npy", std::move(bytes), crc});
}

void NpzWriter::add(const std::string& name, const std::vector<std::size_t>& shape, std::span<const double> values) {
  std::string text, data;
  for (const std::size_t length : shape) text += std::to_string(length) + ",";
  for (const double x : values) put(data, x);
  add_member(name, "<f8", text, data);
}

void NpzWriter::add(const std::string& name, const std::vector<std::string>& text) {
  std::size_t longest = 1;
  for (const std::string& s : text) longest = std::max(longest, s.size());
  std::string data;
  for (const std::string& s : text)
    for (std::size_t i = 0; i < longest; ++i)
      put(data, i < s.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(s[i])) : std::uint32_t{0});
  add_member(name, "<U" + std::to_string(longest), std::to_string(text.size()) + ",", data);
}

void NpzWriter::write(const std::string& path) const {
  constexpr std::uint16_t version = 20, first_of_1980 = 33;
  std::string file, directory;
  for (const Member& m : members_) {
    const auto size = static_cast<std::uint32_t>(m.bytes.size());
    const auto offset = static_cast<std::uint32_t>(file.size());
    // What the local header and the directory share: version, flags, method, time, date, crc, sizes, length of name.
    std::string common;
    for (const std::uint16_t x : {version, std::uint16_t{0}, std::uint16_t{0}, std::uint16_t{0}, first_of_1980})
      put(common, x);
    for (const std::uint32_t x : {m.crc, size, size}) put(common, x);
    put(common, static_cast<std::uint16_t>(m.name.size()));
    put(common, std::uint16_t{0});
    put(file, std::uint32_t{0x04034B50});
    file += common + m.name + m.bytes;
    put(directory, std::uint32_t{0x02014B50});
    put(directory, version);
    directory += common;
    for (int i = 0; i < 3; ++i) put(directory, std::uint16_t{0});  // comment, disk, attributes
    put(directory, std::uint32_t{0});
    put(directory, offset);
    directory += m.name;
  }
  const auto start = static_cast<std::uint32_t>(file.size());
  file += directory;
  put(file, std::uint32_t{0x06054B50});
  put(file, std::uint32_t{0});
  for (int i = 0; i < 2; ++i) put(file, static_cast<std::uint16_t>(members_.size()));
  put(file, static_cast<std::uint32_t>(directory.size()));
  put(file, start);
  put(file, std::uint16_t{0});
  write_text_file(path, file);
}

}  // namespace hstar::record
