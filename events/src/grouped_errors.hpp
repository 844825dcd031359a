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
  static constexpr std::size_t smallest_state = 16;

  GroupedErrors(GuardSet& guards, std::size_t state_size);

  /// A new mode: guards that say what they depend on are taken in, in families of those that depend on about as many
  /// components. Cost: linear in what they say.
  void begin(std::span<const std::size_t> enabled);
  /// A new step: nothing is known of it.
  void begin_step();
  [[nodiscard]] bool has(std::size_t guard) const { return !family_of_.empty() && family_of_[guard] >= 0; }

  using Evaluate = std::function<bool(std::span<const std::size_t> which, std::span<double> g)>;
  /// sum over j of |g(y +- e_j) - g(y)| for every guard of this one's family, y being what `evaluate` reads; it is
  /// moved and put back. Two evaluations a group, once a step. False if a guard could not be evaluated: none of the
  /// family is known in this step.
  bool run(std::size_t guard, std::span<double> y, std::span<const double> e, const Evaluate& evaluate);
  /// In this step, already.
  [[nodiscard]] bool measured(std::size_t guard) const { return family(guard).errors != Family::Errors::not_yet; }
  [[nodiscard]] double error(std::size_t guard) const { return error_[guard]; }

 private:
  /// Guards whose lists have 2^(k - 1) components or more, but not 2^k.
  struct Family {
    std::vector<std::size_t> members;
    std::vector<std::span<const std::size_t>> lists;
    std::vector<std::size_t> first, component;  ///< components by group
    bool grouped = false, linear = true;
    enum class Errors : unsigned char { not_yet, known, failed } errors = Errors::not_yet;
  };
  [[nodiscard]] const Family& family(std::size_t guard) const {
    return families_[static_cast<std::size_t>(family_of_[guard])];
  }
  void group(Family& family);
  bool measure(Family& family, std::span<double> y, std::span<const double> e, const Evaluate& evaluate);

  GuardSet& guards_;
  std::size_t n_;
  std::vector<Family> families_;
  std::vector<signed char> family_of_;              ///< by guard, -1: not taken in
  std::vector<std::size_t> first_holder_, holder_;  ///< lists by component
  std::vector<int> colour_, taken_;
  std::vector<double> error_;  ///< by guard
  std::vector<double> base_, moved_, change_, kept_;
};

}  // namespace hstar::events::detail
