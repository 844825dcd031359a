// src/mechanism/system.hpp
//
// A mechanism (and extra states) ready to be computed: const after building, shared by runs. State
// y = (q, v, s): coordinates of all free bodies, their velocities, extra states. In the plane v = q_dot. In space
// q = (r, p), p the Euler parameters of the body frame, v = (r_dot, omega_bar), q_dot = N(q) v.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "mechanism/elements.hpp"
#include "mechanism/friction_law.hpp"
#include "mechanism/planar/joints.hpp"
#include "mechanism/switched_formulas.hpp"

namespace hstar {

struct Body {
  std::string name;
  Location where;
  bool prescribed = false;  ///< motion given in time (the ground among them)
  bool fixed = false;       ///< prescribed and never moving
  bool turns = false;       ///< has an angle
  int coordinate = -1;      ///< offset of its coordinates in q, -1 if prescribed
  int coordinates = 0;      ///< 2 (point mass) or 3; 7 in space
  int dof = -1;             ///< offset of its velocities in v, -1 if prescribed
  int dofs = 0;             ///< 2 (point mass) or 3; 6 in space
  double mass = 0, inertia = 0;
  TimeFunction x, y, angle;  ///< prescribed motion

  // In space. The coordinates p and omega_bar are those of the principal axes, so that M is diagonal; users see the
  // body frame they wrote. Points and axes of elements are turned into principal axes when the system is built.
  Vec3 moment{0, 0, 0};                ///< principal moments of inertia
  Mat3 axes = identity3;               ///< principal axes in the body frame, by column
  EulerParameters axes_p{1, 0, 0, 0};  ///< Euler parameters of `axes`
  bool has_own_axes = false;           ///< axes is not 1
  TimeFunction z;                      ///< prescribed: x, y, z, and turned from `start` by `angle` about `axis`
  EulerParameters start{1, 0, 0, 0};
  Vec3 axis{0, 0, 1};
};
/// p of the frame the user wrote, and omega in its axes.
[[nodiscard]] EulerParameters written_orientation(const Body& body, const EulerParameters& p);
[[nodiscard]] Vec3 written_axes(const Body& body, const Vec3& bar);

/// Components of gamma_T of one friction unit, at most.
constexpr int most_directions = 3;

/// What of a contact's motion a friction unit resists.
enum class FrictionPart : unsigned char {
  sliding,
  rolling,  ///< in space: relative turning about the tangents
  spinning  ///< in space: relative turning about the normal
};

/// What a force acts on and reads: bodies, and indices in y of extra states.
struct ForceReach {
  std::vector<int> bodies, states;
};

/// Set-valued friction in a joint or contact. A contact in space may have up to three, one for each part, all with its
/// normal force.
struct FrictionUnit {
  int joint = -1, contact = -1;  ///< one of them
  FrictionPart part = FrictionPart::sliding;
  int directions = 1;  ///< components of gamma_T and lambda_T: 1 in the plane, up to 3 in space
  FrictionLaw law;
  std::optional<BoundExpression> normal_force;                           ///< prescribed N, of time and motion
  std::optional<BoundExpression> mu_static_formula, mu_kinetic_formula;  ///< in place of the law's numbers
  double lever = 1.0;               ///< moment over force [m]: pin radius, rolling friction; else 1
  bool turns = false;               ///< gamma_T is a turning rate [rad/s], lambda_T a moment [N m]
  bool side_matters = false;        ///< N = |lambda_n| of a bilateral guide: the side is part of the mode
  bool velocity_is_linear = false;  ///< gamma_T linear in y, constant coefficients: its row never changes
  ForceReach reach;                 ///< what the formulas read

  /// Coefficients at k: none is negative, and what is stuck holds at least what slides does.
  [[nodiscard]] FrictionCoefficients coefficients(const Kinematics& k) const {
    return mu_is_number() ? law.coefficients() : coefficients_by_formulas(k);
  }
  [[nodiscard]] double mu_static(const Kinematics& k) const { return coefficients(k).mu_static; }
  [[nodiscard]] double mu_kinetic(double speed, int piece, const Kinematics& k) const {
    return law.mu_kinetic(speed, piece, coefficients(k));
  }
  /// Prescribed normal force at k, with the lever; none is negative.
  [[nodiscard]] double given_normal(const Kinematics& k) const;
  [[nodiscard]] bool mu_is_number() const { return !mu_static_formula && !mu_kinetic_formula; }
  [[nodiscard]] FrictionCoefficients coefficients_by_formulas(const Kinematics& k) const;
};

/// Extra state s' = rate.
struct ExtraState {
  std::string name;
  double initial = 0;
  BoundExpression rate;
};

/// A contact of the model with many features (changes_features()): contacts first .. first + parts - 1 are its parts.
struct WholeContact {
  std::string name;
  std::size_t first = 0, parts = 0;
  int second = 0;  ///< body of the second shape
};

/// An extra state that counts the turns of an angle: which whole turn, positions do not say.
struct TurnCount {
  int place;          ///< in y
  std::size_t force;  ///< its output 0 is the angle, on the turn that y[place] says
};

/// An extra state that no rate moves: after each event it says what has become of contacts or of friction.
struct ToldState {
  enum class What : unsigned char {
    impacts,  ///< how many there have been
    closed,   ///< 1 if one of the contacts touches, else 0
    stuck     ///< 1 if there is friction that sticks, else 0
  };
  std::string name;  ///< "floor.impacts"
  What what = What::impacts;
  std::vector<int> contacts;  ///< parts of one contact of the model
  int joint = -1;             ///< or the joint with friction
  int place = 0;              ///< in y
};

struct UserGuard {
  GuardSpec spec;
  BoundExpression when;
  std::vector<std::pair<int, BoundExpression>> reset;  ///< index in y, value
};

struct Measure {
  std::string name, unit;
  BoundExpression value;
  bool needs_solve = false;
};

/// A formula with switches that the motion follows.
struct SwitchedFormula {
  std::string name;  ///< "belt.surface_velocity"
  FormulaRole role = FormulaRole::other;
  BoundExpression bound;
};

class System {
 public:
  std::vector<Body> bodies;  ///< [0] is the ground
  std::vector<std::unique_ptr<Joint>> joints;
  std::vector<int> joint_row;        ///< first row of joint i
  std::vector<char> joint_constant;  ///< its rows never change (Joint::rows_are_constant)
  std::vector<std::unique_ptr<Contact>> contacts;
  std::vector<WholeContact> whole_contacts;
  std::vector<char> contact_constant;  ///< both rows never change
  std::vector<std::unique_ptr<Force>> forces;
  std::vector<ForceReach> force_reach;  ///< by force
  std::vector<char> force_affine;       ///< Force::is_affine
  std::vector<FrictionUnit> frictions;
  std::vector<int> joint_friction, contact_friction;  ///< index into frictions, -1 none; of a contact its sliding
  std::vector<ExtraState> states;
  std::vector<TurnCount> turns_counted;
  std::vector<ToldState> told;  ///< the last of the states
  std::vector<UserGuard> guards;
  std::vector<Measure> measures;
  std::vector<SwitchedFormula> switched;  ///< in the order of their branches
  int branches = 0;                       ///< switches of all of them
  std::vector<std::string> unwatched;     ///< formulas with noevent() or smooth()
  Vec2 gravity{0, 0};
  Vec3 gravity3{0, 0, 0};                ///< in space
  int columns = 3;                       ///< velocities of one body in rows, forces, masses: 3 in the plane, 6 in space
  int nq = 0, nv = 0, ns = 0, rows = 0;  ///< coordinates, velocities, extra states, joint rows

  [[nodiscard]] bool is_spatial() const { return columns == 6; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(nq + nv + ns); }
  /// Column c of a body is a rotation.
  [[nodiscard]] bool turns(int column) const { return column >= (columns == 3 ? 2 : 3); }
  /// Entries of rows, forces and masses by body and column.
  [[nodiscard]] std::size_t slots() const { return static_cast<std::size_t>(columns) * bodies.size(); }
  [[nodiscard]] std::size_t slot(std::size_t body, int column) const {
    return static_cast<std::size_t>(columns) * body + static_cast<std::size_t>(column);
  }
  [[nodiscard]] std::vector<std::string> state_names() const;
  [[nodiscard]] std::vector<std::string> state_units() const;
  [[nodiscard]] std::vector<double> initial_state() const;
  /// Components of gamma_T of all units.
  [[nodiscard]] int sliding_rows() const {
    int sum = 0;
    for (const FrictionUnit& unit : frictions) sum += unit.directions;
    return sum;
  }
  /// Joints, contacts or friction: the motion is not that of free bodies and plain states.
  [[nodiscard]] bool held() const { return rows > 0 || !contacts.empty() || !frictions.empty(); }
  /// OdeProblem::velocity_of: of bodies, and of states whose rate is just the name of another; empty if held().
  [[nodiscard]] std::vector<int> velocity_of() const;

  /// Sizes k.body and fills what never moves.
  void prepare(Kinematics& k) const;
  /// Positions, velocities and prescribed accelerations at (t, y).
  void update(Kinematics& k, double t, const double* y) const;
  /// q_dot = N(q) v at y, nq entries.
  void coordinate_rates(const double* y, double* q_dot) const;
  /// q moved by a small displacement (slots() entries), factor times: in space the rotational part turns p by a
  /// rotation vector in body axes.
  void displace(const double* displacement, double factor, double* q) const;
  /// Euler parameters made of length 1 again. True if they were off by more than round-off.
  bool normalise(double* q) const;
  /// y with orientations and angular velocities in the axes the user wrote; the same bits where they are principal
  /// axes.
  void as_written(double* y) const;
  [[nodiscard]] bool has_own_axes() const;  ///< as_written() changes something
  /// Generalised applied forces (gravity among them) by body, into f (slots() entries).
  void applied_forces(const Kinematics& k, double* f) const;
  /// Joint rows at k, prescribed motion folded into nu and gamma.
  void joint_rows(const Kinematics& k, Row* out) const;
  /// Phi of all joint rows.
  void joint_positions(const Kinematics& k, double* phi) const;
  /// Moves the motion of prescribed bodies to the right side of a row.
  void fold(const Kinematics& k, Row& row) const;
  /// Terms whose round-off the motion of prescribed bodies along a row has: of their positions and of their speeds.
  [[nodiscard]] Expression::Sizes given_sizes(const Kinematics& k, const Row& row) const;
  /// Zeros in the columns of fixed bodies, which nothing multiplies: a constant row is then so wherever they stand.
  void clear_fixed(Row& row) const;
  /// The bodies between which a friction unit acts.
  [[nodiscard]] std::array<int, 2> bodies_of(const FrictionUnit& unit) const;
  [[nodiscard]] std::string row_name(int row) const;  ///< "joint \"pin\" (x)"
  [[nodiscard]] double kinetic_energy(const Kinematics& k) const;
  [[nodiscard]] double potential_energy(const Kinematics& k) const;

  // spatial/system_motion.cpp
  void prepare_spatial(Kinematics& k) const;
  void update_spatial(Kinematics& k, double t, const double* y) const;
  void spatial_rates(const double* y, double* q_dot) const;
  void displace_spatial(const double* displacement, double factor, double* q) const;
  void body_forces(const Kinematics& k, double* f) const;  ///< gravity and gyroscopic torques

  std::vector<double> initial;  ///< y at the start, before assembly
  /// The largest length of the model [m]: positions at the start, points of joints, shapes; 1 m where there is none.
  /// What round-off of a length is compared with where the lengths at hand happen to vanish (a body in the origin).
  double length = 1.0;
};

/// Builds the system a model describes. @throws InputError naming what is wrong and where.
[[nodiscard]] std::shared_ptr<const System> build_system(const ModelSpec& spec);

}  // namespace hstar
