// src/math/coulomb_active.cpp: the combination found by following what is violated.
//
// From all contacts closed and all elements stuck, every element that breaks its own law changes to what that law asks
// for, until none does: a semismooth Newton method on the complementarity problem (Alart & Curnier 1991; Hintermueller,
// Ito & Kunisch 2002). Where the number of violations does not fall, one element changes at a time (Judice & Pires
// 1994). No proof of convergence for every matrix: the caller has others. What it ends at is judged like any
// combination.
// Where not all can stick, mu_kinetic takes the place of mu_static from there on: that problem has one answer under the
// usual conditions, whatever the order of the elements, and what holds with mu_kinetic holds with mu_static. Which of
// its slipping elements could stick instead is asked afterwards.
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/coulomb.hpp"

namespace hstar::math {
namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double clear = 1e-9, round_off = 1e-11;  // as in coulomb.cpp
/// What has not ended by then hardly ever does, and Lemke's method costs as much as some six of them.
constexpr int most_rounds = 7;
std::size_t at(int i) { return static_cast<std::size_t>(i); }
int direction(Hold h) { return h == Hold::slip_plus ? 1 : h == Hold::slip_minus ? -1 : 0; }
Hold slip(int d) { return d > 0 ? Hold::slip_plus : Hold::slip_minus; }
}  // namespace

Hold CoulombSolver::closed_hold(const CoulombElement& e) const {
  switch (e.tangent) {
    case CoulombElement::Tangent::none:
      return Hold::closed;
    case CoulombElement::Tangent::slips:
      return slip(e.direction);
    case CoulombElement::Tangent::undecided:
      break;
  }
  return e.broke_away && e.heading != 0 ? slip(e.heading) : Hold::stick;
}

CoulombSolver::Option CoulombSolver::asked_for(const CoulombProblem& p, int i, bool kinetic, double forces) const {
  const CoulombElement& e = p.element[at(i)];
  Option o = now_[at(i)];
  const double aN = rate_[at(2 * i)], aT = rate_[at(2 * i + 1)], sN = size_[at(2 * i)], sT = size_[at(2 * i + 1)];
  if (e.normal == CoulombElement::Normal::contact) {
    if (o.hold == Hold::open) {
      if (aN < -(e.lifting ? clear : round_off) * sN) o.hold = closed_hold(e);
      return o;
    }
    const double force = force_[at(2 * i)];
    if (force < -round_off * forces || (e.lifting && force <= clear * forces)) {
      o.hold = Hold::open;
      return o;
    }
  }
  const int d = direction(o.hold);
  if (e.normal == CoulombElement::Normal::guide && d != 0) {
    double value = e.normal_0;
    for (int j = 0; j < 2 * p.count(); ++j) value += p.normal_by[at(i * 2 * p.count() + j)] * force_[at(j)];
    if (o.side * value < -round_off * forces) o.side = static_cast<signed char>(-o.side);
  }
  if (e.tangent != CoulombElement::Tangent::undecided) return o;
  if (o.hold == Hold::stick) {
    const double T = force_[at(2 * i + 1)],
                 limit = (kinetic ? e.mu_kinetic : e.mu_static) * normal(p, i, force_.data());
    const bool leaves =
        e.broke_away ? std::abs(T) > limit * (1 - clear) : std::abs(T) > limit * (1 + round_off) + eps * forces;
    if (leaves) o.hold = slip(T > 0 ? -1 : 1);
  } else if (d * aT < -round_off * sT || (d * aT <= round_off * sT && !(e.broke_away && e.heading == d))) {
    // (A rate of zero: it sticks if its force can hold it.)
    o.hold = Hold::stick;
  }
  return o;
}

CoulombAnswer CoulombSolver::by_active_set(const CoulombProblem& p) {
  const int k = p.count();
  prepare(p);
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    now_[at(i)] = {closed_hold(e), static_cast<signed char>(e.normal_0 < 0 ? -1 : 1)};
  }
  int fewest = 2 * k + 1, patience = 3;
  for (int round = 0; round < most_rounds; ++round) {
    if (!solve_combination(p, Split::least)) return {};
    double forces = p.force_scale;
    for (int i = 0; i < 2 * k; ++i) forces = std::max(forces, std::abs(force_[at(i)]));
    int changes = 0, last = -1;
    for (int i = 0; i < k; ++i) {
      next_[at(i)] = asked_for(p, i, round > 0, forces);
      if (next_[at(i)].hold == now_[at(i)].hold && next_[at(i)].side == now_[at(i)].side) continue;
      ++changes;
      last = i;
    }
    if (changes == 0) {
      const int verdict = this->verdict(p);
      if (verdict > 0) keep_best();
      return answer_of(p, verdict);
    }
    if (split_) {
      // Of redundant contacts another split may break no law; whether any does not, a linear program tells. It is not
      // worth more than once: Lemke's method goes on from here.
      int verdict = 0;
      if (round == 0) {
        split_inside(p);
        find_rates(p);
        verdict = this->verdict(p);
      }
      if (verdict > 0) keep_best();
      return answer_of(p, verdict);
    }
    if (changes < fewest) {
      fewest = changes;
      patience = 3;
    } else {
      --patience;
    }
    if (patience >= 0)
      std::copy(next_.begin(), next_.begin() + k, now_.begin());
    else
      now_[at(last)] = next_[at(last)];
  }
  return {};
}

}  // namespace hstar::math
