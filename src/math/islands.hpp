// src/math/islands.hpp
//
// Which bodies are coupled: two bodies belong to one island if rows (joints, closed contacts) lead from one to the
// other. A body without freedom couples nothing. What happens in one island at acceleration level, or in an
// impact, does not touch the others, so that problems are solved island by island.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace hstar::math {

class Islands {
 public:
  /// Diagonal of M by body as SaddleSolver takes it: a body whose entries are all < 0 has no freedom.
  explicit Islands(const std::vector<double>& mass, int columns = 3)
      : root_(mass.size() / static_cast<std::size_t>(columns)) {
    const auto width = static_cast<std::size_t>(columns);
    for (std::size_t b = 0; b < root_.size(); ++b) {
      bool free = false;
      for (std::size_t c = 0; c < width; ++c) free |= !(mass[width * b + c] < 0);
      root_[b] = free ? static_cast<int>(b) : -1;
    }
  }
  /// Cost: nearly constant.
  void join(int a, int b) {
    if (root_[at(a)] < 0 || root_[at(b)] < 0) return;
    const int ra = find(a), rb = find(b);
    if (ra < rb)
      root_[at(rb)] = ra;
    else
      root_[at(ra)] = rb;
  }
  void join(const std::array<int, 2>& bodies) { join(bodies[0], bodies[1]); }
  /// After the last join: from here on of() answers. Cost: linear in the number of bodies.
  void settle() {
    for (int& r : root_)
      if (r >= 0) r = find(r);
  }
  /// The first body of the island, -1 for a body without freedom.
  [[nodiscard]] int of(int body) const { return root_[at(body)]; }
  /// Of two bodies that a row joins: what joins bodies without freedom belongs to that of the ground, 0.
  [[nodiscard]] int of(const std::array<int, 2>& bodies) const { return std::max({of(bodies[0]), of(bodies[1]), 0}); }

 private:
  static std::size_t at(int body) { return static_cast<std::size_t>(body); }
  int find(int body) {
    while (root_[at(body)] != body) body = root_[at(body)] = root_[at(root_[at(body)])];
    return body;
  }
  std::vector<int> root_;
};

}  // namespace hstar::math
