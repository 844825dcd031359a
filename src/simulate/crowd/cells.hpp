// src/simulate/crowd/cells.hpp
//
// A grid of square cells no smaller than the largest disc: what touches a disc is in its own cell or in one of the
// eight around it. The grid has no end: a cell and those a whole number of grids away share one list, so that a crowd
// may spread as far as it likes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hstar::crowd {

class Cells {
 public:
  /// `width`: of a cell. `low`, `high`: where the discs are now, which decides how many lists there are, about one a
  /// disc at most.
  Cells(std::size_t discs, double width, std::array<double, 2> low, std::array<double, 2> high);

  void put(int disc, std::array<double, 2> position);
  /// Into the next cell along an axis, to its lower or upper side.
  void step(int disc, int axis, bool up);

  /// Where the disc's cell begins, or ends with `up`.
  [[nodiscard]] double edge(int disc, int axis, bool up) const {
    return low_[axis] + width_ * static_cast<double>(at_[disc][axis] + (up ? 1 : 0));
  }
  /// All others in the cells around, visit(disc).
  template <class Visit>
  void around(int disc, const Visit& visit) const {
    const Place& here = wrapped_[disc];
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy) each_in(disc, {beside(here[0], dx, 0), beside(here[1], dy, 1)}, visit);
  }
  /// All in the three cells that lie ahead where it has just come into its cell by step(disc, axis, up).
  template <class Visit>
  void ahead(int disc, int axis, bool up, const Visit& visit) const {
    Place place = wrapped_[disc];
    place[axis] = beside(place[axis], up ? 1 : -1, axis);
    for (int side = -1; side <= 1; ++side) {
      place[1 - axis] = beside(wrapped_[disc][1 - axis], side, 1 - axis);
      each_in(disc, place, visit);
    }
  }

 private:
  using Place = std::array<std::int64_t, 2>;
  /// `place` is within one grid.
  [[nodiscard]] std::size_t list(const Place& place) const {
    return static_cast<std::size_t>(place[0] * count_[1] + place[1]);
  }
  [[nodiscard]] std::int64_t beside(std::int64_t place, int step, int axis) const {
    const std::int64_t next = place + step;
    return next < 0 ? next + count_[axis] : next == count_[axis] ? 0 : next;
  }
  template <class Visit>
  void each_in(int disc, const Place& place, const Visit& visit) const {
    for (int other = first_[list(place)]; other >= 0; other = next_[other])
      if (other != disc) visit(other);
  }
  void take_out(int disc);
  void put_in(int disc);

  double width_;
  std::array<double, 2> low_;
  std::array<std::int64_t, 2> count_;
  std::vector<int> first_, next_, previous_;
  std::vector<Place> at_, wrapped_;  ///< the cell of a disc, and where that is within one grid
};

}  // namespace hstar::crowd
