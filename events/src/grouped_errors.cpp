// events/src/grouped_errors.cpp
#include "grouped_errors.hpp"

#include <algorithm>
#include <cmath>

namespace hstar::events::detail {

GroupedErrors::GroupedErrors(GuardSet& guards, std::size_t state_size) : guards_(guards), n_(state_size) {
  if (n_ < smallest_state) return;
  error_.assign(guards.guard_count(), -1.0);
  members_.reserve(guards.guard_count());
  lists_.reserve(guards.guard_count());
  first_holder_.resize(n_ + 1);
  colour_.resize(n_);
  component_.resize(n_);
  kept_.resize(n_);
  base_.resize(guards.guard_count());
  moved_.resize(guards.guard_count());
  change_.resize(guards.guard_count());
}

void GroupedErrors::begin(std::span<const std::size_t> enabled) {
  if (error_.empty()) return;
  std::fill(error_.begin(), error_.end(), -1.0);
  members_.clear();
  lists_.clear();
  linear_ = true;
  for (const std::size_t g : enabled) {
    const auto list = guards_.depends_on(g);
    if (list.empty()) continue;
    error_[g] = 0.0;
    members_.push_back(g);
    linear_ = linear_ && guards_.info(g).degree == 1;
    // several guards of one element share their list
    if (lists_.empty() || lists_.back().data() != list.data() || lists_.back().size() != list.size())
      lists_.push_back(list);
  }
  grouped_ = false;  // only when it is needed
}

void GroupedErrors::group() {
  std::fill(first_holder_.begin(), first_holder_.end(), 0);
  for (const auto& list : lists_)
    for (const std::size_t j : list) ++first_holder_[j + 1];
  for (std::size_t j = 0; j < n_; ++j) first_holder_[j + 1] += first_holder_[j];
  holder_.resize(first_holder_[n_]);
  std::fill(colour_.begin(), colour_.end(), 0);  // first as a count: how many holders are filled in
  for (std::size_t l = 0; l < lists_.size(); ++l)
    for (const std::size_t j : lists_[l]) holder_[first_holder_[j] + static_cast<std::size_t>(colour_[j]++)] = l;

  std::fill(colour_.begin(), colour_.end(), -1);
  taken_.clear();
  for (std::size_t j = 0; j < n_; ++j) {
    if (first_holder_[j] == first_holder_[j + 1]) continue;
    const int stamp = static_cast<int>(j);
    for (std::size_t h = first_holder_[j]; h < first_holder_[j + 1]; ++h)
      for (const std::size_t other : lists_[holder_[h]])
        if (colour_[other] >= 0) taken_[colour_[other]] = stamp;
    std::size_t c = 0;
    while (c < taken_.size() && taken_[c] == stamp) ++c;
    if (c == taken_.size()) taken_.push_back(-1);
    colour_[j] = static_cast<int>(c);
  }
  first_.assign(taken_.size() + 1, 0);
  for (const int c : colour_)
    if (c >= 0) ++first_[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 0; c < taken_.size(); ++c) first_[c + 1] += first_[c];
  std::fill(taken_.begin(), taken_.end(), 0);
  for (std::size_t j = 0; j < n_; ++j)
    if (const int c = colour_[j]; c >= 0) component_[first_[c] + static_cast<std::size_t>(taken_[c]++)] = j;
  grouped_ = true;
}

bool GroupedErrors::run(std::span<double> y, std::span<const double> e, const Evaluate& evaluate) {
  if (!grouped_) group();
  const std::size_t count = members_.size();
  if (!evaluate(members_, std::span(base_).first(count))) return false;
  for (const std::size_t g : members_) error_[g] = 0.0;
  bool ok = true;
  for (std::size_t c = 0; ok && c + 1 < first_.size(); ++c) {
    const auto each = [&](auto&& use) {
      for (std::size_t i = first_[c]; i < first_[c + 1]; ++i) use(component_[i], kept_[i]);
    };
    double largest = 0.0;
    each([&](std::size_t j, double& kept) {
      kept = y[j];
      largest = std::max(largest, std::fabs(e[j]));
    });
    if (largest == 0.0) continue;
    std::fill_n(change_.begin(), count, 0.0);
    // both ways, because near an extremum in y one of them may cancel
    for (const double way : {1.0, -1.0}) {
      if (way < 0.0 && linear_) break;
      each([&](std::size_t j, double& kept) { y[j] = kept + way * e[j]; });
      ok = evaluate(members_, std::span(moved_).first(count));
      for (std::size_t m = 0; ok && m < count; ++m) change_[m] = std::max(change_[m], std::fabs(moved_[m] - base_[m]));
      if (!ok) break;
    }
    each([&](std::size_t j, double& kept) { y[j] = kept; });
    for (std::size_t m = 0; m < count; ++m) error_[members_[m]] += change_[m];
  }
  return ok;
}

}  // namespace hstar::events::detail
