// events/src/grouped_errors.cpp
#include "grouped_errors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hstar::events::detail {

GroupedErrors::GroupedErrors(GuardSet& guards, std::size_t state_size) : guards_(guards), n_(state_size) {
  if (n_ < smallest_state) return;
  families_.resize(std::bit_width(n_) + 1);
  error_.assign(guards.guard_count(), 0.0);
  family_of_.assign(guards.guard_count(), -1);
  first_holder_.resize(n_ + 1);
  colour_.resize(n_);
  kept_.resize(n_);
  base_.resize(guards.guard_count());
  moved_.resize(guards.guard_count());
  change_.resize(guards.guard_count());
}

void GroupedErrors::begin(std::span<const std::size_t> enabled) {
  if (family_of_.empty()) return;
  std::fill(family_of_.begin(), family_of_.end(), static_cast<signed char>(-1));
  for (Family& family : families_) {
    family.members.clear();
    family.lists.clear();
    family.grouped = false;  // only when it is needed
    family.linear = true;
  }
  begin_step();
  for (const std::size_t g : enabled) {
    const auto list = guards_.depends_on(g);
    if (list.empty()) continue;
    const auto width = static_cast<std::size_t>(std::bit_width(list.size()));
    family_of_[g] = static_cast<signed char>(width);
    Family& family = families_[width];
    family.members.push_back(g);
    family.linear = family.linear && guards_.info(g).degree == 1;
    // several guards of one element share their list
    if (family.lists.empty() || family.lists.back().data() != list.data() || family.lists.back().size() != list.size())
      family.lists.push_back(list);
  }
}

void GroupedErrors::begin_step() {
  for (Family& family : families_) family.errors = Family::Errors::not_yet;
}

void GroupedErrors::group(Family& family) {
  std::fill(first_holder_.begin(), first_holder_.end(), 0);
  for (const auto& list : family.lists)
    for (const std::size_t j : list) ++first_holder_[j + 1];
  for (std::size_t j = 0; j < n_; ++j) first_holder_[j + 1] += first_holder_[j];
  holder_.resize(first_holder_[n_]);
  std::fill(colour_.begin(), colour_.end(), 0);  // first as a count: how many holders are filled in
  for (std::size_t l = 0; l < family.lists.size(); ++l)
    for (const std::size_t j : family.lists[l]) holder_[first_holder_[j] + static_cast<std::size_t>(colour_[j]++)] = l;

  std::fill(colour_.begin(), colour_.end(), -1);
  taken_.clear();
  for (std::size_t j = 0; j < n_; ++j) {
    if (first_holder_[j] == first_holder_[j + 1]) continue;
    const int stamp = static_cast<int>(j);
    for (std::size_t h = first_holder_[j]; h < first_holder_[j + 1]; ++h)
      for (const std::size_t other : family.lists[holder_[h]])
        if (colour_[other] >= 0) taken_[colour_[other]] = stamp;
    std::size_t c = 0;
    while (c < taken_.size() && taken_[c] == stamp) ++c;
    if (c == taken_.size()) taken_.push_back(-1);
    colour_[j] = static_cast<int>(c);
  }
  family.first.assign(taken_.size() + 1, 0);
  for (const int c : colour_)
    if (c >= 0) ++family.first[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 0; c < taken_.size(); ++c) family.first[c + 1] += family.first[c];
  family.component.resize(family.first.back());
  std::fill(taken_.begin(), taken_.end(), 0);
  for (std::size_t j = 0; j < n_; ++j)
    if (const int c = colour_[j]; c >= 0) family.component[family.first[c] + static_cast<std::size_t>(taken_[c]++)] = j;
  family.grouped = true;
}

bool GroupedErrors::run(std::size_t guard, std::span<double> y, std::span<const double> e, const Evaluate& evaluate) {
  Family& family = families_[static_cast<std::size_t>(family_of_[guard])];
  using Errors = Family::Errors;
  if (family.errors == Errors::not_yet)
    family.errors = measure(family, y, e, evaluate) ? Errors::known : Errors::failed;
  return family.errors == Errors::known;
}

bool GroupedErrors::measure(Family& family, std::span<double> y, std::span<const double> e, const Evaluate& evaluate) {
  if (!family.grouped) group(family);
  const std::vector<std::size_t>& members = family.members;
  const std::size_t count = members.size();
  if (!evaluate(members, std::span(base_).first(count))) return false;
  for (const std::size_t g : members) error_[g] = 0.0;
  bool ok = true;
  for (std::size_t c = 0; ok && c + 1 < family.first.size(); ++c) {
    const auto each = [&](auto&& use) {
      for (std::size_t i = family.first[c]; i < family.first[c + 1]; ++i) use(family.component[i], kept_[i]);
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
      if (way < 0.0 && family.linear) break;
      each([&](std::size_t j, double& kept) { y[j] = kept + way * e[j]; });
      ok = evaluate(members, std::span(moved_).first(count));
      for (std::size_t m = 0; ok && m < count; ++m) change_[m] = std::max(change_[m], std::fabs(moved_[m] - base_[m]));
      if (!ok) break;
    }
    each([&](std::size_t j, double& kept) { y[j] = kept; });
    for (std::size_t m = 0; m < count; ++m) error_[members[m]] += change_[m];
  }
  return ok;
}

}  // namespace hstar::events::detail
