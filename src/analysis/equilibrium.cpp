// src/analysis/equilibrium.cpp: a state of rest, its forces, its stability and how far it goes on.
#include "hstar/equilibrium.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "analysis/statics/reduced.hpp"
#include "analysis/statics/rest.hpp"
#include "analysis/statics/section.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// lambda_T of a sliding unit by direction, at a normal force N (lever included).
Vector sliding_force(const ForceBalance& m, int unit, double N) {
  const FrictionUnit& about = m.system().frictions[unit];
  SlideForce force;
  if (!slide_force(m.equations().motion, m.mode, unit, force)) return Vector::Zero(about.directions);
  const double dry = about.lever > 0 ? force.coefficient * N / about.lever : 0.0;
  return (force.known + dry) * Eigen::Map<const Vector>(force.direction.data(), about.directions);
}

/// What forces lambda_T (by direction) do on the second body: a force of what slides along, a couple of what turns,
/// global axes, as matrices of 3 rows; no columns but those of `unit`.
struct FrictionWrench {
  Eigen::MatrixXd force, torque;
};
FrictionWrench friction_wrench(const ForceBalance& m, int unit) {
  const TangentRows rows = m.equations().motion.tangents(unit);
  const int k = m.system().frictions[unit].directions;
  FrictionWrench out{Eigen::MatrixXd::Zero(3, k), Eigen::MatrixXd::Zero(3, k)};
  for (int i = 0; i < k; ++i) {
    const Row& row = rows[i];
    // Rows leave prescribed bodies out.
    const auto prescribed = [&](std::size_t b) { return m.system().bodies[row.body[b]].prescribed; };
    const std::size_t b = prescribed(1) ? 0 : 1;
    const double sign = b == 1 ? 1 : -1;
    const SpatialMotion& motion = m.equations().motion.kinematics().spatial_of(row.body[b]);
    const Vec3 along{row.J[b][0], row.J[b][1], row.J[b][2]};
    const Vec3 about = motion.global({row.J[b][3], row.J[b][4], row.J[b][5]});
    const bool slides = along != Vec3{0, 0, 0};
    for (int c = 0; c < 3; ++c) {
      const auto at = static_cast<std::size_t>(c);
      (slides ? out.force : out.torque)(c, i) = sign * (slides ? along : about)[at];
    }
  }
  return out;
}

/// Friction with several directions by component, with its range while it sticks.
std::vector<FrictionAtRest> components(Rest& rest, int unit, const Vector& tangential, bool sticks) {
  ForceBalance& m = rest.balance();
  const FrictionWrench wrench = friction_wrench(m, unit);
  std::vector<FrictionAtRest> out;
  for (const bool force : {true, false}) {
    const Eigen::MatrixXd& by = force ? wrench.force : wrench.torque;
    if (by.isZero(0)) continue;
    for (int c = 0; c < 3; ++c) {
      FrictionAtRest f{spatial_wrench_words[force ? c : c + 3], by.row(c).dot(tangential)};
      f.least = f.largest = f.value;
      if (sticks) {
        Vector goal = Vector::Zero(m.rows());
        goal.segment(m.equations().rows.of_stuck(unit), by.cols()) = by.row(c).transpose();
        rest.forces().range(goal, f.least, f.largest);
      }
      out.push_back(std::move(f));
    }
  }
  return out;
}

ElementAtRest describe_unit(Rest& rest, int unit) {
  ForceBalance& m = rest.balance();
  AdmissibleForces& forces = rest.forces();
  const System& s = m.system();
  const FrictionUnit& about = s.frictions[unit];
  const FrictionMode& mode = m.mode.friction[unit];
  ElementAtRest e{m.unit_name(unit), friction_mode_text(s, m.mode, unit)};
  const Vector& lambda = rest.lambda();
  e.normal = forces.normal_force(unit, lambda);
  Vector tangential = Vector::Zero(about.directions);
  const int row = m.equations().rows.of_stuck(unit);
  if (row >= 0) {
    tangential = lambda.segment(row, about.directions);
    e.reserve = forces.limit(unit, lambda) - tangential.norm();
  } else if (mode.slide == Slide::slip) {
    tangential = sliding_force(m, unit, e.normal);
  }
  if (about.directions > 1) {
    e.tangential = tangential.norm();
    e.friction = components(rest, unit, tangential, row >= 0);
  } else {
    e.tangential = e.tangential_least = e.tangential_largest = tangential[0];
    if (row >= 0) forces.range(row, e.tangential_least, e.tangential_largest);
  }
  return e;
}

void describe_elements(Rest& rest, EquilibriumResult& result) {
  ForceBalance& m = rest.balance();
  const System& s = m.system();
  const Vector lambda = rest.lambda();
  m.evaluate(lambda);
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    const auto force = m.joint_reaction(static_cast<int>(j), lambda);
    const std::array planar{"fx", "fy", "torque"};
    for (std::size_t i = 0; i < force.size(); ++i)
      result.reactions.emplace_back(s.joints[j]->name + "." + (s.is_spatial() ? spatial_wrench_words[i] : planar[i]),
                                    force[i]);
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (s.frictions[u].joint >= 0 && s.frictions[u].law.dry())
      result.elements.push_back(describe_unit(rest, static_cast<int>(u)));
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const int unit = s.contact_friction[c], row = m.equations().rows.of_contact(static_cast<int>(c));
    ElementAtRest e{s.contacts[c]->name, contact_mode_text(s, m.mode, static_cast<int>(c))};
    if (row >= 0) {
      if (unit >= 0 && s.frictions[unit].law.dry()) {
        e = describe_unit(rest, unit);
        e.mode = contact_mode_text(s, m.mode, static_cast<int>(c));
      } else {
        e.reserve = lambda[row];
      }
      e.normal = lambda[row];
      rest.forces().range(row, e.normal_least, e.normal_largest);
    }
    result.elements.push_back(std::move(e));
    for (std::size_t u = 0; row >= 0 && u < s.frictions.size(); ++u) {
      const FrictionUnit& about = s.frictions[u];
      if (about.contact != static_cast<int>(c) || about.part == FrictionPart::sliding || !about.law.dry()) continue;
      ElementAtRest more = describe_unit(rest, static_cast<int>(u));
      more.element += about.part == FrictionPart::rolling ? ".rolling" : ".spinning";
      result.elements.push_back(std::move(more));
    }
  }
}

void describe_stability(Rest& rest, EquilibriumResult& result) {
  const ReducedSystem reduced = reduce(rest.balance(), rest.lambda());
  bool by_mass = true;
  const Eigen::VectorXcd k = stiffness_spectrum(reduced, by_mass);
  result.freedoms = static_cast<int>(k.size());
  if (!by_mass) result.notices.emplace_back("a freedom has no mass: stiffness is in the metric of the model's length");
  if (k.size() == 0) {
    result.stability = "held";
    return;
  }
  const double largest = k.cwiseAbs().maxCoeff(),
               zero = std::max(1e-12 * largest, by_mass ? reduced.no_stiffness : 0.0);
  double least = infinity;
  bool turns = false;
  for (const auto& x : k) {
    result.stiffness.push_back(std::abs(x.real()) <= zero ? 0.0 : x.real());
    least = std::min(least, x.real());
    turns |= std::abs(x.imag()) > zero;
  }
  // Of K x = -M x'' complex eigenvalues mean growing oscillations (Ziegler 1952).
  result.stability = std::abs(least) <= zero ? "indifferent" : least < 0 ? "unstable" : turns ? "flutter" : "stable";
}

/// The interval of one coordinate or parameter, with `at` moving the mechanism there.
RestInterval interval_of(std::string name, std::string unit, double start, double first_step, double longest_step,
                         double furthest, double margin, const std::function<SectionPoint(double)>& at,
                         const std::function<void()>& reset) {
  RestInterval out{std::move(name), std::move(unit), start};
  // Where the margin is zero all along (a contact without load) it has to stay so.
  const double threshold = margin > 100 * AdmissibleForces::tolerance ? 0.0 : -AdmissibleForces::tolerance;
  const SectionOptions options{first_step, longest_step, furthest, threshold};
  reset();
  const SectionEnd below = section_end(at, start, -1, options);
  reset();
  const SectionEnd above = section_end(at, start, 1, options);
  reset();
  out.least = below.value;
  out.largest = above.value;
  out.bounded_below = below.bounded;
  out.bounded_above = above.bounded;
  out.below = below.why;
  out.above = above.why;
  return out;
}

RestInterval coordinate_interval(Rest& rest, int coordinate, double margin) {
  ForceBalance& m = rest.balance();
  const std::vector<double> start = m.y;
  std::vector<double> inside = start;
  std::vector<HeldCoordinate> held;
  for (const int i : rest.held_coordinates(coordinate)) held.push_back({i, m.coordinate(i)});
  const double here = m.coordinate(coordinate);
  const std::string unit = m.coordinates().unit(coordinate);
  if (held.empty()) return {m.coordinates().name(coordinate), unit, here, here, here};
  const double size = unit == "m" ? m.system().length : 1.0;
  const auto at = [&](double value) {
    m.y = inside;
    held.front().value = value;
    SectionPoint point;
    point.exists = rest.settle_along(held);
    point.why = rest.why();
    if (!point.exists) return point;
    point.margin = rest.margin();
    if (point.margin >= -AdmissibleForces::tolerance) inside = m.y;
    return point;
  };
  const auto reset = [&] {
    inside = start;
    m.y = start;
  };
  return interval_of(m.coordinates().name(coordinate), unit, here, 1e-3 * size, 0.1 * size,
                     unit == "rad" ? 6.3 : 100 * size, margin, at, reset);
}

/// The position goes along with the estimates of the file (an incline that turns takes its block with it): `onto` moved
/// as `from` was to `to`. Orientations by the turn in global axes, which do not hang on a body's principal axes.
std::vector<double> carried(const System& system, const std::vector<double>& from, const std::vector<double>& to,
                            std::vector<double> onto) {
  std::vector<double> out = onto;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += to[i] - from[i];
  for (const Body& body : system.bodies) {
    if (!system.is_spatial() || body.prescribed) continue;
    const auto at = static_cast<std::size_t>(body.coordinate + 3);
    const auto p = [&](const std::vector<double>& y) {
      return EulerParameters{y[at], y[at + 1], y[at + 2], y[at + 3]};
    };
    const EulerParameters before = p(from);
    const EulerParameters turned = compose(compose(p(to), {before[0], -before[1], -before[2], -before[3]}), p(onto));
    std::copy(turned.begin(), turned.end(), out.begin() + static_cast<long>(at));
  }
  return out;
}

RestInterval parameter_interval(const ModelSpec& model, const EquilibriumOptions& options, const std::string& name,
                                Rest& rest, const std::vector<double>& estimate, double margin) {
  const auto found =
      std::find_if(model.parameters.begin(), model.parameters.end(), [&](const auto& p) { return p.first == name; });
  if (found == model.parameters.end()) {
    std::string known;
    for (const auto& p : model.parameters) known += (known.empty() ? "" : ", ") + p.first;
    throw InputError(
        fmt::format("there is no parameter '{}' to vary; the parameters are {}", name, known.empty() ? "none" : known));
  }
  if (!options.remake) throw InputError("parameters can only be varied in a model read from a file or text");
  const std::vector<double> start = rest.balance().y;
  const auto at = [&](double value) {
    SectionPoint point;
    try {
      const ModelSpec changed = options.remake(name, value);
      const auto system = build_system(changed);
      const std::vector<double> moved = carried(*system, estimate, start, system->initial_state());
      Rest there(system, changed.simulation.start, {options.nearest, true, options.touching}, moved);
      point.exists = true;
      point.margin = there.settle_here() ? there.margin() : std::min(there.margin(), -AdmissibleForces::tolerance);
      point.why = point.margin < 0 ? there.tightest() : "";
    } catch (const InputError& error) {
      point.exists = false;
      point.why = error.what();
    }
    return point;
  };
  const double here = found->second, size = std::max(std::abs(here), 1e-3);
  return interval_of(name, "", here, 1e-3 * size, infinity, 1e6 * std::max(size, 1.0), margin, at, [] {});
}

}  // namespace

EquilibriumResult find_equilibrium(const ModelSpec& model, const EquilibriumOptions& options) {
  const auto system = build_system(model);
  if (system->nq == 0) throw InputError("the model has no free bodies; equilibrium needs bodies");
  EquilibriumResult result;
  const std::vector<double> estimate = system->initial_state();
  Rest rest(system, model.simulation.start, {options.nearest, true, options.touching});
  ForceBalance given(system, model.simulation.start);
  std::vector<double> before;
  for (int i = 0; i < given.coordinates().count(); ++i) before.push_back(given.coordinate(i));
  result.found = rest.find();
  result.held_by_friction = rest.held();
  result.why = result.found ? "" : rest.why();
  ForceBalance& m = rest.balance();
  const Coordinates& names = m.coordinates();
  for (int i = 0; i < names.count(); ++i) {
    result.names.push_back(names.name(i));
    result.units.push_back(names.unit(i));
    result.estimate.push_back(before[i]);
    result.coordinates.push_back(m.coordinate(i));
  }
  if (result.found) static_cast<void>(rest.lambda());
  result.notices = rest.notices;
  if (written_states(m.system()) > 0) result.notices.emplace_back("[[state]] quantities keep their initial values");
  for (const std::string& name : options.coordinates) static_cast<void>(names.find(name));
  if (!result.found) return result;
  describe_elements(rest, result);
  describe_stability(rest, result);
  if (!options.intervals) return result;

  const double margin = rest.margin();
  const bool friction = rest.any_can_stick();
  if (!friction && !options.coordinates.empty())
    result.notices.emplace_back("nothing sticks here: the equilibrium is a point, not an interval");
  std::vector<int> wanted;
  for (const std::string& name : options.coordinates) wanted.push_back(names.find(name));
  if (friction && wanted.empty()) {
    std::string orientations;
    for (const int i : rest.held_coordinates(-1))
      if (names.unit(i).empty())
        orientations += (orientations.empty() ? "" : ", ") + names.name(i);
      else
        wanted.push_back(i);
    if (!orientations.empty())
      result.notices.push_back("friction also holds orientations (" + orientations +
                               "), which have no interval of their own; --coordinate looks for one");
  }
  if (friction)
    for (const int i : wanted) result.intervals.push_back(coordinate_interval(rest, i, margin));
  for (const std::string& name : options.vary)
    result.intervals.push_back(parameter_interval(model, options, name, rest, estimate, margin));
  return result;
}

}  // namespace hstar
