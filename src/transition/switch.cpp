// src/transition/switch.cpp
#include "transition/switch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {
namespace {

using tolerances::guard_round_off;
constexpr double unbounded = std::numeric_limits<double>::infinity();

using Values = std::array<double, max_signals>;

Values read(const BoundExpression& e, const Kinematics& k) {
  Values vars;
  for (std::size_t i = 0; i < e.refs.size(); ++i) vars[i] = read_kinematic(e.refs[i], k);
  return vars;
}

}  // namespace

std::string quoted(const SwitchedFormula& f) { return f.name + " = \"" + f.bound.formula.text() + "\""; }

Switch::Switch(const SwitchedFormula& of, int index, SwitchBranches& shared)
    : formula(of),
      which(index),
      all(shared),
      branch(shared.branch[static_cast<std::size_t>(of.bound.formula.first_switch() + index)]),
      live(shared.live[static_cast<std::size_t>(of.bound.formula.first_switch() + index)]),
      timed(of.bound.formula.condition_reads_only(index, "t")),
      floor(of.bound.formula.is_floor(index)),
      is_divisor(of.bound.formula.is_divisor(index)),
      can_be_held(!floor && !is_divisor) {}

double Switch::condition(const Kinematics& k) const {
  return formula.bound.formula.condition(which, read(formula.bound, k).data(), all.branch.data());
}

Expression::Enclosure Switch::enclose(const Bounds* vars, const Bounds* rates) const {
  return formula.bound.formula.enclose_condition(which, vars, rates, all.branch.data());
}

double Switch::condition_rate(const double* vars, const double* rates) const {
  std::array<Bounds, max_signals> at, moving;
  for (std::size_t v = 0; v < formula.bound.refs.size(); ++v) {
    at[v] = {vars[v], vars[v]};
    moving[v] = {rates[v], rates[v]};
  }
  const Bounds rate = enclose(at.data(), moving.data()).rate;
  return 0.5 * (rate.lo + rate.hi);
}

Expression::Bounds Switch::spread(const Kinematics& k, double about) const {
  const Values at = read(formula.bound, k);
  std::array<Bounds, max_signals> vars, still;
  still.fill({0, 0});
  for (std::size_t v = 0; v < formula.bound.refs.size(); ++v) vars[v] = {at[v] - about, at[v] + about};
  return enclose(vars.data(), still.data()).value;
}

double Switch::terms(const Kinematics& k) const {
  double largest = size;
  for (const SignalRef& r : formula.bound.refs) largest = std::max(largest, std::abs(read_kinematic(r, k)));
  return largest;
}

double Switch::scale(const Kinematics& k) const {
  const double of_variables = terms(k);
  const Bounds g = spread(k, of_variables * tolerances::eps);
  const double steep = 0.5 * (g.hi - g.lo) / tolerances::eps;
  // (Beside a pole a condition is steep as it is nowhere near its zeros; that of a divisor that does not change sign is
  // seen by bounds about here.)
  const auto is_beside_pole = [&] {
    const Bounds about = spread(k, tolerances::beside_pole * of_variables);
    return !std::isfinite(about.hi - about.lo) || std::any_of(divisors.begin(), divisors.end(), [&](const Switch* d) {
      return std::abs(d->condition(k)) <= tolerances::beside_pole * d->terms(k);
    });
  };
  const bool counts = std::isfinite(steep) && !is_beside_pole();
  return std::max({of_variables, drift / guard_round_off, floor ? std::abs(branch) : 0.0, counts ? steep : 0.0});
}

double Switch::zero(const Kinematics& k) const { return std::max(guard_round_off, all.off) * scale(k); }

double Switch::usual_size(const Kinematics& k) const {
  const BoundExpression& e = formula.bound;
  const double of_variables = terms(k), reach = of_variables > 0 ? of_variables : 1;
  const Values at = read(e, k);
  Values vars;
  std::array<double, 7> sizes;
  all.scratch = all.branch;
  for (const Switch* d : divisors) all.scratch[static_cast<std::size_t>(&d->branch - all.branch.data())] = 0;
  double part = 0;
  for (double& g : sizes) {
    for (std::size_t v = 0; v < e.refs.size(); ++v) {
      part = std::fmod(part + 0.6180339887, 1.0);  // (the golden ratio: no two are alike)
      vars[v] = at[v] + reach * (part - 0.5);
    }
    g = std::abs(e.formula.condition(which, vars.data(), all.scratch.data()));
    if (!std::isfinite(g)) g = 0;
  }
  std::nth_element(sizes.begin(), sizes.begin() + sizes.size() / 2, sizes.end());
  const double median = sizes[sizes.size() / 2];
  return median > 0 ? median : 1;
}

double Switch::level(double g) const { return floor ? std::round(g) : 0.0; }
double Switch::side(double g) const { return floor ? std::floor(g) : g > 0 ? 1.0 : g < 0 ? -1.0 : 0.0; }

double Switch::distance(bool upper, const Kinematics& k) const {
  if (is_held()) return share_of(branch) * (1 - share_of(branch));
  if (is_beyond_pole(k)) return 1;  // (a pole is an event of its own; its divisor is watched)
  const double g = condition(k);
  if (!moves()) return tolerances::clear_of_zero * zero(k) - std::abs(g);
  if (!floor) return softened(branch * g);
  return upper ? branch + 1 - g : g - branch;
}

double Switch::softened(double g) const {
  if (usual == 0) return g;
  return std::isinf(g) ? std::copysign(1.0, g) : g / std::hypot(usual, g);
}

bool Switch::is_at_pole(const Kinematics& k) const {
  return std::any_of(divisors.begin(), divisors.end(), [&](const Switch* d) {
    return d->live && (d->timed ? is_pole(*d, k.t) : std::abs(d->condition(k)) <= d->pole);
  });
}

bool Switch::is_beyond_pole(const Kinematics& k) const {
  return std::any_of(divisors.begin(), divisors.end(), [&](const Switch* d) {
    return d->live && d->branch * d->condition(k) <= (d->timed ? guard_round_off * std::abs(k.t) : d->pole);
  });
}

Expression::Enclosure Switch::bounds(bool upper, const Bounds* vars, const Bounds* rates) const {
  bool reaches_pole = false;
  for (const Switch* divisor : divisors) {
    if (!divisor->live) continue;
    const Bounds d = divisor->enclose(vars, rates).value;
    if (divisor->branch > 0 ? d.hi <= 0 : divisor->branch < 0 && d.lo >= 0) return {{1, 1}, {0, 0}};
    reaches_pole |= d.lo <= divisor->pole && d.hi >= -divisor->pole;
  }
  Expression::Enclosure g = enclose(vars, rates);
  const bool turned = floor ? upper : branch < 0;
  const double zero_at = !floor ? 0.0 : upper ? branch + 1 : branch;
  for (Bounds* b : {&g.value, &g.rate})
    if (turned) *b = {-b->hi, -b->lo};
  const double moved = turned ? zero_at : -zero_at;
  g.value = {g.value.lo + moved, g.value.hi + moved};
  if (usual == 0 || floor) return g;
  // Of softened(): its slope falls with the size of the condition.
  const auto slope = [&](double size_here) { return std::pow(usual / std::hypot(usual, size_here), 3) / usual; };
  const double nearest = std::max({g.value.lo, -g.value.hi, 0.0});
  const double farthest = std::max(std::abs(g.value.lo), std::abs(g.value.hi));
  const double most = slope(nearest), fewest = std::isfinite(farthest) ? slope(farthest) : 0.0;
  const auto times = [](double rate, double factor) { return factor == 0 ? 0 : rate * factor; };
  constexpr double wider = 1 + tolerances::softening;
  g.rate = {times(g.rate.lo, g.rate.lo < 0 ? most * wider : fewest / wider),
            times(g.rate.hi, g.rate.hi > 0 ? most * wider : fewest / wider)};
  g.value = {softened(g.value.lo) - tolerances::softening,
             reaches_pole ? 1 : softened(g.value.hi) + tolerances::softening};
  if (reaches_pole) g.rate = {-unbounded, unbounded};
  return g;
}

}  // namespace hstar
