// events/src/grouped_errors.hpp
//
// How far the step's error moves each of many guards, all at once. Components of y that no guard shares are moved
// together, and every guard tells its own from the change it sees (A. R. Curtis, M. J. D. Powell & J. K. Reid, 1974):
// in a large state whose guards each depend on a few components, a few evaluations serve them all.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "hstar/events/guard.hpp"

namespace hstar::events::detail {

class GroupedErrors {
 public:
  /// Smaller states are not worth it: each guard is then asked by itself.
  static constexpr std::size_t smallest_state = 64;

  GroupedErrors(GuardSet& guards, std::size_t state_size);

  /// A new mode: guards that say what they depend on are taken into the groups. Cost: linear in what they say.
  void begin(std::span<const std::size_t> enabled);
  [[nodiscard]] bool has(std::size_t guard) const { return !error_.empty() && error_[guard] >= 0.0; }

  using Evaluate = std::function<bool(std::span<const std::size_t> which, std::span<double> g)>;
  /// sum over j of |g(y +- e_j) - g(y)| for every guard taken in, y being what `evaluate` reads; it is moved and put
  /// back. Two evaluations a group. False if a guard could not be evaluated: then none is known.
  bool run(std::span<double> y, std::span<const double> e, const Evaluate& evaluate);
  [[nodiscard]] double error(std::size_t guard) const { return error_[guard]; }

 private:
  void group();

  GuardSet& guards_;
  std::size_t n_;
  std::vector<std::size_t> members_;
  std::vector<std::span<const std::size_t>> lists_;
  std::vector<std::size_t> first_holder_, holder_;  ///< lists by component
  std::vector<int> colour_, taken_;
  std::vector<std::size_t> first_, component_;  ///< components by group
  bool grouped_ = false, linear_ = false;
  std::vector<double> error_;  ///< by guard, < 0: not taken in
  std::vector<double> base_, moved_, change_, kept_;
};

}  // namespace hstar::events::detail
