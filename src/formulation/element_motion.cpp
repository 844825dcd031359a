// src/formulation/element_motion.cpp
#include "formulation/element_motion.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/tolerances.hpp"

namespace hstar {
namespace {
using formulation::crept;
/// A direction that is held is let go until the speed is so many times that up to which it is.
constexpr double let_go = 2;

std::vector<double> mass_diagonal(const System& s) {
  std::vector<double> mass;
  for (const Body& b : s.bodies) {
    if (s.is_spatial()) {
      for (std::size_t c = 0; c < 6; ++c) mass.push_back(b.prescribed ? -1.0 : c < 3 ? b.mass : b.moment[c - 3]);
      continue;
    }
    mass.push_back(b.prescribed ? -1.0 : b.mass);
    mass.push_back(b.prescribed ? -1.0 : b.mass);
    mass.push_back(b.prescribed || !b.turns ? -1.0 : b.inertia);
  }
  return mass;
}

void compute_tangent_rows(const System& s, const Kinematics& k, int unit, Row* rows) {
  const FrictionUnit& u = s.frictions[unit];
  const auto bodies = s.bodies_of(u);
  for (int i = 0; i < u.directions; ++i) {
    rows[i] = Row{};
    rows[i].body = bodies;
  }
  if (u.joint >= 0) {
    s.joints[u.joint]->tangents(k, rows);
  } else {
    const Contact& contact = *s.contacts[u.contact];
    Row normal;
    normal.body = bodies;
    if (u.part == FrictionPart::sliding)
      contact.all_rows_at(k, normal, rows);
    else
      contact.turning_rows_at(k, u.part == FrictionPart::spinning, rows);
  }
  for (int i = 0; i < u.directions; ++i) s.fold(k, rows[i]);
}

Row compute_normal_row(const System& s, const Kinematics& k, int index) {
  const Contact& contact = *s.contacts[index];
  Row row, tangent[2];
  row.body = tangent[0].body = tangent[1].body = contact.bodies();
  contact.all_rows_at(k, row, tangent);
  s.fold(k, row);
  return row;
}

}  // namespace

void SlideReference::slide(const double* gamma, double speed_now, double floor_now) {
  largest = std::max(largest, speed_now);
  speed = speed_now;
  floor = std::max(floor_now, crept * largest);
  turn(gamma);
}

double SlideReference::free() const { return floor >= formulation::stopped * speed ? let_go * floor : held(); }

void SlideReference::turn(const double* to) {
  double size = 0;
  for (int i = 0; i < directions; ++i) size = std::hypot(size, to[i]);
  if (!(size > 0)) return;
  for (int i = 0; i < directions; ++i) direction[i] = to[i] / size;
  turning = {};
}

std::array<double, most_directions> SlideReference::at(double t) const {
  std::array<double, most_directions> d = direction;
  if (turning == std::array<double, most_directions>{}) return d;
  double size = 0;
  for (int i = 0; i < directions; ++i) {
    d[i] += (t - since) * turning[i];
    size = std::hypot(size, d[i]);
  }
  if (!(size > 0)) return direction;
  for (int i = 0; i < directions; ++i) d[i] /= size;
  return d;
}

ElementMotion::ElementMotion(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      mass_(mass_diagonal(*system_)),
      tangent_row_(system_->frictions.size()),
      normal_row_(system_->contacts.size()),
      kept_(*system_),
      reference_(std::make_shared<std::vector<SlideReference>>(system_->frictions.size())) {
  const System& s = *system_;
  s.prepare(kin_);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c)
      freedoms_.push_back({b, s.slot(b, c), s.bodies[b].dof + c, s.turns(c), s.turns(c) ? s.length : 1.0});
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!s.contact_constant[c]) continue;
    normal_row_[c] = compute_normal_row(s, kin_, static_cast<int>(c));
    s.clear_fixed(normal_row_[c]);
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    (*reference_)[u].directions = s.frictions[u].directions;
    if (!s.frictions[u].velocity_is_linear) continue;
    compute_tangent_rows(s, kin_, static_cast<int>(u), &tangent_row_[u]);
    s.clear_fixed(tangent_row_[u]);
  }
}

void ElementMotion::momentum(double* p) const {
  for (std::size_t b = 0; b < system_->bodies.size(); ++b)
    for (int c = 0; c < kin_.columns; ++c) {
      const double mass = mass_[system_->slot(b, c)];
      p[system_->slot(b, c)] = mass > 0 ? mass * kin_.velocity(b, c) : 0.0;
    }
}

Row ElementMotion::normal_row(int contact) const {
  if (system_->contact_constant[contact]) return normal_row_[contact];
  if (const ContactRows* rows = kept_.find(kin_, contact)) return rows->normal;
  return compute_normal_row(*system_, kin_, contact);
}

TangentRows ElementMotion::tangents(int unit) const {
  TangentRows all;
  tangent_rows(unit, all.rows.data());
  all.count = static_cast<std::size_t>(system_->frictions[unit].directions);
  return all;
}

void ElementMotion::tangent_rows(int unit, Row* rows) const {
  const FrictionUnit& u = system_->frictions[unit];
  if (u.velocity_is_linear) {
    rows[0] = tangent_row_[unit];
    return;
  }
  const bool slides = u.joint < 0 && u.part == FrictionPart::sliding;
  if (const ContactRows* known = slides ? kept_.find(kin_, u.contact) : nullptr)
    std::copy_n(known->tangents.begin(), u.directions, rows);
  else
    compute_tangent_rows(*system_, kin_, unit, rows);
}

Row ElementMotion::tangent_row(int unit, double* direction) const {
  const int k = system_->frictions[unit].directions;
  Row row;
  if (k == 1) {
    tangent_rows(unit, &row);
    if (direction) direction[0] = 1;
    return row;
  }
  const TangentRows rows = tangents(unit);
  const SlideReference& r = reference(unit);
  std::array<double, most_directions> d = r.at(kin_.t), gamma{};
  double speed = 0, along = 0;
  for (int i = 0; i < k; ++i) {
    gamma[i] = free_speed(rows[i]);
    speed = std::hypot(speed, gamma[i]);
    along += gamma[i] * d[i];
  }
  if (const double held = r.held(); speed > held) {
    double weight = 1, size = 0;
    if (speed < r.free()) {
      const double x = (speed / held - 1) / (let_go - 1);
      weight = x * x * (3 - 2 * x);
    }
    for (int c = 0; c < k; ++c) {
      d[c] = (1 - weight) * d[c] + weight * (along < 0 ? -gamma[c] : gamma[c]) / speed;
      size = std::hypot(size, d[c]);
    }
    if (weight < 1)
      for (int c = 0; c < k; ++c) d[c] /= size;
  }
  row.body = rows[0].body;
  for (int c = 0; c < k; ++c) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < system_->columns; ++j) row.J[i][j] += d[c] * rows[c].J[i][j];
    row.nu += d[c] * rows[c].nu;
    row.gamma += d[c] * rows[c].gamma;
  }
  if (direction) std::copy(d.begin(), d.begin() + k, direction);
  return row;
}

double ElementMotion::free_speed(const Row& row) const {
  double sum = -row.nu;
  for (std::size_t i = 0; i < 2; ++i) {
    if (mass_[kin_.columns * row.body[i]] < 0) continue;  // prescribed: its motion is in nu
    sum += kin_.along(row.J[i], row.body[i]);
  }
  return sum;
}

double ElementMotion::gap_velocity(int contact) const { return free_speed(normal_row(contact)); }

double ElementMotion::slide_velocity(int unit) const {
  return free_speed(system_->frictions[unit].velocity_is_linear ? tangent_row_[unit] : tangent_row(unit));
}

double ElementMotion::slide_velocity(int unit, const double* y) const {
  const Row& row = tangent_row_[unit];
  double sum = -row.nu;
  for (std::size_t i = 0; i < 2; ++i) {
    const Body& body = system_->bodies[row.body[i]];
    const double* v = y + system_->nq + body.dof;
    for (int c = 0; c < body.dofs; ++c) sum += row.J[i][c] * v[c];
  }
  return sum;
}

double ElementMotion::slide_along_reference(int unit) const {
  const int k = system_->frictions[unit].directions;
  if (k == 1) return slide_velocity(unit);
  std::array<double, most_directions> gamma;
  slide_velocities(unit, gamma.data());
  double sum = 0;
  const std::array<double, most_directions> d = reference(unit).at(kin_.t);
  for (int i = 0; i < k; ++i) sum += gamma[i] * d[i];
  return sum;
}

double ElementMotion::sliding(int unit) const {
  return system_->frictions[unit].directions > 1 ? slide_speed(unit) : slide_velocity(unit);
}

double ElementMotion::slide_velocities(int unit, double* gamma) const {
  double speed = 0;
  for (const Row& row : tangents(unit)) {
    *gamma = free_speed(row);
    speed = std::hypot(speed, *gamma++);
  }
  return speed;
}

double ElementMotion::slide_speed(int unit) const {
  std::array<double, most_directions> gamma;
  return slide_velocities(unit, gamma.data());
}

void ElementMotion::update_reference(int unit) {
  const int k = system_->frictions[unit].directions;
  if (k == 1) return;
  SlideReference& r = reference(unit);
  std::array<double, most_directions> gamma{};
  const double speed = slide_velocities(unit, gamma.data());
  double along = 0;
  const std::array<double, most_directions> d = r.at(kin_.t);
  for (int i = 0; i < k; ++i) along += gamma[i] * d[i];
  // Where gamma_T . d_ref has just come to zero an event says what follows.
  if (along > r.free()) r.slide(gamma.data(), speed, 0);
}

double position_scale(const ElementMotion& motion, const Row& row, double size) {
  double scale = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const double* J = row.J[k];
    if (motion.system().is_spatial())
      scale +=
          (std::abs(J[0]) + std::abs(J[1]) + std::abs(J[2])) * size + std::abs(J[3]) + std::abs(J[4]) + std::abs(J[5]);
    else
      scale += (std::abs(J[0]) + std::abs(J[1])) * size +
               std::abs(J[2]) * (1 + std::abs(motion.kinematics().of(row.body[k]).angle));
  }
  return scale;
}

}  // namespace hstar
