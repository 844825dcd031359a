// events/src/schedule.cpp
#include "hstar/events/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace hstar::events {

void Schedule::add(double t, std::size_t id) {
  if (!std::isfinite(t))
    throw std::invalid_argument("scheduled time t = " + std::to_string(t) + " of entry " + std::to_string(id) +
                                " must be finite");
  const auto later = [](const Entry& a, const Entry& b) { return a.t < b.t || (a.t == b.t && a.id < b.id); };
  const Entry entry{t, id};
  const auto place = std::upper_bound(entries_.begin(), entries_.end(), entry, later);
  const bool gone = t <= passed_;
  entries_.insert(place, entry);
  if (gone) ++position_;
  if (due_.capacity() < entries_.size()) due_.reserve(2 * entries_.size());
}

double Schedule::next() const {
  return position_ < entries_.size() ? entries_[position_].t : std::numeric_limits<double>::infinity();
}

void Schedule::advance(double t) {
  due_.clear();
  while (position_ < entries_.size() && entries_[position_].t <= t) due_.push_back(entries_[position_++].id);
  passed_ = std::max(passed_, t);
}

}  // namespace hstar::events
