// src/transition/impact/sequential.cpp
#include "transition/impact/sequential.hpp"

namespace hstar {

NextContact fastest_first(double tiny) {
  return [tiny](std::span<const double> v) {
    int next = -1;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (v[i] < -tiny && (next < 0 || v[i] < v[static_cast<std::size_t>(next)])) next = static_cast<int>(i);
    return next;
  };
}

NextContact in_order(double tiny, bool first) {
  return [tiny, first](std::span<const double> v) {
    int next = -1;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (v[i] < -tiny && (next < 0 || !first)) next = static_cast<int>(i);
    return next;
  };
}

ImpactSolution sequential_impact(const ImpactProblem& p, const ImpactLawEntry& law, const NextContact& next, int most,
                                 std::vector<int>* order) {
  const int k = p.contacts;
  ImpactSolution total;
  total.impulse.assign(static_cast<std::size_t>(2 * k), 0.0);
  std::vector<double> v = p.c, gap(static_cast<std::size_t>(k));
  if (order) order->clear();
  for (int count = 0;; ++count) {
    for (int i = 0; i < k; ++i) gap[static_cast<std::size_t>(i)] = v[static_cast<std::size_t>(2 * i)];
    const int i = next(gap);
    if (i < 0) break;
    if (count == most) {
      total.why = "the sequence of impacts does not end within " + std::to_string(most) + " impacts";
      return total;
    }
    const auto u = static_cast<std::size_t>(i);
    ImpactProblem one;
    one.contacts = 1;
    one.G = {p.g(2 * i, 2 * i), p.g(2 * i, 2 * i + 1), p.g(2 * i + 1, 2 * i), p.g(2 * i + 1, 2 * i + 1)};
    one.c = {v[2 * u], v[2 * u + 1]};
    one.e = {p.e[u]};
    one.mu = {p.mu[u]};
    if (!p.e_t.empty()) one.e_t = {p.e_t[u]};
    const ImpactSolution s = law.solve(one);
    if (!s.solved) {
      total.why = s.why;
      return total;
    }
    for (int r = 0; r < 2 * k; ++r)
      v[static_cast<std::size_t>(r)] += p.g(r, 2 * i) * s.impulse[0] + p.g(r, 2 * i + 1) * s.impulse[1];
    total.impulse[2 * u] += s.impulse[0];
    total.impulse[2 * u + 1] += s.impulse[1];
    if (order) order->push_back(i);
  }
  total.solved = true;
  complete(p, total);
  return total;
}

}  // namespace hstar
