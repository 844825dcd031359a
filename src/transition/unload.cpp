// src/transition/unload.cpp: contacts without load among redundant ones that slide.
//
// A box that slides and turns on its face has a sliding direction at each corner, and how the corners share its weight
// decides the motion: it is not unique. The equations take the least forces, and some of these may be tensile although
// others that are not would hold the bodies apart as well. Such contacts stay closed and carry nothing, the most
// tensile first: of least forces those that press (as an active-set method finds them, Lawson & Hanson 1974, ch. 23).
// Which they are is asked again at every decision; when another one is about to pull its guard fires.
#include <algorithm>
#include <limits>

#include "transition/mechanism_process.hpp"

namespace hstar {
namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
}

void MechanismProcess::unload(const ModeProblem& problem) {
  const System& s = *system_;
  if (!s.is_spatial()) return;  // in the plane all slide in one direction, and the split does not matter
  std::fill(needed_.begin(), needed_.end(), 0);
  while (equations_.saddle().redundant_count() > 0) {
    // Below what its guard can tell from zero; what has just come to zero goes on falling.
    const double least = 64 * eps * equations_.force_scale(), falling = 1e-9 * equations_.force_scale();
    int worst = -1;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < s.contacts.size(); ++c) {
      const int unit = s.contact_friction[c];
      if (mode_.closed[c] != 1 || needed_[c] ||
          (unit >= 0 && mode_.friction[static_cast<std::size_t>(unit)].slide == Slide::stick))
        continue;
      const double force = equations_.contact_force(static_cast<int>(c));
      if (force < (problem.contacts[c].lifting ? falling : -least) && force < lowest) {
        lowest = force;
        worst = static_cast<int>(c);
      }
    }
    if (worst < 0) return;
    const auto w = static_cast<std::size_t>(worst);
    mode_.closed[w] = unloaded;
    solver_.solve_in(mode_);
    if (equations_.saddle().is_redundant(equations_.contact_row(worst))) continue;
    needed_[w] = 1;
    mode_.closed[w] = 1;
    solver_.solve_in(mode_);
  }
}

}  // namespace hstar
