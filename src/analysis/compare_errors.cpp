// src/analysis/compare_errors.cpp
#include "analysis/compare_errors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace hstar::analysis {
namespace {

/// A motion this much smaller than its companion's is what rounding leaves of none.
constexpr double round_off = 64 * std::numeric_limits<double>::epsilon();

/// Which of two corners of one contact that strike at once is named is a matter of round-off.
std::string whole_contact(const std::string& element) { return element.substr(0, element.find('.')); }

/// Kind, element, and the number of accumulations before.
using Key = std::tuple<std::string, std::string, std::size_t>;
struct Instant {
  double t;
  bool before_limit;  ///< an impact on the way to an accumulation
};

std::map<Key, std::vector<Instant>> instants_of(std::span<const EventRecord> events) {
  std::vector<const EventRecord*> sorted;
  for (const EventRecord& e : events)
    if (e.kind != "graze") sorted.push_back(&e);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->t < b->t; });
  std::vector<double> limits;
  for (const EventRecord* e : sorted)
    if (e->kind == "zeno") limits.push_back(e->t);
  std::map<Key, std::vector<Instant>> out;
  std::size_t passed = 0;
  for (const EventRecord* e : sorted) {
    while (passed < limits.size() && e->t > limits[passed]) ++passed;
    out[{e->kind, whole_contact(e->element), passed}].push_back({e->t, e->kind == "impact" && passed < limits.size()});
  }
  return out;
}

std::string number_of_times(std::size_t count, const Key& key) {
  return fmt::format("{} {} of {}", count, std::get<0>(key), std::get<1>(key));
}

/// The k-th of ours is the k-th of theirs; further ones may only be impacts on the way to an accumulation.
bool same_number(const std::vector<Instant>& a, const std::vector<Instant>& b) {
  const auto& longer = a.size() > b.size() ? a : b;
  return std::all_of(longer.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), longer.end(),
                     [](const Instant& i) { return i.before_limit; });
}

}  // namespace

void StateSizes::include(std::size_t i, double value) {
  double& size = largest_[group(i)];
  // (A value that is not finite is larger than any.)
  size = std::isfinite(value) ? std::max(size, std::abs(value)) : std::numeric_limits<double>::infinity();
}

std::array<double, 3> StateSizes::scales(double duration) const {
  std::array<double, 3> out = largest_;
  if (largest_[0] <= round_off * largest_[1] * duration) out[0] = largest_[1] * duration;
  if (largest_[1] * duration <= round_off * largest_[0]) out[1] = largest_[0] / duration;
  return out;
}

double StateSizes::times(const StateSizes& reference, double duration) const {
  const std::array<double, 3> scales = reference.scales(duration);
  double most = 0;
  for (std::size_t g = 0; g < scales.size(); ++g)
    if (largest_[g] > 0) most = std::max(most, largest_[g] / scales[g]);
  return most;
}

double end_error(std::span<const double> ours, std::span<const double> truth, const StateSizes& sizes,
                 double duration) {
  const std::array<double, 3> scales = sizes.scales(duration);
  double worst = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (std::isnan(truth[i])) continue;
    const double difference = std::abs(ours[i] - truth[i]);
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    if (difference > 0) worst = std::max(worst, difference / scales[sizes.group(i)]);
  }
  return worst;
}

EventComparison compare_events(std::span<const EventRecord> ours, std::span<const EventRecord> reference) {
  EventComparison out;
  auto we = instants_of(ours), they = instants_of(reference);
  for (const auto& [key, instants] : we) they[key];
  for (const auto& [key, instants] : they) {
    const std::vector<Instant>& found = we[key];
    if (!same_number(found, instants)) {
      out.worst.reset();
      out.difference = fmt::format("{}, the reference has {}", number_of_times(found.size(), key),
                                   instants.empty() ? "none" : std::to_string(instants.size()));
      return out;
    }
    for (std::size_t k = 0; k < std::min(found.size(), instants.size()); ++k)
      out.worst = std::max(out.worst.value_or(0.0), std::abs(found[k].t - instants[k].t));
  }
  return out;
}

}  // namespace hstar::analysis
