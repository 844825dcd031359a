// src/formulation/contact_reduction.cpp
#include "formulation/contact_reduction.hpp"
#include "formulation/tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

bool ContactReduction::Island::is_planar() const {
  return std::all_of(problem.unit.begin(), problem.unit.end(),
                     [](const contact::Unit& u) { return u.directions == 1; });
}

ContactReduction::ContactReduction(ModeEquations& equations)
    : equations_(equations),
      by_joints_(equations.motion.mass(), equations.system().columns),
      joined_(by_joints_),
      rows_(equations) {
  const System& s = equations.system();
  for (const auto& joint : s.joints) by_joints_.join(joint->bodies());
  island_of_.assign(s.bodies.size(), -1);
  asked_.assign(s.bodies.size(), 0);
  base_.closed.resize(s.contacts.size());
  base_.friction.resize(s.frictions.size());
  force_size_.assign(s.slots(), 0.0);
  phi_.resize(at(ModeRows::most(s)));
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
  if (!same_rows) {
    collect(problem, mode);
    equations_.rows.take(base_);
  }
  const bool solved = equations_.solve(base_);
  measure_forces(solved ? equations_.rows.count() : 0);
  if (!solved) return false;
  rows_.clear();
  for (int i = 0; i < count_; ++i)
    if (!islands_[at(i)].elements.empty()) describe(problem, mode, islands_[at(i)]);
  find_drift();
  rows_.respond();
  return true;
}

void ContactReduction::find_drift() {
  const System& s = equations_.system();
  const Kinematics& k = equations_.motion.kinematics();
  const double size = std::max(s.length, k.extent());
  double worst = 0;
  const auto see = [&](const Row& row, double phi) {
    if (phi != 0) worst = std::max(worst, std::abs(phi) / position_scale(equations_.motion, row, size));
  };
  equations_.rows.positions(phi_.data());
  for (int i = 0; i < equations_.rows.count(); ++i) see(equations_.rows[i], phi_[at(i)]);
  const auto each_problem = [&](auto&& use) {
    std::size_t described = 0;
    for (int i = 0; i < count_; ++i)
      if (!islands_[at(i)].elements.empty()) use(islands_[at(i)], described++);
  };
  each_problem([&](const Island& island, std::size_t described) {
    std::size_t contact = 0;
    for (const UndecidedElement& e : island.elements)
      if (e.contact >= 0) see(row(described, island.problem.contact[contact++].row), s.contacts[at(e.contact)]->gap(k));
  });
  each_problem([&](Island& island, std::size_t) {
    island.problem.drift = std::min(formulation::of_drift * worst, formulation::farthest_joint);
  });
}

void ContactReduction::add(const Row& row, double compliance, double departs) {
  rows_.add(row, row.rate(equations_.acceleration().data(), equations_.system().columns) + departs, row_scale(row),
            compliance);
}

void ContactReduction::describe(const ModeProblem& problem, const Mode& mode, Island& island) {
  // Rows by element: of a contact its normal; of a unit that slides one, along its direction; of one to be decided all.
  contact::Problem& p = island.problem;
  rows_.begin(p);
  p.force_scale = std::max(equations_.force_scale(), problem.force_scale);
  for (const UndecidedElement& e : island.elements) {
    if (e.contact >= 0) {
      const ContactKnowledge& known = problem.contacts[at(e.contact)];
      p.contact.push_back({p.rows(), known.leaves(), known.pressed, known.nothing});
      add(equations_.motion.normal_row(e.contact), 1, known.departs);
    }
    if (e.unit >= 0) describe_unit(problem, mode, island, e.unit);
  }
}

void ContactReduction::describe_unit(const ModeProblem& problem, const Mode& mode, Island& island, int index) {
  const System& s = equations_.system();
  const FrictionUnit& unit = s.frictions[at(index)];
  const UnitKnowledge& known = problem.units[at(index)];
  contact::Unit& u = island.problem.unit.emplace_back();
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
    u.normal_0 = equations_.normal_force(index);  // with the lever
    lever = 1;
  } else {
    rows_.read_reactions(unit, equations_.multipliers().data(), u);
  }
  u.row = island.problem.rows();
  // Of moments: a force at the lever gives way like other forces.
  const double arm = unit.lever > 0 ? unit.lever : s.length, compliance = unit.turns ? 1 / (arm * arm) : 1;
  if (unit.law.dry() && known.at_zero) {
    u.directions = unit.directions;
    u.mu_static = lever * unit.mu_static(equations_.motion.kinematics());
    u.mu_kinetic = problem.static_only ? u.mu_static : lever * unit.mu_kinetic(0.0, 0, equations_.motion.kinematics());
    u.exceeded = known.broke_away;
    u.returned = known.returned;
    u.nothing = known.nothing;
    u.arrives = mode.friction[at(index)].slide == Slide::slip;
    u.kinetic = mode.friction[at(index)].kinetic;
    u.heading = {static_cast<double>(known.heading), 0, 0};
    const double* departs = known.departs.data();
    for (const Row& row : equations_.motion.tangents(index)) add(row, compliance, *departs++);
    return;
  }
  u.directions = 1;
  u.slides = true;
  const double speed = equations_.motion.slide_velocity(index);
  double sense = 1;
  if (unit.law.dry()) {
    const FrictionMode& now = mode.friction[at(index)];
    sense = now.direction;
    u.mu_static = u.mu_kinetic = lever * unit.mu_kinetic(sense * speed, now.piece, equations_.motion.kinematics());
  }
  u.direction = {sense, 0, 0};
  // A joint's viscous part is among the known forces already; a contact's acts only while it is closed.
  if (unit.contact >= 0) u.further = {-unit.law.viscous() * speed, 0, 0};
  add(equations_.motion.tangent_row(index), compliance);
}

}  // namespace hstar
