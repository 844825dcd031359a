// src/transition/mode_problem.cpp: the next mode, island by island.
#include "transition/mode_problem.hpp"

#include <algorithm>
#include <cmath>

#include "contact/enumeration.hpp"
#include "contact/share.hpp"
#include "contact/skim.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

ModeSolver::~ModeSolver() = default;
ModeSolver::ModeSolver(ModeEquations& equations)
    : equations_(equations),
      reduction_(equations),
      contacts_(std::make_unique<contact::Solver>()),
      skim_(std::make_unique<contact::Skim>(*contacts_)) {
  const System& s = equations_.system();
  const auto count = s.contacts.size() + s.frictions.size();
  choices_.reserve(count);
  all_.reserve(count);
  digits_.reserve(count);
  trial_.closed.resize(s.contacts.size());
  trial_.friction.resize(s.frictions.size());
  best_ = entry_ = trial_;
  ties_.contact.resize(s.contacts.size());
  ties_.unit.resize(s.frictions.size());
  // Larger problems make room when they come.
  constexpr int most = 36;
  contacts_->reserve(std::min(most, static_cast<int>(s.contacts.size()) + s.sliding_rows()));
}

void ModeSolver::note_ties(const ContactReduction::Island& island) {
  int contact = 0, unit = 0;
  for (const UndecidedElement& e : island.elements) {
    if (e.contact >= 0) ties_.contact[at(e.contact)] = contacts_->contact_is_tied(island.problem, contact++);
    if (e.unit >= 0) ties_.unit[at(e.unit)] = contacts_->unit_is_tied(island.problem, unit++);
  }
}

void ModeSolver::take(const ContactReduction::Island& island, const contact::Status& status, Mode& mode) {
  const System& s = equations_.system();
  int contact = 0, unit = 0;
  for (const UndecidedElement& e : island.elements) {
    contact::Press press = contact::Press::loaded;
    if (e.contact >= 0) {
      press = status.contact[at(contact++)];
      mode.closed[at(e.contact)] = press == contact::Press::open ? 0 : press == contact::Press::touching ? unloaded : 1;
    }
    if (e.unit < 0) continue;
    const FrictionUnit& what = s.frictions[at(e.unit)];
    const contact::UnitStatus& now = status.unit[at(unit)];
    const contact::Unit& of = island.problem.unit[at(unit++)];
    if (of.normal == contact::Unit::Normal::contact) press = status.contact[at(of.contact)];
    FrictionMode& f = mode.friction[at(e.unit)];
    if (press == contact::Press::open || !what.law.dry()) {
      f = FrictionMode{};
    } else if (!of.slides) {
      if (now.hold == contact::Hold::slip) {
        f = FrictionMode{Slide::slip, 1, 0, 0};
        if (what.directions > 1)
          equations_.motion.reference(e.unit).turn(now.direction.data());
        else if (now.direction[0] < 0)
          f.direction = -1;
      } else {
        f = FrictionMode{Slide::stick, 0, 0, 0};
        f.creeps = now.hold == contact::Hold::creeping;
        f.kinetic = f.creeps && now.kinetic;
        if (f.creeps && what.directions == 1) f.direction = static_cast<signed char>(now.direction[0] < 0 ? -1 : 1);
      }
    }
    f.side = 0;
  }
}

void ModeSolver::take_sides(const ContactReduction::Island& island, const contact::Problem& solved, const double* force,
                            Mode& mode) const {
  int unit = 0;
  for (const UndecidedElement& e : island.elements) {
    if (e.unit < 0) continue;
    const contact::Unit& of = solved.unit[at(unit++)];
    if (!equations_.system().frictions[at(e.unit)].side_matters || of.normal != contact::Unit::Normal::parts) continue;
    mode.friction[at(e.unit)].side = solved.reaction_at(solved.part[at(of.part)].row, force) < 0 ? -1 : 1;
  }
}

int ModeSolver::jamming_contact(const ContactReduction::Island& island) {
  // A sliding contact with p = G_NN - mu d . G_TN < 0, whose normal force accelerates it the deeper in (Painleve 1895).
  const contact::Problem& p = island.problem;
  int jams = -1;
  double deepest = 0;
  int contact = 0, unit = 0;
  for (const UndecidedElement& e : island.elements) {
    const int c = e.contact >= 0 ? contact++ : -1, u = e.unit >= 0 ? unit++ : -1;
    if (c < 0 || u < 0 || !p.unit[at(u)].slides) continue;
    const contact::Unit& slides = p.unit[at(u)];
    const int row = p.contact[at(c)].row;
    double answer = p.g(row, row);
    for (int d = 0; d < slides.directions; ++d)
      answer -= slides.mu_kinetic * slides.direction[at(d)] * p.g(row, slides.row + d);
    if (answer / p.g(row, row) < deepest && p.c[at(row)] < 0) {
      deepest = answer / p.g(row, row);
      jams = e.contact;
    }
  }
  return jams;
}

bool ModeSolver::skim(const ContactReduction::Island& island, Mode& mode, ModeChoice& total) {
  if (!contact::Skim::may(island.problem)) return false;
  if (!skim_->find(island.problem)) {
    contacts_->solve(island.problem);  // its answer again
    return false;
  }
  take(island, skim_->status(), mode);
  take_sides(island, skim_->problem(), contacts_->force().data(), mode);
  if (skim_->answer().ties > 1) note_ties(island);
  int contact = 0;
  for (const UndecidedElement& e : island.elements)
    if (e.contact >= 0 && skim_->skims(contact++)) {
      mode.closed[at(e.contact)] = skimming;
      ties_.contact[at(e.contact)] = 0;
    }
  total.residual = std::max(total.residual, skim_->answer().residual);
  total.ties = std::max(total.ties, skim_->answer().ties);
  return true;
}

void ModeSolver::decide(const ContactReduction::Island& island, Mode& mode, bool count_all, ModeChoice& total) {
  /// Consistent modes are counted where they are few.
  constexpr double most_counted = 256;
  const contact::Answer answer = contacts_->solve(island.problem);
  total.undecided += static_cast<int>(island.elements.size());
  if (!(answer.found && answer.exact) && skim(island, mode, total)) return;
  total.residual = std::max(total.residual, answer.residual);
  if (!answer.found) {
    total.found = false;
    if (total.jams < 0) total.jams = jamming_contact(island);
    if (total.why.empty())
      total.why =
          "no combination of stick, slip and contact that satisfies the laws of friction and contact was found (" +
          std::to_string(island.elements.size()) + " elements undecided)";
    return;
  }
  take(island, contacts_->status(), mode);
  take_sides(island, island.problem, contacts_->force().data(), mode);
  if (answer.ties > 1) note_ties(island);
  total.ties = std::max(total.ties, answer.ties);
  if (count_all && island.is_planar() && contact::combinations(island.problem) <= most_counted)
    total.consistent *= std::max(1, static_cast<int>(contact::count(island.problem, contacts_->exchange())));
}

void ModeSolver::solve_in(Mode& mode) {
  // The side of each guide: the sign of its normal force, unless it has just passed through zero.
  const System& s = equations_.system();
  equations_.rows.take(mode);
  equations_.solve(mode);
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    if (!s.frictions[u].side_matters) continue;
    const Joint& joint = *s.joints[at(s.frictions[u].joint)];
    const double normal = equations_.joint_multipliers(s.frictions[u].joint)[joint.side_row()];
    mode.friction[u].side = static_cast<signed char>(normal < 0 ? -1 : 1);
  }
}

ModeChoice ModeSolver::everything_by_enumeration(const ModeProblem& problem, Mode& mode, bool count_all,
                                                 std::vector<Mode>* list) {
  all_.clear();
  for (int i = 0; i < reduction_.count(); ++i)
    for (const UndecidedElement& e : reduction_.island(i).elements) all_.push_back(e);
  return by_enumeration(problem, all_, mode, count_all, list);
}

ModeChoice ModeSolver::accelerations(const ModeProblem& problem, Mode& mode, bool count_all) {
  ModeChoice total;
  total.found = true;
  total.consistent = 1;
  const auto add = [&](const ModeChoice& one) {
    total.found &= one.found;
    total.consistent *= std::max(one.consistent, 1);
    if (!one.found && total.why.empty()) total.why = one.why;
  };
  entry_ = mode;
  std::fill(ties_.contact.begin(), ties_.contact.end(), 0);
  std::fill(ties_.unit.begin(), ties_.unit.end(), 0);
  bool reduced = reduction_.reduce(problem, mode);
  if (!reduced && !problem.all) {  // what is not asked may have no answer without what is
    ModeProblem whole = problem;
    whole.all = true;
    reduced = reduction_.reduce(whole, mode);
  }
  if (!reduced) {
    add(everything_by_enumeration(problem, mode, count_all, nullptr));
  } else {
    for (int i = 0; i < reduction_.count(); ++i)
      if (!reduction_.island(i).elements.empty()) decide(reduction_.island(i), mode, count_all, total);
  }
  if (!total.found) {
    mode = entry_;
    return total;
  }
  solve_in(mode);
  return total;
}

std::vector<Mode> ModeSolver::consistent(const ModeProblem& problem, const Mode& mode, std::size_t limit) {
  std::vector<Mode> all{mode}, next;
  if (!reduction_.reduce(problem, mode)) {
    next.clear();
    Mode start = mode;
    everything_by_enumeration(problem, start, true, &next);
    if (next.size() > limit) next.resize(limit);
    return next;
  }
  for (int i = 0; i < reduction_.count(); ++i) {
    const ContactReduction::Island& island = reduction_.island(i);
    if (island.elements.empty()) continue;
    std::vector<contact::Status> some;
    if (island.is_planar()) some = contact::list(island.problem, contacts_->exchange(), limit);
    // One of the consistent modes: of units with several directions there is no list of combinations, and what has no
    // strict solution may have one on a boundary.
    if (some.empty() && contacts_->solve(island.problem).found) some.push_back(contacts_->status());
    next.clear();
    for (const Mode& m : all)
      for (const contact::Status& one : some)
        if (next.size() < limit) {
          next.push_back(m);
          take(island, one, next.back());
          // How a contact that touches carries nothing is no mode of its own.
          if (std::find(next.begin(), next.end() - 1, next.back()) != next.end() - 1) next.pop_back();
        }
    all = next;
  }
  return all;
}

}  // namespace hstar
