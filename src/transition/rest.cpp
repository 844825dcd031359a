// src/transition/rest.cpp
#include "transition/rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "formulation/admissible_forces.hpp"
#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {
std::string number(double x) { return short_number(x, 6); }
}  // namespace

bool Rest::holds(std::span<const double> y, const Mode& mode) const {
  // Loads that do not depend on time, no velocity, no acceleration, nothing that slides: the state stays as it is.
  const System& s = equations_.system();
  if (!constant_loads_ || s.ns > 0 || s.nq == 0) return false;
  for (const FrictionMode& f : mode.friction)
    if (f.slide == Slide::slip) return false;
  double kinetic = 0;
  for (const Freedom& f : equations_.motion.freedoms()) {
    const double v = y[s.nq + f.velocity], force = equations_.motion.mass()[f.slot] * equations_.acceleration()[f.slot];
    kinetic += 0.5 * equations_.motion.mass()[f.slot] * v * v;
    if (std::abs(force) > tolerances::no_force * equations_.force_scale()) return false;
  }
  return kinetic <= tolerances::no_energy * most_kinetic_;
}

void Rest::start() {
  rests_ = false;
  most_kinetic_ = 0;
}

void Rest::see_motion() {
  most_kinetic_ = std::max(most_kinetic_, equations_.system().kinetic_energy(equations_.motion.kinematics()));
}

bool Rest::begins(std::span<const double> y, const Mode& mode) {
  see_motion();
  const bool was = std::exchange(rests_, holds(y, mode));
  return rests_ && !was;
}

std::string Rest::text(const Mode& mode) const {
  const System& s = equations_.system();
  std::string text;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    if (mode.friction[u].slide != Slide::stick) continue;
    const int unit = static_cast<int>(u);
    const double reserve = s.frictions[u].mu_static(equations_.motion.kinematics()) * equations_.normal_force(unit) -
                           std::abs(equations_.friction_force(unit));
    text += (text.empty() ? "" : ", ") + unit_name(s, unit) + " " + number(reserve) +
            (s.frictions[u].turns ? " N m" : " N");
  }
  return "at rest, nothing can move any more" + (text.empty() ? "" : "; friction reserve: " + text);
}

std::string range_text(ModeEquations& equations, const Mode& mode, int most_rows) {
  const System& s = equations.system();
  const math::SaddleSolver& saddle = equations.rows.saddle();
  if (saddle.redundant_count() == 0) return {};
  if (const int rows = equations.rows.count(); rows > most_rows) {
    int redundant = 0;  // (What joints have too much has been told.)
    for (int i = s.rows; i < rows; ++i) redundant += saddle.is_redundant(i);
    if (redundant == 0) return {};
    return fmt::format("forces are not unique: {} of {} rows of contacts and friction depend on others", redundant,
                       rows - s.rows);
  }
  std::string text;
  AdmissibleForces forces(equations, mode, equations.acceleration());
  const auto add = [&](const std::string& name, const char* what, int row) {
    if (row < 0) return;
    double least, largest;
    forces.range(row, least, largest);
    if (least < largest && std::isfinite(largest - least))
      text += (text.empty() ? "forces are not unique: " : ", ") + name + " " + what + " in [" + number(least) + ", " +
              number(largest) + "] N";
  };
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    add(s.contacts[c]->name, "lambda_N", equations.rows.of_contact(static_cast<int>(c)));
    const int unit = s.contact_friction[c];
    if (unit >= 0 && s.frictions[unit].directions == 1)
      add(s.contacts[c]->name, "lambda_T", equations.rows.of_stuck(unit));
  }
  return text;
}

}  // namespace hstar
