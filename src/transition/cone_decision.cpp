// src/transition/cone_decision.cpp: the next mode of an island with units of several directions.
#include <algorithm>

#include "transition/mode_problem.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void ModeSolver::decide_cones(const ContactReduction::Island& island, Mode& mode, ModeChoice& total) {
  const math::ConeAnswer answer = cones_->solve(island.cone);
  total.undecided += static_cast<int>(island.elements.size());
  total.residual = std::max(total.residual, answer.residual);
  total.split |= answer.split;
  if (!answer.found) {
    total.found = false;
    if (total.jams < 0) total.jams = jamming_cone(island);
    if (total.why.empty())
      total.why =
          "no combination of stick, slip and contact that satisfies the laws of friction and contact was found (" +
          std::to_string(island.elements.size()) + " elements undecided)";
    return;
  }
  take_cones(island, mode);
  if (answer.ties > 1) note_cone_ties(island);
  total.ties = std::max(total.ties, answer.ties);
}

int ModeSolver::jamming_cone(const ContactReduction::Island& island) const {
  // As in the plane: a sliding contact with p = G_NN - mu d . G_TN < 0 whose normal force drives it deeper.
  const math::ConeProblem& p = island.cone;
  int jams = -1;
  double deepest = 0;
  int contact = 0, unit = 0;
  for (const UndecidedElement& e : island.elements) {
    const int c = e.contact >= 0 ? contact++ : -1, u = e.unit >= 0 ? unit++ : -1;
    if (c < 0 || u < 0 || !p.unit[at(u)].slides) continue;
    const math::ConeUnit& slides = p.unit[at(u)];
    const int row = p.contact[at(c)].row;
    const auto g = [&](int j) { return p.G[at(row * p.rows() + j)]; };
    double answer = g(row);
    for (int d = 0; d < slides.directions; ++d)
      answer -= slides.mu_kinetic * slides.direction[at(d)] * g(slides.row + d);
    if (answer / g(row) < deepest && p.c[at(row)] < 0) {
      deepest = answer / g(row);
      jams = e.contact;
    }
  }
  return jams;
}

void ModeSolver::take_cones(const ContactReduction::Island& island, Mode& mode) {
  const System& s = equations_.system();
  int contact = 0, unit = 0;
  for (const UndecidedElement& e : island.elements) {
    if (e.contact >= 0) mode.closed[at(e.contact)] = cones_->contact_hold()[at(contact++)] != math::ConeHold::open;
    if (e.unit < 0) continue;
    const math::ConeHold hold = cones_->unit_hold()[at(unit)];
    const math::Direction3& direction = cones_->direction()[at(unit)];
    const bool slides = island.cone.unit[at(unit++)].slides;
    FrictionMode& f = mode.friction[at(e.unit)];
    const FrictionUnit& what = s.frictions[at(e.unit)];
    if (hold == math::ConeHold::open || !what.law.dry()) {
      f = FrictionMode{};
    } else if (hold == math::ConeHold::stick) {
      f = FrictionMode{Slide::stick, 0, 0, 0};
    } else if (!slides) {
      f = FrictionMode{Slide::slip, 1, 0, 0};
      if (what.directions > 1)
        equations_.set_slide_direction(e.unit, direction.data());
      else if (direction[0] < 0)
        f.direction = -1;
    }
    f.side = 0;
  }
}

void ModeSolver::note_cone_ties(const ContactReduction::Island& island) {
  int contact = 0, unit = 0;
  for (const UndecidedElement& e : island.elements) {
    if (e.contact >= 0) ties_.contact[at(e.contact)] = cones_->contact_is_tied(island.cone, contact++);
    if (e.unit >= 0) ties_.unit[at(e.unit)] = cones_->unit_is_tied(island.cone, unit++);
  }
}

}  // namespace hstar
