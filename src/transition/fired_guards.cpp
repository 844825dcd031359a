// src/transition/fired_guards.cpp
#include "transition/fired_guards.hpp"

#include <algorithm>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {
namespace {

/// Where a force falls steeply (the friction of a slide that stops turns) the last place of t is more of it than
/// contact::clear: what is left at its root is nothing.
double left_at_root(double force, double scale) {
  return std::abs(force) <= tolerances::steepest * scale ? 2 * std::abs(force) : 0.0;
}

}  // namespace

FiredGuards read_fired(double t, std::span<const double> y, std::span<const events::Root> fired, bool again,
                       const MechanismGuards& guards, ModeEquations& equations, ContactRanges& ranges,
                       Touching& touching, Mode& mode, ModeProblem& problem) {
  FiredGuards told;
  // (What is pressed again stays so at this instant, until others that it presses are too, and what has broken away
  // slides on, though its speed is zero still.)
  for (std::size_t u = 0; u < mode.friction.size(); ++u) {
    UnitKnowledge& known = problem.units[u];
    known.asked = known.turned = false;
    if (!again || !known.broke_away || mode.friction[u].slide != Slide::slip) known = {};
  }
  for (std::size_t c = 0; c < mode.closed.size(); ++c) {
    const ContactKnowledge was = again ? problem.contacts[c] : ContactKnowledge{};
    problem.contacts[c] = {.nothing = was.nothing,
                           .pressed = was.pressed && mode.closed[c] == 1,
                           .let_go = was.let_go || was.lifting,
                           .returned = was.returned};
  }
  if (!again) problem.force_scale = 0;
  problem.all = false;
  ranges.begin();
  for (const events::Root& root : fired)
    if (const WatchRef ref = guards.ref(root.guard); ref.what == Watch::range && root.direction < 0) {
      ranges.leave(static_cast<std::size_t>(ref.index));
      mode.closed[ref.index] = 0;
    }
  for (const events::Root& root : fired) {
    const WatchRef ref = guards.ref(root.guard);
    const auto i = static_cast<std::size_t>(ref.index);
    if (ref.what == Watch::gap || ref.what == Watch::normal_force || ref.what == Watch::range)
      problem.contacts[i].asked = true;
    else if (ref.what != Watch::user && ref.what != Watch::room && ref.what != Watch::regularity &&
             ref.what != Watch::branch && ref.what != Watch::branch_upper && ref.what != Watch::flush)
      problem.units[i].asked = true;
    switch (ref.what) {
      case Watch::slide_stops:
        problem.units[i].at_zero = true;
        // (What decides where nothing is accelerated and nothing has forces yet: it goes on through zero.)
        if (equations.system().frictions[i].directions == 1)
          problem.units[i].heading = static_cast<signed char>(-mode.friction[i].direction);
        break;
      case Watch::stick_upper:
      case Watch::stick_lower:
        if (const int contact = equations.system().frictions[i].contact;
            skims(equations.system(), mode, ref.index)) {  // all of its viscous friction is needed
          problem.contacts[contact].asked = problem.contacts[contact].pressed = true;
          problem.force_scale = std::max(problem.force_scale, guards.scale(root.guard));
          break;
        }
        problem.units[i].at_zero = true;
        problem.units[i].nothing = left_at_root(
            equations.stick_reserve(ref.index, ref.what == Watch::stick_upper ? 1 : -1), guards.scale(root.guard));
        // What creeps and comes inside its limit again is held.
        if ((problem.units[i].returned = mode.friction[i].creeps && ref.what == Watch::stick_upper)) break;
        // (At both limits at once it has reached neither: its normal force has passed through zero.)
        problem.units[i].turned = problem.units[i].broke_away;
        problem.units[i].broke_away = !problem.units[i].turned;
        problem.units[i].heading = static_cast<signed char>(ref.what == Watch::stick_upper ? -1 : 1);
        break;
      case Watch::piece_slower:
        --mode.friction[i].piece;
        break;
      case Watch::piece_faster:
        ++mode.friction[i].piece;
        break;
      case Watch::normal_force:
        problem.force_scale = std::max(problem.force_scale, guards.scale(root.guard));
        if (equations.solve_at(mode, t, y.data()))
          problem.contacts[i].nothing = left_at_root(equations.press_reserve(ref.index), guards.scale(root.guard));
        if ((problem.contacts[i].pressed = mode.closed[i] == unloaded)) break;
        problem.contacts[i].lifting = told.unloaded = true;
        told.contradicts |= problem.contacts[i].returned;
        touching[i].bounces = {};
        break;
      case Watch::range:
        equations.motion.evaluate(t, y.data());
        ranges.pass_on(i, root.direction, mode.closed);
        problem.all = true;
        break;
      case Watch::room:
        told.look = true;
        break;
      case Watch::flush:  // (ContactRanges::watch sees that it is)
      case Watch::side:   // (at the end, when the mode is known)
        break;
      case Watch::gap:
        problem.contacts[i].returned |= problem.contacts[i].let_go;
        told.may_jump = true;
        break;
      case Watch::branch:
      case Watch::branch_upper:
        told.may_jump = true;
        break;
      case Watch::user:
        told.may_jump |= equations.system().guards[i].spec.changes();
        break;
      case Watch::regularity:
        told.pole = true;
        break;
    }
  }

  // What creeps is at its limit still, unless it has just come inside.
  for (std::size_t u = 0; u < mode.friction.size(); ++u)
    if (mode.friction[u].creeps && !problem.units[u].at_zero) {
      problem.units[u].at_zero = problem.units[u].broke_away = true;
      problem.units[u].heading = mode.friction[u].direction;
    }
  return told;
}

}  // namespace hstar
