// src/formulation/linear_mode.cpp
#include "formulation/linear_mode.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formulation/tolerances.hpp"

namespace hstar {
namespace {

constexpr int most_coordinates = 12;    ///< beyond it the dense product does not pay
constexpr std::size_t kept_modes = 64;  ///< six units that stick or slide each by itself

/// No row of a joint ever changes, and nothing but coordinates and velocities moves.
bool has_constant_joints(const System& s) {
  return !s.is_spatial() && s.nq > 0 && s.ns == 0 &&
         std::all_of(s.joint_constant.begin(), s.joint_constant.end(), [](char constant) { return constant != 0; });
}

bool has_constant_coefficients(const System& s, const Mode& mode) {
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (mode.closed[c] == skimming || (mode.closed[c] && !s.contact_constant[c])) return false;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const FrictionMode& f = mode.friction[u];
    if (unit.contact >= 0 && !mode.closed[unit.contact]) continue;
    const bool slips = f.slide == Slide::slip;
    if ((f.slide != Slide::none || unit.law.viscous() > 0) && !unit.velocity_is_linear) return false;
    if (slips && !(unit.law.is_constant() && unit.mu_is_number())) return false;
    if (unit.normal_force && !unit.normal_force->constant) return false;
    if (unit.normal_force || unit.contact >= 0) continue;
    const Joint& joint = *s.joints[unit.joint];
    if (!joint.normal_force_is_linear() || (joint.side_row() >= 0 && f.side == 0)) return false;
  }
  return true;
}

}  // namespace

Linearity linearity(const System& s, const Mode& mode) {
  if (!has_constant_joints(s) || !has_constant_coefficients(s, mode)) return Linearity::none;
  const bool affine = std::all_of(s.force_affine.begin(), s.force_affine.end(), [](char is) { return is != 0; });
  return affine ? Linearity::affine : Linearity::constant;
}

LinearMode::LinearMode(const System& system, int most_rows)
    : system_(system), nq_(system.nq), ny_(2 * system.nq), units_(static_cast<int>(system.frictions.size())) {
  const System& s = system;
  mode_.closed.assign(s.contacts.size(), 0);
  mode_.friction.assign(s.frictions.size(), {});
  const auto n = 3 * s.bodies.size(), most = static_cast<std::size_t>(nq_ + most_rows + 2 * units_);
  for (std::size_t i = 0; i < s.forces.size(); ++i)
    if (!s.force_affine[i]) rest_.push_back(static_cast<int>(i));
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) place_.push_back(static_cast<int>(3 * b) + c);
  z_.resize(most * static_cast<std::size_t>(ny_ + 2));
  if (!rest_.empty()) r_.resize(most * static_cast<std::size_t>(nq_));
  s.prepare(kin_);
  y_.assign(s.size(), 0.0);
  load_.resize(n);
  base_.resize(n);
  rhs_.resize(static_cast<std::size_t>(most_rows));
  mu_.resize(s.frictions.size());
  known_.resize(s.frictions.size());
  columns_.resize(n * static_cast<std::size_t>(ny_ + 2));
  s.update(kin_, 0.0, y_.data());
  for (std::size_t i = 0; i < s.forces.size(); ++i)
    if (s.force_affine[i]) s.forces[i]->slopes(kin_, slopes_);  // for its size
}

void LinearMode::affine_loads(double t, double* f) {
  const System& s = system_;
  s.update(kin_, t, y_.data());
  std::fill(f, f + 3 * s.bodies.size(), 0.0);
  for (std::size_t i = 0; i < s.forces.size(); ++i)
    if (s.force_affine[i]) s.forces[i]->apply(kin_, f);
}

void LinearMode::tabulate(ModeEquations& equations, const Mode& mode) {
  const System& s = system_;
  mode_ = mode;
  linear_ = false;
  rates_.reset();
  if (!has_constant_coefficients(s, mode)) return;
  equations.rows.choose(mode);
  equations.motion.evaluate(0.0, y_.data());
  equations.rows.fill();
  // Forces of contacts that depend on each other are shared beside these rows (contact_shares.hpp).
  if (equations.rows.find_redundant() > 0) return;
  rows_ = equations.rows.count();
  for (std::size_t u = 0; u < s.frictions.size(); ++u) mu_[u] = s.frictions[u].law.coefficients().mu_kinetic;

  // Loads by column: y (3 * bodies each), t, 1.
  const auto n = 3 * s.bodies.size(), ny = static_cast<std::size_t>(ny_);
  std::fill(columns_.begin(), columns_.end(), 0.0);
  double* by_time = columns_.data() + ny * n;
  double* constant = by_time + n;
  affine_loads(formulation::affine_over, by_time);
  affine_loads(0.0, constant);
  for (std::size_t i = 0; i < n; ++i) by_time[i] = (by_time[i] - constant[i]) / formulation::affine_over;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (std::size_t c = 0; c < 2; ++c) constant[3 * b + c] += s.bodies[b].mass * s.gravity[c];
  slopes_.clear();
  for (std::size_t i = 0; i < s.forces.size(); ++i)
    if (s.force_affine[i]) s.forces[i]->slopes(kin_, slopes_);
  const auto add_slopes = [&](const std::vector<ForceSlopes::Entry>& entries, int offset) {
    for (const auto& e : entries) {
      const Body& body = s.bodies[e.column / 3];
      if (e.column % 3 >= body.dofs) continue;  // prescribed: in the column of t
      columns_[static_cast<std::size_t>(offset + body.dof + e.column % 3) * n + static_cast<std::size_t>(e.row)] +=
          e.value;
    }
  };
  add_slopes(slopes_.by_position, 0);
  add_slopes(slopes_.by_velocity, nq_);

  const auto stride = ny + 2;
  for (std::size_t j = 0; j < stride; ++j) {
    // Friction that does not depend on reactions: viscous, or of a prescribed normal force.
    double* load = columns_.data() + j * n;
    const bool is_velocity = j >= static_cast<std::size_t>(nq_) && j < ny, is_constant = j == ny + 1;
    for (std::size_t u = 0; u < s.frictions.size(); ++u) {
      const FrictionUnit& unit = s.frictions[u];
      const FrictionMode& f = mode.friction[u];
      known_[u] = 0;
      if (unit.contact >= 0 && !mode.closed[unit.contact]) continue;
      if (f.slide != Slide::stick && unit.law.viscous() > 0) {
        const Row row = equations.motion.tangent_row(static_cast<int>(u));
        const int place = is_velocity ? place_[j - static_cast<std::size_t>(nq_)] : -1;
        double speed = is_constant ? -row.nu : 0.0;
        for (std::size_t i = 0; i < 2; ++i)
          if (place >= 0 && place / 3 == row.body[i]) speed += row.J[i][place % 3];
        known_[u] = -unit.law.viscous() * speed;
      }
      if (f.slide == Slide::slip && unit.normal_force && is_constant)
        known_[u] -= f.direction * mu_[u] * unit.lever * std::max(unit.normal_force->value, 0.0);
      if (known_[u] == 0) continue;
      equations.motion.tangent_row(static_cast<int>(u)).add(known_[u], load, equations.system().columns);
    }
    std::copy(load, load + n, load_.begin());
    tabulate_column(equations, mode, is_constant, z_.data() + j, stride);
  }
  if (rest_.empty()) {
    if (linear_) find_rates();
    return;
  }
  std::fill(known_.begin(), known_.end(), 0.0);
  for (std::size_t i = 0; i < place_.size(); ++i) {
    std::fill(load_.begin(), load_.end(), 0.0);
    load_[place_[i]] = 1;
    tabulate_column(equations, mode, false, r_.data() + i, static_cast<std::size_t>(nq_));
  }
}

void LinearMode::find_rates() {
  // A coordinate's rate is its velocity, and a velocity's the row of Z.
  const auto nq = static_cast<std::size_t>(nq_), ny = static_cast<std::size_t>(ny_);
  std::vector<double> by_y(ny * ny), constant(ny), by_time(ny);
  for (std::size_t i = 0; i < nq; ++i) {
    const double* z = z_.data() + i * (ny + 2);
    by_y[i * ny + nq + i] = 1;
    std::copy(z, z + ny, by_y.begin() + static_cast<std::ptrdiff_t>((nq + i) * ny));
    by_time[nq + i] = z[ny];
    constant[nq + i] = z[ny + 1];
  }
  rates_.emplace(std::move(by_y), std::move(constant), std::move(by_time));
}

void LinearMode::tabulate_column(ModeEquations& equations, const Mode& mode, bool constant, double* matrix,
                                 std::size_t stride) {
  // The impact problem is the same equations for any load and right-hand side.
  const System& s = system_;
  for (int i = 0; i < rows_; ++i) rhs_[i] = constant ? equations.rows[i].gamma : 0.0;
  linear_ = equations.solve_for(mode, load_.data(), rhs_.data(), mu_.data()) && (linear_ || matrix == z_.data());
  const auto put = [&](int place, double value) { matrix[static_cast<std::size_t>(place) * stride] = value; };
  // What is held does not move: an acceleration of round-off would carry it away with the square of time.
  for (double& force : load_) force = std::abs(force);  // (the sizes of the forces, from here on)
  for (int i = 0; i < rows_; ++i)
    for (std::size_t b = 0; b < 2; ++b)
      for (int c = 0; c < 3; ++c)
        load_[3 * equations.rows[i].body[b] + c] += std::abs(equations.rows[i].J[b][c] * equations.multipliers()[i]);
  for (int i = 0; i < nq_; ++i) {
    const int place = place_[i];
    const Body& body = s.bodies[place / 3];
    const double a = equations.acceleration()[place], inertia = place % 3 < 2 ? body.mass : body.inertia;
    put(i, std::abs(a) * inertia > formulation::cancels * load_[place] || !(inertia > 0) ? a : 0.0);
  }
  for (int i = 0; i < rows_; ++i) put(nq_ + i, equations.multipliers()[i]);
  for (int u = 0; u < units_; ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const bool acts = unit.contact < 0 || mode.closed[unit.contact];
    put(friction_place(u), acts ? equations.friction_force(u) + known_[u] : 0.0);
    put(normal_place(u), !unit.normal_force ? equations.normal_force(u)
                         : constant         ? unit.lever * std::max(unit.normal_force->value, 0.0)
                                            : 0.0);
  }
}

void LinearMode::other_forces(const Kinematics& k, double* f) const {
  std::fill(f, f + 3 * system_.bodies.size(), 0.0);
  for (const int i : rest_) system_.forces[i]->apply(k, f);
}

void LinearMode::product(int first, int last, double t, const double* y, const double* f, double* out) const {
  const double* z = z_.data() + first * (ny_ + 2);
  for (int i = first; i < last; ++i, z += ny_ + 2) {
    double sum = z[ny_ + 1] + z[ny_] * t;
    for (int j = 0; j < ny_; ++j) sum += z[j] * y[j];
    *out++ = sum;
  }
  if (rest_.empty()) return;
  out -= last - first;
  const double* r = r_.data() + first * nq_;
  for (int i = first; i < last; ++i, r += nq_, ++out)
    for (int j = 0; j < nq_; ++j) *out += r[j] * f[place_[j]];
}

bool LinearMode::is_constant(int place) const {
  const double* z = z_.data() + place * (ny_ + 2);
  return rest_.empty() && std::all_of(z, z + ny_ + 1, [](double x) { return x == 0; });
}

bool LinearModes::possible(const System& s) { return s.nq <= most_coordinates && has_constant_joints(s); }

LinearModes::LinearModes(const std::shared_ptr<const System>& system) : equations_(system, false) {
  add();
  table_[0]->tabulate(equations_, Mode(table_[0]->mode()));
}

void LinearModes::add() {
  const System& s = equations_.system();
  table_.push_back(std::make_unique<LinearMode>(s, s.rows + static_cast<int>(s.contacts.size()) + s.sliding_rows()));
}

void LinearModes::choose(const Mode& mode) {
  for (std::size_t i = 0; i < table_.size(); ++i)
    if (table_[i]->mode() == mode) {
      last_ = i;
      return;
    }
  if (table_.size() < kept_modes) {
    last_ = table_.size();
    add();
  } else {
    last_ = next_;
    next_ = (next_ + 1) % kept_modes;
  }
  table_[last_]->tabulate(equations_, mode);
}

}  // namespace hstar
