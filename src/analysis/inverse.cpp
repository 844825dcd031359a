// src/analysis/inverse.cpp: driver forces along a prescribed motion.
#include "hstar/inverse.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/driven_motion.hpp"
#include "analysis/statics/force_balance.hpp"
#include "hstar/record.hpp"
#include "record/json_writer.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
/// A sliding speed below this part of the mechanism's speeds, or of its size over the time analysed, is none.
constexpr double still = 1e-11;

struct Driver {
  int joint, row;
};

bool is_driver(const JointSpec& spec) {
  if (!spec.value || spec.type == "equation") return false;
  return spec.type != "distance" || !spec.value->is_constant();
}
/// In space most joints have a `value`; it drives where it depends on time.
bool is_driver(const SpatialJointSpec& spec) {
  return spec.type == "rotation" || spec.type == "translation" || !spec.value.is_constant();
}

std::string force_unit(const SpatialJointSpec& spec) {
  if (spec.type == "rotation" || spec.type == "gear" || spec.type == "dp1") return "N m";
  return spec.type == "d" ? "N/m" : "N";  // d drives a squared length
}
std::string force_unit(const JointSpec& spec) {
  return spec.type.ends_with("angle") || spec.type == "rotation" ? "N m" : "N";
}

std::vector<Driver> drivers_of(const ModelSpec& model, const System& s, InverseResult& result) {
  std::vector<Driver> out;
  const auto take = [&](const auto& joints) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (!is_driver(joints[j])) continue;
      // Of a screw the last row is the driven one.
      out.push_back({static_cast<int>(j), s.joint_row[j] + (s.is_spatial() ? s.joints[j]->rows() - 1 : 0)});
      result.drivers.push_back({joints[j].name, force_unit(joints[j])});
    }
  };
  take(model.joints);
  take(model.spatial.joints);
  if (out.empty())
    throw InputError(std::string("no joint drives this mechanism; give it a driver (") +
                     (s.is_spatial() ? "rotation, translation" : "absolute_angle, relative_translation") +
                     ", ...) with the motion as a formula of t");
  return out;
}

/// Which units stand still at (t, y, a), and which slide where to: just after this instant.
std::string decide_friction(ForceBalance& m, const Vector& acceleration, double duration) {
  const System& s = m.system();
  const Vector v = Eigen::Map<const Vector>(m.y.data() + s.nq, m.system().nv);
  const double speed = v.cwiseQuotient(m.size()).lpNorm<Eigen::Infinity>() + 1 / duration,
               rate = acceleration.cwiseQuotient(m.size()).lpNorm<Eigen::Infinity>() + speed / duration;
  m.evaluate(Vector::Zero(m.rows()));
  std::string stuck;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    FrictionMode& mode = m.mode.friction[u];
    mode = FrictionMode{};
    if (unit.joint < 0 || !unit.law.dry()) continue;
    const int i = static_cast<int>(u);
    const Vector slide = m.slide_velocity(i), change = m.slide_acceleration(i, acceleration);
    const double gamma = slide.norm();
    if (gamma > still * speed * s.length) {
      mode = m.sliding(i, slide, gamma, 0);
    } else if (change.norm() > still * rate * s.length) {
      mode = m.sliding(i, change, gamma, still * speed * s.length);
    } else if (unit.mu_static(m.equations().motion.kinematics()) > 0) {
      mode.slide = Slide::stick;
      stuck += (stuck.empty() ? "" : ", ") + m.unit_name(i);
    }
  }
  m.choose_rows();
  return stuck;
}

}  // namespace

InverseResult inverse_dynamics(const ModelSpec& model) {
  InverseResult result;
  const auto system = build_system(model);
  const System& s = *system;
  const std::vector<Driver> drivers = drivers_of(model, s, result);
  ForceBalance m(system, model.simulation.start);
  const auto at_state = [&](double t, std::span<const double> y, std::span<const double> acceleration) {
    m.t = t;
    m.y.assign(y.begin(), y.end());
    const Vector a = Eigen::Map<const Vector>(acceleration.data(), s.nv);
    InverseResult::Row row;
    row.t = m.t;
    row.stuck = decide_friction(m, a, model.simulation.end - model.simulation.start);
    AdmissibleForces forces = m.admissible_forces(a);
    row.possible = forces.admissible();
    const Vector lambda = forces.lambda();
    m.evaluate(lambda);
    for (const Driver& d : drivers) {
      double least = lambda[d.row], largest = least;
      if (row.possible) forces.range(d.row, least, largest);
      row.force.push_back(lambda[d.row]);
      row.least.push_back(least);
      row.largest.push_back(largest);
      row.power.push_back(lambda[d.row] * m.equations().rows[d.row].nu);
    }
    result.rows.push_back(std::move(row));
  };
  const KinematicsResult motion = follow_drivers(model, at_state);
  result.singular = motion.singular;
  result.reached_end = motion.reached_end;
  for (const std::string& notice : motion.notices)
    if (notice.find("friction") == std::string::npos) result.notices.push_back(notice);
  if (written_states(m.system()) > 0) result.notices.emplace_back("[[state]] quantities keep their initial values");
  const auto impossible =
      std::find_if(result.rows.begin(), result.rows.end(), [](const auto& r) { return !r.possible; });
  if (impossible != result.rows.end())
    result.notices.push_back(
        fmt::format("at t = {:.10g} s no forces satisfy the laws of friction for this motion", impossible->t));
  return result;
}

std::string inverse_csv(const InverseResult& r) {
  std::string text = "# units: s";
  for (const DriverForce& d : r.drivers) text += fmt::format(",{0},{0},{0},W", d.unit);
  text += ",\nt";
  for (const DriverForce& d : r.drivers) text += fmt::format(",{0},{0}.least,{0}.largest,{0}.power", d.driver);
  text += ",stuck\n";
  for (const InverseResult::Row& row : r.rows) {
    text += number_text(row.t);
    for (std::size_t i = 0; i < row.force.size(); ++i)
      for (const double x : {row.force[i], row.least[i], row.largest[i], row.power[i]}) text += "," + number_text(x);
    text += row.stuck.find(',') == std::string::npos ? "," + row.stuck + "\n" : ",\"" + row.stuck + "\"\n";
  }
  return text;
}

std::string inverse_json(const InverseResult& r) {
  record::JsonWriter json;
  json.open("", '{');
  json.item("reached_end", r.reached_end);
  json.open("drivers", '[');
  for (const DriverForce& d : r.drivers) {
    json.open("", '{');
    json.item("driver", d.driver);
    json.item("unit", d.unit);
    json.close('}');
  }
  json.close(']');
  json.open("rows", '[');
  for (const InverseResult::Row& row : r.rows) {
    json.open("", '{');
    json.item("t", row.t);
    json.item("possible", row.possible);
    json.item("stuck", row.stuck);
    const auto list = [&](const char* key, const std::vector<double>& values) {
      json.open(key, '[');
      for (const double x : values) json.item("", x);
      json.close(']');
    };
    list("force", row.force);
    list("least", row.least);
    list("largest", row.largest);
    list("power", row.power);
    json.close('}');
  }
  json.close(']');
  json.open("notices", '[');
  for (const std::string& notice : r.notices) json.item("", notice);
  json.close(']');
  json.close('}');
  return json.text() + "\n";
}

}  // namespace hstar
