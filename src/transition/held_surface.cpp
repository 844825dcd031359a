// src/transition/held_surface.cpp
#include "transition/held_surface.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/held_branch.hpp"
#include "transition/state_place.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

/// Rate of a signal; of a velocity its acceleration. False: it is no entry of the state.
bool rate_of(const SignalRef& r, const System& s, const Kinematics& k, const double* ydot, double& rate) {
  if (r.kind == SignalKind::time) {
    rate = 1;
    return true;
  }
  const int at = place_in_state(r, s);
  if (at < 0) return false;
  // (Coordinates and velocities of a body in the plane stand in the same order.)
  const Body* body = at < s.nq ? &s.bodies[r.index] : nullptr;
  rate = body ? k.y[s.nq + body->dof + (at - body->coordinate)] : ydot[at];
  return true;
}

/// Second derivative of a signal whose first one the forces do not change.
bool second_rate_of(const SignalRef& r, const System& s, const Kinematics& k, const double* ydot, double& second) {
  second = 0;
  if (r.kind == SignalKind::time) return true;
  const int at = place_in_state(r, s);
  if (at < 0) return false;
  if (at < s.nq) {
    const Body& body = s.bodies[r.index];
    second = ydot[s.nq + body.dof + (at - body.coordinate)];
    return true;
  }
  if (at < s.nq + s.nv) return false;
  const BoundExpression& rate = s.states[at - s.nq - s.nv].rate;
  if (rate.constant) return true;
  std::array<double, max_signals> vars{}, rates{}, still{};
  for (std::size_t i = 0; i < rate.refs.size(); ++i) {
    vars[i] = read_kinematic(rate.refs[i], k);
    if (!rate_of(rate.refs[i], s, k, ydot, rates[i])) return false;
  }
  second = rate.formula.jet(vars.data(), rates.data(), still.data(), k.branches).rate;
  return true;
}

}  // namespace

bool HeldSurface::begin(std::size_t first, double t, std::span<const double> y, const std::vector<double>& ydot,
                        Kinematics& k) {
  if (switches_[first].timed || !switches_[first].can_be_held) return false;
  degree_ = 1;
  // Of the same surface are conditions in a fixed proportion, wherever they are asked.
  double size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) size = std::max({size, std::abs(y[i]), std::abs(ydot[i])});
  std::vector<double> elsewhere(y.begin(), y.end());
  std::array<std::vector<double>, 2> conditions;
  double part = 0;
  for (std::vector<double>& g : conditions) {
    for (double& value : elsewhere) {
      part = std::fmod(part + 0.6180339887, 1.0);  // (the golden ratio: no two are alike)
      value += size * (part - 0.5);
    }
    system_.update(k, t, elsewhere.data());
    for (std::size_t i = 0; i < switches_.count(); ++i) g.push_back(switches_[i].condition(k));
  }
  system_.update(k, t, y.data());
  members_.assign(1, {first, 1.0});
  const auto& [one, other] = conditions;
  for (std::size_t i = 0; i < switches_.count(); ++i) {
    if (i == first || switches_[i].timed || !switches_[i].can_be_held) continue;
    const double ratio = one[i] / one[first];
    if (std::abs(other[i] - ratio * other[first]) <= tolerances::jump * std::abs(other[i]) && ratio != 0)
      members_.emplace_back(i, std::copysign(1.0, ratio));
  }
  return true;
}

void HeldSurface::share(double of_positive) {
  share_ = of_positive;
  for (const auto& [i, side] : members_) switches_.hold(i, held_branch(of_positive, side));
}

bool HeldSurface::rates(int degree, const Kinematics& k, const double* ydot, double* of_variables) const {
  const BoundExpression& e = leader().formula.bound;
  for (std::size_t i = 0; i < e.refs.size(); ++i) {
    const bool told = degree == 1 ? rate_of(e.refs[i], system_, k, ydot, of_variables[i])
                                  : second_rate_of(e.refs[i], system_, k, ydot, of_variables[i]);
    if (!told) return false;
  }
  return true;
}

bool HeldSurface::derivative(int degree, const Kinematics& k, const double* ydot, double& value) const {
  const BoundExpression& e = leader().formula.bound;
  std::array<double, max_signals> vars{}, moving{};
  if (!rates(degree, k, ydot, moving.data())) return false;
  for (std::size_t i = 0; i < e.refs.size(); ++i) vars[i] = read_kinematic(e.refs[i], k);
  value = leader().condition_rate(vars.data(), moving.data());
  return true;
}

bool HeldSurface::settle(double by_negative, double by_positive, const Kinematics& k, const double* terms) {
  jump_ = by_positive - by_negative;
  if (jump_ != 0) share(-by_negative / jump_);
  std::array<double, max_signals> moving{};
  std::array<Expression::Bounds, max_signals> at, within;
  if (!rates(degree_, k, terms, moving.data())) return false;
  const BoundExpression& e = leader().formula.bound;
  for (std::size_t i = 0; i < e.refs.size(); ++i) {
    const double value = read_kinematic(e.refs[i], k);
    at[i] = {value, value};
    within[i] = {-std::abs(moving[i]), std::abs(moving[i])};
  }
  const double zero = tolerances::zero_force * leader().enclose(at.data(), within.data()).rate.hi;
  return by_negative >= 0 && by_positive <= 0 && jump_ < -zero;
}

bool HeldSurface::look_deeper() {
  // Of a condition that is linear in what it reads, g'' has no more terms than these.
  return degree_ == 1 && leader().degree_of_condition() == 1 && ++degree_ == 2;
}

double HeldSurface::left_rate(const Kinematics& k, const double* ydot) const {
  double rate = 0;
  return derivative(1, k, ydot, rate) ? rate : 0;
}

bool HeldSurface::is_left(const Kinematics& k) const { return std::abs(left(k)) > leader().zero(k); }

void HeldSurface::lose(const Kinematics& k) {
  for (const auto& [i, side] : members_) switches_.hold(i, std::copysign(1.0, switches_[i].condition(k)));
  members_.clear();
}

void HeldSurface::end(const Kinematics& k) {
  for (const auto& [i, side] : members_) switches_.let_go(i, share_ > 0.5 ? side : -side, k);
  members_.clear();
}

}  // namespace hstar
