// src/transition/impact/sequential.cpp
#include "transition/impact/sequential.hpp"

#include <algorithm>
#include <array>

namespace hstar {

NextContact fastest_first(double tiny) {
  return [tiny](std::span<const double> v) {
    int next = -1;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (v[i] < -tiny && (next < 0 || v[i] < v[next])) next = static_cast<int>(i);
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

namespace {

/// One plastic impact of all contacts from the velocities the sequence has come to.
bool end_plastically(const ImpactProblem& p, SequenceRoom& room, ImpactSolution& total) {
  ImpactLawEntry plastic;
  plastic.restores = ImpactLawEntry::Restores::nothing;
  plastic.elements = ImpactLawEntry::Elements::all;
  ImpactProblem now = p;
  now.c = room.v;
  room.single.clear();
  plastic.solve(now, room.single);
  for (std::size_t i = 0; room.single.solved && i < total.impulse.size(); ++i)
    total.impulse[i] += room.single.impulse[i];
  return room.single.solved;
}

}  // namespace

void sequential_impact(const ImpactProblem& p, std::span<const ImpactLawEntry* const> law, const NextContact& next,
                       int most, SequenceRoom& room, ImpactSolution& total, std::vector<int>* order) {
  const int k = p.contacts, block = p.block();
  total.impulse.assign(static_cast<std::size_t>(p.rows()), 0.0);
  room.v.assign(p.c.begin(), p.c.end());
  room.gap.resize(static_cast<std::size_t>(k));
  room.one.contacts = 1;
  room.one.directions = p.directions;
  if (order) order->clear();
  std::array<double, 2> fastest{};  // approach in the first half of `most` impacts, and in the second
  for (int count = 0;; ++count) {
    for (int i = 0; i < k; ++i) room.gap[i] = room.v[block * i];
    const int i = next(room.gap);
    if (i < 0) break;
    if (count == most) {
      if (fastest[1] < fastest[0] && end_plastically(p, room, total)) break;
      total.why = "the sequence of impacts does not end within " + std::to_string(most) + " impacts";
      return;
    }
    const auto u = static_cast<std::size_t>(i);
    room.one.G.clear();
    room.one.c.clear();
    for (int r = block * i; r < block * (i + 1); ++r) {
      for (int c = block * i; c < block * (i + 1); ++c) room.one.G.push_back(p.g(r, c));
      room.one.c.push_back(room.v[r]);
    }
    room.one.e.assign(1, p.e[u]);
    room.one.mu.assign(1, p.mu[u]);
    room.one.e_t.assign(p.e_t.empty() ? 0 : 1, p.e_t.empty() ? 0.0 : p.e_t[u]);
    double& half = fastest[2 * count < most ? 0 : 1];
    half = std::max(half, -room.gap[i]);
    ImpactSolution& s = room.single;
    s.clear();
    law[u]->solve(room.one, s);
    if (!s.solved) {
      total.why = s.why;
      return;
    }
    for (int r = 0; r < p.rows(); ++r) {
      double jump = 0;
      for (int c = 0; c < block; ++c) jump += p.g(r, block * i + c) * s.impulse[c];
      room.v[r] += jump;
    }
    for (int c = 0; c < block; ++c) total.impulse[block * i + c] += s.impulse[c];
    if (order) order->push_back(i);
  }
  total.solved = true;
  complete(p, total);
}

ImpactSolution sequential_impact(const ImpactProblem& p, const ImpactLawEntry& law, const NextContact& next, int most,
                                 std::vector<int>* order) {
  SequenceRoom room;
  ImpactSolution total;
  const std::vector<const ImpactLawEntry*> same(static_cast<std::size_t>(p.contacts), &law);
  sequential_impact(p, same, next, most, room, total, order);
  return total;
}

}  // namespace hstar
