// src/transition/contact_reduction.cpp
#include "transition/contact_reduction.hpp"

#include <algorithm>
#include <cmath>

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Friction whose normal force is a smooth nonlinear function of a reaction, and takes part in the problem.
bool is_pin(const System& s, int unit) {
  const FrictionUnit& u = s.frictions[at(unit)];
  const bool smooth = !u.side_matters || !s.joints[at(std::max(u.joint, 0))]->normal_force_is_linear();
  return u.joint >= 0 && !u.normal_force && smooth && u.law.dry();
}
}  // namespace

ContactReduction::ContactReduction(ModeEquations& equations)
    : equations_(equations), by_joints_(equations.mass(), equations.system().columns), joined_(by_joints_) {
  const System& s = equations.system();
  for (const auto& joint : s.joints) by_joints_.join(joint->first.body, joint->second.body);
  island_of_.assign(s.bodies.size(), -1);
  asked_.assign(s.bodies.size(), 0);
  base_.closed.resize(s.contacts.size());
  base_.friction.resize(s.frictions.size());
  directions_.reserve(2 * (s.contacts.size() + s.frictions.size()) + at(s.sliding_rows()));
  const auto n = s.slots(), rows = at(s.rows + s.sliding_rows()) + s.contacts.size();
  load_.resize(n);
  a_.resize(n);
  zero_.assign(rows, 0.0);
  lambda_.resize(rows);
}

double ContactReduction::row_scale(const Row& row) const {
  // The terms that make up the rate, the applied forces among them: at a tangential departure the
  // acceleration itself is zero, its round-off is that of the forces.
  double sum = std::abs(row.gamma);
  const int columns = equations_.system().columns;
  for (std::size_t i = 0; i < 2; ++i)
    for (int c = 0; c < columns; ++c) {
      const auto k = at(columns * row.body[i] + c);
      const double mass = equations_.mass()[k];
      sum += std::abs(row.J[i][c] * equations_.acceleration()[k]);
      if (mass > 0) sum += std::abs(row.J[i][c] * equations_.load()[k]) / mass;
    }
  return sum;
}

void ContactReduction::collect(const ModeProblem& problem, const Mode& mode) {
  const System& s = equations_.system();
  joined_ = by_joints_;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (problem.contacts[c].touching || mode.closed[c]) joined_.join(s.contacts[c]->first, s.contacts[c]->second);
  joined_.settle();
  // The island of an element; those between bodies without freedom share that of the ground.
  const auto island = [&](int first, int second) { return std::max({joined_.of(first), joined_.of(second), 0}); };
  const auto island_of_unit = [&](std::size_t u) {
    const FrictionUnit& unit = s.frictions[u];
    if (unit.contact >= 0) return island(s.contacts[at(unit.contact)]->first, s.contacts[at(unit.contact)]->second);
    const Joint& joint = *s.joints[at(unit.joint)];
    return island(joint.first.body, joint.second.body);
  };
  if (!problem.all) {
    std::fill(asked_.begin(), asked_.end(), 0);
    for (std::size_t c = 0; c < s.contacts.size(); ++c)
      if (problem.contacts[c].asked) asked_[at(island(s.contacts[c]->first, s.contacts[c]->second))] = 1;
    for (std::size_t u = 0; u < s.frictions.size(); ++u)
      if (problem.units[u].asked) asked_[at(island_of_unit(u))] = 1;
  }
  for (int i = 0; i < count_; ++i) islands_[at(i)].elements.clear();
  std::fill(island_of_.begin(), island_of_.end(), -1);
  count_ = 0;
  base_ = mode;
  const auto add = [&](int root, UndecidedElement element) {
    if (!problem.all && !asked_[at(root)]) return;
    int& index = island_of_[at(root)];
    if (index < 0) {
      index = count_++;
      if (islands_.size() < at(count_)) islands_.emplace_back();
      islands_[at(index)].elements.clear();
      islands_[at(index)].linear = true;
      islands_[at(index)].has_cones = false;
    }
    Island& into = islands_[at(index)];
    into.elements.push_back(element);
    if (element.contact >= 0) base_.closed[at(element.contact)] = 0;
    if (element.unit >= 0) {
      base_.friction[at(element.unit)] = FrictionMode{};
      into.linear &= !is_pin(s, element.unit);
      into.has_cones |= s.frictions[at(element.unit)].directions > 1;
    }
  };
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (problem.contacts[c].touching)
      add(island(s.contacts[c]->first, s.contacts[c]->second), {static_cast<int>(c), s.contact_friction[c]});
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    if (unit.part != FrictionPart::sliding && problem.contacts[at(unit.contact)].touching)
      add(island_of_unit(u), {-1, static_cast<int>(u)});
    if (unit.joint < 0 || !unit.law.dry()) continue;
    // A joint that slides under a given normal force is decided; one whose normal force is a reaction takes part.
    if (problem.units[u].at_zero || !unit.normal_force) add(island_of_unit(u), {-1, static_cast<int>(u)});
  }
  // Islands in which a sliding joint is all there is have nothing to decide.
  for (int i = 0; i < count_; ++i) {
    const auto& elements = islands_[at(i)].elements;
    if (std::any_of(elements.begin(), elements.end(),
                    [&](const UndecidedElement& e) { return e.contact >= 0 || problem.units[at(e.unit)].at_zero; }))
      continue;
    for (const UndecidedElement& e : elements) base_.friction[at(e.unit)] = mode.friction[at(e.unit)];
    islands_[at(i)].elements.clear();
  }
}

void ContactReduction::join_friction(const ModeProblem& problem, Island& island) {
  // Only where all of them are undecided and have the same coefficients: then how the friction is shared changes
  // nothing.
  const System& s = equations_.system();
  auto& elements = island.elements;
  const std::size_t count = elements.size();
  const auto law = [&](const UndecidedElement& e) -> const FrictionLaw& { return s.frictions[at(e.unit)].law; };
  const auto joins = [&](const UndecidedElement& e) {
    return e.contact >= 0 && e.unit >= 0 && law(e).dry() && problem.units[at(e.unit)].at_zero;
  };
  if (std::count_if(elements.begin(), elements.end(), joins) < 2) return;
  tangent_.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    if (joins(elements[i])) equations_.tangent_row(elements[i].unit, tangent_[i]);
  for (std::size_t i = 0; i < count; ++i) {
    if (elements[i].friction >= 0 || !joins(elements[i])) continue;
    const int unit = elements[i].unit;
    const double mu_static = law(elements[i]).mu_static(), mu_kinetic = law(elements[i]).mu_kinetic(0.0, 0);
    for (std::size_t j = i + 1; j < count; ++j) {
      if (elements[j].friction >= 0 || !joins(elements[j])) continue;
      const int sign = same_row(tangent_[i], tangent_[j], s.columns);
      if (sign == 0 || law(elements[j]).mu_static() != mu_static || law(elements[j]).mu_kinetic(0.0, 0) != mu_kinetic)
        continue;
      if (elements[i].friction < 0) {
        elements[i].friction = static_cast<int>(elements.size());
        elements.push_back({-1, unit});
      }
      elements[j].friction = elements[i].friction;
      elements[j].sign = sign;
    }
  }
}

bool ContactReduction::reduce(const ModeProblem& problem, const Mode& mode) {
  collect(problem, mode);
  equations_.choose_rows(base_);
  equations_.fill_rows(base_);
  equations_.find_redundant();
  if (!equations_.solve(base_)) return false;
  describe(problem, mode);
  respond();
  return true;
}

void ContactReduction::describe(const ModeProblem& problem, const Mode& mode) {
  using Normal = math::CoulombElement::Normal;
  using Tangent = math::CoulombElement::Tangent;
  const System& s = equations_.system();
  directions_.clear();
  for (int n = 0; n < count_; ++n) {
    Island& island = islands_[at(n)];
    if (island.has_cones) {
      island.linear = false;
      describe_cones(problem, mode, n);
      continue;
    }
    if (!island.linear || island.elements.empty()) continue;
    join_friction(problem, island);
    math::CoulombProblem& p = island.matrices;
    p.resize(static_cast<int>(island.elements.size()));
    p.force_scale = std::max(equations_.force_scale(), problem.force_scale);
    for (int i = 0; i < p.count(); ++i) {
      const UndecidedElement& from = island.elements[at(i)];
      math::CoulombElement& e = p.element[at(i)];
      const auto add = [&](int index, const Row& row) {
        p.c[at(index)] = equations_.row_acceleration(row);
        p.scale[at(index)] = row_scale(row);
        directions_.push_back({n, index, row});
      };
      Row row;
      if (from.contact >= 0) {
        equations_.normal_row(from.contact, row);
        add(2 * i, row);
        e.lifting = problem.contacts[at(from.contact)].lifting;
      }
      if (from.unit < 0) continue;
      if (from.friction >= 0) {
        math::CoulombElement& common = p.element[at(from.friction)];
        const UnitKnowledge& known = problem.units[at(from.unit)];
        p.normal_by[at(from.friction * 2 * p.count() + 2 * i)] = 1;
        common.broke_away |= known.broke_away;
        if (known.heading != 0) common.heading = static_cast<signed char>(from.sign * known.heading);
        continue;
      }
      const FrictionUnit& unit = s.frictions[at(from.unit)];
      const UnitKnowledge& known = problem.units[at(from.unit)];
      const FrictionMode& now = mode.friction[at(from.unit)];
      const double speed = equations_.slide_velocity(from.unit);
      equations_.tangent_row(from.unit, row);
      if (from.contact < 0 && unit.contact >= 0) {
        e.normal = Normal::sum;
      } else if (from.contact < 0) {
        e.normal = unit.normal_force ? Normal::given : Normal::guide;
        e.normal_0 = unit.normal_force
                         ? equations_.normal_force(from.unit)
                         : unit.lever * equations_.joint_multipliers(unit.joint)[s.joints[at(unit.joint)]->side_row()];
      }
      if (!unit.law.dry()) {  // viscous only: a known force while the contact is closed
        e.tangent = Tangent::slips;
        e.direction = 1;
        e.tangent_0 = -unit.law.viscous() * speed;
      } else if (known.at_zero) {
        e.tangent = Tangent::undecided;
        e.mu_static = unit.law.mu_static();
        e.mu_kinetic = unit.law.mu_kinetic(0.0, 0);
        if (e.normal != Normal::sum) {
          e.broke_away = known.broke_away;
          e.heading = known.heading;
        }
      } else {
        e.tangent = Tangent::slips;
        e.direction = now.direction;
        e.mu_static = e.mu_kinetic = unit.law.mu_kinetic(now.direction * speed, now.piece);
        // A joint's viscous part is among the known forces already; a contact's acts only while it is closed.
        if (from.contact >= 0) e.tangent_0 = -unit.law.viscous() * speed;
      }
      add(2 * i + 1, row);
    }
  }
}

void ContactReduction::respond() {
  // directions_ stand island by island; the number of a direction within its island is its turn.
  const System& s = equations_.system();
  auto& saddle = equations_.saddle();
  std::size_t most = 0;
  for (std::size_t begin = 0, end = 0; begin < directions_.size(); begin = end) {
    while (end < directions_.size() && directions_[end].island == directions_[begin].island) ++end;
    most = std::max(most, end - begin);
  }
  for (std::size_t turn = 0; turn < most; ++turn) {
    std::fill(load_.begin(), load_.end(), 0.0);
    const auto each = [&](auto&& use) {
      for (std::size_t begin = 0, end = 0; begin < directions_.size(); begin = end) {
        while (end < directions_.size() && directions_[end].island == directions_[begin].island) ++end;
        if (begin + turn < end) use(begin, end, directions_[begin + turn]);
      }
    };
    each([&](std::size_t, std::size_t, const Direction& d) { equations_.add_row(d.row, 1.0, load_.data()); });
    saddle.solve(load_.data(), zero_.data(), a_.data(), lambda_.data());
    each([&](std::size_t begin, std::size_t end, const Direction& d) {
      Island& island = islands_[at(d.island)];
      math::CoulombProblem& p = island.matrices;
      const int n = island.has_cones ? island.cone.rows() : 2 * p.count();
      auto& G = island.has_cones ? island.cone.G : p.G;
      for (std::size_t other = begin; other < end; ++other) {
        const Direction& o = directions_[other];
        G[at(o.index * n + d.index)] = equations_.row_times(o.row, a_.data());
      }
      if (island.has_cones) {
        respond_cones(island, d.row, d.index);
        return;
      }
      for (int i = 0; i < p.count(); ++i) {
        if (p.element[at(i)].normal != math::CoulombElement::Normal::guide) continue;
        const FrictionUnit& unit = s.frictions[at(island.elements[at(i)].unit)];
        const int row = s.joint_row[at(unit.joint)] + s.joints[at(unit.joint)]->side_row();
        const double response = unit.lever * lambda_[at(row)];
        // A unit force that changes the reaction by round-off does not change it.
        p.normal_by[at(i * n + d.index)] =
            std::abs(response) > unit.lever * reaction_round_off(s, d.row) ? response : 0.0;
      }
    });
  }
}

}  // namespace hstar
