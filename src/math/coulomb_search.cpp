// src/math/coulomb_search.cpp: which of the consistent combinations is the answer, and in which order they are looked
// for.
#include <algorithm>
#include <cmath>

#include "math/coulomb.hpp"

namespace hstar::math {
namespace {
/// An answer whose residual is larger is none, whichever method it comes from.
constexpr double acceptable = 1e-9;
/// So many combinations that stick more than an answer are tried; else one element at a time.
constexpr double few_more = 16;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// With mu_static > mu_kinetic several combinations may hold the same state.
bool may_stick_or_slip(const CoulombElement& e) {
  return e.tangent == CoulombElement::Tangent::undecided && e.mu_static > e.mu_kinetic;
}
}  // namespace

void CoulombSolver::count_below(const CoulombProblem& p) {
  below_[0] = {0, 0};
  for (int i = 0; i < p.count(); ++i) {
    const Options& o = options_[at(i)];
    below_[at(i + 1)] = {below_[at(i)].stick + (o.option[0].hold == Hold::stick),
                         below_[at(i)].open + (o.option[o.count - 1].hold == Hold::open)};
  }
}

template <class Use>
bool CoulombSolver::descend(int element, int sticks, int opens, const Use& use) {
  if (sticks < 0 || opens < 0 || sticks > below_[at(element)].stick || opens > below_[at(element)].open) return true;
  if (element == 0) return use();
  const Options& o = options_[at(element - 1)];
  for (int d = 0; d < o.count; ++d) {
    const Hold hold = o.option[d].hold;
    now_[at(element - 1)] = o.option[d];
    if (!descend(element - 1, sticks - (hold == Hold::stick), opens - (hold == Hold::open), use)) return false;
  }
  return true;
}

template <class Use>
void CoulombSolver::each(const CoulombProblem& p, int fewest_sticking, const Use& use) {
  // Classes of combinations: most sticking first, then most closed; within a class in the order of the digits.
  const int k = p.count();
  count_below(p);
  int number = 0;
  for (int sticking = below_[at(k)].stick; sticking >= fewest_sticking; --sticking)
    for (int open = 0; open <= below_[at(k)].open; ++open, ++number)
      if (!descend(k, sticking, open, [&] { return use(number); })) return;
}

double CoulombSolver::compulsion(const CoulombProblem& p, const double* force) const {
  double sum = 0;
  for (int i = 0; i < 2 * p.count(); ++i)
    for (int j = 0; j < 2 * p.count(); ++j) sum += force[i] * p.G[at(i * 2 * p.count() + j)] * force[j];
  return sum;
}

int CoulombSolver::best_of_classes(const CoulombProblem& p, int fewest_sticking, int worst_verdict, bool count_all,
                                   int* consistent) {
  const bool several = std::any_of(p.element.begin(), p.element.end(), may_stick_or_slip);
  int best = worst_verdict - 1, best_class = -1;
  double least = 0;
  each(p, fewest_sticking, [&](int number) {
    if (best == 2 && number != best_class && !count_all) return false;
    const int verdict = try_combination(p);
    if (consistent) *consistent += verdict == 2;
    if (verdict > best) {
      best = verdict;
      best_class = number;
      keep_best();
      if (several) least = compulsion(p, force_.data());
    } else if (several && verdict == best && number == best_class) {
      // Of equals the one nearest to the motion without these forces, in whatever order they stand.
      if (const double other = compulsion(p, force_.data()); other < least * (1 - 1e-9)) {
        least = other;
        keep_best();
      }
    }
    return best < 2 || several || count_all;
  });
  return best_class < 0 ? 0 : best;
}

CoulombAnswer CoulombSolver::answer_of(const CoulombProblem& p, int verdict) {
  CoulombAnswer answer;
  if (verdict == 0) return answer;
  answer.residual = residual(p);
  answer.found = answer.residual <= acceptable;
  answer.weak = verdict == 1;
  answer.consistent = answer.found;
  answer.split = best_split_;
  for (int i = 0; i < p.count(); ++i) answer.ties += is_tied(p, i);
  return answer;
}

CoulombAnswer CoulombSolver::enumerate(const CoulombProblem& p, bool count_all) {
  CoulombAnswer answer;
  answer.combinations = prepare(p);
  if (answer.combinations > most) return answer;
  const double combinations = answer.combinations;
  int consistent = 0;
  answer = answer_of(p, best_of_classes(p, 0, 1, count_all, &consistent));
  answer.combinations = combinations;
  answer.counted = count_all;
  if (answer.found) answer.consistent = count_all ? std::max(consistent, 1) : 1;
  return answer;
}

int CoulombSolver::sticking(const CoulombProblem& p) const {
  return static_cast<int>(std::count(best_.begin(), best_.begin() + p.count(), Hold::stick));
}

bool CoulombSolver::stick_too(const CoulombProblem& p, int from, int to) {
  for (int i = 0; i < p.count(); ++i) now_[at(i)] = {best_[at(i)], best_side_[at(i)]};
  for (int n = from; n < to; ++n) now_[at(order_[at(n)])].hold = Hold::stick;
  if (try_combination(p) < 2) return false;
  keep_best();
  return true;
}

void CoulombSolver::stick_more(const CoulombProblem& p, CoulombAnswer& answer) {
  // Is there a combination that sticks more? How many there are to be tried: sum over i of x^sticks, coefficients.
  const int k = p.count(), now = sticking(p);
  count_below(p);
  const int most_sticks = below_[at(k)].stick;
  if (now >= most_sticks || std::none_of(p.element.begin(), p.element.end(), may_stick_or_slip)) return;
  std::fill(ways_.begin(), ways_.begin() + k + 1, 0.0);
  ways_[0] = 1;
  for (int i = 0; i < k; ++i) {
    const bool can_stick = options_[at(i)].option[0].hold == Hold::stick;
    const double other = options_[at(i)].count - can_stick;
    for (int s = i + 1; s >= 0; --s)
      ways_[at(s)] = ways_[at(s)] * other + (can_stick && s > 0 ? ways_[at(s - 1)] : 0.0);
  }
  double more = 0;
  for (int s = now + 1; s <= most_sticks; ++s) more += ways_[at(s)];
  bool found = false;
  if (more <= few_more) {
    found = best_of_classes(p, now + 1, 2, false, nullptr) == 2;
  } else {
    // One element after the other, those that slide away slowest first, and together those that do equally fast (to
    // both sides of a symmetry).
    int count = 0;
    for (int i = 0; i < k; ++i) {
      speed_[at(i)] = std::abs(best_rate_[at(2 * i + 1)]);
      if (p.element[at(i)].tangent == CoulombElement::Tangent::undecided && best_[at(i)] >= Hold::slip_plus)
        order_[at(count++)] = i;
    }
    std::sort(order_.begin(), order_.begin() + count, [&](int a, int b) { return speed_[at(a)] < speed_[at(b)]; });
    const double fastest = count > 0 ? speed_[at(order_[at(count - 1)])] : 0.0;
    for (int from = 0, to = 0; from < count; from = to) {
      for (to = from + 1; to < count; ++to)
        if (speed_[at(order_[at(to)])] - speed_[at(order_[at(from)])] > 1e-9 * fastest) break;
      const bool together = stick_too(p, from, to);
      for (int i = from; !together && to - from > 1 && i < to; ++i) found |= stick_too(p, i, i + 1);
      found |= together;
    }
  }
  if (!found) return;
  const double combinations = answer.combinations;
  answer = answer_of(p, 2);
  answer.combinations = combinations;
}

CoulombAnswer CoulombSolver::solve(const CoulombProblem& p, bool count_all) {
  const double combinations = prepare(p);
  if (combinations <= few) return enumerate(p, count_all);
  CoulombAnswer answer = by_active_set(p);
  // What holds with mu_kinetic holds with a larger mu_static too, and has a solution where nothing slides yet.
  if (!answer.found) answer = by_lcp(p, true);
  if (!answer.found && std::any_of(p.element.begin(), p.element.end(), may_stick_or_slip)) answer = by_lcp(p);
  answer.combinations = combinations;
  if (!answer.found) return combinations <= most ? enumerate(p, count_all && combinations <= many) : answer;
  stick_more(p, answer);
  if (count_all && combinations <= many) {
    int consistent = 0;
    each(p, 0, [&](int) {
      consistent += try_combination(p) == 2;
      return true;
    });
    answer.consistent = std::max(consistent, 1);
    answer.counted = true;
  }
  return answer;
}

void CoulombSolver::list(const CoulombProblem& p, std::vector<Hold>& all, int limit) {
  all.clear();
  if (prepare(p) > most) return;
  int found = 0;
  each(p, 0, [&](int) {
    if (try_combination(p) < 2) return true;
    for (int i = 0; i < p.count(); ++i) all.push_back(now_[at(i)].hold);
    return ++found < limit;
  });
}

}  // namespace hstar::math
