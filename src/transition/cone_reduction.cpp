// src/transition/cone_reduction.cpp: an island with units of several directions as a problem over cones.
//
// Rows by element: of a contact its normal; of a unit that slides one, along its direction; of one to be decided all.
#include <algorithm>
#include <array>
#include <cmath>

#include "transition/contact_reduction.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

int normal_parts(const System& s, const FrictionUnit& unit, NormalPart* parts) {
  const Joint& joint = *s.joints[at(unit.joint)];
  const int count = joint.normal_parts(parts);
  if (count > 0 || joint.side_row() < 0) return count;
  parts[0] = NormalPart{};
  parts[0].size = 1;
  parts[0].by_lambda[0][joint.side_row()] = 1;
  return 1;
}

int normal_reactions(const System& s, const FrictionUnit& unit, const double* lambda, double round_off,
                     double* reactions) {
  NormalPart parts[2];
  const int count = normal_parts(s, unit, parts);
  int n = 0;
  for (int i = 0; i < count; ++i)
    for (int r = 0; r < parts[i].size; ++r) {
      double sum = 0;
      for (int l = 0; l < s.joints[at(unit.joint)]->rows(); ++l) sum += parts[i].by_lambda[r][l] * lambda[l];
      reactions[n++] = std::abs(sum) > round_off ? sum : 0.0;
    }
  return n;
}

double reaction_round_off(const System& s, const Row& row) {
  double force = 0, moment = 0;
  for (const auto& J : row.J)
    for (int c = 0; c < s.columns; ++c) {
      double& size = s.turns(c) ? moment : force;
      size = std::max(size, std::abs(J[at(c)]));
    }
  return 1e-13 * std::max(force, moment / s.length);
}

void ContactReduction::describe_cones(const ModeProblem& problem, const Mode& mode, int island_index) {
  const System& s = equations_.system();
  Island& island = islands_[at(island_index)];
  const auto undecided = [&](const UndecidedElement& e) {
    return s.frictions[at(e.unit)].law.dry() && problem.units[at(e.unit)].at_zero;
  };
  NormalPart parts[2];
  int contacts = 0, units = 0, rows = 0, part_count = 0, reactions = 0;
  const auto by_reaction = [&](const FrictionUnit& unit) { return unit.contact < 0 && !unit.normal_force; };
  for (const UndecidedElement& e : island.elements) {
    if (e.contact >= 0) ++contacts, ++rows;
    if (e.unit < 0) continue;
    ++units;
    const FrictionUnit& unit = s.frictions[at(e.unit)];
    rows += undecided(e) ? unit.directions : 1;
    for (int i = by_reaction(unit) ? normal_parts(s, unit, parts) : 0; i > 0; --i)
      ++part_count, reactions += parts[i - 1].size;
  }
  math::ConeProblem& p = island.cone;
  p.resize(contacts, units, rows, part_count, reactions);
  p.force_scale = std::max(equations_.force_scale(), problem.force_scale);
  int contact = 0, unit_index = 0, row_index = 0, part = 0, reaction = 0;
  const auto add = [&](const Row& row) {
    p.c[at(row_index)] = equations_.row_acceleration(row);
    p.scale[at(row_index)] = row_scale(row);
    directions_.push_back({island_index, row_index++, row});
  };
  std::array<Row, most_directions> row;
  for (const UndecidedElement& from : island.elements) {
    if (from.contact >= 0) {
      math::ConeContact& c = p.contact[at(contact++)];
      c.row = row_index;
      c.lifting = problem.contacts[at(from.contact)].lifting;
      equations_.normal_row(from.contact, row[0]);
      add(row[0]);
    }
    if (from.unit < 0) continue;
    const FrictionUnit& unit = s.frictions[at(from.unit)];
    const UnitKnowledge& known = problem.units[at(from.unit)];
    math::ConeUnit& u = p.unit[at(unit_index++)];
    double lever = unit.lever;
    if (unit.contact >= 0) {
      // Contacts stand before the units of joints and of rolling friction: the place of its own is known.
      int place = 0;
      for (const UndecidedElement& e : island.elements) {
        if (e.contact == unit.contact) break;
        place += e.contact >= 0;
      }
      u.normal = math::ConeUnit::Normal::contact;
      u.contact = place;
    } else if (unit.normal_force) {
      u.normal = math::ConeUnit::Normal::given;
      u.normal_0 = equations_.normal_force(from.unit);  // with the lever
      lever = 1;
    } else {
      u.normal = math::ConeUnit::Normal::parts;
      u.part = part;
      u.parts = normal_parts(s, unit, parts);
      normal_reactions(s, unit, equations_.joint_multipliers(unit.joint), 0, p.reaction_0.data() + reaction);
      for (int i = 0; i < u.parts; ++i) {
        p.part[at(part++)] = {parts[i].weight, parts[i].size, reaction};
        reaction += parts[i].size;
      }
    }
    u.row = row_index;
    if (undecided(from)) {
      u.directions = unit.directions;
      u.mu_static = lever * unit.law.mu_static();
      u.mu_kinetic = lever * unit.law.mu_kinetic(0.0, 0);
      u.broke_away = known.broke_away;
      u.heading = {static_cast<double>(known.heading), 0, 0};
      equations_.tangent_rows(from.unit, row.data());
      for (int i = 0; i < unit.directions; ++i) add(row[at(i)]);
      continue;
    }
    u.directions = 1;
    u.slides = true;
    equations_.tangent_row(from.unit, row[0]);
    const double speed = equations_.slide_velocity(from.unit);
    double sense = 1;
    if (unit.law.dry()) {
      const FrictionMode& now = mode.friction[at(from.unit)];
      sense = now.direction;
      u.mu_static = u.mu_kinetic = lever * unit.law.mu_kinetic(sense * speed, now.piece);
    }
    u.direction = {sense, 0, 0};
    // A joint's viscous part is among the known forces already; a contact's acts only while it is closed.
    if (unit.contact >= 0) u.further = {-unit.law.viscous() * speed, 0, 0};
    add(row[0]);
  }
}

void ContactReduction::respond_cones(Island& island, const Row& row, int index) {
  // lambda_ are the multipliers that a unit force in this direction causes.
  const double round_off = reaction_round_off(equations_.system(), row);
  const System& s = equations_.system();
  math::ConeProblem& p = island.cone;
  const int n = p.rows();
  double by_unit[most_reactions];
  int reaction = 0;
  for (const UndecidedElement& e : island.elements) {
    if (e.unit < 0) continue;
    const FrictionUnit& unit = s.frictions[at(e.unit)];
    if (unit.contact >= 0 || unit.normal_force) continue;
    const int count = normal_reactions(s, unit, lambda_.data() + s.joint_row[at(unit.joint)], round_off, by_unit);
    for (int i = 0; i < count; ++i) p.reaction[at(reaction++ * n + index)] = by_unit[i];
  }
}

}  // namespace hstar
