// src/report/packed.cpp
#include "report/packed.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string_view>

namespace hstar::report {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

/// RFC 4648, section 4.
std::string base64(std::string_view bytes) {
  constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    const std::size_t held = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < held ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= held ? alphabet[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  constexpr int with_gzip_header = 16;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + with_gzip_header, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (done != Z_STREAM_END) throw std::runtime_error("gzip did not end");
  return out;
}

template <class T>
void append(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

void append_groups(std::string& bytes, std::uint32_t value) {
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
  bytes += static_cast<char>(value);
}

void append_signed(std::string& bytes, std::int32_t value) {
  append_groups(bytes, value < 0 ? ~(static_cast<std::uint32_t>(value) << 1) : static_cast<std::uint32_t>(value) << 1);
}

}  // namespace

std::string packed(const std::string& json, const ThinCurves& curves) {
  std::map<std::uint32_t, double> times;  // of rows that any column keeps
  for (const ThinCurve& curve : curves.curves())
    for (const ThinCurve::Point& p : curve.points()) times.emplace(p.row, p.t);
  std::map<std::uint32_t, std::uint32_t> place;
  for (const auto& [row, t] : times) place.emplace_hint(place.end(), row, static_cast<std::uint32_t>(place.size()));

  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += json;
  append(bytes, static_cast<std::uint32_t>(times.size()));
  append(bytes, static_cast<std::uint32_t>(curves.curves().size()));
  for (const auto& [row, t] : times) append(bytes, t);
  std::string points;
  for (const ThinCurve& curve : curves.curves()) {
    const std::size_t before = points.size();
    std::uint32_t row = 0;
    for (const ThinCurve::Point& p : curve.points()) {
      const std::uint32_t at = place.at(p.row);
      append_groups(points, at - row);
      row = at;
    }
    const double range = curve.high() > curve.low() ? curve.high() - curve.low() : 1.0;
    constexpr std::int32_t no_number = 1 << 25;
    constexpr double quanta = 1 << 24;
    std::int32_t last = 0;
    for (const ThinCurve::Point& p : curve.points()) {
      const std::int32_t value = std::isfinite(p.value)
                                     ? static_cast<std::int32_t>(std::lround((p.value - curve.low()) / range * quanta))
                                     : no_number;
      append_signed(points, value - last);
      last = value;
    }
    append(bytes, static_cast<std::uint32_t>(curve.points().size()));
    append(bytes, static_cast<std::uint32_t>(points.size() - before));
    append(bytes, curve.low());
    append(bytes, curve.high());
  }
  return base64(gzip(bytes + points));
}

}  // namespace hstar::report
