// src/analysis/statics/coordinates.cpp
#include "analysis/statics/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/statics/tolerances.hpp"
#include "mechanism/spatial/relative_rotation.hpp"

namespace hstar {
namespace {

EulerParameters parameters_at(const double* p) { return {p[0], p[1], p[2], p[3]}; }
EulerParameters conjugate(const EulerParameters& p) { return {p[0], -p[1], -p[2], -p[3]}; }

}  // namespace

Coordinates::Coordinates(const System& system) : system_(system) {
  const auto names = system.state_names(), units = system.state_units();
  names_.assign(names.begin(), names.begin() + system.nq);
  units_.assign(units.begin(), units.begin() + system.nq);
  freedom_names_ = names_;
  if (!system.is_spatial()) return;
  freedom_names_.assign(static_cast<std::size_t>(system.nv), "");
  for (const Body& body : system.bodies)
    for (int c = 0; c < body.dofs; ++c) {
      constexpr const char* words[] = {".x", ".y", ".z", ".turn_x", ".turn_y", ".turn_z"};
      freedom_names_[body.dof + c] = body.name + words[c];
    }
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const auto* free = dynamic_cast<const JointCoordinates*>(system.joints[j].get());
    for (int i = 0; free && i < free->free_coordinates(); ++i) {
      in_joint_.push_back({static_cast<int>(j), free, i});
      const bool angle = free->free_is_angle(i);
      names_.push_back(system.joints[j]->name + "." + free->free_name(i));
      units_.emplace_back(angle ? "rad" : "m");
    }
  }
}

const Body& Coordinates::body_of(int i, int& entry) const {
  const auto body = std::find_if(system_.bodies.begin(), system_.bodies.end(), [&](const Body& b) {
    return !b.prescribed && b.coordinate <= i && i < b.coordinate + b.coordinates;
  });
  entry = i - body->coordinate;
  return *body;
}

double Coordinates::value(int i, const double* y, const Kinematics& k) const {
  if (i >= system_.nq) {
    const InJoint& c = in_joint_[i - system_.nq];
    return c.free->free_value(c.which, k);
  }
  if (!system_.is_spatial()) return y[i];
  int entry = 0;
  const Body& body = body_of(i, entry);
  if (entry < 3) return y[i];
  return written_orientation(body, parameters_at(y + body.coordinate + 3))[entry - 3];
}

Eigen::RowVectorXd Coordinates::row(int i, const double* y, const Kinematics& k) const {
  Eigen::RowVectorXd out = Eigen::RowVectorXd::Zero(system_.nv);
  if (i >= system_.nq) {
    const InJoint& c = in_joint_[i - system_.nq];
    const Joint& joint = *system_.joints[c.joint];
    Row row;
    row.body = {joint.first.body, joint.second.body};
    c.free->free_row(c.which, k, row);
    for (std::size_t b = 0; b < 2; ++b) {
      const Body& body = system_.bodies[row.body[b]];
      for (int f = 0; f < body.dofs; ++f) out[body.dof + f] += row.J[b][f];
    }
    return out;
  }
  if (!system_.is_spatial()) {
    out[i] = 1;
    return out;
  }
  int entry = 0;
  const Body& body = body_of(i, entry);
  if (entry < 3) {
    out[body.dof + entry] = 1;
    return out;
  }
  for (std::size_t c = 0; c < 3; ++c) {
    Vec3 unit{0, 0, 0};
    unit[c] = 1;
    const EulerParameters rate = parameter_rate(parameters_at(y + body.coordinate + 3), unit);
    out[body.dof + 3 + static_cast<int>(c)] = written_orientation(body, rate)[entry - 3];
  }
  return out;
}

int Coordinates::find(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end())
    throw InputError(fmt::format("there is no coordinate '{}'; the coordinates are {}", name, fmt::join(names_, ", ")));
  return static_cast<int>(found - names_.begin());
}

std::vector<int> Coordinates::named(const std::string& name) const {
  std::vector<int> out;
  for (int i = 0; i < count(); ++i) {
    const std::string& own = names_[i];
    const bool of_body = i < system_.nq && own.starts_with(name + ".");
    const bool of_turn = i < system_.nq && units_[i].empty() && own.substr(0, own.rfind('.')) + ".turn" == name;
    if (own == name || of_body || of_turn) out.push_back(i);
  }
  if (out.empty()) out.push_back(find(name));
  return out;
}

std::vector<int> Coordinates::freedoms_named(const std::string& name) const {
  std::vector<int> out;
  for (int i = 0; i < system_.nv; ++i) {
    const std::string& own = freedom_names_[i];
    const std::size_t turn = system_.is_spatial() ? own.rfind(".turn_") : std::string::npos;
    const bool whole = turn == std::string::npos ? own == name : own.substr(0, turn + 5) == name;
    if (whole || own.starts_with(name + ".")) out.push_back(i);
  }
  if (!out.empty()) return out;
  static_cast<void>(named(name));
  throw InputError(fmt::format(
      "{0} has no weight of its own: bodies (rod), their x, y, z (rod.x) and their orientation (rod.turn) have", name));
}

Eigen::VectorXd Coordinates::between(const double* y, const double* to) const {
  Eigen::VectorXd out(system_.nv);
  if (!system_.is_spatial()) {
    for (int i = 0; i < system_.nq; ++i) out[i] = to[i] - y[i];
    return out;
  }
  for (const Body& body : system_.bodies) {
    if (body.prescribed) continue;
    const double *a = y + body.coordinate, *b = to + body.coordinate;
    for (int c = 0; c < 3; ++c) out[body.dof + c] = b[c] - a[c];
    const Vec3 turn = rotation_vector(compose(conjugate(parameters_at(a + 3)), parameters_at(b + 3)));
    for (int c = 0; c < 3; ++c) out[body.dof + 3 + c] = turn[c];
  }
  return out;
}

Eigen::MatrixXd Coordinates::distance_curvature(const Eigen::VectorXd& between) const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(system_.nv, system_.nv);
  if (!system_.is_spatial()) return out;
  for (const Body& body : system_.bodies) {
    if (body.prescribed) continue;
    const Eigen::Vector3d turn = between.segment<3>(body.dof + 3);
    const double angle = turn.norm();
    if (angle < statics::no_turn) continue;
    // Across the turn a step moves on a circle of the group: phi/2 cot(phi/2).
    const double across = 0.5 * angle / std::tan(0.5 * angle);
    const Eigen::Vector3d u = turn / angle;
    out.block<3, 3>(body.dof + 3, body.dof + 3) =
        across * Eigen::Matrix3d::Identity() + (1 - across) * u * u.transpose();
  }
  return out;
}

}  // namespace hstar
