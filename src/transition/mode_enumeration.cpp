// src/transition/mode_enumeration.cpp: enumeration of modes with the mode equations themselves as judge. It serves what
// matrices cannot say: pins, whose normal force is not linear in the reactions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/mode_problem.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {
using tolerances::clearly_inside;
using tolerances::eps;
using tolerances::mode_round_off;
constexpr long max_combinations = 100000;

/// Options of one undecided element, by digit.
int options(bool may_open, bool may_slide) { return (may_slide ? 3 : 1) + (may_open ? 1 : 0); }
}  // namespace

template <class Check>
ModeChoice ModeSolver::enumerate(Mode& mode, bool count_all, std::vector<Mode>* list, const Check& check) {
  ModeChoice result;
  long combinations = 1;
  int most_sticking = 0;
  for (const Choice& c : choices_) {
    combinations *= options(c.may_open, c.may_slide);
    most_sticking += c.may_slide;
    if (combinations > max_combinations) {
      result.why = std::to_string(choices_.size()) + " elements must be decided at once, more than enumeration can do";
      return result;
    }
  }
  Verdict best = Verdict::no;
  for (int sticking = most_sticking; sticking >= 0; --sticking) {
    digits_.assign(choices_.size(), 0);
    for (long number = 0; number < combinations; ++number) {
      long rest = number;
      int sticks = 0;
      trial_ = mode;
      for (std::size_t i = 0; i < choices_.size(); ++i) {
        const Choice& c = choices_[i];
        const int base = options(c.may_open, c.may_slide), digit = static_cast<int>(rest % base);
        rest /= base;
        const bool open = c.may_open && digit == base - 1;
        if (c.contact >= 0) trial_.closed[c.contact] = !open;
        if (c.unit < 0) continue;
        FrictionMode& f = trial_.friction[c.unit];
        if (open) {
          f = FrictionMode{};
        } else if (c.may_slide) {
          const Slide slide = digit == 0 ? Slide::stick : Slide::slip;
          f.slide = slide;
          f.direction = static_cast<signed char>(digit == 0 ? 0 : digit == 1 ? 1 : -1);
          f.piece = 0;
          f.side = 0;
          sticks += digit == 0;
        }
      }
      if (sticks != sticking) continue;
      const Verdict verdict = check(trial_);
      result.consistent += verdict == Verdict::strong;
      if (list && verdict == Verdict::strong) list->push_back(trial_);
      if (verdict > best) {
        best = verdict;
        best_ = trial_;
      }
      if (best == Verdict::strong && !count_all) break;
    }
    if (best == Verdict::strong && !count_all) break;
  }
  result.found = best != Verdict::no;
  result.consistent = std::max(result.consistent, static_cast<int>(result.found));
  if (result.found) mode = best_;
  return result;
}

ModeSolver::Verdict ModeSolver::check_accelerations(const ModeProblem& problem, const Mode& mode) {
  const System& s = equations_.system();
  equations_.rows.take(mode);
  if (!equations_.solve(mode)) return Verdict::no;
  Verdict verdict = Verdict::strong;
  const auto judge = [&](double margin, double scale) {
    if (margin < -mode_round_off * scale)
      verdict = Verdict::no;
    else if (margin <= mode_round_off * scale)
      verdict = std::min(verdict, Verdict::weak);
  };
  Row row;
  // A stuck or closed row that depends on the constraints was not imposed; the motion must satisfy it all
  // the same (a slider at its dead centre has no speed but cannot stick while the crank runs on).
  for (int i = s.rows; i < equations_.rows.count(); ++i)
    if (const Row& held = equations_.rows[i];
        equations_.rows.saddle().is_redundant(i) &&
        std::abs(held.rate(equations_.acceleration().data(), s.columns)) > clearly_inside * reduction_.row_scale(held))
      return Verdict::no;
  for (const Choice& choice : choices_) {
    if (verdict == Verdict::no) break;
    if (choice.contact >= 0) {
      const auto c = static_cast<std::size_t>(choice.contact);
      const ContactKnowledge& known = problem.contacts[c];
      const double scale = std::max(equations_.force_scale(), problem.force_scale);
      if (mode.closed[c]) {
        const double force = equations_.contact_force(choice.contact);
        if (known.leaves() && force <= clearly_inside * scale) return Verdict::no;
        if (force < -mode_round_off * scale) return Verdict::no;
      } else {
        row = equations_.motion.normal_row(choice.contact);
        const double rate = row.rate(equations_.acceleration().data(), s.columns);
        // A contact known to lift goes even when its acceleration is still zero.
        if (!(known.leaves() && std::abs(rate) <= clearly_inside * reduction_.row_scale(row)))
          judge(rate, reduction_.row_scale(row));
      }
    }
    if (!choice.may_slide) continue;
    const auto u = static_cast<std::size_t>(choice.unit);
    const UnitKnowledge& known = problem.units[u];
    const FrictionMode& f = mode.friction[u];
    if (f.slide == Slide::none) continue;
    if (f.slide == Slide::stick) {
      const double limit =
          s.frictions[u].mu_static(equations_.motion.kinematics()) * equations_.normal_force(choice.unit);
      const double force = std::abs(equations_.friction_force(choice.unit));
      if (known.broke_away ? force > limit * (1 - clearly_inside)
                           : force > limit * (1 + mode_round_off) + eps * equations_.force_scale())
        verdict = Verdict::no;
      continue;
    }
    row = equations_.motion.tangent_row(choice.unit);
    const double rate = f.direction * row.rate(equations_.acceleration().data(), s.columns),
                 scale = reduction_.row_scale(row);
    if (known.broke_away && known.heading == f.direction && std::abs(rate) <= clearly_inside * scale) continue;
    judge(rate, scale);
  }
  return verdict;
}

ModeChoice ModeSolver::by_enumeration(const ModeProblem& problem, std::span<const UndecidedElement> elements,
                                      Mode& mode, bool count_all, std::vector<Mode>* list) {
  const System& s = equations_.system();
  choices_.clear();
  for (const UndecidedElement& e : elements) {
    const bool slide = e.unit >= 0 && problem.units[e.unit].at_zero && s.frictions[e.unit].law.dry();
    if (e.contact >= 0 || slide) choices_.push_back({e.contact, e.unit, e.contact >= 0, slide});
  }
  return enumerate(mode, count_all, list, [&](const Mode& m) { return check_accelerations(problem, m); });
}

}  // namespace hstar
