// src/transition/switches.cpp
#include "transition/switches.hpp"

#include <algorithm>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double left_by_root = 4;  ///< what a root leaves of a condition may grow this much by a restart

}  // namespace

Switches::Switches(const System& system) : system_(system) {
  const auto count = static_cast<std::size_t>(system.branches);
  all_.branch.assign(count, 0.0);
  all_.live.assign(count, 0);
  at_.reserve(count);
  for (const SwitchedFormula& f : system.switched) {
    const Expression& e = f.bound.formula;
    for (int which = 0; which < e.switch_count(); ++which) at_.emplace_back(f, which, all_);
    for (int which = 0; which < e.switch_count(); ++which)
      for (const int inner : e.switches_read(which)) {
        Switch& s = at_[e.first_switch() + which];
        const Switch& read = at_[e.first_switch() + inner];
        (read.is_divisor ? s.divisors : s.inner).push_back(&read);
      }
  }
  if (any()) y_.resize(system.size());
}

const SwitchedFormula* Switches::irregular() const { return irregular_ > most_irregular ? crowded_ : nullptr; }

const SwitchedFormula* Switches::without_value(const Kinematics& k) const {
  for (const Switch& s : at_)
    if (s.live && std::isnan(s.timed ? condition_at(s, k.t + instant_at(k.t)) : s.distance(false, k)))
      return &s.formula;
  return nullptr;
}

void Switches::find_live() {
  const auto find = [&] {
    for (const SwitchedFormula& f : system_.switched)
      f.bound.formula.find_live(all_.branch.data(), all_.live.data() + f.bound.formula.first_switch());
  };
  if (std::none_of(at_.begin(), at_.end(), [](const Switch& s) { return s.is_held(); })) return find();
  // What matters on either side of what is held.
  const std::vector<double> branches = all_.branch;
  std::vector<char> live(at_.size(), 0);
  for (const bool other : {false, true}) {
    for (Switch& s : at_)
      if (s.is_held()) s.branch = side_of(s.branch, other);
    find();
    for (std::size_t i = 0; i < live.size(); ++i) live[i] = static_cast<char>(live[i] | all_.live[i]);
    std::copy(branches.begin(), branches.end(), all_.branch.begin());
  }
  for (std::size_t i = 0; i < live.size(); ++i) all_.live[i] = static_cast<char>(live[i] && !at_[i].reads_held());
}

void Switches::let_go(std::size_t i, double side, const Kinematics& k) {
  Switch& s = at_[i];
  s.branch = side;
  s.fired = s.let_go = true;
  meet(i, false, k);
  s.drift = std::max(s.drift, s.left);
}

void Switches::begin_trials() {
  tried_.clear();
  driven_ = count();
  next_tried_ = 1;  // the first is what is found at the event
}

bool Switches::formula_has_fired(const Switch& s) const {
  const auto first = at_.begin() + s.formula.bound.formula.first_switch();
  return std::any_of(first, first + s.formula.bound.formula.switch_count(), [](const Switch& o) { return o.fired; });
}

void Switches::find_times(double t) {
  for (Switch& s : at_) {
    if (!s.timed) continue;
    if (!s.live) {
      s.next = unknown;
    } else if (!(s.next > t) || formula_has_fired(s)) {
      const int before = irregular_;
      s.next = next_change(s, t, irregular_);
      if (irregular_ > before) crowded_ = &s.formula;
    }
  }
}

void Switches::begin_event() {
  for (Switch& s : at_) {
    s.fired = s.proposed = s.let_go = false;
    s.left = 0;
  }
  all_.off = 0;
  begin_trials();
}

void Switches::begin(double t, const double* y, Kinematics& k) {
  begin_event();
  std::fill(all_.live.begin(), all_.live.end(), 0);
  for (Switch& s : at_) {
    s.waits = false;
    s.next = unknown;
    s.size = s.drift = 0;
  }
  for (Switch& s : at_)
    if (s.timed) s.branch = branch_after(s, t);
  k.branches = branches();
  system_.update(k, t, y);
  settle(k);
}

void Switches::meet(std::size_t i, bool upper, const Kinematics& k) {
  Switch& s = at_[i];
  if (!s.moves()) return;
  s.left = left_by_root * std::abs(s.distance(upper, k)) * s.unit();
  all_.off = std::max(all_.off, s.left / s.scale(k));
  double nearest = never;
  for (const Switch* d : s.divisors)
    if (d->live) nearest = std::min(nearest, std::abs(d->condition(k)));
  if (nearest == never) return;
  s.crowding.fire(k.t, nearest);
  if (!s.crowding.endless()) return;
  irregular_ = most_irregular + 1;
  crowded_ = &s.formula;
}

void Switches::flip(std::size_t i, bool upper, const Kinematics& k) {
  Switch& s = at_[i];
  if (!s.moves())
    s.branch = s.side(s.condition(k));
  else
    s.branch = s.floor ? s.branch + (upper ? 1 : -1) : -s.branch;
  s.fired = true;
}

void Switches::flip_timed(double t) {
  // One that is due may read others that change with it: inner ones come first, due or not.
  double after = t;
  for (Switch& s : at_) {
    if (!s.timed) continue;
    const bool due = s.live && s.next <= t + instant_at(t);
    if (due) {
      after = std::max(after, s.next);
      s.next = unknown;
      s.fired = true;
    }
    if (due || formula_has_fired(s)) s.branch = branch_after(s, after);
  }
}

bool Switches::fired() const {
  return std::any_of(at_.begin(), at_.end(), [](const Switch& s) { return s.fired; });
}

double Switches::next_time() const {
  double first = never;
  for (const Switch& s : at_)
    if (s.next < first) first = s.next;
  return first;
}

bool Switches::settle(const Kinematics& k) {
  bool changed = false;
  // A condition may read the switches inside it: they come first.
  for (Switch& s : at_) changed |= settle(s, k);
  find_live();
  find_times(k.t);
  return changed;
}

bool Switches::settle(Switch& s, const Kinematics& k) {
  double now = s.branch;
  if (s.reads_held()) return false;
  if (s.timed) {
    if (!s.fired && (!s.live || formula_has_fired(s))) now = branch_after(s, k.t);
  } else {
    const double g = s.condition(k), zero_at = s.level(g);
    if (!s.divisors.empty()) s.usual = s.usual_size(k);
    if (s.is_divisor) s.pole = s.least(k);
    if (s.live && !s.divisors.empty() && s.is_at_pole(k)) {
      s.waits = true;
      return false;
    }
    if (s.is_held() || !std::isfinite(g)) return false;  // (not finite: of a part that is not taken)
    s.size = s.terms(k);
    const double least = s.least(k);
    if (std::abs(g - zero_at) > least) {
      now = s.side(g);
      s.waits = false;
    } else {
      s.left = least;  // its guard, too, begins with what the root of another has left
      const bool known = s.live && !s.proposed && g != zero_at && now == s.side(g);
      if (!s.fired && !known) {
        // Another switch or a reset may have brought it to zero. (What has been on this side of zero all along, be it
        // by less than round-off, stays there until it crosses.)
        const bool beside = !s.floor || now == zero_at || now + 1 == zero_at;
        s.waits = true;
        // (What leave() has proposed stays: whether a matters in a && b may hang on its own branch.)
        if (!beside || (!s.live && !s.proposed)) now = zero_at;
      }
    }
  }
  const bool changed = now != s.branch;
  s.branch = now;
  return changed;
}

double Switches::branch_ahead(const Switch& s, double t, std::span<const double> y, Kinematics& k,
                              events::Beginning& motion) {
  const double time_left = longest(all_, t);
  system_.update(k, t, y.data());
  if (s.is_at_pole(k)) {
    for (double later = time_left * tolerances::eps; later < time_left && motion.at(t + later, y_); later *= 2) {
      system_.update(k, t + later, y_.data());
      if (s.is_at_pole(k)) continue;
      const double beyond = s.condition(k);
      return std::isnan(beyond) ? s.branch : s.side(beyond);
    }
    return s.branch;
  }
  const double g = s.condition(k), zero_at = s.level(g), least = s.least(k);
  if (std::abs(g - zero_at) > least) return s.branch;
  const int side = events::departure(t, time_left, least, [&](double time, double& later) {
    if (!motion.at(time, y_)) return false;
    system_.update(k, time, y_.data());
    later = s.condition(k) - zero_at;
    return true;
  });
  // What leaves its surface does so slowly, on the side that it is let go to. Of any other one that does not clearly
  // leave zero nothing but round-off may be seen (the velocity of what has come to rest): it is zero.
  return side == 0 && s.let_go ? s.branch : s.beside(zero_at, side);
}

bool Switches::leave(double t, std::span<const double> y, Kinematics& k, events::Beginning& motion,
                     std::size_t& pushed_back) {
  pushed_back = count();
  system_.update(k, t, y.data());
  if (settle(k)) return true;
  if (tried_.empty()) tried_.push_back(all_.branch);
  const auto try_later = [&](std::vector<double> other) {
    if (std::find(tried_.begin(), tried_.end(), other) == tried_.end()) tried_.push_back(std::move(other));
  };
  const auto propose = [&](std::size_t i, double branch) {
    at_[i].proposed = true;
    std::vector<double> other = all_.branch;
    other[i] = branch;
    try_later(std::move(other));
  };
  const auto is_open = [](const Switch& s) { return !s.timed && s.live && !s.is_held() && (s.waits || s.fired); };
  // Those at zero, whose other side is a way out if the motion leaves this combination of branches.
  std::vector<std::size_t> at_zero;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Switch& s = at_[i];
    if (!is_open(s) || s.is_at_pole(k)) continue;
    const double g = s.condition(k);
    if (std::abs(g - s.level(g)) <= s.least(k)) at_zero.push_back(i);
  }
  // Conditions read the switches inside them, which come first: they are asked on the sides that those go to. (One
  // that is at zero only before those have gone is not asked here; its other side is tried below.)
  const std::vector<double> found = all_.branch;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    Switch& s = at_[i];
    if (!is_open(s)) continue;
    const double after = branch_ahead(s, t, y, k, motion);
    if (after == s.branch) continue;
    if (pushed_back == count()) pushed_back = i;
    // (One that the motion leaves at zero is not driven back: another is.)
    if (driven_ == count() && (s.floor || after != 0)) driven_ = i;
    s.branch = after;
  }
  const std::vector<double> all_gone = all_.branch;
  std::copy(found.begin(), found.end(), all_.branch.begin());
  if (pushed_back != count()) try_later(all_gone);
  for (std::size_t i = 0; i < at_.size(); ++i)
    if (all_gone[i] != found[i]) propose(i, all_gone[i]);
  system_.update(k, t, y.data());
  for (Switch& s : at_) s.waits = false;
  if (pushed_back == count()) return false;
  for (const std::size_t i : at_zero) {
    const Switch& s = at_[i];
    const double zero_at = s.level(s.condition(k));
    propose(i, s.floor ? 2 * zero_at - 1 - s.branch : s.branch == 0 ? 1.0 : -s.branch);
  }
  if (next_tried_ == tried_.size()) {
    if (driven_ < count()) pushed_back = driven_;
    std::copy(tried_.front().begin(), tried_.front().end(), all_.branch.begin());
    return false;
  }
  std::copy(tried_[next_tried_].begin(), tried_[next_tried_].end(), all_.branch.begin());
  ++next_tried_;
  pushed_back = count();
  find_live();
  find_times(t);
  return true;
}

}  // namespace hstar
