// src/mechanism/elements.hpp
//
// What joints, contacts and forces are to the rest: rows of Phi, Phi_q, nu, gamma; gaps and sliding
// directions; generalised forces. A new element is two files and a line in its registry.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/kinematics.hpp"
#include "mechanism/signals.hpp"

namespace hstar {

/// A point fixed in a body, body coordinates.
struct Marker {
  int body = 0;
  Vec2 local{0, 0};
};

/// One of the sums that make the normal force of a joint: weight |P lambda|, P of `size` rows, by the joint's
/// multipliers.
struct NormalPart {
  double weight = 1;
  int size = 0;
  double by_lambda[3][6] = {};
};

/// A bilateral joint or driver: rows() equations between two bodies (first, second).
class Joint {
 public:
  std::string name;
  Location where;
  Marker first, second;
  [[nodiscard]] std::array<int, 2> bodies() const { return {first.body, second.body}; }

  virtual ~Joint() = default;
  [[nodiscard]] virtual int rows() const = 0;
  /// Phi by row [m or rad].
  virtual void position(const Kinematics& k, double* phi) const = 0;
  /// Phi_q, nu, gamma by row at k.
  virtual void rows_at(const Kinematics& k, Row* out) const = 0;
  /// Derivatives of all rows at k; of J^T lambda, of J v and of J a - gamma they are made.
  virtual void slopes(const Kinematics&, RowSlope*) const {}
  virtual void slopes(const Kinematics&, SpatialRowSlope*) const {}  ///< of a spatial joint
  [[nodiscard]] virtual std::string_view row_name(int row) const = 0;
  /// Phi_q, nu and gamma of all rows never change, given that the first body is fixed or not and the second turns or
  /// not: such rows are filled once, and a mode that has no others is factorised once.
  [[nodiscard]] virtual bool rows_are_constant(bool /*first_fixed*/, bool /*second_turns*/) const { return false; }

  /// The sliding motion gamma_T of the joint (if it can have friction): row, gamma_T = J v - nu.
  [[nodiscard]] virtual bool slides() const { return false; }
  virtual void tangent(const Kinematics&, Row&) const {}
  /// How many directions it slides in: gamma_T has as many components, all in one unit. 1 in the plane; in space up to
  /// 3 (a cylindrical joint slides and turns, a ball turns about three axes).
  [[nodiscard]] virtual int directions() const { return slides() ? 1 : 0; }
  /// Rows of the components of gamma_T, directions() of them.
  virtual void tangents(const Kinematics& k, Row* out) const { tangent(k, out[0]); }
  /// Derivatives of tangent(); every joint that slides gives them.
  virtual void tangent_slope(const Kinematics&, RowSlope& out) const { out = RowSlope{}; }
  /// Of a spatial joint: derivatives of tangents().
  virtual void tangent_slopes(const Kinematics&, SpatialRowSlope*) const {}
  /// gamma_T is linear in the state with constant coefficients, if the first body is fixed or not,
  /// and the second body turns or not.
  [[nodiscard]] virtual bool tangent_is_linear(bool /*first_fixed*/, bool /*second_turns*/) const { return false; }

  /// Normal force for friction from this joint's multipliers: value and d/d lambda.
  /// Always >= 0; `side` (+1, -1) continues |lambda| smoothly through zero, 0 takes the absolute value.
  virtual double normal_force(const double* lambda, int side, double* derivative) const;
  /// The same as a sum of at most two weighted lengths of linear functions of the multipliers, of a spatial joint; how
  /// many. 0: none, |lambda[side_row()]| or no normal force.
  virtual int normal_parts(NormalPart* /*out*/) const { return 0; }
  /// True if normal_force is linear in lambda for a fixed side.
  [[nodiscard]] virtual bool normal_force_is_linear() const { return true; }
  /// One smooth normal component whose sign is the side of a bilateral guide (translational); -1: none.
  [[nodiscard]] virtual int side_row() const { return -1; }

  /// Phi = 0 at k, but with an axis the wrong way round: another position than the joint's.
  [[nodiscard]] virtual bool turned_over(const Kinematics&) const { return false; }
  /// The largest length of the joint's own data [m].
  [[nodiscard]] virtual double length() const { return std::max(norm(first.local), norm(second.local)); }
  /// Of a spatial joint: force and torque of the multipliers on the second body, at the second point, global axes.
  /// `rows` as rows_at() gave them.
  [[nodiscard]] virtual std::array<double, 6> wrench(const Kinematics&, const Row* /*rows*/,
                                                     const double* /*lambda*/) const {
    return {};
  }
  /// Force (global axes) and torque of the multipliers on the second body, at the second point.
  [[nodiscard]] virtual std::array<double, 3> reaction(const Kinematics& k, const double* lambda) const;
};

/// A unilateral contact between two bodies' surfaces, g_N >= 0; its normal points from first to second.
class Contact {
 public:
  std::string name;
  Location where;
  int first = 0, second = 0;  ///< bodies
  [[nodiscard]] std::array<int, 2> bodies() const { return {first, second}; }
  double restitution = 0, restitution_tangential = 0;
  std::string impact_law = "newton";
  int group = -1;  ///< the parts of one written contact have one number
  /// Of the first and of the second written shape: number of its circle (sphere) here, which touches the other shape
  /// nowhere else while it touches this part within its range; -1: none.
  std::array<int, 2> circle{-1, -1};

  virtual ~Contact() = default;
  [[nodiscard]] virtual double gap(const Kinematics& k) const = 0;  ///< g_N [m]
  /// The same as it is watched while the contact is open: it must not change its sign without touching, but may be
  /// another function than the gap where the contact is out of its range.
  [[nodiscard]] virtual double open_gap(const Kinematics& k) const { return gap(k); }
  /// Both rows: gamma_N = J_N v - nu_N and gamma_T = J_T v - nu_T with their accelerations.
  virtual void rows_at(const Kinematics& k, Row& normal, Row& tangent) const = 0;
  /// 1 tangential direction in the plane, 2 in space.
  [[nodiscard]] virtual int directions() const { return 1; }
  /// Both rows, with directions() tangential ones.
  virtual void all_rows_at(const Kinematics& k, Row& normal, Row* tangents) const { rows_at(k, normal, tangents[0]); }
  /// Rows of the bodies' relative turning [rad/s], for rolling friction about both tangents, for spinning about the
  /// normal. Of contacts in space.
  virtual void turning_rows_at(const Kinematics&, bool /*spinning*/, Row*) const {}
  /// Where on its stretch of the boundary the contact is: > 0 inside, 0 at the ends [m]. Outside, the gap of
  /// this contact means nothing: the surfaces touch elsewhere.
  [[nodiscard]] virtual bool has_range() const { return false; }
  [[nodiscard]] virtual double range(const Kinematics&) const { return 1; }
  /// Distance from the centre of the first (side 0) or second body within which the points lie that the gap depends
  /// on: it changes no faster than they move [m]. Infinite: no such bound.
  [[nodiscard]] virtual double reach(int /*side*/) const { return std::numeric_limits<double>::infinity(); }
  /// Its first side is a line or a plane without ends: along it the second body moves at one distance.
  [[nodiscard]] virtual bool is_flat() const { return false; }
  /// How far the surfaces are from touching here, or have gone through each other: what `reach` bounds the change of.
  [[nodiscard]] virtual double apart(const Kinematics& k) const { return std::abs(gap(k)); }
  /// Derivatives of both rows.
  virtual void slopes(const Kinematics& k, RowSlope& normal, RowSlope& tangent) const = 0;
  /// Linear with constant coefficients, given which bodies turn / move.
  [[nodiscard]] virtual bool gap_is_linear(bool first_fixed, bool second_turns) const = 0;
  /// Both rows never change (their nu and gamma neither), given which bodies turn / move.
  [[nodiscard]] virtual bool rows_are_constant(bool /*first_fixed*/, bool /*second_turns*/) const { return false; }
  /// Its surface moves by itself, along its body.
  [[nodiscard]] virtual bool runs() const { return false; }
  /// Terms whose round-off the speeds have with which a surface itself runs [m/s].
  [[nodiscard]] virtual double running_size(const Kinematics&) const { return 0; }
  /// Typical length of what the gap is made of [m].
  [[nodiscard]] virtual double length_scale(const Kinematics& k) const = 0;
  /// What the gap's round-off is relative to [m]: those lengths, and where they can vanish the angles at their arms.
  [[nodiscard]] virtual double gap_scale(const Kinematics& k) const { return length_scale(k); }
};

/// Derivatives of generalised forces, as many entries as elements have: rows and columns are 3 * body + 0..2, in space
/// 6 * body + 0..5, positions by virtual displacement (delta r, delta pi_bar); columns of `by_state` indices in y.
struct ForceSlopes {
  struct Entry {
    int row, column;
    double value;
  };
  std::vector<Entry> by_position, by_velocity, by_state;
  void clear() {
    by_position.clear();
    by_velocity.clear();
    by_state.clear();
  }
};

/// Derivatives of one scalar that two bodies measure (length or rate of a spring): 3 columns a body, 6 in space.
struct OutputSlope {
  std::array<int, 2> body{0, 0};
  double by_position[12] = {}, by_velocity[12] = {};
};

/// How a body may move, for forces that tell whether they are linear.
struct BodyFreedom {
  bool turns = false;  ///< its angle may change
  bool affine = true;  ///< free, or prescribed with coordinates affine in t
};

/// An applied force: adds generalised forces (fx, fy, torque about the centre) by body.
class Force {
 public:
  std::string name;
  Location where;
  virtual ~Force() = default;
  /// Adds to f[3 * body + 0..2]; in space to f[6 * body + 0..5], torques in body axes.
  virtual void apply(const Kinematics& k, double* f) const = 0;
  /// Adds the derivatives of what apply() adds.
  virtual void slopes(const Kinematics& k, ForceSlopes& out) const = 0;
  /// What apply() adds on the freedoms of bodies is affine in t and in their coordinates and velocities, with constant
  /// coefficients (slopes() the same everywhere), given how the bodies may move.
  [[nodiscard]] virtual bool is_affine(std::span<const BodyFreedom> /*by body*/) const { return false; }
  /// Derivatives of output(0) and output(1); every force that formulas may read gives them.
  virtual void output_slope(int /*which*/, const Kinematics&, OutputSlope& out) const { out = OutputSlope{}; }
  /// Measured quantities of the element: 0 length, 1 rate, 2 force.
  [[nodiscard]] virtual double output(int which, const Kinematics& k) const;
  /// Potential energy stored [J]; 0 for non-conservative ones.
  [[nodiscard]] virtual double potential_energy(const Kinematics&) const { return 0.0; }
};

}  // namespace hstar
