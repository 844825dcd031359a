// src/simulate/crowd/calendar.hpp
//
// What comes next: a binary heap of forecasts. A forecast holds until one of its discs has been struck; those that no
// longer hold stay until they come up, or until they are half of all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "simulate/crowd/disc.hpp"

namespace hstar::crowd {

struct Forecast {
  enum class What : std::uint8_t { meets, wall, cell };
  double t = 0;
  int disc = 0;
  int other = 0;  ///< the disc that it meets; the number of the wall among its own; 2 axis + up of the cell's side
  std::uint32_t struck = 0, other_struck = 0;
  What what = What::meets;
};

class Calendar {
 public:
  explicit Calendar(const std::vector<Disc>& discs) : discs_(discs), room_(least_room * (discs.size() + 1)) {}

  void add(const Forecast& forecast) {
    if (heap_.size() >= room_) forget();
    heap_.push_back(forecast);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  /// The first that holds; null: none does. It stays.
  const Forecast* next() {
    while (!heap_.empty() && !holds(heap_.front())) drop();
    return heap_.empty() ? nullptr : &heap_.front();
  }
  void drop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }

 private:
  static constexpr std::size_t least_room = 8;

  /// Of what comes at one time, first impacts, in the order of the discs.
  static bool later(const Forecast& a, const Forecast& b) {
    return std::tie(a.t, a.what, a.disc, a.other) > std::tie(b.t, b.what, b.disc, b.other);
  }
  [[nodiscard]] bool holds(const Forecast& f) const {
    return discs_[f.disc].struck == f.struck &&
           (f.what != Forecast::What::meets || discs_[f.other].struck == f.other_struck);
  }
  void forget() {
    std::erase_if(heap_, [this](const Forecast& f) { return !holds(f); });
    std::make_heap(heap_.begin(), heap_.end(), later);
    room_ = std::max(room_, 2 * heap_.size());
  }

  const std::vector<Disc>& discs_;
  std::size_t room_;
  std::vector<Forecast> heap_;
};

}  // namespace hstar::crowd
