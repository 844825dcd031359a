// src/formulation/contact_reduction.cpp
#include "formulation/contact_reduction.hpp"
#include "formulation/tolerances.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
  return formulation::reaction_round_off * std::max(force, moment / s.length);
}

double free_response(const ModeEquations& equations, const Row& row) {
  const int columns = equations.system().columns;
  double sum = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (int c = 0; c < columns; ++c)
      if (const double mass = equations.motion.mass()[at(columns * row.body[i] + c)]; mass > 0)
        sum += row.J[i][c] * row.J[i][c] / mass;
  return sum;
}

bool ContactReduction::Island::is_planar() const {
  return std::all_of(problem.unit.begin(), problem.unit.end(),
                     [](const contact::Unit& u) { return u.directions == 1; });
}

ContactReduction::ContactReduction(ModeEquations& equations)
    : equations_(equations), by_joints_(equations.motion.mass(), equations.system().columns), joined_(by_joints_) {
  const System& s = equations.system();
  for (const auto& joint : s.joints) by_joints_.join(joint->bodies());
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
  force_size_.assign(s.slots(), 0.0);
}

double ContactReduction::row_scale(const Row& row) const {
  // The terms that make up the rate, the forces among them: at a tangential departure the acceleration itself is zero,
  // its round-off is that of the forces.
  double sum = std::abs(row.gamma);
  const int columns = equations_.system().columns;
  for (std::size_t i = 0; i < 2; ++i)
    for (int c = 0; c < columns; ++c) {
      const auto k = at(columns * row.body[i] + c);
      const double mass = equations_.motion.mass()[k];
      sum += std::abs(row.J[i][c] * equations_.acceleration()[k]);
      if (mass > 0) sum += std::abs(row.J[i][c]) * force_size_[k] / mass;
    }
  return sum;
}

void ContactReduction::measure_forces(int rows) {
  const int columns = equations_.system().columns;
  for (std::size_t k = 0; k < force_size_.size(); ++k) force_size_[k] = std::abs(equations_.load()[k]);
  for (int j = 0; j < rows; ++j) {
    const Row& row = equations_.rows[j];
    const double lambda = std::abs(equations_.multipliers()[at(j)]);
    for (std::size_t i = 0; i < 2; ++i)
      for (int c = 0; c < columns; ++c) force_size_[at(columns * row.body[i] + c)] += std::abs(row.J[i][c]) * lambda;
  }
}

void ContactReduction::collect(const ModeProblem& problem, const Mode& mode) {
  const System& s = equations_.system();
  joined_ = by_joints_;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (problem.contacts[c].touching || mode.closed[c]) joined_.join(s.contacts[c]->bodies());
  joined_.settle();
  const auto island_of_unit = [&](std::size_t u) { return joined_.of(s.bodies_of(s.frictions[u])); };
  if (!problem.all) {
    std::fill(asked_.begin(), asked_.end(), 0);
    for (std::size_t c = 0; c < s.contacts.size(); ++c)
      if (problem.contacts[c].asked) asked_[at(joined_.of(s.contacts[c]->bodies()))] = 1;
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
    }
    Island& into = islands_[at(index)];
    into.elements.push_back(element);
    if (element.contact >= 0) base_.closed[at(element.contact)] = 0;
    if (element.unit >= 0) base_.friction[at(element.unit)] = FrictionMode{};
  };
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (problem.contacts[c].touching)
      add(joined_.of(s.contacts[c]->bodies()), {static_cast<int>(c), s.contact_friction[c]});
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

bool ContactReduction::covers(int body) const {
  const int root = joined_.of(body), island = root < 0 ? -1 : island_of_[at(root)];
  return island >= 0 && !islands_[at(island)].elements.empty();
}

bool ContactReduction::reduce(const ModeProblem& problem, const Mode& mode, bool same_rows) {
  collect(problem, mode);
  equations_.rows.choose(base_);
  equations_.rows.fill();
  if (!same_rows) equations_.rows.find_redundant();
  const bool solved = equations_.solve(base_);
  measure_forces(solved ? equations_.rows.count() : 0);
  if (!solved) return false;
  directions_.clear();
  for (int i = 0; i < count_; ++i)
    if (!islands_[at(i)].elements.empty()) describe(problem, mode, i);
  respond();
  return true;
}

void ContactReduction::add(int island, const Row& row, double compliance) {
  contact::Problem& p = islands_[at(island)].problem;
  p.c[at(next_.row)] = row.rate(equations_.acceleration().data(), equations_.system().columns);
  p.scale[at(next_.row)] = row_scale(row);
  p.compliance[at(next_.row)] = compliance;
  p.alone[at(next_.row)] = free_response(equations_, row);
  directions_.push_back({island, next_.row++, row});
}

void ContactReduction::describe(const ModeProblem& problem, const Mode& mode, int island_index) {
  // Rows by element: of a contact its normal; of a unit that slides one, along its direction; of one to be decided all.
  const System& s = equations_.system();
  Island& island = islands_[at(island_index)];
  NormalPart parts[2];
  Place size;
  for (const UndecidedElement& e : island.elements) {
    if (e.contact >= 0) ++size.contact, ++size.row;
    if (e.unit < 0) continue;
    ++size.unit;
    const FrictionUnit& unit = s.frictions[at(e.unit)];
    size.row += unit.law.dry() && problem.units[at(e.unit)].at_zero ? unit.directions : 1;
    for (int i = unit.contact < 0 && !unit.normal_force ? normal_parts(s, unit, parts) : 0; i > 0; --i)
      ++size.part, size.reaction += parts[i - 1].size;
  }
  island.problem.resize(size.contact, size.unit, size.row, size.part, size.reaction);
  island.problem.force_scale = std::max(equations_.force_scale(), problem.force_scale);
  next_ = {};
  for (int i = 0; i < static_cast<int>(island.elements.size()); ++i) {
    const UndecidedElement& e = island.elements[at(i)];
    if (e.contact >= 0) {
      contact::Contact& c = island.problem.contact[at(next_.contact++)];
      c.row = next_.row;
      c.leaving = problem.contacts[at(e.contact)].lifting;
      c.pressing = problem.contacts[at(e.contact)].pressed;
      Row row;
      equations_.motion.normal_row(e.contact, row);
      add(island_index, row, 1);
    }
    if (e.unit >= 0) describe_unit(problem, mode, island, island_index, i);
  }
}

void ContactReduction::describe_unit(const ModeProblem& problem, const Mode& mode, Island& island, int island_index,
                                     int element) {
  const System& s = equations_.system();
  const UndecidedElement& from = island.elements[at(element)];
  const FrictionUnit& unit = s.frictions[at(from.unit)];
  const UnitKnowledge& known = problem.units[at(from.unit)];
  contact::Problem& p = island.problem;
  contact::Unit& u = p.unit[at(next_.unit++)];
  double lever = unit.lever;
  if (unit.contact >= 0) {
    // Contacts stand before the units of joints and of rolling friction: the place of its own is known.
    u.normal = contact::Unit::Normal::contact;
    u.contact = 0;
    for (const UndecidedElement& e : island.elements) {
      if (e.contact == unit.contact) break;
      u.contact += e.contact >= 0;
    }
  } else if (unit.normal_force) {
    u.normal = contact::Unit::Normal::given;
    u.normal_0 = equations_.normal_force(from.unit);  // with the lever
    lever = 1;
  } else {
    NormalPart parts[2];
    u.normal = contact::Unit::Normal::parts;
    u.part = next_.part;
    u.parts = normal_parts(s, unit, parts);
    normal_reactions(s, unit, equations_.joint_multipliers(unit.joint), 0, p.reaction_0.data() + next_.reaction);
    for (int i = 0; i < u.parts; ++i) {
      p.part[at(next_.part++)] = {parts[i].weight, parts[i].size, next_.reaction};
      next_.reaction += parts[i].size;
    }
  }
  u.row = next_.row;
  // Of moments: a force at the lever gives way like other forces.
  const double arm = unit.lever > 0 ? unit.lever : s.length, compliance = unit.turns ? 1 / (arm * arm) : 1;
  if (unit.law.dry() && known.at_zero) {
    u.directions = unit.directions;
    u.mu_static = lever * unit.mu_static(equations_.motion.kinematics());
    u.mu_kinetic = problem.static_only ? u.mu_static : lever * unit.mu_kinetic(0.0, 0, equations_.motion.kinematics());
    u.exceeded = known.broke_away;
    u.arrives = mode.friction[at(from.unit)].slide == Slide::slip;
    u.heading = {static_cast<double>(known.heading), 0, 0};
    std::array<Row, most_directions> rows;
    equations_.motion.tangent_rows(from.unit, rows.data());
    for (int i = 0; i < unit.directions; ++i) add(island_index, rows[at(i)], compliance);
    return;
  }
  Row row;
  u.directions = 1;
  u.slides = true;
  equations_.motion.tangent_row(from.unit, row);
  const double speed = equations_.motion.slide_velocity(from.unit);
  double sense = 1;
  if (unit.law.dry()) {
    const FrictionMode& now = mode.friction[at(from.unit)];
    sense = now.direction;
    u.mu_static = u.mu_kinetic = lever * unit.mu_kinetic(sense * speed, now.piece, equations_.motion.kinematics());
  }
  u.direction = {sense, 0, 0};
  // A joint's viscous part is among the known forces already; a contact's acts only while it is closed.
  if (unit.contact >= 0) u.further = {-unit.law.viscous() * speed, 0, 0};
  add(island_index, row, compliance);
}

void ContactReduction::respond() {
  // directions_ stand island by island; the number of a direction within its island is its turn.
  auto& saddle = equations_.rows.saddle();
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
    each([&](std::size_t, std::size_t, const Direction& d) {
      d.row.add(1.0, load_.data(), equations_.system().columns);
    });
    saddle.solve(load_.data(), zero_.data(), a_.data(), lambda_.data());
    each([&](std::size_t begin, std::size_t end, const Direction& d) {
      Island& island = islands_[at(d.island)];
      contact::Problem& p = island.problem;
      for (std::size_t other = begin; other < end; ++other) {
        const Direction& o = directions_[other];
        p.G[at(o.index * p.rows() + d.index)] = o.row.times(a_.data(), equations_.system().columns);
      }
      respond_reactions(island, d.row, d.index);
    });
  }
}

void ContactReduction::respond_reactions(Island& island, const Row& row, int index) {
  // lambda_ are the multipliers that a unit force in this direction causes.
  const double round_off = reaction_round_off(equations_.system(), row);
  const System& s = equations_.system();
  contact::Problem& p = island.problem;
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
