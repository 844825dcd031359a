// src/transition/impact_reduction.hpp
//
// The contacts that touch at an impact, and all that rubs with them, as matrices, island by island: bodies that joints
// and these contacts link. Only islands in which some contact approaches, or whose given motion jumps, are struck; the
// others keep their velocities.
#pragma once

#include <span>
#include <vector>

#include "formulation/problem_rows.hpp"
#include "math/islands.hpp"
#include "transition/impact/phases.hpp"

namespace hstar {

class ImpactReduction {
 public:
  explicit ImpactReduction(ModeEquations& equations);

  /// A sum, that of the sizes of its terms, and those of the impact that made it if friction took part (Island::terms).
  struct Change {
    double value = 0, size = 0, rough = 0;
  };

  struct Island {
    std::vector<int> contacts, units;  ///< those that take part, in the order of `before`
    bool driven = false;               ///< its given motion jumps: `before` is what that leaves alone
    ImpactStatement before;            ///< rows: the contacts' normals, then the units' directions
    std::vector<double> impulse;       ///< by row, from whoever solves it
    double fastest = 0;                ///< of the speeds that meet in it [m/s]
    double terms = 0;                  ///< size of the terms of each speed for whoever solves it [m/s]
  };
  /// At the last evaluated state. `active`: contacts that touch and do not separate; gap velocities and restitution by
  /// contact, `sliding_restitution` too. `struck_all`: whether anything approaches or not. `driven`: by joint, its
  /// given velocity has jumped; empty: none has. False: the constraints are singular.
  bool reduce(const std::vector<char>& active, const double* gap_velocity, const double* restitution,
              const double* sliding_restitution, bool struck_all, std::span<const char> driven = {});
  [[nodiscard]] std::span<Island> islands() { return {islands_.data(), count_}; }
  /// Other terms than tolerances::of_speeds of the fastest speed.
  void measure(Island& island, double terms) const;

  /// What the impulses of all islands do to the mechanism.
  void carry();
  [[nodiscard]] const std::vector<double>& velocity() const { return v_plus_; }    ///< after, by slot
  [[nodiscard]] const std::vector<double>& reaction() const { return reaction_; }  ///< impulses by joint row
  /// Sum of the sizes of all jumps that made velocity(), by slot: what is left of terms that cancel is round-off of it.
  [[nodiscard]] const std::vector<double>& jumps() const { return jumps_; }

  /// What they have changed along a row, as it is: no difference of velocities. Where given motion jumps it is not
  /// known so (not a number).
  [[nodiscard]] Change change_along(const Row& row) const;

  /// The friction coefficient of a unit that slides with this speed into the impact; 0 if its friction is not dry.
  [[nodiscard]] double friction(int unit, double speed) const;
  /// Takes part in impacts: its normal force is a reaction, which grows without bounds.
  [[nodiscard]] static bool takes_part(const FrictionUnit& unit) { return unit.law.dry() && !unit.normal_force; }

 private:
  bool hold_constraints();
  void collect(const std::vector<char>& active, const double* gap_velocity, bool struck_all,
               std::span<const char> driven);
  Island& island_at(int root);
  void describe(Island& island, const double* gap_velocity, const double* restitution,
                const double* sliding_restitution);
  /// J v - nu with the velocities that the constraints alone give.
  [[nodiscard]] double speed_by_rows(const Row& row) const;

  ModeEquations& equations_;
  math::Islands by_joints_, joined_;
  std::vector<Island> islands_;
  std::size_t count_ = 0;
  std::vector<int> island_of_;  ///< by first body, -1 none
  ProblemRows rows_;
  Mode none_;
  std::vector<double> momentum_, target_, lambda_before_, load_;
  std::vector<double> v_plus_, reaction_, jumps_;
  std::vector<double> v_rows_;  ///< by slot: velocities that the constraints alone give
  double fastest_[2] = {0, 0};  ///< of them: the largest velocity and the largest angular velocity
};

}  // namespace hstar
