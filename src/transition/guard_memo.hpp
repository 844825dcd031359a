// src/transition/guard_memo.hpp
//
// Values of guards at the states last asked for. The error of a guard is told by moving each entry of the state by the
// error of the step, guard by guard: the same states again, and each costs the forces of a mode.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace hstar {

class GuardMemo {
 public:
  /// Forgets all; room for the values of these guards at 2 n + 8 states of size n comes with the first add().
  void clear() { count_ = next_ = 0; }
  [[nodiscard]] bool is_empty() const { return count_ == 0; }
  /// nullptr: not among them.
  [[nodiscard]] const double* find(double t, std::span<const double> y) const {
    const std::uint64_t key = key_of(t, y);
    for (std::size_t i = 0; i < count_; ++i)
      if (key_[i] == key && t_[i] == t && std::equal(y.begin(), y.end(), y_.begin() + offset(i, y.size())))
        return g_.data() + i * width_;
    return nullptr;
  }
  /// Place for `width` values at (t, y), in the place of the oldest; the same width until the next clear().
  double* add(double t, std::span<const double> y, std::size_t width) {
    const std::size_t most = 2 * y.size() + 8;
    if (count_ == 0) {
      width_ = width;
      key_.resize(most);
      t_.resize(most);
      y_.resize(most * y.size());
      g_.resize(std::max(g_.size(), most * width));
    }
    const std::size_t i = next_;
    next_ = (next_ + 1) % most;
    count_ = std::max(count_, i + 1);
    key_[i] = key_of(t, y);
    t_[i] = t;
    std::copy(y.begin(), y.end(), y_.begin() + offset(i, y.size()));
    return g_.data() + i * width_;
  }

 private:
  static std::ptrdiff_t offset(std::size_t i, std::size_t size) { return static_cast<std::ptrdiff_t>(i * size); }
  static std::uint64_t key_of(double t, std::span<const double> y) {
    std::uint64_t key = std::bit_cast<std::uint64_t>(t);
    for (const double x : y) key = (std::rotl(key, 7) ^ std::bit_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15U;
    return key;
  }
  std::size_t count_ = 0, next_ = 0, width_ = 0;
  std::vector<std::uint64_t> key_;
  std::vector<double> t_, y_, g_;
};

}  // namespace hstar
