// src/transition/guard_forms.cpp
#include "transition/guard_forms.hpp"

#include <algorithm>

#include "formulation/linear_mode.hpp"

namespace hstar {

GuardForms::GuardForms(const System& system) : system_(system), length_(system.size() + 2) {}

bool GuardForms::add_speed(const ModeEquations& equations, int unit, double sense, double* form) const {
  const FrictionUnit& about = system_.frictions[unit];
  if (about.directions != 1 || !about.velocity_is_linear) return false;
  const Row row = equations.motion.tangent_row(unit);
  for (std::size_t i = 0; i < 2; ++i) {
    const Body& body = system_.bodies[row.body[i]];
    for (int c = 0; c < body.dofs; ++c) form[system_.nq + body.dof + c] += sense * row.J[i][c];
  }
  form[length_ - 1] -= sense * row.nu;
  return true;
}

const double* GuardForms::find(const ModeEquations& equations, const Mode& mode, std::size_t guard, WatchRef ref) {
  const LinearMode* linear = equations.linear(mode);
  if (!linear || !linear->is_affine()) return nullptr;
  if (forms_.empty()) forms_.resize(guards_ * length_);
  double* form = forms_.data() + guard * length_;
  std::fill(form, form + length_, 0.0);
  const auto add = [&](int place, double factor) {
    const double* row = linear->row(place);
    for (std::size_t i = 0; i < length_; ++i) form[i] += factor * row[i];
    return true;
  };
  bool known = false;
  switch (ref.what) {
    case Watch::slide_stops:
      known = add_speed(equations, ref.index, mode.friction[ref.index].direction, form);
      break;
    case Watch::piece_slower:
    case Watch::piece_faster: {
      const FrictionMode& f = mode.friction[ref.index];
      const FrictionLaw& law = system_.frictions[ref.index].law;
      const double sense = ref.what == Watch::piece_slower ? 1 : -1;
      known = add_speed(equations, ref.index, sense * f.direction, form);
      form[length_ - 1] -= sense * (sense > 0 ? law.piece_begin(f.piece) : law.piece_end(f.piece));
      break;
    }
    case Watch::stick_upper:
    case Watch::stick_lower: {
      const FrictionUnit& unit = system_.frictions[ref.index];
      if (unit.directions != 1 || !unit.mu_is_number()) break;
      known = add(linear->normal_place(ref.index), unit.law.coefficients().mu_static) &&
              add(linear->friction_place(ref.index), ref.what == Watch::stick_upper ? -1 : 1);
      break;
    }
    case Watch::side: {
      const int joint = system_.frictions[ref.index].joint;
      known = add(linear->multiplier_place(system_.joint_row[joint] + system_.joints[joint]->side_row()),
                  mode.friction[ref.index].side);
      break;
    }
    case Watch::normal_force:
      known = equations.rows.of_contact(ref.index) >= 0 &&
              add(linear->multiplier_place(equations.rows.of_contact(ref.index)), 1);
      break;
    default:
      break;
  }
  return known ? form : nullptr;
}

}  // namespace hstar
