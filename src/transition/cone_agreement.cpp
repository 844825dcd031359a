// src/transition/cone_agreement.cpp: sliding begins in a direction that the equations confirm.
//
// How redundant contacts share a load decides how the bodies begin to slide, and is not unique: the problem over cones
// finds one share, the equations of the mode take another (the smallest forces). With the normal forces of the
// equations given, the directions follow from friction alone; these change the normal forces again, by little where
// bodies are wider than high: repeated until both agree.
#include <algorithm>
#include <cmath>

#include "transition/mode_problem.hpp"

namespace hstar {
namespace {
constexpr int most = 60;
/// Of the size of the accelerations' terms: an acceleration across the direction is round-off.
constexpr double agreed = 1e-11;
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

bool ModeSolver::directions_agree(const ContactReduction::Island& island, const Mode& mode) const {
  std::array<Row, most_directions> rows;
  int index = 0;
  for (const UndecidedElement& e : island.elements) {
    if (e.unit < 0) continue;
    const math::ConeUnit& u = island.cone.unit[at(index++)];
    if (u.directions == 1 || mode.friction[at(e.unit)].slide != Slide::slip) continue;
    // (A moment later, asked for what comes next, it may have a velocity, and with it a direction.)
    if (equations_.slide_speed(e.unit) > equations_.slide_floor(e.unit)) continue;
    equations_.tangent_rows(e.unit, rows.data());
    const auto& d = equations_.slide_reference(e.unit);
    std::array<double, most_directions> a{};
    double along = 0, across = 0, scale = 0;
    for (int i = 0; i < u.directions; ++i) {
      a[at(i)] = equations_.row_acceleration(rows[at(i)]);
      along += a[at(i)] * d[at(i)];
      scale = std::max(scale, island.cone.scale[at(u.row + i)]);
    }
    for (int i = 0; i < u.directions; ++i) across = std::hypot(across, a[at(i)] - along * d[at(i)]);
    // What turns the direction, and what turns it round.
    if (across > agreed * scale || along < -agreed * scale) return false;
  }
  return true;
}

void ModeSolver::agree_on_directions(Mode& mode) {
  for (int i = 0; i < reduction_.count(); ++i)
    if (reduction_.island(i).has_cones) agree_on_directions(reduction_.island(i), mode);
}

void ModeSolver::agree_on_directions(const ContactReduction::Island& island, Mode& mode) {
  if (directions_agree(island, mode)) return;
  const System& s = equations_.system();
  before_ = mode;
  before_direction_.resize(s.frictions.size());
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    before_direction_[u] = equations_.slide_reference(static_cast<int>(u));
  shared_ = island.cone;
  const auto next = [&] {
    int index = 0;
    for (const UndecidedElement& e : island.elements) {
      if (e.unit < 0) continue;
      math::ConeUnit& u = shared_.unit[at(index++)];
      const int contact = s.frictions[at(e.unit)].contact;
      if (contact < 0) continue;
      u.normal = math::ConeUnit::Normal::given;
      u.normal_0 = mode.closed[at(contact)] ? std::max(0.0, equations_.contact_force(contact)) : 0.0;
    }
    if (!cones_->solve(shared_).found) return false;
    index = 0;
    for (const UndecidedElement& e : island.elements) {
      if (e.contact >= 0 &&
          (cones_->contact_hold()[at(index++)] != math::ConeHold::open) != (mode.closed[at(e.contact)] != 0))
        return false;
    }
    take_cones(island, mode);
    for (const UndecidedElement& e : island.elements)
      if (e.unit >= 0 && s.frictions[at(e.unit)].contact >= 0 && !mode.closed[at(s.frictions[at(e.unit)].contact)])
        mode.friction[at(e.unit)] = FrictionMode{};
    solve_in(mode);
    return true;
  };
  for (int i = 0; i < most; ++i) {
    if (!next()) break;
    if (directions_agree(island, mode)) return;
  }
  mode = before_;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    equations_.set_slide_direction(static_cast<int>(u), before_direction_[u].data());
  solve_in(mode);
}

}  // namespace hstar
