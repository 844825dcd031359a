// events/include/hstar/events/schedule.hpp
//
// Events whose times are known beforehand, merged in time order with the located ones.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace hstar::events {

/// A sorted list of instants; several entries at one time are one instant.
class Schedule {
 public:
  /// Adds entry `id` at time t (finite; else std::invalid_argument naming t). An entry at or before
  /// the last `advance` has passed and is never due.
  void add(double t, std::size_t id);
  /// The next instant strictly after the last `advance`, or infinity.
  [[nodiscard]] double next() const;
  /// Moves past every entry at or before t; their ids are in due(), by time and then by
  /// id, until the next advance.
  void advance(double t);
  [[nodiscard]] const std::vector<std::size_t>& due() const { return due_; }

 private:
  struct Entry {
    double t;
    std::size_t id;
  };
  std::vector<Entry> entries_;
  std::size_t position_ = 0;
  double passed_ = -std::numeric_limits<double>::infinity();
  std::vector<std::size_t> due_;
};

}  // namespace hstar::events
