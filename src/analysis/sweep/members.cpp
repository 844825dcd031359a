// src/analysis/sweep/members.cpp: axes as text, grids and Latin hypercubes.
#include <charconv>
#include <cmath>
#include <numeric>
#include <random>

#include "analysis/sweep/sweep_parts.hpp"
#include "hstar/record.hpp"

namespace hstar {
namespace {

constexpr std::size_t most_members = 100'000'000;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

double number_of(const std::string& text, const std::string& axis) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw InputError("--vary " + axis + ": '" + text + "' is not a number");
  return value;
}

}  // namespace

SweepAxis parse_axis(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError("--vary '" + text + "' must be name=low:high:count or name=a,b,c, for example mu=0.1:0.9:200");
  SweepAxis axis;
  axis.path = text.substr(0, equals);
  if (axis.path.find('.') == std::string::npos) axis.path = "parameters." + axis.path;
  const std::string range = text.substr(equals + 1);
  const auto parts = split(range, ':');
  if (parts.size() == 1) {
    for (const std::string& part : split(range, ',')) axis.values.push_back(number_of(part, text));
    return axis;
  }
  const bool logarithmic = parts.size() == 4 && parts[3] == "log";
  if (parts.size() != 3 && !logarithmic)
    throw InputError("--vary " + text + ": a range is low:high:count or low:high:count:log");
  const double low = number_of(parts[0], text), high = number_of(parts[1], text), count = number_of(parts[2], text);
  if (!(count >= 1 && count <= 1e7 && count == std::floor(count)))
    throw InputError("--vary " + text + ": " + parts[2] + " values, must be a whole number from 1 to 10000000");
  if (logarithmic && !(low > 0 && high > 0))
    throw InputError("--vary " + text + ": both ends of a logarithmic range must be positive");
  const auto n = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < n; ++i) {
    const double part = n == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(n - 1);
    const double value = logarithmic ? low * std::pow(high / low, part) : low + part * (high - low);
    axis.values.push_back(i + 1 == n && n > 1 ? high : value);
  }
  return axis;
}

namespace sweeping {

Members::Members(const SweepOptions& options) : options_(options) {
  if (options.axes.empty()) throw InputError("a sweep needs at least one --vary");
  if (options.latin_hypercube == 0) {
    for (const SweepAxis& axis : options.axes) {
      if (count_ > most_members / axis.values.size())
        throw InputError("the grid has more than " + std::to_string(most_members) + " members");
      count_ *= axis.values.size();
    }
    return;
  }
  // McKay, Beckman & Conover (1979): each axis in as many strata as there are members, one value in each, shuffled.
  // Only the bits of the generator are used: the distributions of the standard library differ between libraries.
  count_ = options.latin_hypercube;
  std::mt19937_64 bits(options.seed);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  for (const SweepAxis& axis : options.axes) {
    const double low = axis.values.front(), high = axis.values.back();
    std::vector<std::size_t> stratum(count_);
    std::iota(stratum.begin(), stratum.end(), std::size_t{0});
    for (std::size_t i = count_; i > 1; --i) std::swap(stratum[i - 1], stratum[bits() % i]);
    std::vector<double> values(count_);
    for (std::size_t i = 0; i < count_; ++i)
      values[i] = low + (high - low) * (static_cast<double>(stratum[i]) + uniform()) / static_cast<double>(count_);
    drawn_.push_back(std::move(values));
  }
}

double Members::value(std::size_t member, std::size_t axis) const {
  if (!drawn_.empty()) return drawn_[axis][member];
  for (std::size_t later = options_.axes.size(); later-- > axis + 1;) member /= options_.axes[later].values.size();
  return options_.axes[axis].values[member % options_.axes[axis].values.size()];
}

}  // namespace sweeping
}  // namespace hstar
