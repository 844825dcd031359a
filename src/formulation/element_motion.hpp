// src/formulation/element_motion.hpp
//
// Positions and velocities at one (t, y), and the rows of contacts and friction units there: gap velocities gamma_N,
// sliding velocities gamma_T and the directions in which units slide.
//
// A unit that slides in k > 1 directions (space) has k rows while it sticks, and while it slips one: along its sliding
// direction d = sign(gamma_T . d_ref) gamma_T / |gamma_T|, taken at each evaluation (docs/spatial-friction.md, way a').
// d_ref is the direction at the beginning of a step; whoever steps keeps it (reference, update_references).
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "formulation/kept_rows.hpp"
#include "formulation/tolerances.hpp"
#include "mechanism/system.hpp"

namespace hstar {

/// Where a unit with k directions slid when its direction was last clear.
struct SlideReference {
  int directions = 1;
  std::array<double, most_directions> direction{1, 0, 0};  ///< d_ref, at the time `since`
  std::array<double, most_directions> turning{};           ///< what it turns by [1/s]: 0 but where a slide begins
  double since = 0;
  double speed = 0;    ///< s_ref, for which it was taken
  double floor = 0;    ///< |gamma_T| whose direction is round-off, or an error
  double largest = 0;  ///< speed so far

  /// It slides with gamma_T (0 leaves the direction as it is).
  void slide(const double* gamma, double speed_now, double floor_now);
  /// Nothing slides, and |gamma_T| <= floor is round-off: d = d_ref there.
  void stand(double floor_now) {
    speed = 0;
    floor = floor_now;
  }
  void turn(const double* to);  ///< need not be of length 1
  /// d_ref at t.
  [[nodiscard]] std::array<double, most_directions> at(double t) const;
  /// d = d_ref up to this |gamma_T|: its floor, and `stopped` s_ref (tolerances.hpp).
  [[nodiscard]] double held() const { return std::max(formulation::stopped * speed, floor); }
  /// From this one on d is that of gamma_T. Above a floor it is let go gradually: friction does not jump.
  [[nodiscard]] double free() const;
};

/// One velocity of a free body.
struct Freedom {
  std::size_t body, slot;
  int velocity;  ///< its place in v
  bool turns;    ///< a rotation
  double arm;    ///< at which a rotation counts as a length: that of the system; 1 for translations
};

/// Rows of a unit's gamma_T, one a direction.
struct TangentRows {
  std::array<Row, most_directions> rows;
  std::size_t count = 0;
  [[nodiscard]] const Row& operator[](std::size_t i) const { return rows[i]; }
  [[nodiscard]] const Row* begin() const { return rows.data(); }
  [[nodiscard]] const Row* end() const { return rows.data() + count; }
};

class ElementMotion {
 public:
  explicit ElementMotion(std::shared_ptr<const System> system);

  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const std::shared_ptr<const System>& shared_system() const { return system_; }
  /// M by slot, as SaddleSolver takes it: < 0 where there is no freedom.
  [[nodiscard]] const std::vector<double>& mass() const { return mass_; }
  [[nodiscard]] const std::vector<Freedom>& freedoms() const { return freedoms_; }  ///< in the order of v

  /// Kinematics at (t, y).
  void evaluate(double t, const double* y) { system_->update(kin_, t, y); }
  [[nodiscard]] const Kinematics& kinematics() const { return kin_; }
  [[nodiscard]] Kinematics& kinematics() { return kin_; }
  /// M v by slot; 0 where there is no mass.
  void momentum(double* p) const;

  // Rows at the last evaluated state, prescribed motion folded into them.
  [[nodiscard]] Row normal_row(int contact) const;
  /// Row of a friction unit: of several directions the one along d, which goes to `direction`.
  Row tangent_row(int unit, double* direction = nullptr) const;
  [[nodiscard]] TangentRows tangents(int unit) const;
  void tangent_rows(int unit, Row* rows) const;  ///< the same into rows

  /// J v - nu with the free bodies' velocities (prescribed motion is in nu).
  [[nodiscard]] double free_speed(const Row& row) const;
  [[nodiscard]] double gap_velocity(int contact) const;  ///< gamma_N
  [[nodiscard]] double slide_velocity(int unit) const;   ///< gamma_T; of several directions gamma_T . d
  /// gamma_T, of several directions gamma_T . d_ref.
  [[nodiscard]] double slide_along_reference(int unit) const;
  /// gamma_T, of several directions |gamma_T|.
  [[nodiscard]] double sliding(int unit) const;
  /// The same at y of a unit whose row never changes (FrictionUnit::velocity_is_linear); nothing need be evaluated.
  [[nodiscard]] double slide_velocity(int unit, const double* y) const;
  /// gamma_T by direction of the unit; returns |gamma_T|.
  double slide_velocities(int unit, double* gamma) const;
  [[nodiscard]] double slide_speed(int unit) const;  ///< |gamma_T|

  [[nodiscard]] SlideReference& reference(int unit) { return (*reference_)[unit]; }
  [[nodiscard]] const SlideReference& reference(int unit) const { return (*reference_)[unit]; }
  /// From now on those of another motion of the same system, which whoever steps keeps.
  void share_references(const ElementMotion& from) { reference_ = from.reference_; }
  /// The direction in which a unit with several directions slips now becomes its d_ref, unless it has just stopped.
  void update_reference(int unit);

 private:
  std::shared_ptr<const System> system_;
  Kinematics kin_;
  std::vector<double> mass_;
  std::vector<Freedom> freedoms_;
  std::vector<Row> tangent_row_, normal_row_;  ///< by unit and contact, where they never change
  mutable KeptRows kept_;
  std::shared_ptr<std::vector<SlideReference>> reference_;  ///< by unit
};

/// What Phi of a row is relative to: the mechanism's coordinates, of that size, as they enter it. (A row's own terms
/// would not do: a slider on the axis y = 0 has none, yet its neighbours' round-off reaches it.)
[[nodiscard]] double position_scale(const ElementMotion& motion, const Row& row, double size);

}  // namespace hstar
