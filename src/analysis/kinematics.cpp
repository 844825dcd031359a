// src/analysis/kinematics.cpp: position, velocity, acceleration analysis and reactions of driven mechanisms.
#include "hstar/kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formulation/consistent_restart.hpp"
#include "hstar/elimination.hpp"

namespace hstar {
namespace {

/// Pivots of the Jacobian in the metric of kinetic energy below this part of the first count as rank lost.
constexpr double rank_tolerance = 1e-9;

/// A mechanism without contacts and friction, in its only mode.
class Linkage {
 public:
  explicit Linkage(const ModelSpec& model)
      : system(build_system(model)), equations(system), restart(equations), y(system->initial_state()) {
    if (system->is_spatial()) throw InputError("kinematics is not for spatial models yet; use run");
    if (system->nq == 0) throw InputError("the model has no free bodies; kinematics needs bodies and joints");
    mode.closed.assign(system->contacts.size(), 0);
    mode.friction.assign(system->frictions.size(), {});
  }

  /// Elimination of the Jacobian at the kinematics of y; its sign is that of the determinant.
  void eliminate(double t) {
    equations.choose_rows(mode);
    equations.evaluate_kinematics(t, y.data());
    equations.fill_rows(mode);
    const System& s = *system;
    const auto n = static_cast<std::size_t>(s.nq);
    jacobian.assign(n * static_cast<std::size_t>(s.rows), 0.0);
    for (int i = 0; i < s.rows; ++i)
      for (std::size_t k = 0; k < 2; ++k) {
        const auto b = static_cast<std::size_t>(equations.row(i).body[k]);
        if (s.bodies[b].prescribed) continue;
        for (int c = 0; c < s.bodies[b].dofs; ++c) {
          const double mass = equations.mass()[3 * b + static_cast<std::size_t>(c)];
          jacobian[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(s.bodies[b].dof + c)] +=
              equations.row(i).J[k][c] / (mass > 0 ? std::sqrt(mass) : 1.0);
        }
      }
    elimination.factor(jacobian, static_cast<std::size_t>(s.rows), n, {.tolerance = rank_tolerance});
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
    equations.evaluate(t, y.data());
    equations.choose_rows(mode);
    equations.fill_rows(mode);
    equations.find_redundant();
    if (!equations.solve(mode)) return false;
    // Rows that had lost rank were not imposed: where the drivers ask for the impossible they stay violated.
    phi.resize(static_cast<std::size_t>(system->rows));
    system->joint_positions(equations.kinematics(), phi.data());
    for (const double x : phi)
      if (!(std::abs(x) <= 1e-10)) return false;
    return true;
  }
  /// The row that was left with the smallest pivot, or without one.
  [[nodiscard]] std::string weakest_row() const {
    const auto rank = elimination.rank();
    const auto all = elimination.row_order();
    return equations.row_name(all[rank < all.size() ? rank : all.size() - 1]);
  }

  std::shared_ptr<const System> system;
  ModeEquations equations;
  ConsistentRestart restart;
  Mode mode;
  std::vector<double> y, jacobian, phi;
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
  for (const int j : m.elimination.independent()) names.push_back(m.system->state_names()[static_cast<std::size_t>(j)]);
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
  explicit Analysis(const ModelSpec& model) : m_(model), start_(model.simulation.start), end_(model.simulation.end) {
    interval_ = model.simulation.output > 0 ? model.simulation.output : (end_ - start_) / 200;
    headings();
  }

  KinematicsResult run() {
    assemble(m_, start_);
    if (const auto free = free_coordinates(m_); !free.empty())
      throw InputError(
          fmt::format("the drivers leave {} free; kinematics needs a driver for each degree of freedom "
                      "({} coordinates, {} independent constraints)",
                      fmt::join(free, ", "), m_.system->nq, m_.elimination.rank()));
    square_ = m_.system->rows == m_.system->nq;
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
    for (int i = 0; i < 2 * s.nq; ++i) {
      result_.columns.push_back(names[static_cast<std::size_t>(i)]);
      result_.units.push_back(units[static_cast<std::size_t>(i)]);
    }
    for (const Body& b : s.bodies)
      for (int c = 0; c < b.dofs && !b.prescribed; ++c) {
        result_.columns.push_back(b.name + (c == 0 ? ".ax" : c == 1 ? ".ay" : ".alpha"));
        result_.units.emplace_back(c < 2 ? "m/s^2" : "rad/s^2");
      }
    for (const auto& joint : s.joints)
      for (const char* part : {".fx", ".fy", ".torque"}) {
        result_.columns.push_back(joint->name + part);
        result_.units.emplace_back(part[1] == 'f' ? "N" : "N m");
      }
    if (!s.contacts.empty()) result_.notices.emplace_back("contacts are left out of kinematics");
    if (!s.frictions.empty()) result_.notices.emplace_back("friction is left out of the reactions of kinematics");
  }

  void record() {
    const System& s = *m_.system;
    std::vector<double> row{t_};
    row.insert(row.end(), m_.y.begin(), m_.y.begin() + 2 * s.nq);
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
      for (int c = 0; c < s.bodies[b].dofs && !s.bodies[b].prescribed; ++c)
        row.push_back(m_.equations.acceleration()[3 * b + static_cast<std::size_t>(c)]);
    for (std::size_t j = 0; j < s.joints.size(); ++j)
      for (const double x :
           s.joints[j]->reaction(m_.equations.kinematics(), m_.equations.joint_multipliers(static_cast<int>(j))))
        row.push_back(x);
    result_.rows.push_back(std::move(row));
  }

  /// Remembers the position just solved as the one to predict from.
  void keep() {
    const System& s = *m_.system;
    good_ = m_.y;
    acceleration_.assign(static_cast<std::size_t>(s.nq), 0.0);
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
      for (int c = 0; c < s.bodies[b].dofs && !s.bodies[b].prescribed; ++c)
        acceleration_[static_cast<std::size_t>(s.bodies[b].dof + c)] =
            m_.equations.acceleration()[3 * b + static_cast<std::size_t>(c)];
    m_.eliminate(t_);
    m_.equations.evaluate(t_, m_.y.data());
    orientation_ = square_ && m_.elimination.rank() == static_cast<std::size_t>(s.nq) ? m_.orientation() : 0;
  }

  /// From the last good position to t: predictor and Newton-Raphson. Only a solution near to the prediction is
  /// taken: a far one is another branch.
  bool try_to(double t) {
    const int n = m_.system->nq;
    const double h = t - t_;
    m_.y = good_;
    double step = 0;
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i), v = static_cast<std::size_t>(n + i);
      const double move = h * (good_[v] + 0.5 * h * acceleration_[k]);
      m_.y[k] += move;
      m_.y[v] += h * acceleration_[k];
      step = std::max(step, std::abs(move));
    }
    const std::vector<double> predicted(m_.y.begin(), m_.y.begin() + n);
    if (!m_.solve(t)) return false;
    double miss = 0;
    for (int i = 0; i < n; ++i)
      miss = std::max(miss, std::abs(m_.y[static_cast<std::size_t>(i)] - predicted[static_cast<std::size_t>(i)]));
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
    while (beyond - t_ > 1e-12 * std::max(1.0, std::abs(t_))) {
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
      if (h < 1e-13 * std::max(1.0, std::abs(t_)) || t_ + h == t_) {
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
  KinematicsResult result_;
  double start_, end_, interval_, t_ = 0;
  bool square_ = false;
  int orientation_ = 0;
  std::vector<double> good_, acceleration_;
};

}  // namespace

KinematicsResult analyse_kinematics(const ModelSpec& model) { return Analysis(model).run(); }

}  // namespace hstar
