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
  const int k = p.contacts, block = p.block();
  ImpactSolution total;
  total.impulse.assign(static_cast<std::size_t>(p.rows()), 0.0);
  std::vector<double> v = p.c, gap(static_cast<std::size_t>(k));
  if (order) order->clear();
  for (int count = 0;; ++count) {
    for (int i = 0; i < k; ++i) gap[static_cast<std::size_t>(i)] = v[static_cast<std::size_t>(block * i)];
    const int i = next(gap);
    if (i < 0) break;
    if (count == most) {
      total.why = "the sequence of impacts does not end within " + std::to_string(most) + " impacts";
      return total;
    }
    const auto u = static_cast<std::size_t>(i);
    ImpactProblem one;
    one.contacts = 1;
    one.directions = p.directions;
    for (int r = block * i; r < block * (i + 1); ++r) {
      for (int c = block * i; c < block * (i + 1); ++c) one.G.push_back(p.g(r, c));
      one.c.push_back(v[static_cast<std::size_t>(r)]);
    }
    one.e = {p.e[u]};
    one.mu = {p.mu[u]};
    if (!p.e_t.empty()) one.e_t = {p.e_t[u]};
    const ImpactSolution s = law.solve(one);
    if (!s.solved) {
      total.why = s.why;
      return total;
    }
    for (int r = 0; r < p.rows(); ++r) {
      double jump = 0;
      for (int c = 0; c < block; ++c) jump += p.g(r, block * i + c) * s.impulse[static_cast<std::size_t>(c)];
      v[static_cast<std::size_t>(r)] += jump;
    }
    for (int c = 0; c < block; ++c)
      total.impulse[static_cast<std::size_t>(block * i + c)] += s.impulse[static_cast<std::size_t>(c)];
    if (order) order->push_back(i);
  }
  total.solved = true;
  complete(p, total);
  return total;
}

}  // namespace hstar
