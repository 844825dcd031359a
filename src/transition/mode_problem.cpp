// src/transition/mode_problem.cpp: the next mode, island by island.
#include "transition/mode_problem.hpp"

#include <algorithm>
#include <cmath>

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

ModeSolver::ModeSolver(ModeEquations& equations) : equations_(equations), reduction_(equations) {
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
  constexpr int most = 12;  // for larger problems room is made when they come
  if (std::any_of(s.frictions.begin(), s.frictions.end(), [](const FrictionUnit& u) { return u.directions > 1; }))
    cones_ = std::make_unique<math::ConeSolver>(
        std::min(most, static_cast<int>(s.contacts.size())), std::min(most, static_cast<int>(s.frictions.size())),
        std::min(3 * most, static_cast<int>(s.contacts.size()) + s.sliding_rows()));
}

void ModeSolver::note_ties(const ContactReduction::Island& island) {
  for (std::size_t i = 0; i < island.elements.size(); ++i) {
    const UndecidedElement& e = island.elements[i];
    const int own = static_cast<int>(i), friction = e.friction >= 0 ? e.friction : own;
    if (e.contact >= 0) ties_.contact[at(e.contact)] = coulomb_.is_tied(island.matrices, own);
    if (e.unit >= 0)
      ties_.unit[at(e.unit)] = coulomb_.is_tied(island.matrices, own) || coulomb_.is_tied(island.matrices, friction);
  }
}

void ModeSolver::take(const ContactReduction::Island& island, const math::Hold* hold, Mode& mode) const {
  const System& s = equations_.system();
  for (std::size_t i = 0; i < island.elements.size(); ++i) {
    const UndecidedElement& e = island.elements[i];
    const math::CoulombElement& how = island.matrices.element[i];
    const bool open = hold[i] == math::Hold::open;
    if (e.contact >= 0) mode.closed[at(e.contact)] = !open;
    const bool common = e.contact < 0 && e.unit >= 0 && s.frictions[at(e.unit)].contact >= 0;
    if (e.unit < 0 || common) continue;
    FrictionMode& f = mode.friction[at(e.unit)];
    if (e.friction >= 0) {
      const math::Hold shared = hold[e.friction];
      f = FrictionMode{};
      if (open) continue;
      f.slide = shared == math::Hold::stick ? Slide::stick : Slide::slip;
      if (shared != math::Hold::stick)
        f.direction = static_cast<signed char>(shared == math::Hold::slip_plus ? e.sign : -e.sign);
      continue;
    }
    if (open || !s.frictions[at(e.unit)].law.dry()) {
      f = FrictionMode{};
    } else if (how.tangent == math::CoulombElement::Tangent::undecided) {
      f = FrictionMode{};
      f.slide = hold[i] == math::Hold::stick ? Slide::stick : Slide::slip;
      f.direction = static_cast<signed char>(hold[i] == math::Hold::stick       ? 0
                                             : hold[i] == math::Hold::slip_plus ? 1
                                                                                : -1);
    }
    f.side = 0;
  }
}

int ModeSolver::jamming_contact(const ContactReduction::Island& island) const {
  // Sliding contacts with p = G_NN - d mu G_NT < 0: their normal force accelerates them into each other (Painleve
  // 1895).
  const math::CoulombProblem& p = island.matrices;
  int jams = -1;
  double deepest = 0;
  for (int i = 0; island.linear && i < p.count(); ++i) {
    const math::CoulombElement& e = p.element[at(i)];
    if (e.normal != math::CoulombElement::Normal::contact || e.tangent != math::CoulombElement::Tangent::slips)
      continue;
    const int n = 2 * p.count();
    const double nn = p.G[at(2 * i * n + 2 * i)], nt = p.G[at(2 * i * n + 2 * i + 1)];
    const double relative = (nn - e.direction * e.mu_kinetic * nt) / nn;
    if (relative < deepest && p.c[at(2 * i)] < 0) {
      deepest = relative;
      jams = island.elements[at(i)].contact;
    }
  }
  return jams;
}

void ModeSolver::solve_in(Mode& mode) {
  // The side of each guide: the sign of its normal force, unless it has just passed through zero.
  const System& s = equations_.system();
  equations_.choose_rows(mode);
  equations_.fill_rows(mode);
  equations_.find_redundant();
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
  if (!reduction_.reduce(problem, mode)) {
    add(everything_by_enumeration(problem, mode, count_all, nullptr));
  } else {
    for (int i = 0; i < reduction_.count(); ++i) {
      const ContactReduction::Island& island = reduction_.island(i);
      if (island.has_cones && !island.elements.empty()) decide_cones(island, mode, total);
      if (!island.linear || island.elements.empty()) continue;
      const math::CoulombAnswer answer = coulomb_.solve(island.matrices, count_all);
      total.undecided += static_cast<int>(island.elements.size());
      total.residual = std::max(total.residual, answer.residual);
      total.split |= answer.split;
      ModeChoice one;
      one.found = answer.found;
      one.consistent = answer.consistent;
      if (answer.found) {
        take(island, coulomb_.hold().data(), mode);
        if (answer.ties > 1) note_ties(island);
        total.ties = std::max(total.ties, answer.ties);
      } else {
        one.why = "no combination of stick, slip and contact satisfies the laws of friction and contact (" +
                  std::to_string(island.elements.size()) + " elements undecided)";
        if (answer.combinations > math::CoulombSolver::most)
          one.why += "; Lemke's method found none, enumeration was not possible";
        if (total.jams < 0) total.jams = jamming_contact(island);
      }
      add(one);
    }
    // Pins, with all that is decided by now as it is.
    for (int i = 0; i < reduction_.count() && total.found; ++i)
      if (ContactReduction::Island& island = reduction_.island(i);
          !island.linear && !island.has_cones && !island.elements.empty())
        add(by_enumeration(problem, island.elements, mode, count_all, nullptr));
  }
  if (!total.found) {
    mode = entry_;
    return total;
  }
  solve_in(mode);
  agree_on_directions(mode);
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
  for (const bool linear : {true, false})
    for (int i = 0; i < reduction_.count(); ++i) {
      const ContactReduction::Island& island = reduction_.island(i);
      if (island.elements.empty() || island.linear != linear) continue;
      if (island.has_cones) {
        // One of the consistent modes: the problem over cones has no list of combinations.
        ModeChoice one;
        one.found = true;
        for (Mode& m : all) decide_cones(island, m, one);
        if (!one.found) all.clear();
        continue;
      }
      next.clear();
      if (linear) {
        coulomb_.list(island.matrices, holds_);
        // What has no strict solution may have one on a boundary.
        if (holds_.empty() && coulomb_.solve(island.matrices, false).found)
          holds_.assign(coulomb_.hold().begin(), coulomb_.hold().begin() + island.matrices.count());
      }
      const std::size_t k = island.elements.size();
      for (const Mode& m : all) {
        if (linear) {
          for (std::size_t n = 0; n + k <= holds_.size() && next.size() < limit; n += k) {
            next.push_back(m);
            take(island, holds_.data() + n, next.back());
          }
        } else {
          Mode start = m;
          std::vector<Mode> some;
          const ModeChoice choice = by_enumeration(problem, island.elements, start, true, &some);
          if (some.empty() && choice.found) some.push_back(start);
          for (const Mode& one : some)
            if (next.size() < limit) next.push_back(one);
        }
      }
      all = next;
    }
  return all;
}

}  // namespace hstar
