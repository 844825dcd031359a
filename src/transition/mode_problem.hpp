// src/transition/mode_problem.hpp
//
// Which mode comes next: all contacts at zero gap and all frictional elements at zero sliding
// velocity are decided together. A combination is taken if the mode solved with it satisfies the laws:
//   closed: lambda_N >= 0        open: g_N'' >= 0
//   stick: |lambda_T| <= mu_static N        slip d: d gamma_T' >= 0
// and, at an impact, the same on impulses and velocities (Moreau 1988; Glocker 2001).
// Combinations are tried with the most sticking elements first (and most closed contacts among those).
#pragma once

#include <string>
#include <vector>

#include "formulation/mode_equations.hpp"

namespace hstar {

/// What is known about one friction unit before the problem is solved.
struct UnitKnowledge {
  bool at_zero = false;     ///< gamma_T = 0: stick or slip must be decided; else it slips as mode says
  bool broke_away = false;  ///< its stick limit has just been reached: stick only if clearly inside again
  signed char heading = 0;  ///< direction in which it broke away; decides when gamma_T' is zero (Stribeck)
};
struct ContactKnowledge {
  bool touching = false;  ///< zero gap and zero normal velocity: closed or open must be decided
  bool lifting = false;   ///< lambda_N has just reached zero: closed only if clearly pressed again
};

struct ModeProblem {
  std::vector<UnitKnowledge> units;
  std::vector<ContactKnowledge> contacts;
};

struct ModeChoice {
  bool found = false;
  int consistent = 0;  ///< combinations that satisfy the laws (counted if asked for)
  std::string why;     ///< if not found
};

class ModeSolver {
 public:
  explicit ModeSolver(ModeEquations& equations);
  /// Acceleration level at the last evaluated state; `mode` holds the fixed part on entry and the
  /// answer on return. `count_all`: also count the other consistent combinations.
  ModeChoice accelerations(const ModeProblem& problem, Mode& mode, bool count_all);

  /// Impulse level. `active` contacts take part; restitution target -e gamma_N^-.
  /// v_plus gets the velocities (3 per body); `mode` tells per contact closed = impulse, per unit stick/slip.
  ModeChoice impact(const std::vector<char>& active, const double* gap_velocity, const double* restitution, Mode& mode,
                    std::vector<double>& v_plus);

 private:
  enum class Verdict : unsigned char { no, weak, strong };
  template <class Check>
  ModeChoice enumerate(Mode& mode, bool count_all, const Check& check);
  Verdict check_accelerations(const ModeProblem& problem, const Mode& mode);
  [[nodiscard]] double row_scale(const Row& row) const;

  ModeEquations& equations_;
  // The undecided elements of the current problem and their options.
  struct Choice {
    int contact = -1, unit = -1;
    bool may_open = false, may_slide = false;
  };
  std::vector<Choice> choices_;
  std::vector<int> digits_;
  Mode trial_, best_;
  std::vector<double> momentum_, target_, mu_, gamma_t_;
};

}  // namespace hstar
