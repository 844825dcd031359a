// src/transition/rest.cpp: what is said about forces at an instant: that nothing can move any more, with the friction
// reserve of every contact and joint; and between which bounds forces lie that are not unique.
#include <algorithm>
#include <cmath>

#include "formulation/admissible_forces.hpp"
#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {
std::string number(double x) { return short_number(x, 6); }
}  // namespace

bool MechanismProcess::at_rest(const double* y) const {
  // Loads that do not depend on time, no velocity, no acceleration, nothing that slides: the state stays as it is.
  const System& s = *system_;
  if (!constant_loads_ || s.ns > 0 || s.nq == 0) return false;
  for (const FrictionMode& f : mode_.friction)
    if (f.slide == Slide::slip) return false;
  double kinetic = 0;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      const std::size_t k = s.slot(b, c);
      const double v = y[s.nq + s.bodies[b].dof + c], mass = equations_.mass()[k];
      kinetic += 0.5 * mass * v * v;
      if (std::abs(mass * equations_.acceleration()[k]) > tolerances::no_force * equations_.force_scale()) return false;
    }
  return kinetic <= tolerances::no_energy * most_kinetic_;
}

std::string MechanismProcess::reserve_text() const {
  const System& s = *system_;
  std::string text;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    if (mode_.friction[u].slide != Slide::stick) continue;
    const int unit = static_cast<int>(u);
    const double reserve = s.frictions[u].mu_static(equations_.kinematics()) * equations_.normal_force(unit) -
                           std::abs(equations_.friction_force(unit));
    text +=
        (text.empty() ? "" : ", ") + unit_name(unit) + " " + number(reserve) + (s.frictions[u].turns ? " N m" : " N");
  }
  return "at rest, nothing can move any more" + (text.empty() ? "" : "; friction reserve: " + text);
}

void MechanismProcess::note_rest(double t, std::span<const double> y, EventLog& log) {
  most_kinetic_ = std::max(most_kinetic_, system_->kinetic_energy(equations_.kinematics()));
  const bool was = rests_;
  rests_ = at_rest(y.data());
  remark_.clear();
  if (log.wanted()) remark_ = range_text(mode_);
  if (!rests_ || was) return;
  const std::string text = reserve_text();
  notices_.push_back("t = " + number(t) + " s: " + text);
  remark_ += (remark_.empty() ? "" : "; ") + text;
}

std::string MechanismProcess::range_text(const Mode& mode) {
  // Of so many rows the programs would take longer than the event.
  constexpr int most_rows = 96;
  if (equations_.saddle().redundant_count() == 0 || equations_.row_count() > most_rows) return {};
  const System& s = *system_;
  std::string text;
  AdmissibleForces forces(equations_, mode, equations_.acceleration());
  const auto add = [&](const std::string& name, const char* what, int row) {
    if (row < 0) return;
    double least, largest;
    forces.range(row, least, largest);
    if (least < largest && std::isfinite(largest - least))
      text += (text.empty() ? "forces are not unique: " : ", ") + name + " " + what + " in [" + number(least) + ", " +
              number(largest) + "] N";
  };
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    add(s.contacts[c]->name, "lambda_N", equations_.contact_row(static_cast<int>(c)));
    const int unit = s.contact_friction[c];
    if (unit >= 0 && s.frictions[unit].directions == 1)
      add(s.contacts[c]->name, "lambda_T", equations_.stick_row(unit));
  }
  return text;
}

}  // namespace hstar
