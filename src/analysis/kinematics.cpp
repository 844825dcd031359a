// src/analysis/kinematics.cpp: position, velocity, acceleration analysis and reactions of driven mechanisms.
#include "hstar/kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/driven_motion.hpp"
#include "analysis/statics/coordinates.hpp"
#include "formulation/consistent_restart.hpp"
#include "hstar/elimination.hpp"
#include "math/tolerances.hpp"
#include "mechanism/spatial/coordinates.hpp"

namespace hstar {
namespace {

constexpr double longest_turn = 0.5;  ///< [rad] of a body in space in one step
constexpr double holds = 1e-10;       ///< of the terms of a row: what a row that was not imposed may be off by

/// A mechanism without contacts and friction, in its only mode.
class Linkage {
 public:
  explicit Linkage(const ModelSpec& model)
      : system(build_system(model)),
        equations(system),
        restart(equations, math::dependent_row),
        y(system->initial_state()) {
    if (system->nq == 0) throw InputError("the model has no free bodies; kinematics needs bodies and joints");
    mode.closed.assign(system->contacts.size(), 0);
    mode.friction.assign(system->frictions.size(), {});
  }

  /// Elimination of the Jacobian at a good position y, and the sizes of its rows' terms there; its sign is that of the
  /// determinant.
  void eliminate(double t) {
    equations.rows.choose(mode);
    equations.motion.evaluate(t, y.data());
    equations.rows.fill();
    const System& s = *system;
    const auto n = static_cast<std::size_t>(s.nv);
    jacobian.assign(n * static_cast<std::size_t>(s.rows), 0.0);
    scale.resize(static_cast<std::size_t>(s.rows));
    const double size = std::max(s.length, equations.motion.kinematics().extent());
    for (int i = 0; i < s.rows; ++i) {
      scale[static_cast<std::size_t>(i)] = position_scale(equations.motion, equations.rows[i], size);
      for (std::size_t k = 0; k < 2; ++k) {
        const auto b = static_cast<std::size_t>(equations.rows[i].body[k]);
        if (s.bodies[b].prescribed) continue;
        for (int c = 0; c < s.bodies[b].dofs; ++c) {
          const double mass = equations.motion.mass()[s.slot(b, c)];
          jacobian[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(s.bodies[b].dof + c)] +=
              equations.rows[i].J[k][c] / (mass > 0 ? std::sqrt(mass) : 1.0);
        }
      }
    }
    elimination.factor(jacobian, static_cast<std::size_t>(s.rows), n, {.tolerance = math::dependent_row});
  }
  /// Sign of det Phi_q of a square Jacobian of full rank.
  [[nodiscard]] int orientation() const {
    int sign = 1;
    for (const double p : elimination.pivots()) sign *= p > 0 ? 1 : -1;
    return sign * parity(elimination.row_order()) * parity(elimination.column_order());
  }
  /// Consistent position, velocity, acceleration and multipliers at t from the estimate in y.
  bool solve(double t) {
    if (!restart.positions(mode, t, y.data(), 12) || !restart.stop(mode, t, y.data())) return false;
    equations.motion.evaluate(t, y.data());
    follow_turns(*system, equations.motion.kinematics(), y.data());
    equations.evaluate(t, y.data());
    equations.rows.choose(mode);
    equations.rows.fill();
    equations.rows.find_redundant(math::dependent_row);
    if (!equations.solve(mode)) return false;
    // Rows that had lost rank were not imposed: where the drivers ask for the impossible they stay violated.
    phi.resize(static_cast<std::size_t>(system->rows));
    system->joint_positions(equations.motion.kinematics(), phi.data());
    for (std::size_t i = 0; i < phi.size(); ++i)
      if (!(std::abs(phi[i]) <= holds * scale[i])) return false;
    return true;
  }
  /// The row that was left with the smallest pivot, or without one.
  [[nodiscard]] std::string weakest_row() const {
    const auto rank = elimination.rank();
    const auto all = elimination.row_order();
    return equations.rows.name(all[rank < all.size() ? rank : all.size() - 1]);
  }

  std::shared_ptr<const System> system;
  ModeEquations equations;
  ConsistentRestart restart;
  Mode mode;
  std::vector<double> y, jacobian, phi, scale;
  Elimination elimination;

 private:
  static int parity(std::span<const int> order) {
    std::vector<char> seen(order.size(), 0);
    int sign = 1;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = i; !seen[j]; j = static_cast<std::size_t>(order[j])) {
        seen[j] = 1;
        if (static_cast<std::size_t>(order[j]) != i) sign = -sign;
      }
    return sign;
  }
};

std::vector<std::string> free_coordinates(const Linkage& m) {
  std::vector<std::string> names;
  const Coordinates coordinates(*m.system);
  for (const int j : m.elimination.independent()) names.push_back(coordinates.freedom_name(j));
  return names;
}

void assemble(Linkage& m, double t) {
  m.restart.assemble(m.mode, t, m.y.data());
  if (!m.restart.velocities(m.mode, t, m.y.data()))
    throw InputError("inconsistent initial velocities: " + m.restart.why());
  m.eliminate(t);
}

class Analysis {
 public:
  Analysis(const ModelSpec& model, const DrivenState& seen)
      : m_(model), seen_(seen), start_(model.simulation.start), end_(model.simulation.end) {
    interval_ = model.simulation.output > 0 ? model.simulation.output : (end_ - start_) / 200;
    headings();
  }

  KinematicsResult run() {
    assemble(m_, start_);
    if (const auto free = free_coordinates(m_); !free.empty())
      throw InputError(
          fmt::format("the drivers leave {} free; kinematics needs a driver for each degree of freedom "
                      "({} {}, {} independent constraints)",
                      fmt::join(free, ", "), m_.system->nv, m_.system->is_spatial() ? "velocities" : "coordinates",
                      m_.elimination.rank()));
    square_ = m_.system->rows == m_.system->nv;
    if (!square_)
      result_.notices.emplace_back(
          "constraints are redundant: reactions of least norm, no change of branch looked for");
    if (!m_.solve(start_)) throw InputError("the constraints are singular at the start: " + m_.weakest_row());
    t_ = start_;
    keep();
    record();
    const auto count = static_cast<long>(std::ceil((end_ - start_) / interval_ - 1e-9));
    for (long k = 1; k <= count; ++k)
      if (!advance(k == count ? end_ : start_ + static_cast<double>(k) * interval_)) return std::move(result_);
    result_.reached_end = true;
    return std::move(result_);
  }

 private:
  void headings() {
    const System& s = *m_.system;
    const auto names = s.state_names(), units = s.state_units();
    result_.columns = {"t"};
    result_.units = {"s"};
    for (int i = 0; i < s.nq + s.nv; ++i) {
      result_.columns.push_back(names[i]);
      result_.units.push_back(units[i]);
    }
    const bool space = s.is_spatial();
    constexpr const char* planar_acceleration[] = {"ax", "ay", "alpha"};
    constexpr const char* planar_reaction[] = {"fx", "fy", "torque"};
    for (const Body& b : s.bodies)
      for (int c = 0; c < b.dofs; ++c) {
        result_.columns.push_back(b.name + "." + (space ? spatial_acceleration_words[c] : planar_acceleration[c]));
        result_.units.emplace_back(s.turns(c) ? "rad/s^2" : "m/s^2");
      }
    for (const auto& joint : s.joints)
      for (int c = 0; c < s.columns; ++c) {
        result_.columns.push_back(joint->name + "." + (space ? spatial_wrench_words[c] : planar_reaction[c]));
        result_.units.emplace_back(s.turns(c) ? "N m" : "N");
      }
    if (!s.contacts.empty()) result_.notices.emplace_back("contacts are left out of kinematics");
    if (!s.frictions.empty()) result_.notices.emplace_back("friction is left out of the reactions of kinematics");
  }

  void record() {
    const System& s = *m_.system;
    const Kinematics& k = m_.equations.motion.kinematics();
    std::vector<double> written = m_.y, row{t_};
    if (s.is_spatial()) s.as_written(written.data());
    row.insert(row.end(), written.begin(), written.begin() + s.nq + s.nv);
    for (std::size_t b = 0; b < s.bodies.size(); ++b) {
      const double* a = m_.equations.acceleration().data() + s.slot(b, 0);
      if (s.bodies[b].dofs == 6) {  // angular acceleration in global axes, as measures have it
        const Vec3 alpha = k.spatial[b].global({a[3], a[4], a[5]});
        row.insert(row.end(), a, a + 3);
        row.insert(row.end(), alpha.begin(), alpha.end());
      } else {
        row.insert(row.end(), a, a + s.bodies[b].dofs);
      }
    }
    for (std::size_t j = 0; j < s.joints.size(); ++j) {
      const double* lambda = m_.equations.joint_multipliers(static_cast<int>(j));
      if (s.is_spatial()) {
        const auto force = s.joints[j]->wrench(k, &m_.equations.rows[s.joint_row[j]], lambda);
        row.insert(row.end(), force.begin(), force.end());
      } else {
        const auto force = s.joints[j]->reaction(k, lambda);
        row.insert(row.end(), force.begin(), force.end());
      }
    }
    result_.rows.push_back(std::move(row));
    seen_(t_, m_.y, accelerations());
  }

  [[nodiscard]] std::vector<double> accelerations() const {
    const System& s = *m_.system;
    std::vector<double> out(static_cast<std::size_t>(s.nv));
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
      for (int c = 0; c < s.bodies[b].dofs; ++c) out[s.bodies[b].dof + c] = m_.equations.acceleration()[s.slot(b, c)];
    return out;
  }

  /// Remembers the position just solved as the one to predict from.
  void keep() {
    good_ = m_.y;
    acceleration_ = accelerations();
    m_.eliminate(t_);
    m_.equations.evaluate(t_, m_.y.data());
    orientation_ = square_ && m_.elimination.rank() == static_cast<std::size_t>(m_.system->nv) ? m_.orientation() : 0;
  }

  /// From the last good position to t: predictor and Newton-Raphson. Only a solution near to the prediction is
  /// taken: a far one is another branch.
  bool try_to(double t) {
    const System& s = *m_.system;
    const int n = s.nq;
    const double h = t - t_;
    m_.y = good_;
    std::vector<double> move(s.slots(), 0.0);
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
      for (int c = 0; c < s.bodies[b].dofs; ++c) {
        const auto k = static_cast<std::size_t>(s.bodies[b].dof + c), v = static_cast<std::size_t>(n) + k;
        move[s.slot(b, c)] = h * (good_[v] + 0.5 * h * acceleration_[k]);
        // Three coordinates of an orientation hide whole turns: no step may come near to one.
        if (s.is_spatial() && s.turns(c) && std::abs(move[s.slot(b, c)]) > longest_turn) return false;
        m_.y[v] += h * acceleration_[k];
      }
    s.displace(move.data(), 1.0, m_.y.data());
    double step = 0;
    for (int i = 0; i < n; ++i) step = std::max(step, std::abs(m_.y[i] - good_[i]));
    const std::vector<double> predicted(m_.y.begin(), m_.y.begin() + n);
    if (!m_.solve(t)) return false;
    double miss = 0;
    for (int i = 0; i < n; ++i) miss = std::max(miss, std::abs(m_.y[i] - predicted[i]));
    return miss <= 0.1 * step + 1e-12;
  }

  struct Position {
    double t = 0;
    std::vector<double> y, acceleration;
    int orientation = 0;
  };
  [[nodiscard]] Position here() const { return {t_, good_, acceleration_, orientation_}; }
  void go_to(const Position& p) {
    t_ = p.t;
    m_.y = good_ = p.y;
    acceleration_ = p.acceleration;
    orientation_ = p.orientation;
  }

  /// The determinant changed its sign since `before`: the time by bisection, then back to where we were.
  void narrow_down(const Position& before) {
    const Position after = here();
    double beyond = after.t;
    go_to(before);
    while (beyond - t_ > 1e-12 * std::max(interval_, std::abs(t_))) {
      const Position last = here();
      const double middle = 0.5 * (t_ + beyond);
      if (!try_to(middle)) break;
      t_ = middle;
      keep();
      if (orientation_ * before.orientation > 0) continue;
      beyond = middle;
      go_to(last);
    }
    m_.y = good_;
    m_.eliminate(t_);
    result_.singular.push_back({0.5 * (t_ + beyond), 0.5 * (beyond - t_), m_.weakest_row(), true});
    go_to(after);
    m_.solve(after.t);
  }

  /// No solution next to a singular position: is there one beyond it, near to the prediction?
  bool hop() {
    for (const double far : {1e-6, 1e-4, 1e-2}) {
      const double t = t_ + far * interval_;
      if (t >= end_ || !try_to(t)) continue;
      const double from = t_;
      t_ = t;
      keep();
      result_.singular.push_back({0.5 * (from + t), 0.5 * (t - from), m_.weakest_row(), true});
      return true;
    }
    return false;
  }

  bool advance(double target) {
    double h = target - t_;
    if (t_ >= target) return true;  // a hop went beyond this report time
    while (t_ < target) {
      const double t = std::min(t_ + h, target);
      if (try_to(t)) {
        const Position before = here();
        t_ = t;
        keep();
        if (before.orientation * orientation_ < 0) narrow_down(before);
        h *= 2;
        continue;
      }
      h *= 0.5;
      if (h < 1e-13 * std::max(interval_, std::abs(t_)) || t_ + h == t_) {
        if (hop()) {
          h = target - t_;
          continue;
        }
        m_.y = good_;
        m_.eliminate(t_);
        // Next to a lock both branches meet within round-off, which looks like passing from one to the other.
        std::erase_if(result_.singular, [&](const SingularPosition& s) { return t_ - s.t < 1e-9 * interval_; });
        result_.singular.push_back({t_, h, m_.weakest_row(), false});
        return false;
      }
    }
    m_.equations.evaluate(t_, m_.y.data());
    if (!m_.solve(t_)) return false;
    record();
    return true;
  }

  Linkage m_;
  const DrivenState& seen_;
  KinematicsResult result_;
  double start_, end_, interval_, t_ = 0;
  bool square_ = false;
  int orientation_ = 0;
  std::vector<double> good_, acceleration_;
};

}  // namespace

KinematicsResult follow_drivers(const ModelSpec& model, const DrivenState& seen) { return Analysis(model, seen).run(); }

KinematicsResult analyse_kinematics(const ModelSpec& model) {
  return follow_drivers(model, [](double, std::span<const double>, std::span<const double>) {});
}

}  // namespace hstar
