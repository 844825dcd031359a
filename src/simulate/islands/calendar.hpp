// src/simulate/islands/calendar.hpp: what comes when. A binary heap of entries that may be moved.
#pragma once

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace hstar::islands {

class Calendar {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  explicit Calendar(std::size_t entries) : time_(entries, never), place_(entries, none) {}

  /// Entry i is due at t, or never. Cost: log of the entries that are due.
  void set(std::size_t i, double t) {
    time_[i] = t;
    if (t == never) {
      remove(i);
      return;
    }
    if (place_[i] == none) {
      place_[i] = heap_.size();
      heap_.push_back(i);
    }
    sink(rise(place_[i]));
  }
  void clear() {
    for (const std::size_t i : heap_) {
      time_[i] = never;
      place_[i] = none;
    }
    heap_.clear();
  }
  [[nodiscard]] double time(std::size_t i) const { return time_[i]; }
  [[nodiscard]] double next() const { return heap_.empty() ? never : time_[heap_.front()]; }
  /// The entry that is due next; of several the first. There must be one.
  [[nodiscard]] std::size_t first() const { return heap_.front(); }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  [[nodiscard]] bool before(std::size_t i, std::size_t j) const {
    return time_[i] != time_[j] ? time_[i] < time_[j] : i < j;
  }
  void swap(std::size_t a, std::size_t b) {
    std::swap(heap_[a], heap_[b]);
    place_[heap_[a]] = a;
    place_[heap_[b]] = b;
  }
  std::size_t rise(std::size_t at) {
    while (at > 0 && before(heap_[at], heap_[(at - 1) / 2])) {
      swap(at, (at - 1) / 2);
      at = (at - 1) / 2;
    }
    return at;
  }
  void sink(std::size_t at) {
    while (true) {
      std::size_t least = at;
      for (const std::size_t child : {2 * at + 1, 2 * at + 2})
        if (child < heap_.size() && before(heap_[child], heap_[least])) least = child;
      if (least == at) return;
      swap(at, least);
      at = least;
    }
  }
  void remove(std::size_t i) {
    const std::size_t at = place_[i];
    if (at == none) return;
    swap(at, heap_.size() - 1);
    heap_.pop_back();
    place_[i] = none;
    if (at < heap_.size()) sink(rise(at));
  }

  std::vector<double> time_;
  std::vector<std::size_t> heap_, place_;
};

}  // namespace hstar::islands
