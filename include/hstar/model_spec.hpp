// include/hstar/model_spec.hpp
//
// A model as data: what a model file says, checked for shape and range, units SI, formulas compiled,
// names not yet resolved to bodies. `System` is built from it; programs may fill it in by hand.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hstar/error.hpp"
#include "hstar/expression.hpp"
#include "hstar/friction_spec.hpp"
#include "hstar/limits_spec.hpp"
#include "hstar/spatial_spec.hpp"

namespace hstar {

class UserForce;  // elements.hpp
class UserJoint;

struct SimulationSpec {
  Location where;
  double start = 0.0, end = 1.0;  ///< [s]
  std::string integrator = "dopri5";
  double baumgarte_alpha = 0.0, baumgarte_beta = 0.0;  ///< of formulation "baumgarte" [1/s]; 0: chosen
  std::string formulation;  ///< "" = "projection" for mechanisms with constraints, else "direct"
  double rtol = 1e-6;
  double atol = 0.0;                ///< 0: rtol * 1e-3
  double max_step = 0.0;            ///< 0: none [s]
  double first_step = 0.0;          ///< 0: chosen by the integrator [s]
  double fixed_step = 0.0;          ///< 0: error control [s]
  std::string newton = "modified";  ///< implicit methods: "full" | "modified" | "quasi" | "functional"
  int max_order = 5;                ///< bdf, in [1, 6], ode113, in [1, 12]; 0: 5 and 12
  double newmark_beta = 0.3025, newmark_gamma = 0.6;  ///< newmark
  double hht_alpha = -0.1;                            ///< hht, in [-1/3, 0]
  double rho_infinity = 0.8;                          ///< generalized_alpha, in [0, 1]
  bool islands = true;                                ///< exact: bodies that only forces couple move by themselves
  std::string multiple_impact = "simultaneous";       ///< or "sequential": one contact after the other, fastest first
  std::string impact_energy = "report";               ///< or "error": an impact law that gains energy ends the run
  std::string sliding = "error";  ///< where both sides of a switch drive back to it; or "filippov": held there
  double output = 0.0;            ///< report interval [s], or see output_rows.hpp
  bool multipliers = false;       ///< recorded of each row of the joints
  /// If given, only these are computed beside the states and measures; the others are NaN.
  std::optional<std::vector<std::string>> columns;
  /// False: of events that nobody is told of only time, kind and element, and no rows where islands move by themselves.
  bool event_words = true;
  std::vector<double> sample_times;  ///< further rows exactly at these times [s]; never shortens a step
  long stop_after_events = 0;        ///< 0: none
  long max_events_per_instant = 0;   ///< 0: default (100)
};

struct BodySpec {
  std::string name;
  Location where;
  double mass = 0.0;              ///< [kg] > 0 (unless prescribed)
  std::optional<double> inertia;  ///< about the centre of mass [kg m^2]; none = point mass without angle
  Vec2 position{0, 0};            ///< initial estimate, centre of mass [m]
  double angle = 0.0;             ///< [rad]
  Vec2 velocity{0, 0};            ///< [m/s]
  double angular_velocity = 0.0;  ///< [rad/s]
  /// Prescribed motion (belt, shaken plate, driver): x(t), y(t), angle(t); such a body has no mass.
  struct Motion {
    Expression x, y, angle;
  };
  std::optional<Motion> motion;
  /// How it is drawn, about its centre [m]: the corners of a polygon, or the radius of a disc. Not part of the
  /// dynamics.
  std::vector<Vec2> corners;
  double radius = 0.0;
};

/// A point fixed in a body (body coordinates; for ground: global coordinates, which may be formulas of t).
struct MarkerSpec {
  std::string body = "ground";
  Location where;
  Expression x, y;  ///< body coordinates [m]
};

struct JointSpec {
  std::string name, type;  ///< revolute translational fixed distance absolute_x absolute_y absolute_angle
                           ///< relative_angle relative_translation equation, or user
  Location where;
  std::vector<MarkerSpec> markers;  ///< one (absolute_*) or two, in the order of `bodies`
  Vec2 axis{1, 0};                  ///< translational: in the first body's frame
  std::optional<double> angle;      ///< fixed, translational: angle of second relative to first [rad]
  std::optional<Expression> value;  ///< drivers f(t); distance: length; equation: f(q, t) = 0
  std::optional<FrictionSpec> friction;
  std::vector<LimitsSpec> limits;         ///< revolute, translational
  std::shared_ptr<const UserJoint> user;  ///< of type "user", see elements.hpp; not in model files
};

struct ForceSpec {
  std::string name, type;  ///< point_force torque spring_damper rotational_spring_damper
  Location where;
  std::vector<MarkerSpec> markers;
  std::optional<Vec2> axis;  ///< spring_damper acting only along this direction of the first body
  Expression fx, fy;         ///< point_force [N]
  bool in_body_frame = false;
  Expression torque;  ///< torque [N m]
  Expression stiffness, damping, free_length,
      actuator;                           ///< N/m, N s/m, m, N (or N m/rad, N m s/rad, rad, N m);
                                          ///< may use length, rate (of this element), t, measured coordinates
  std::shared_ptr<const UserForce> user;  ///< of type "user", see elements.hpp; not in model files
};

struct ShapeSpec {
  MarkerSpec marker;  ///< a point of the line, or the centre; the origin of corners and ends
  std::string shape;  ///< "line" | "circle" | "point" | "hole" | "polygon" | "segment" | "arc" | "slot"
  Vec2 normal{0, 1};  ///< line: outward normal in its body's frame
  double length = 0;  ///< line: its length along the tangent (normal turned by -90 deg) from the point [m]; 0: endless
  double radius = 0.0;  ///< circle, hole, arc; half the width of a slot [m]
  std::array<double, 2> angles{0,
                               0};  ///< arc, or sector of a hole: from, to in the body's frame [rad]; equal: all of it
  std::vector<Vec2> corners;        ///< polygon: counterclockwise, convex; segment, slot: the two ends [m]
  std::optional<Expression> surface_velocity;  ///< line: belt speed along the tangent (normal turned by -90 deg) [m/s]
};

struct ContactSpec {
  std::string name;
  Location where;
  ShapeSpec first, second;  ///< normal points from first to second
  /// In place of shapes: g_N and the slide whose rate is gamma_T, formulas of t and coordinates of two bodies.
  std::optional<Expression> gap, slide;
  double restitution = 0.0;           ///< in [0, 1]
  double restitution_tangential = 0;  ///< in [0, 1]
  std::string impact_law = "newton";  ///< "newton" | "whittaker" | "poisson" | "stronge"
  std::optional<FrictionSpec> friction;
  int group = -1;  ///< of the parts of one written contact: its number
  /// Of a part: number of the circle of the first and of the second shape that touches the other shape nowhere else
  /// while it touches this part within its stretch of the boundary; -1: none.
  std::array<int, 2> circle{-1, -1};
};

/// Names of the pairs of a group, "hit{i}_{j}": texts, and between them what each number of the first or second index
/// becomes.
struct PairNames {
  struct Part {
    std::string text;  ///< before the number
    int of = -1;       ///< 0: the first index, 1: the second; -1: no number follows
  };
  std::vector<Part> parts;
  std::vector<std::vector<std::string>> numbers;  ///< by part
  [[nodiscard]] std::string of(std::size_t first, std::size_t second) const;
};

/// Contacts between every two of a group, first < second, that are not written out (`partner` in model files): all
/// under the laws of one.
struct PairsSpec {
  ContactSpec contact;                   ///< of the first pair; its name is "hit{i}_{j}", as written
  std::vector<ShapeSpec> first, second;  ///< by number: its shape where it comes first, or second
  PairNames names;
  [[nodiscard]] double number() const {  ///< of pairs
    const auto n = static_cast<double>(first.size());
    return n * (n - 1) / 2;
  }
};

/// More contacts than this are not written out one by one.
inline constexpr double most_contacts_of_pairs = 1e6;

struct StateSpec {
  std::string name;
  Location where;
  double initial = 0.0;
  Expression rate;
};

struct GuardSpec {
  std::string name;
  Location where;
  Expression when;
  std::string crossing = "either";  ///< "rising" | "falling" | "either"
  std::string kind;                 ///< word for events.csv; "" = guard_up / guard_down by direction
  std::vector<std::pair<std::string, Expression>> reset;  ///< state = formula of values just before
  bool terminal = false;
  std::vector<double> times;  ///< time events instead of `when` [s]
  double g_tol = 0.0;         ///< 0: round-off of the terms
  /// In programs, in place of `when` and `reset`: a smooth function of t and the state (its names:
  /// RunResult::state_names), and what changes the state, which then goes on from the nearest one that constraints
  /// allow. Both must be safe to call from several threads where several runs share the model.
  std::function<double(double t, std::span<const double> y)> function;
  std::function<void(double t, std::span<double> y)> change;
  [[nodiscard]] bool changes() const { return !reset.empty() || change; }
};

struct MeasureSpec {
  std::string name, unit;
  Location where;
  Expression value;  ///< may use reactions and accelerations
};

struct ModelSpec {
  std::string file, text;  ///< where it came from, and the text as read
  std::string title;
  int dimension = 2;       ///< 3: a spatial model; its bodies, joints, forces and contacts are in `spatial`,
                           ///< none in the lists below
  Vec2 gravity{0.0, 0.0};  ///< [m/s^2]
  std::vector<std::pair<std::string, double>> parameters;
  SimulationSpec simulation;
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
  std::vector<ForceSpec> forces;
  std::vector<ContactSpec> contacts;
  std::vector<PairsSpec> pairs;  ///< further contacts
  struct Spatial {
    Vec3 gravity{0, 0, 0};  ///< [m/s^2]
    std::vector<SpatialBodySpec> bodies;
    std::vector<SpatialJointSpec> joints;
    std::vector<SpatialForceSpec> forces;
    std::vector<SpatialContactSpec> contacts;
  } spatial;
  std::vector<StateSpec> states;
  std::vector<GuardSpec> guards;
  std::vector<MeasureSpec> measures;
  [[nodiscard]] bool has_bodies() const { return !bodies.empty() || !spatial.bodies.empty(); }
  std::vector<std::string> notices;  ///< what the reader assumed, for the user
};

/// The same model with its pairs among the contacts. @throws InputError if there are more than most_contacts_of_pairs;
/// `because` says why they cannot stay together.
[[nodiscard]] ModelSpec with_pairs_written_out(const ModelSpec& model, const std::string& because = {});

/// One `--set path.to.value=x`: path "parameters.mu", "simulation.rtol", "body.sled.mass",
/// "joint.plate.friction.mu_static".
struct Override {
  std::string path, value;
};

/// What becomes of contacts of many pairs.
enum class ReadPairs : unsigned char {
  written_out,  ///< ModelSpec::pairs is empty
  together      ///< they stay in ModelSpec::pairs where they may, for run()
};
/// Reads a model file. @throws InputError with file:line:column, name, value, bound, remedy.
[[nodiscard]] ModelSpec read_model(const std::string& path, const std::vector<Override>& overrides = {},
                                   ReadPairs pairs = ReadPairs::written_out);
/// Reads a model from text; `name` stands for the file in messages.
[[nodiscard]] ModelSpec parse_model(const std::string& text, const std::string& name,
                                    const std::vector<Override>& overrides = {},
                                    ReadPairs pairs = ReadPairs::written_out);

}  // namespace hstar
