// src/transition/switch_poles.cpp
//
// Conditions with poles. A pole is an event of its own, the zero of a divisor that is a switch like any other; up to it
// the condition is a guard between -1 and 1, and beyond it nothing is asked of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "transition/switches.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

}  // namespace

bool Switches::is_beside_pole(std::size_t i, const Kinematics& k) const {
  if (std::any_of(at_[i].divisors.begin(), at_[i].divisors.end(),
                  [&](std::size_t j) { return std::abs(condition(j, k)) <= tolerances::beside_pole * terms(j, k); }))
    return true;
  // Of divisors that do not change sign, too: no bounds about here.
  const BoundExpression& e = formula(i).bound;
  const double about = tolerances::beside_pole * terms(i, k);
  std::array<Expression::Bounds, max_signals> vars, still;
  still.fill({0, 0});
  for (std::size_t v = 0; v < e.refs.size(); ++v) {
    const double at = read_kinematic(e.refs[v], k);
    vars[v] = {at - about, at + about};
  }
  const Expression::Bounds g =
      e.formula.enclose_condition(at_[i].which, vars.data(), still.data(), branch_.data()).value;
  return !std::isfinite(g.hi - g.lo);
}

bool Switches::is_pole(std::size_t i, double t) const {
  return std::abs(condition_at(i, t)) <= tolerances::guard_round_off * std::abs(t);
}

bool Switches::is_at_pole(std::size_t i, const Kinematics& k) const {
  return std::any_of(at_[i].divisors.begin(), at_[i].divisors.end(), [&](std::size_t j) {
    return live_[j] && (at_[j].timed ? is_pole(j, k.t) : std::abs(condition(j, k)) <= pole_[j]);
  });
}

bool Switches::is_beyond_pole(std::size_t i, const Kinematics& k) const {
  return std::any_of(at_[i].divisors.begin(), at_[i].divisors.end(), [&](std::size_t j) {
    return live_[j] &&
           branch_[j] * condition(j, k) <= (at_[j].timed ? tolerances::guard_round_off * std::abs(k.t) : pole_[j]);
  });
}

double Switches::softened(std::size_t i, double g) const {
  if (usual_[i] == 0) return g;
  return std::isinf(g) ? std::copysign(1.0, g) : g / std::hypot(usual_[i], g);
}

double Switches::usual_size(std::size_t i, const Kinematics& k) {
  const BoundExpression& e = formula(i).bound;
  const double size = terms(i, k), reach = size > 0 ? size : 1;
  std::array<double, max_signals> at, vars;
  for (std::size_t v = 0; v < e.refs.size(); ++v) at[v] = read_kinematic(e.refs[v], k);
  std::array<double, 7> sizes;
  either_side_ = branch_;
  for (const std::size_t j : at_[i].divisors) either_side_[j] = 0;
  double part = 0;
  for (double& g : sizes) {
    for (std::size_t v = 0; v < e.refs.size(); ++v) {
      part = std::fmod(part + 0.6180339887, 1.0);  // (the golden ratio: no two are alike)
      vars[v] = at[v] + reach * (part - 0.5);
    }
    g = std::abs(e.formula.condition(at_[i].which, vars.data(), either_side_.data()));
    if (!std::isfinite(g)) g = 0;
  }
  std::nth_element(sizes.begin(), sizes.begin() + sizes.size() / 2, sizes.end());
  const double usual = sizes[sizes.size() / 2];
  return usual > 0 ? usual : 1;
}

Expression::Enclosure Switches::bounds(std::size_t i, bool upper, const Expression::Bounds* vars,
                                       const Expression::Bounds* rates) const {
  bool reaches_pole = false;
  for (const std::size_t j : at_[i].divisors) {
    if (!live_[j]) continue;
    const Expression::Bounds d =
        formula(i).bound.formula.enclose_condition(at_[j].which, vars, rates, branch_.data()).value;
    if (branch_[j] > 0 ? d.hi <= 0 : branch_[j] < 0 && d.lo >= 0) return {{1, 1}, {0, 0}};
    reaches_pole |= d.lo <= pole_[j] && d.hi >= -pole_[j];
  }
  Expression::Enclosure g = formula(i).bound.formula.enclose_condition(at_[i].which, vars, rates, branch_.data());
  const bool turned = at_[i].floor ? upper : branch_[i] < 0;
  const double level = !at_[i].floor ? 0.0 : upper ? branch_[i] + 1 : branch_[i];
  for (Expression::Bounds* b : {&g.value, &g.rate})
    if (turned) *b = {-b->hi, -b->lo};
  const double moved = turned ? level : -level;
  g.value = {g.value.lo + moved, g.value.hi + moved};
  if (usual_[i] == 0 || at_[i].floor) return g;
  // Of softened(): its slope falls with the size of the condition.
  const auto slope = [&](double size) { return std::pow(usual_[i] / std::hypot(usual_[i], size), 3) / usual_[i]; };
  const double nearest = std::max({g.value.lo, -g.value.hi, 0.0});
  const double farthest = std::max(std::abs(g.value.lo), std::abs(g.value.hi));
  const double most = slope(nearest), least = std::isfinite(farthest) ? slope(farthest) : 0.0;
  const auto times = [](double rate, double factor) { return factor == 0 ? 0 : rate * factor; };
  constexpr double wider = 1 + tolerances::softening;
  g.rate = {times(g.rate.lo, g.rate.lo < 0 ? most * wider : least / wider),
            times(g.rate.hi, g.rate.hi > 0 ? most * wider : least / wider)};
  g.value = {softened(i, g.value.lo) - tolerances::softening,
             reaches_pole ? 1 : softened(i, g.value.hi) + tolerances::softening};
  if (reaches_pole) g.rate = {-unbounded, unbounded};
  return g;
}

}  // namespace hstar
