// src/transition/switches.cpp
#include "transition/switches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "mechanism/time_roots.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

using tolerances::eps;
constexpr double never = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double round_off = tolerances::guard_round_off;  ///< of a condition, in units of its variables
constexpr double left_by_root = 4;   ///< what a root leaves of a condition may grow this much by a restart
constexpr double clear = 16;         ///< times round-off: a condition that was zero is no longer
constexpr int most_irregular = 16;   ///< searches in vain for the next time of a condition
constexpr int slow_looks = 1024;     ///< at a condition of time that does not leave zero at once
constexpr double instant_ulps = 64;  ///< times nearer than this are one instant, as MonitorOptions::tie_ulps

double instant(double t) { return instant_ulps * (std::nextafter(std::abs(t), never) - std::abs(t)); }
double sign_of(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }

using Values = std::array<double, max_signals>;

void read(const BoundExpression& e, const Kinematics& k, Values& vars) {
  for (std::size_t i = 0; i < e.refs.size(); ++i) vars[i] = read_kinematic(e.refs[i], k);
}

}  // namespace

std::string quoted(const SwitchedFormula& f) { return f.name + " = \"" + f.bound.formula.text() + "\""; }

Switches::Switches(const System& system) : system_(system) {
  for (std::size_t f = 0; f < system.switched.size(); ++f) {
    const Expression& e = system.switched[f].bound.formula;
    for (int which = 0; which < e.switch_count(); ++which)
      at_.push_back({f, which, e.condition_reads_only(which, "t"), e.is_floor(which), {}});
    for (Place& place : at_) {
      if (place.formula != f) continue;
      for (const int divisor : e.divisors_read(place.which))
        place.divisors.push_back(static_cast<std::size_t>(e.first_switch() + divisor));
    }
  }
  pole_.assign(at_.size(), 0.0);
  usual_.assign(at_.size(), 0.0);
  crowding_.resize(at_.size());
  branch_.assign(at_.size(), 0.0);
  size_.assign(at_.size(), 0.0);
  drift_.assign(at_.size(), 0.0);
  next_.assign(at_.size(), unknown);
  left_.assign(at_.size(), 0.0);
  live_.assign(at_.size(), 0);
  fired_.assign(at_.size(), 0);
  waits_.assign(at_.size(), 0);
  proposed_.assign(at_.size(), 0);
  if (any()) y_.resize(system.size());
}

double Switches::condition(std::size_t i, const Kinematics& k) const {
  const BoundExpression& e = formula(i).bound;
  Values vars;
  read(e, k, vars);
  return e.formula.condition(at_[i].which, vars.data(), branch_.data());
}

double Switches::condition_at(std::size_t i, double t) const {
  Values vars;
  const auto& poles = at_[i].divisors;
  for (double later = instant(t);
       std::any_of(poles.begin(), poles.end(), [&](std::size_t j) { return live_[j] && is_pole(j, t); }) && t < t_end_;
       later *= 2)
    t += later;
  vars.fill(t);  // the condition reads t alone
  return formula(i).bound.formula.condition(at_[i].which, vars.data(), branch_.data());
}

double Switches::terms(std::size_t i, const Kinematics& k) const {
  double size = size_[i];
  for (const SignalRef& r : formula(i).bound.refs) size = std::max(size, std::abs(read_kinematic(r, k)));
  return size;
}

double Switches::scale(std::size_t i, const Kinematics& k) const {
  const BoundExpression& e = formula(i).bound;
  const double size = terms(i, k), turned = size * eps;
  std::array<Expression::Bounds, max_signals> vars, rates;
  for (std::size_t v = 0; v < e.refs.size(); ++v) {
    const double at = read_kinematic(e.refs[v], k);
    vars[v] = {at - turned, at + turned};
    rates[v] = {0, 0};
  }
  const Expression::Bounds g =
      e.formula.enclose_condition(at_[i].which, vars.data(), rates.data(), branch_.data()).value;
  const double steep = 0.5 * (g.hi - g.lo) / eps;
  // (Beside a pole a condition is steep as it is nowhere near its zeros.)
  const bool counts = std::isfinite(steep) && !is_beside_pole(i, k);
  return std::max({size, drift_[i] / round_off, at_[i].floor ? std::abs(branch_[i]) : 0.0, counts ? steep : 0.0});
}

double Switches::zero(std::size_t i, const Kinematics& k) const { return std::max(round_off, off_) * scale(i, k); }

double Switches::distance(std::size_t i, bool upper, const Kinematics& k) const {
  if (is_held(i)) return share_of(branch_[i]) * (1 - share_of(branch_[i]));
  if (is_beyond_pole(i, k)) return 1;  // (a pole is an event of its own; its divisor is watched)
  const double g = condition(i, k);
  if (!moves(i)) return clear * zero(i, k) - std::abs(g);
  if (!at_[i].floor) return softened(i, branch_[i] * g);
  return upper ? branch_[i] + 1 - g : g - branch_[i];
}

double Switches::level(std::size_t i, double g) const { return at_[i].floor ? std::round(g) : 0.0; }

double Switches::longest(double t) const { return t_end_ > t ? t_end_ - t : t_end_; }

double Switches::branch_after(std::size_t i, double t) const {
  const double at_once = condition_at(i, t + instant(t)), now = condition_at(i, t);
  const double g = std::isnan(now) ? at_once : now, zero_at = level(i, g);
  const double moves = std::min(std::abs(at_once - g), std::abs(at_once - zero_at));  // (the second after a pole)
  const double near = round_off * (std::abs(t) + std::abs(zero_at)) + moves;
  int side = g > zero_at ? 1 : -1;
  if (std::abs(g - zero_at) <= near) {
    side = events::departure(t, longest(t), near, [&](double time, double& later) {
      later = condition_at(i, time) - zero_at;
      return true;
    });
    // One that leaves zero slowly (the tail of a bell) is on the side where it is seen first.
    for (double later = longest(t) / slow_looks; side == 0 && later <= longest(t); later += longest(t) / slow_looks)
      if (const double then = condition_at(i, t + later) - zero_at; std::abs(then) > clear * near)
        side = then > 0 ? 1 : -1;
  }
  return !at_[i].floor ? side : side < 0 ? zero_at - 1 : zero_at;
}

/// Up to where a condition with this divisor is asked, whose next zero is an event of its own: nearer to it it has no
/// digits.
double Switches::before_pole(std::size_t divisor, double t) const {
  std::array<Expression::Bounds, max_signals> at, rates;
  rates.fill({1, 1});
  for (double gap = instant(next_[divisor]); next_[divisor] - gap > t; gap *= 2) {
    const double before = next_[divisor] - gap;
    at.fill({before, before});
    const Expression& e = formula(divisor).bound.formula;
    const Expression::Bounds d = e.enclose_condition(at_[divisor].which, at.data(), rates.data(), branch_.data()).value;
    if (clear * (d.hi - d.lo) <= std::max(d.lo, -d.hi)) return before;
  }
  return t;
}

double Switches::next_time(std::size_t i, double t) const {
  if (!(t < t_end_)) return never;
  const Expression& e = formula(i).bound.formula;
  double end = t_end_ + instant(t_end_);
  for (const std::size_t j : at_[i].divisors)
    if (next_[j] < end) end = before_pole(j, t);
  if (!(end > t)) return never;
  const auto crossing = [&](double level, int side) {
    bool irregular = false;
    // (one at the very end is told)
    const double crossing_time = first_crossing(
        t, end, side, [&](double time) { return condition_at(i, time) - level; },
        [&](double a, double b) {
          std::array<Expression::Bounds, max_signals> vars, rates;
          vars.fill({a, b});
          rates.fill({1, 1});
          Expression::Enclosure g = e.enclose_condition(at_[i].which, vars.data(), rates.data(), branch_.data());
          g.value.lo -= level;
          g.value.hi -= level;
          return g;
        },
        irregular);
    if (irregular) {
      // (One whose time goes on meanwhile is merely fast.)
      if (most_irregular * (crossing_time - t) < t_end_ - t) ++irregular_;
      last_irregular_ = i;
    }
    return crossing_time == never ? never : std::min(crossing_time, t_end_);
  };
  if (at_[i].floor) return std::min(crossing(branch_[i], 1), crossing(branch_[i] + 1, -1));
  return branch_[i] == 0 ? never : crossing(0, branch_[i] > 0 ? 1 : -1);
}

const SwitchedFormula* Switches::irregular() const {
  return irregular_ > most_irregular ? &formula(last_irregular_) : nullptr;
}

const SwitchedFormula* Switches::without_value(const Kinematics& k) const {
  for (std::size_t i = 0; i < at_.size(); ++i)
    if (live_[i] && std::isnan(at_[i].timed ? condition_at(i, k.t + instant(k.t)) : distance(i, false, k)))
      return &formula(i);
  return nullptr;
}

void Switches::find_live() {
  const auto find = [&] {
    for (const SwitchedFormula& f : system_.switched)
      f.bound.formula.find_live(branch_.data(), live_.data() + f.bound.formula.first_switch());
  };
  const auto held = [&](std::size_t i) { return is_held(i); };
  std::vector<std::size_t> all(at_.size());
  std::iota(all.begin(), all.end(), 0U);
  if (std::none_of(all.begin(), all.end(), held)) return find();
  // What matters on either side of what is held.
  const std::vector<double> branches = branch_;
  std::vector<char> live(at_.size(), 0);
  for (const bool other : {false, true}) {
    for (const std::size_t i : all)
      if (is_held(i)) branch_[i] = side_of(branches[i], other);
    find();
    for (const std::size_t i : all) live[i] = static_cast<char>(live[i] | live_[i]);
    branch_ = branches;
  }
  live_ = live;
}

void Switches::let_go(std::size_t i, double side, const Kinematics& k) {
  branch_[i] = side;
  fired_[i] = 1;
  meet(i, false, k);
  drift_[i] = std::max(drift_[i], left_[i]);
}

double Switches::condition_rate(std::size_t i, const double* vars, const double* rates) const {
  std::array<Expression::Bounds, max_signals> at, moving;
  for (std::size_t v = 0; v < formula(i).bound.refs.size(); ++v) {
    at[v] = {vars[v], vars[v]};
    moving[v] = {rates[v], rates[v]};
  }
  const Expression::Bounds rate =
      formula(i).bound.formula.enclose_condition(at_[i].which, at.data(), moving.data(), branch_.data()).rate;
  return 0.5 * (rate.lo + rate.hi);
}

void Switches::begin_trials() {
  tried_.clear();
  next_tried_ = 1;  // the first is what is found at the event
}

bool Switches::formula_has_fired(std::size_t i) const {
  const Expression& e = formula(i).bound.formula;
  const auto first = fired_.begin() + e.first_switch();
  return std::any_of(first, first + e.switch_count(), [](char f) { return f != 0; });
}

void Switches::find_times(double t) {
  for (std::size_t i = 0; i < at_.size(); ++i) {
    if (!at_[i].timed) continue;
    const bool known = next_[i] > t && !formula_has_fired(i);
    if (!live_[i])
      next_[i] = unknown;
    else if (!known)
      next_[i] = next_time(i, t);
  }
}

void Switches::begin_event() {
  std::fill(fired_.begin(), fired_.end(), 0);
  std::fill(proposed_.begin(), proposed_.end(), 0);
  off_ = 0;
  begin_trials();
  std::fill(left_.begin(), left_.end(), 0.0);
}

void Switches::begin(double t, const double* y, Kinematics& k) {
  begin_event();
  std::fill(live_.begin(), live_.end(), 0);
  std::fill(waits_.begin(), waits_.end(), 0);
  std::fill(next_.begin(), next_.end(), unknown);
  std::fill(size_.begin(), size_.end(), 0.0);
  std::fill(drift_.begin(), drift_.end(), 0.0);
  for (std::size_t i = 0; i < at_.size(); ++i)
    if (at_[i].timed) branch_[i] = branch_after(i, t);
  k.branches = branches();
  system_.update(k, t, y);
  settle(k);
}

void Switches::meet(std::size_t i, bool upper, const Kinematics& k) {
  if (!moves(i)) return;
  left_[i] = left_by_root * std::abs(distance(i, upper, k)) * unit(i);
  off_ = std::max(off_, left_[i] / scale(i, k));
  double nearest = never;
  for (const std::size_t j : at_[i].divisors)
    if (live_[j]) nearest = std::min(nearest, std::abs(condition(j, k)));
  if (nearest == never) return;
  crowding_[i].fire(k.t, nearest);
  if (crowding_[i].endless()) irregular_ = most_irregular + 1, last_irregular_ = i;
}

void Switches::flip(std::size_t i, bool upper, const Kinematics& k) {
  if (!moves(i))
    branch_[i] = sign_of(condition(i, k));
  else
    branch_[i] = at_[i].floor ? branch_[i] + (upper ? 1 : -1) : -branch_[i];
  fired_[i] = 1;
}

void Switches::flip_timed(double t) {
  // One that is due may read others that change with it: inner ones come first, due or not.
  double after = t;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    if (!at_[i].timed) continue;
    const bool due = live_[i] && next_[i] <= t + instant(t);
    if (due) {
      after = std::max(after, next_[i]);
      next_[i] = unknown;
      fired_[i] = 1;
    }
    if (due || formula_has_fired(i)) branch_[i] = branch_after(i, after);
  }
}

bool Switches::fired() const {
  return std::any_of(fired_.begin(), fired_.end(), [](char f) { return f != 0; });
}

double Switches::next_time() const {
  double first = never;
  for (std::size_t i = 0; i < at_.size(); ++i)
    if (next_[i] < first) first = next_[i];
  return first;
}

bool Switches::settle(const Kinematics& k) {
  bool changed = false;
  // A condition may read the switches inside it: they come first.
  for (std::size_t i = 0; i < at_.size(); ++i) {
    double now = branch_[i];
    if (at_[i].timed) {
      if (!fired_[i] && (!live_[i] || formula_has_fired(i))) now = branch_after(i, k.t);
    } else {
      const double g = condition(i, k), zero_at = level(i, g);
      if (!at_[i].divisors.empty()) usual_[i] = usual_size(i, k);
      if (is_divisor(i)) pole_[i] = std::max(zero(i, k), left_[i]);
      if (live_[i] && !at_[i].divisors.empty() && is_at_pole(i, k)) {
        waits_[i] = 1;
        continue;
      }
      if (is_held(i) || !std::isfinite(g)) continue;  // (not finite: of a part that is not taken)
      size_[i] = terms(i, k);
      const double least = std::max(zero(i, k), left_[i]);
      if (std::abs(g - zero_at) > least) {
        now = at_[i].floor ? std::floor(g) : sign_of(g);
        waits_[i] = 0;
      } else {
        left_[i] = least;  // its guard, too, begins with what the root of another has left
        const bool known =
            live_[i] && !proposed_[i] && g != zero_at && now == (at_[i].floor ? std::floor(g) : sign_of(g));
        if (!fired_[i] && !known) {
          // Another switch or a reset may have brought it to zero. (What has been on this side of zero all along, be it
          // by less than round-off, stays there until it crosses.)
          const bool beside = !at_[i].floor || now == zero_at || now + 1 == zero_at;
          waits_[i] = 1;
          // (What leave() has proposed stays: whether a matters in a && b may hang on its own branch.)
          if (!beside || (!live_[i] && !proposed_[i])) now = zero_at;
        }
      }
    }
    changed |= now != branch_[i];
    branch_[i] = now;
  }
  find_live();
  find_times(k.t);
  return changed;
}

bool Switches::leave(double t, std::span<const double> y, Kinematics& k, events::Beginning& motion,
                     std::size_t& pushed_back) {
  pushed_back = count();
  system_.update(k, t, y.data());
  if (settle(k)) return true;
  if (tried_.empty()) tried_.push_back(branch_);
  const auto try_later = [&](std::vector<double> other) {
    if (std::find(tried_.begin(), tried_.end(), other) == tried_.end()) tried_.push_back(std::move(other));
  };
  const auto propose = [&](std::size_t i, double branch) {
    proposed_[i] = 1;
    std::vector<double> other = branch_;
    other[i] = branch;
    try_later(std::move(other));
  };
  const auto is_open = [&](std::size_t i) {
    return !at_[i].timed && live_[i] && !is_held(i) && (waits_[i] || fired_[i]);
  };
  // Those at zero, whose other side is a way out if the motion leaves this combination of branches.
  at_zero_.clear();
  for (std::size_t i = 0; i < at_.size(); ++i) {
    if (!is_open(i) || is_at_pole(i, k)) continue;
    const double g = condition(i, k);
    if (std::abs(g - level(i, g)) <= std::max(zero(i, k), left_[i])) at_zero_.push_back(i);
  }
  // Conditions read the switches inside them, which come first: they are asked on the sides that those go to. (One
  // that is at zero only before those have gone is not asked here; its other side is tried below.)
  const std::vector<double> found = branch_;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    if (!is_open(i)) continue;
    system_.update(k, t, y.data());
    if (is_at_pole(i, k)) {
      double beyond = unknown;
      for (double later = longest(t) * eps; later < longest(t) && motion.at(t + later, y_); later *= 2) {
        system_.update(k, t + later, y_.data());
        if (is_at_pole(i, k)) continue;
        beyond = condition(i, k);
        break;
      }
      const double after = at_[i].floor ? std::floor(beyond) : sign_of(beyond);
      if (std::isnan(beyond) || after == branch_[i]) continue;
      if (pushed_back == count()) pushed_back = i;
      branch_[i] = after;
      continue;
    }
    const double g = condition(i, k), zero_at = level(i, g), least = std::max(zero(i, k), left_[i]);
    if (std::abs(g - zero_at) > least) continue;
    bool stays = true;
    const int side = events::departure(t, longest(t), least, [&](double time, double& later) {
      if (!motion.at(time, y_)) return stays = false;
      system_.update(k, time, y_.data());
      later = condition(i, k) - zero_at;
      stays &= later == g - zero_at;
      return true;
    });
    const double after = !at_[i].floor ? side : side < 0 ? zero_at - 1 : zero_at;
    // One that has fired and leaves zero slowly goes on to where it went; one that stays is zero throughout.
    if (after == branch_[i] || (side == 0 && fired_[i] && !stays)) continue;
    if (pushed_back == count()) pushed_back = i;
    branch_[i] = after;
  }
  const std::vector<double> all_gone = branch_;
  branch_ = found;
  if (pushed_back != count()) try_later(all_gone);
  for (std::size_t i = 0; i < at_.size(); ++i)
    if (all_gone[i] != found[i]) propose(i, all_gone[i]);
  system_.update(k, t, y.data());
  std::fill(waits_.begin(), waits_.end(), 0);
  if (pushed_back == count()) return false;
  for (const std::size_t i : at_zero_) {
    const double zero_at = level(i, condition(i, k));
    propose(i, at_[i].floor ? 2 * zero_at - 1 - branch_[i] : branch_[i] == 0 ? 1.0 : -branch_[i]);
  }
  if (next_tried_ == tried_.size()) return false;
  branch_ = tried_[next_tried_++];
  pushed_back = count();
  find_live();
  find_times(t);
  return true;
}

}  // namespace hstar
