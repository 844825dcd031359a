// src/transition/collapse.cpp
#include "transition/collapse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar {
namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
/// Approach speeds of successive cycles are multiples of each other up to this part of them. A word that would end
/// after finitely many cycles turns its speeds by an angle a in each, a^2 of them in the ratio: one that passes for
/// endless has pi / sqrt(same_direction) cycles to go, in which nothing is left of its velocities.
constexpr double same_direction = 1e-6;
/// Cycles that get shorter like k^-p have a last instant for p > 1; one that is told from no end has p > 1 / slowest.
constexpr double slowest = 0.9;
constexpr std::size_t fewest_cycles = 8;
/// A cycle shorter than so many round-offs of the time takes no time.
constexpr double instant = 8;
}  // namespace

void Collapse::add(double t, int contact, std::array<int, 2> bodies, double speed) {
  if (history_.size() == kept) history_.erase(history_.begin());
  history_.push_back({t, contact, bodies, speed});
}

void Collapse::select(std::size_t window) {
  // The bodies that the last impacts link to the last one, until no further one is linked.
  const auto from = history_.end() - static_cast<std::ptrdiff_t>(window);
  bodies_.assign(history_.back().body.begin(), history_.back().body.end());
  const auto has = [&](int body) {
    return body >= 0 && std::find(bodies_.begin(), bodies_.end(), body) != bodies_.end();
  };
  const auto is_linked = [&](const Impact& i) { return has(i.body[0]) || has(i.body[1]); };
  for (std::size_t before = 0; before != bodies_.size();) {
    before = bodies_.size();
    for (auto i = from; i != history_.end(); ++i)
      if (is_linked(*i))
        for (const int body : i->body)
          if (body >= 0 && !has(body)) bodies_.push_back(body);
  }
  linked_.clear();
  std::copy_if(from, history_.end(), std::back_inserter(linked_), is_linked);
}

bool Collapse::recognise(Limit& limit) {
  if (history_.empty()) return false;
  // The fewer impacts are looked at, the fewer bodies are linked that have nothing to do with the word.
  for (std::size_t window = std::min<std::size_t>(16, history_.size());;
       window = std::min(2 * window, history_.size())) {
    select(window);
    for (std::size_t word = 2; 3 * word + 1 <= linked_.size() && word <= longest_word; ++word)
      if (repeats(word, limit)) return true;
    if (window == history_.size()) return false;
  }
}

bool Collapse::repeats(std::size_t n, Limit& limit) const {
  // Three cycles and the impact before them.
  const Impact* last = linked_.data() + linked_.size();
  const Impact *third = last - n, *second = third - n, *first = second - n;
  for (std::size_t i = 0; i < n; ++i)
    if (third[i].contact != second[i].contact || second[i].contact != first[i].contact) return false;
  if (first[-1].contact != first[n - 1].contact) return false;
  limit.contacts.clear();
  for (std::size_t i = 0; i < n; ++i) limit.contacts.push_back(third[i].contact);
  std::sort(limit.contacts.begin(), limit.contacts.end());
  limit.contacts.erase(std::unique(limit.contacts.begin(), limit.contacts.end()), limit.contacts.end());
  if (limit.contacts.size() < 2) return false;
  const double v0 = strength(first, n), v1 = strength(second, n), v2 = strength(third, n);
  limit.shrink = v2 / v1;
  limit.crowds = v2 >= v1 * (1 - same_direction) && keeps_its_speed(n);
  for (std::size_t i = 0; i < n && !limit.crowds; ++i)
    if (std::abs(third[i].speed * v1 - second[i].speed * v2) > same_direction * v1 * v2 ||
        std::abs(second[i].speed * v0 - first[i].speed * v1) > same_direction * v0 * v1)
      return false;
  if (limit.crowds ? third[n - 1].t == second[n - 1].t : !(limit.shrink < 1 && v1 < v0)) return false;
  return predict({first[n - 1].t - first[-1].t, second[n - 1].t - first[n - 1].t, third[n - 1].t - second[n - 1].t},
                 limit.crowds ? growth(n) : 0.0, third[n - 1].t, limit);
}

double Collapse::strength(const Impact* cycle, std::size_t n) {
  double square = 0;
  for (std::size_t i = 0; i < n; ++i) square += cycle[i].speed * cycle[i].speed;
  return std::sqrt(square);
}

bool Collapse::keeps_its_speed(std::size_t n) const {
  // (Two cycles that happen to get faster, a rattling body that something else has struck, are none.)
  if (linked_.size() < fewest_cycles * n) return false;
  const Impact* cycle = linked_.data() + linked_.size() - n;
  for (std::size_t k = 1; k < fewest_cycles; ++k, cycle -= n) {
    const Impact* before = cycle - n;
    for (std::size_t i = 0; i < n; ++i)
      if (before[i].contact != cycle[i].contact) return false;
    if (strength(cycle, n) < strength(before, n) * (1 - same_direction)) return false;
  }
  return true;
}

double Collapse::growth(std::size_t n) const {
  // (The differences of s from one cycle to the next would be lost in the round-off of the times.)
  std::vector<double> end;
  for (std::size_t i = linked_.size(); i > 0; i -= std::min(i, n)) {
    if (linked_[i - 1].contact != linked_.back().contact) break;
    end.push_back(linked_[i - 1].t);
  }
  if (end.size() < fewest_cycles) return 1;
  const auto s = [&](std::size_t k) {
    const double now = end[k] - end[k + 1], before = end[k + 1] - end[k + 2];
    return now / (before - now);
  };
  const std::size_t oldest = end.size() - 3;
  return (s(0) - s(oldest)) / static_cast<double>(oldest);
}

bool Collapse::predict(const std::array<double, 3>& cycle, double growth, double t, Limit& limit) {
  limit.cycle = cycle[2];
  limit.t = t;
  limit.remaining = limit.ratio = 0;
  limit.error = cycle[2];
  if (cycle[2] <= instant * eps * std::abs(t)) return true;
  if (!(cycle[2] < cycle[1]) || !(cycle[1] < cycle[0]) || growth > slowest) return false;
  // What is left of cycles T_k is T_k s / (1 - d), d the growth of s from cycle to cycle: 0 where T_k is a geometric
  // sequence, 1/p where T_k falls like k^-p.
  const double before = cycle[1] / (cycle[0] - cycle[1]), now = cycle[2] / (cycle[1] - cycle[2]),
               further = 1 - std::max(growth, 0.0);
  limit.ratio = cycle[2] / cycle[1];
  limit.remaining = cycle[2] * now / further;
  limit.t = t + limit.remaining;
  limit.error = std::abs(limit.t - (t - cycle[2] + cycle[1] * before / further));
  return true;
}

}  // namespace hstar
