// src/transition/mechanism_guards.cpp
#include "transition/mechanism_guards.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "formulation/linear_mode.hpp"
#include "formulation/solved_signals.hpp"
#include "hstar/stop.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

bool is_force(Watch w) {
  return w == Watch::stick_upper || w == Watch::stick_lower || w == Watch::side || w == Watch::normal_force ||
         w == Watch::regularity;
}
bool is_branch(Watch w) { return w == Watch::branch || w == Watch::branch_upper; }
/// It is a sliding velocity that is linear in v.
bool is_linear_speed(const System& system, const WatchRef& ref) {
  const bool is_speed =
      ref.what == Watch::slide_stops || ref.what == Watch::piece_slower || ref.what == Watch::piece_faster;
  return is_speed && system.frictions[ref.index].velocity_is_linear;
}
}  // namespace

MechanismGuards::MechanismGuards(const System& system, const Switches& switches)
    : system_(system), switches_(switches), near_(system), forms_(system), margin_(system.contacts.size()) {
  // A formula of coordinates and states, without explicit time: a polynomial in y if it is one in them.
  const auto reads_states = [&](const BoundExpression& e) {
    return std::all_of(e.refs.begin(), e.refs.end(), [&](const SignalRef& r) {
      if (r.kind == SignalKind::state) return true;
      if (r.kind < SignalKind::body_x || r.kind > SignalKind::body_omega) return false;
      const Body& body = system.bodies[r.index];
      return !body.prescribed || body.fixed;
    });
  };
  const auto add = [&](std::string name, Watch what, int index, int degree) {
    events::GuardInfo info;
    info.name = std::move(name);
    info.crossing = events::Crossing::falling;
    info.enabled = false;
    info.degree = degree;
    infos_.push_back(std::move(info));
    refs_.push_back({what, index});
  };
  for (std::size_t u = 0; u < system.frictions.size(); ++u) {
    const FrictionUnit& unit = system.frictions[u];
    const int i = static_cast<int>(u);
    const std::string name = unit.joint >= 0 ? system.joints[unit.joint]->name : system.contacts[unit.contact]->name;
    const int degree = unit.velocity_is_linear ? 1 : 0;
    first_of_unit_.push_back(infos_.size());
    add(name + ".gamma_T", Watch::slide_stops, i, degree);
    add(name + ".stick_upper", Watch::stick_upper, i, 0);
    add(name + ".stick_lower", Watch::stick_lower, i, 0);
    if (unit.side_matters) {
      add(name + ".side", Watch::side, i, 0);
      infos_.back().measured = true;  // (a guide that nothing presses from either side has nothing but round-off)
    }
    if (unit.contact >= 0 && unit.law.dry()) add(name + ".regularity", Watch::regularity, i, 0);
    if (unit.law.pieces() > 1) {
      add(name + ".piece_slower", Watch::piece_slower, i, degree);
      add(name + ".piece_faster", Watch::piece_faster, i, degree);
    }
  }
  for (std::size_t c = 0; c < system.contacts.size(); ++c) {
    const Contact& contact = *system.contacts[c];
    const Body &first = system.bodies[contact.first], &second = system.bodies[contact.second];
    const bool linear = contact.gap_is_linear(first.fixed, second.turns) && (first.fixed || !first.prescribed) &&
                        (second.fixed || !second.prescribed);
    first_of_contact_.push_back(infos_.size());
    add(contact.name + ".g_N", Watch::gap, static_cast<int>(c), linear ? 1 : 0);
    add(contact.name + ".lambda_N", Watch::normal_force, static_cast<int>(c), 0);
    if (!contact.has_range()) continue;
    infos_[infos_.size() - 2].crossing = events::Crossing::either;  // the gap counts outside the range too
    add(contact.name + ".range", Watch::range, static_cast<int>(c), 0);
    infos_.back().crossing = events::Crossing::either;
  }
  for (std::size_t b = 0; near_.active() && b < system.bodies.size(); ++b)
    if (!system.bodies[b].fixed) add(system.bodies[b].name + ".room", Watch::room, static_cast<int>(b), 2);
  for (std::size_t i = 0; i < switches.count(); ++i) {
    if (switches[i].timed) continue;
    const SwitchedFormula& f = switches[i].formula;
    for (const Watch what : {Watch::branch, Watch::branch_upper}) {
      if (what == Watch::branch_upper && !switches[i].floor) continue;
      add(f.name, what, static_cast<int>(i), 0);
      reads_states_.resize(infos_.size());
      reads_states_.back() = reads_states(f.bound);
    }
  }
  for (std::size_t g = 0; g < system.guards.size(); ++g) {
    const UserGuard& user = system.guards[g];
    reads_forces_.push_back(hstar::needs_solve(user.when));
    const bool polynomial = reads_states(user.when);
    add(user.spec.name, Watch::user, static_cast<int>(g),
        polynomial && !user.when.constant && !user.spec.function ? std::max(user.when.formula.polynomial_degree(), 0)
                                                                 : 0);
    auto& info = infos_.back();
    info.enabled = user.spec.times.empty();
    info.crossing = user.spec.crossing == "rising"    ? events::Crossing::rising
                    : user.spec.crossing == "falling" ? events::Crossing::falling
                                                      : events::Crossing::either;
    info.role = !user.spec.changes() && !user.spec.terminal ? events::Role::passive : events::Role::active;
    info.g_tol = user.spec.g_tol;
  }
  scale_.assign(infos_.size(), 0.0);
  forms_.set_guards(infos_.size());
  reads_states_.resize(infos_.size());
}

void MechanismGuards::enable(const ModeEquations& equations, const Mode& mode, bool looked_at) {
  memo_.clear();
  const LinearMode* linear = looked_at ? equations.linear(mode) : nullptr;
  const Linearity linearity = looked_at ? equations.linearity(mode) : Linearity::none;
  // In a linear mode forces are linear in the state; a normal force that nothing can change is not watched.
  const auto watch_force = [&](events::GuardInfo& info, bool in_mode, int place) {
    info.degree = linearity == Linearity::affine ? 1 : 0;
    info.enabled = in_mode && !(linear && linear->is_constant(place));
  };
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    auto& info = infos_[i];
    const auto index = static_cast<std::size_t>(refs_[i].index);
    info.start = events::Sign::positive;
    if (refs_[i].what == Watch::user) {
      info.start = events::Sign::from_value;
      continue;
    }
    if (is_branch(refs_[i].what)) {
      info.enabled = switches_[index].live && !switches_[index].timed;
      info.degree = reads_states_[i] ? switches_[index].degree() : 0;
      continue;
    }
    if (refs_[i].what == Watch::gap) {
      info.enabled = !mode.closed[index] && near_.is_near(index);
      continue;
    }
    if (refs_[i].what == Watch::normal_force) {
      watch_force(info, mode.closed[index] != 0,
                  linear ? linear->multiplier_place(equations.rows.of_contact(refs_[i].index)) : 0);
      continue;
    }
    if (refs_[i].what == Watch::room) {
      info.enabled = near_.has_room(refs_[i].index);
      continue;
    }
    if (refs_[i].what == Watch::range || refs_[i].what == Watch::flush) {
      info.enabled = mode.closed[index];
      continue;
    }
    const FrictionMode& f = mode.friction[index];
    const FrictionUnit& unit = system_.frictions[index];
    switch (refs_[i].what) {
      case Watch::slide_stops:
        info.enabled = f.slide == Slide::slip;
        break;
      case Watch::stick_upper:
      case Watch::stick_lower:
        info.degree = linearity == Linearity::affine && unit.mu_is_number() ? 1 : 0;
        // Of one that creeps: that it is held again, and with several directions that it slides. Of one that skims:
        // that all of its viscous friction is needed.
        if (skims(system_, mode, refs_[i].index)) {
          info.enabled = refs_[i].what == Watch::stick_upper;
          break;
        }
        info.enabled =
            f.slide == Slide::stick &&
            (refs_[i].what == Watch::stick_upper || (f.creeps ? unit.directions > 1 : unit.directions == 1)) &&
            (unit.contact < 0 || mode.closed[unit.contact] != unloaded);
        break;
      case Watch::side:
        watch_force(info, f.slide == Slide::slip, linear ? linear->normal_place(refs_[i].index) : 0);
        break;
      case Watch::regularity:  // (a mode that begins beyond the pole has nothing to cross)
        info.enabled =
            f.slide == Slide::slip && linearity == Linearity::none && equations.sliding.regularity(refs_[i].index) > 0;
        break;
      case Watch::piece_slower:
        info.enabled = f.slide == Slide::slip && f.piece > 0;
        break;
      case Watch::piece_faster:
        info.enabled = f.slide == Slide::slip && f.piece + 1 < unit.law.pieces();
        break;
      default:
        break;
    }
  }
}

void MechanismGuards::watch_gap(int contact, bool watched, events::Sign sign) {
  memo_.clear();
  const std::size_t gap = first_of_contact_[contact];
  infos_[gap].enabled = watched && near_.is_near(static_cast<std::size_t>(contact));
  infos_[gap].start = sign;
}

void MechanismGuards::watch_range(int contact, bool watched, events::Sign sign, double beyond) {
  memo_.clear();
  const std::size_t range = first_of_contact_[contact] + 2;
  refs_[range].what = Watch::range;
  infos_[range].enabled = watched;
  infos_[range].start = sign;
  margin_[contact] = beyond;
}

void MechanismGuards::watch_flush(int contact, double distance) {
  watch_range(contact, true, events::Sign::positive, distance);
  refs_[first_of_contact_[contact] + 2].what = Watch::flush;
}

void MechanismGuards::update_tolerances(const ModeEquations& equations, const Mode& mode, bool solved) {
  memo_.clear();  // sliding directions have been taken anew
  const Kinematics& k = equations.motion.kinematics();
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    auto& info = infos_[i];
    if (!info.enabled) continue;
    const int index = refs_[i].index;
    const auto at = static_cast<std::size_t>(index);
    double scale = 0, arms = 0, factor = tolerances::guard_round_off;
    switch (refs_[i].what) {
      case Watch::slide_stops:
      case Watch::piece_slower:
      case Watch::piece_faster:
        // (A prescribed velocity is as uncertain as t, and as the arguments of its functions.)
        if (const int contact = system_.frictions[at].contact; contact >= 0)
          scale += system_.contacts[contact]->running_size(k);
        for (const Row& row : equations.motion.tangents(index)) {
          scale += std::abs(row.nu) + std::abs(row.gamma * k.t) + system_.given_sizes(k, row).rate;
          for (std::size_t b = 0; b < 2; ++b) {
            arms += k.arm_size(row.J[b], row.body[b]);
            if (system_.bodies[row.body[b]].prescribed) continue;
            scale += k.along_size(row.J[b], row.body[b]);
          }
        }
        break;
      case Watch::gap: {  // (a prescribed motion is as uncertain as t, and as the arguments of its functions)
        const Row row = equations.motion.normal_row(index);
        scale = system_.contacts[at]->gap_scale(k) + std::abs(row.nu * k.t) + system_.given_sizes(k, row).value;
        break;
      }
      case Watch::range:
      case Watch::flush:
        scale = system_.contacts[at]->gap_scale(k);
        break;
      case Watch::stick_upper:
      case Watch::stick_lower:
        if (!solved || (mode.friction[at].slide != Slide::stick && !skims(system_, mode, index))) continue;
        scale = system_.frictions[at].mu_static(k) * equations.normal_force(index) +
                std::abs(equations.friction_force(index));
        // (In a stack that flies neither is more than the round-off of the other forces.)
        scale = std::max(scale, tolerances::reserve_share * equations.force_scale());
        factor = tolerances::zero_force;
        break;
      case Watch::side:
      case Watch::normal_force:
        if (!solved) continue;
        scale = equations.force_scale();
        factor = tolerances::zero_force;
        break;
      case Watch::regularity:
        scale = 1;
        factor = tolerances::zero_force;
        break;
      case Watch::room:
        scale = near_.room(index, k);
        break;
      case Watch::branch:
      case Watch::branch_upper:
        scale = switches_[at].guard_scale(k);
        if (!switches_[at].moves())
          scale_[i] = 0;  // (another function than that of a condition that passes through zero)
        break;
      case Watch::user:
        if (system_.guards[at].spec.g_tol > 0) continue;
        if (reads_forces_[at]) {
          if (!solved) continue;
          scale = equations.force_scale();
          factor = tolerances::zero_force;
          for (const SignalRef& r : system_.guards[at].when.refs)
            scale = std::max(scale, std::abs(SolvedSignals(equations).read(r)));
          break;
        }
        if (system_.guards[at].spec.function && k.y != nullptr)
          scale = std::abs(system_.guards[at].spec.function(k.t, {k.y, system_.size()}));
        // Round-off of a formula: the size of its variables as they enter.
        for (const SignalRef& r : system_.guards[at].when.refs) scale = std::max(scale, std::abs(read_kinematic(r, k)));
        break;
    }
    if (!std::isfinite(scale)) continue;  // the guard cannot be evaluated, and the run ends there
    scale_[i] = std::max(scale_[i], scale);
    info.g_tol = factor * (scale_[i] + arms);  // (arms are no speeds: a part of the round-off alone)
    // (The other guard of a floor would be violated by what this root has left, and fire back at once.)
    const bool branch = refs_[i].what == Watch::branch || refs_[i].what == Watch::branch_upper;
    if (branch && switches_[at].moves()) info.g_tol = std::max(info.g_tol, switches_[at].left / switches_[at].unit());
  }
}

void MechanismGuards::note_forces(double largest, std::span<const std::size_t> which) {
  for (const std::size_t i : which) {
    if (scale_[i] > 0 || !needs_solve(i)) continue;
    const bool reserve = refs_[i].what == Watch::stick_upper || refs_[i].what == Watch::stick_lower;
    infos_[i].g_tol =
        std::max(infos_[i].g_tol, tolerances::zero_force * (reserve ? tolerances::reserve_share : 1) * largest);
  }
}

void MechanismGuards::note_zero(Watch what, int index, double residual) {
  if (!std::isfinite(residual)) return;  // as above
  const auto& first = what == Watch::gap || what == Watch::normal_force ? first_of_contact_ : first_of_unit_;
  for (std::size_t i = first[index]; i < infos_.size() && refs_[i].index == index; ++i)
    if (refs_[i].what == what) {
      scale_[i] = std::max(scale_[i], 4 * std::abs(residual) / (tolerances::guard_round_off));
      infos_[i].g_tol = std::max(infos_[i].g_tol, tolerances::guard_round_off * scale_[i]);
    }
}

bool MechanismGuards::note_round_off(std::size_t guard, double round_off) {
  if (!is_force(refs_[guard].what) || !std::isfinite(round_off)) return false;
  const double terms = round_off / tolerances::eps;
  if (!(terms > scale_[guard])) return false;
  scale_[guard] = 2 * terms;  // (what single digits make of it is known to a factor)
  infos_[guard].g_tol = tolerances::zero_force * scale_[guard];
  return true;
}

void MechanismGuards::forget_gaps() {
  for (std::size_t i = 0; i < infos_.size(); ++i)
    if (refs_[i].what == Watch::gap) scale_[i] = 0;
}

bool MechanismGuards::needs_solve(std::size_t guard) const {
  const WatchRef& ref = refs_[guard];
  return ref.what == Watch::user ? reads_forces_[ref.index] != 0 : is_force(ref.what);
}

bool MechanismGuards::values(ModeEquations& equations, const Mode& mode, double t, std::span<const double> y,
                             std::span<const std::size_t> which, std::span<double> g) {
  if (stop_requested_meanwhile()) return false;
  bool solve = false, motion = false;
  for (const std::size_t i : which) {
    solve |= needs_solve(i);
    motion |= !is_linear_speed(system_, refs_[i]);
  }
  if (solve && system_.is_spatial()) return force_values(equations, mode, t, y, which, g);
  if (solve) {
    if (!equations.solve_at(mode, t, y.data())) return false;
    note_forces(equations.force_scale(), which);
  } else if (motion) {
    equations.motion.evaluate(t, y.data());
  }
  read(equations, mode, t, y, which, g.data());
  return true;
}

bool MechanismGuards::force_values(ModeEquations& equations, const Mode& mode, double t, std::span<const double> y,
                                   std::span<const std::size_t> which, std::span<double> g) {
  if (memo_.is_empty()) {
    force_guards_.clear();
    force_place_.assign(infos_.size(), -1);
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      if (!infos_[i].enabled || !needs_solve(i)) continue;
      force_place_[i] = static_cast<int>(force_guards_.size());
      force_guards_.push_back(i);
    }
  }
  const bool listed =
      std::all_of(which.begin(), which.end(), [&](std::size_t i) { return force_place_[i] >= 0 || !needs_solve(i); });
  const double* known = listed ? memo_.find(t, y) : nullptr;
  if (known) {
    equations.motion.evaluate(t, y.data());
  } else {
    if (!equations.solve_at(mode, t, y.data())) return false;
    note_forces(equations.force_scale(), listed ? std::span<const std::size_t>(force_guards_) : which);
    if (listed) {
      double* values = memo_.add(t, y, force_guards_.size());
      read(equations, mode, t, y, force_guards_, values);
      known = values;
    }
  }
  for (std::size_t n = 0; n < which.size(); ++n) {
    if (known && force_place_[which[n]] >= 0)
      g[n] = known[force_place_[which[n]]];
    else
      read(equations, mode, t, y, which.subspan(n, 1), &g[n]);
  }
  return true;
}

void MechanismGuards::read(const ModeEquations& equations, const Mode& mode, double t, std::span<const double> y,
                           std::span<const std::size_t> which, double* g) const {
  const auto speed_of = [&](const WatchRef& ref) {
    const double speed = is_linear_speed(system_, ref) ? equations.motion.slide_velocity(ref.index, y.data())
                                                       : equations.motion.slide_velocity(ref.index);
    return mode.friction[ref.index].direction * speed;
  };
  for (std::size_t n = 0; n < which.size(); ++n) {
    const WatchRef ref = refs_[which[n]];
    const auto index = static_cast<std::size_t>(ref.index);
    switch (ref.what) {
      case Watch::slide_stops:
        g[n] =
            system_.frictions[index].directions > 1 ? equations.motion.slide_along_reference(ref.index) : speed_of(ref);
        break;
      case Watch::stick_upper:
      case Watch::stick_lower: {
        g[n] = equations.stick_reserve(ref.index, ref.what == Watch::stick_upper ? 1 : -1);
        break;
      }
      case Watch::side: {
        const FrictionUnit& unit = system_.frictions[index];
        const int row = system_.joints[unit.joint]->side_row();
        g[n] = mode.friction[index].side * equations.joint_multipliers(unit.joint)[row];
        break;
      }
      case Watch::piece_slower:
      case Watch::piece_faster: {
        const FrictionMode& f = mode.friction[index];
        const double speed = speed_of(ref);
        const FrictionLaw& law = system_.frictions[index].law;
        g[n] = ref.what == Watch::piece_slower ? speed - law.piece_begin(f.piece) : law.piece_end(f.piece) - speed;
        break;
      }
      case Watch::gap:
        g[n] = system_.contacts[index]->open_gap(equations.motion.kinematics());
        break;
      case Watch::room:
        g[n] = near_.room(ref.index, equations.motion.kinematics());
        break;
      case Watch::branch:
      case Watch::branch_upper:
        g[n] = switches_[index].distance(ref.what == Watch::branch_upper, equations.motion.kinematics());
        break;
      case Watch::range:
        g[n] = system_.contacts[index]->range(equations.motion.kinematics()) + margin_[index];
        break;
      case Watch::flush:
        g[n] = margin_[index] - std::abs(system_.contacts[index]->open_gap(equations.motion.kinematics()));
        break;
      case Watch::normal_force:
        g[n] = equations.press_reserve(ref.index);
        break;
      case Watch::regularity:
        g[n] = equations.sliding.regularity(ref.index);
        break;
      case Watch::user:
        if (system_.guards[index].spec.function)
          g[n] = system_.guards[index].spec.function(t, y);
        else if (reads_forces_[index])
          g[n] = SolvedSignals(equations).evaluate(system_.guards[index].when);
        else
          g[n] = evaluate(system_.guards[index].when, equations.motion.kinematics());
        break;
    }
  }
}

}  // namespace hstar
