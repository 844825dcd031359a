// src/math/coulomb_lcp.cpp: planar contact and friction as a linear complementarity problem with exact mu.
// With lambda_R = mu N + lambda_T, lambda_L = mu N - lambda_T and a_T = gamma_R - gamma_L (Glocker & Pfeiffer 1992):
//   a_N >= 0 _|_ lambda_N >= 0,    gamma_R >= 0 _|_ lambda_R >= 0,    lambda_L >= 0 _|_ gamma_L >= 0.
// Unknowns by element: contact lambda_N; undecided friction lambda_R, gamma_L. All in units in which G has a unit
// diagonal. The N of an element is its own lambda_N, or the sum of those of several contacts.
// Covering vector d with d_N > mu d_T: where nothing slides yet no path ends on a ray (docs/theory.md, section 5).
#include <algorithm>
#include <cmath>

#include "math/coulomb.hpp"

namespace hstar::math {
namespace {
constexpr double at_limit = 1e-10;  // relative distance from the cone at which an element may be slipping
constexpr double golden = 0.6180339887498949;
constexpr double at_rest = 1e-9;  // a rate of so much of its terms is zero
constexpr int paths = 6;
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

CoulombAnswer CoulombSolver::by_lcp(const CoulombProblem& p, bool kinetic) {
  load(p);
  const int k = p.count();
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    if (e.normal == CoulombElement::Normal::guide)  // its |N| would have to be known
      for (int j = 0; j < 2 * k; ++j)
        if (p.normal_by[at(i * 2 * k + j)] != 0) return {};
  }
  // A path may end on a ray where something slides already; others need not.
  for (int path = 0; path < paths; ++path)
    if (const CoulombAnswer answer = by_lcp_path(p, kinetic, path); answer.found) return answer;
  return {};
}

CoulombAnswer CoulombSolver::by_lcp_path(const CoulombProblem& p, bool kinetic, int path) {
  const int k = p.count();
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    slips_[at(i)] = e.tangent == CoulombElement::Tangent::slips ? e.direction : static_cast<signed char>(0);
  }
  // Elements that reach their limit at mu_static slip with mu_kinetic: the others are decided anew.
  bool again = true;
  for (int round = 0; round <= k && again; ++round) {
    if (!lcp_round(p, kinetic, path, again)) return {};
    if (again) continue;
    int verdict = try_combination(p);
    if (verdict < 2) {
      // Of redundant contacts Lemke's forces are at a corner of what is possible: some contacts at rest bear none, some
      // that stick are at their limit. Of the same motion, all closed that does not open and stuck that does not slide.
      std::copy(now_.begin(), now_.begin() + k, next_.begin());
      std::copy(lcp_force_.begin(), lcp_force_.begin() + 2 * k, force_.begin());
      split_ = true;
      find_rates(p);
      if (hold_all_at_rest(p)) verdict = std::max(verdict, try_combination(p));
      if (verdict < 2) {
        std::copy(next_.begin(), next_.begin() + k, now_.begin());
        verdict = try_combination(p);
      }
      if (verdict == 0) {
        std::copy(lcp_force_.begin(), lcp_force_.begin() + 2 * k, force_.begin());
        find_rates(p);
        verdict = this->verdict(p);
      }
    }
    if (verdict > 0) keep_best();
    return answer_of(p, verdict);
  }
  return {};
}

bool CoulombSolver::hold_all_at_rest(const CoulombProblem& p) {
  bool changed = false;
  for (int i = 0; i < p.count(); ++i) {
    const CoulombElement& e = p.element[at(i)];
    Hold& hold = now_[at(i)].hold;
    const auto rests = [&](int r) { return std::abs(rate_[at(r)]) <= at_rest * size_[at(r)]; };
    const bool slips = hold == Hold::slip_plus || hold == Hold::slip_minus;
    if (hold == Hold::open ? !rests(2 * i)
                           : !(slips && e.tangent == CoulombElement::Tangent::undecided && rests(2 * i + 1)))
      continue;
    hold = closed_hold(e);
    // (What opens may slide.)
    if (hold == Hold::stick && !rests(2 * i + 1)) hold = rate_[at(2 * i + 1)] > 0 ? Hold::slip_plus : Hold::slip_minus;
    changed = true;
  }
  return changed;
}

bool CoulombSolver::lcp_round(const CoulombProblem& p, bool kinetic, int path, bool& again) {
  using Normal = CoulombElement::Normal;
  using Tangent = CoulombElement::Tangent;
  const int k = p.count(), n = 2 * k;
  const auto normal_constant = [&](const CoulombElement& e) { return std::abs(e.normal_0); };
  const auto limit_of = [&](const CoulombElement& e) { return kinetic ? e.mu_kinetic : e.mu_static; };
  int size = 0;
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    at_[at(i)] = size;
    size += (e.normal == Normal::contact) + (e.tangent == Tangent::undecided && slips_[at(i)] == 0 ? 2 : 0);
  }
  // a = offset + response z; response is stored by unknown.
  for (int r = 0; r < n; ++r) offset_[at(r)] = p.c[at(r)] * per_unit_[at(r)];
  const auto add_constant = [&](int u, double force) {
    if (force != 0)
      for (int r = 0; r < n; ++r) offset_[at(r)] += p.G[at(r * n + u)] * force * per_unit_[at(r)];
  };
  const auto add_column = [&](int z, int u, double factor) {
    double* column = response_.data() + z * n;
    const double* G = p.G.data() + u;
    factor *= per_unit_[at(u)];
    for (int r = 0; r < n; ++r) column[r] += G[r * n] * factor * per_unit_[at(r)];
  };
  std::fill(response_.begin(), response_.begin() + size * n, 0.0);
  // N of element i, in units of its lambda_T, is the sum over contacts j of share(i, j) z_j and a constant.
  const auto share = [&](int i, int j) {
    const double weight = i == j ? 1.0 : p.normal_by[at(i * n + 2 * j)];
    return weight == 0 ? 0.0 : weight * unit_[at(2 * i + 1)] / unit_[at(2 * j)];
  };
  const auto each_contact_of = [&](int i, const auto& use) {
    if (p.element[at(i)].normal == Normal::contact) return use(i);
    if (p.element[at(i)].normal != Normal::sum) return;
    for (int j = 0; j < k; ++j)
      if (p.element[at(j)].normal == Normal::contact && p.normal_by[at(i * n + 2 * j)] != 0) use(j);
  };
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    const bool contact = e.normal == Normal::contact, undecided = e.tangent == Tangent::undecided && slips_[at(i)] == 0;
    const int z = at_[at(i)];
    if (contact) add_column(z, 2 * i, 1);
    if (e.tangent == Tangent::none) continue;
    const double mu = undecided ? limit_of(e) : slips_[at(i)] * e.mu_kinetic;
    if (mu != 0) each_contact_of(i, [&](int j) { add_column(at_[at(j)], 2 * i + 1, -mu * share(i, j)); });
    // (tangent_0 of a contact acts only while it is closed; an open one is found out by the judge.)
    add_constant(2 * i + 1, (undecided ? 0.0 : e.tangent_0) - (contact ? 0.0 : mu * normal_constant(e)));
    if (undecided) add_column(z + contact, 2 * i + 1, 1);
  }
  const auto M = [&](int i, int j) -> double& { return m_[at(i * size + j)]; };
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    const bool contact = e.normal == Normal::contact, undecided = e.tangent == Tangent::undecided && slips_[at(i)] == 0;
    const int z = at_[at(i)], t = z + contact;
    if (contact) {
      for (int j = 0; j < size; ++j) M(z, j) = response_[at(j * n + 2 * i)];
      q_[at(z)] = offset_[at(2 * i)];
    }
    if (!undecided) continue;
    for (int j = 0; j < size; ++j) {
      M(t, j) = response_[at(j * n + 2 * i + 1)];
      M(t + 1, j) = 0;
    }
    M(t, t + 1) += 1;
    M(t + 1, t) = -1;
    each_contact_of(i, [&](int j) { M(t + 1, at_[at(j)]) = 2 * limit_of(e) * share(i, j); });
    q_[at(t)] = offset_[at(2 * i + 1)];
    q_[at(t + 1)] = contact ? 0.0 : 2 * limit_of(e) * normal_constant(e) * unit_[at(2 * i + 1)];
  }
  // Columns gamma_L have no response but in their own row.
  for (int i = 0; i < size; ++i) cover_[at(i)] = path == 0 ? 1.0 : 1 + std::fmod(golden * path * (i + 1), 1.0);
  for (int i = 0; i < k; ++i)
    if (const CoulombElement& e = p.element[at(i)]; e.tangent == Tangent::undecided && slips_[at(i)] == 0)
      each_contact_of(i, [&](int j) {
        cover_[at(at_[at(j)])] += limit_of(e) * share(i, j) * cover_[at(at_[at(i)] + (e.normal == Normal::contact))];
      });
  if (lemke_.solve(m_.data(), q_.data(), size, z_.data(), cover_.data()) != LcpStatus::solved) return false;

  double largest = 0;
  for (int i = 0; i < k; ++i)
    if (p.element[at(i)].normal == Normal::contact) largest = std::max(largest, z_[at(at_[at(i)])]);
  again = false;
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    const bool contact = e.normal == Normal::contact, undecided = e.tangent == Tangent::undecided && slips_[at(i)] == 0;
    const int z = at_[at(i)], t = z + contact;
    Hold& hold = now_[at(i)].hold;
    now_[at(i)].side = static_cast<signed char>(e.normal_0 < 0 ? -1 : 1);
    lcp_force_[at(2 * i)] = lcp_force_[at(2 * i + 1)] = 0;
    double N = contact ? 0.0 : normal_constant(e) * unit_[at(2 * i + 1)];
    each_contact_of(i, [&](int j) { N += share(i, j) * z_[at(at_[at(j)])]; });
    if (contact && !(z_[at(z)] > (e.lifting ? 1e-9 : 1e-13) * largest)) {
      hold = Hold::open;
      continue;
    }
    if (contact) lcp_force_[at(2 * i)] = z_[at(z)] / unit_[at(2 * i)];
    if (e.tangent == Tangent::none) {
      hold = Hold::closed;
      continue;
    }
    if (!undecided) {
      lcp_force_[at(2 * i + 1)] = e.tangent_0 - slips_[at(i)] * e.mu_kinetic * N / unit_[at(2 * i + 1)];
      hold = slips_[at(i)] > 0 ? Hold::slip_plus : Hold::slip_minus;
      continue;
    }
    const double limit = limit_of(e) * N, right = z_[at(t)], left = 2 * limit - right;
    lcp_force_[at(2 * i + 1)] = (right - limit) / unit_[at(2 * i + 1)];
    double rate = offset_[at(2 * i + 1)];
    for (int j = 0; j < size; ++j) rate += response_[at(j * n + 2 * i + 1)] * z_[at(j)];
    const int d = right <= left ? 1 : -1;  // it would slip against its force
    const bool limiting = std::min(right, left) <= at_limit * limit;
    const bool moves = d * rate > 1e-11 * (std::abs(p.c[at(2 * i + 1)]) / unit_[at(2 * i + 1)] + limit);
    if (limiting && (moves || e.broke_away)) {
      hold = d > 0 ? Hold::slip_plus : Hold::slip_minus;
      if (!kinetic && e.mu_static > e.mu_kinetic) {
        slips_[at(i)] = static_cast<signed char>(d);
        again = true;
      }
    } else {
      hold = Hold::stick;
    }
  }
  return true;
}

}  // namespace hstar::math
