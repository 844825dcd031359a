// src/transition/crowding.cpp
#include "transition/crowding.hpp"

#include <algorithm>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {

void Crowding::add(double t, int contact, std::array<int, 2> bodies, double speed) {
  if (history_.size() == kept) history_.erase(history_.begin());
  history_.push_back({t, contact, bodies, speed});
}

void Crowding::link() {
  // The bodies that impacts link to the last one, until no further one is linked.
  bodies_.assign(history_.back().body.begin(), history_.back().body.end());
  const auto has = [&](int body) {
    return body >= 0 && std::find(bodies_.begin(), bodies_.end(), body) != bodies_.end();
  };
  const auto is_linked = [&](const Impact& i) { return has(i.body[0]) || has(i.body[1]); };
  for (std::size_t before = 0; before != bodies_.size();) {
    before = bodies_.size();
    for (const Impact& i : history_)
      if (is_linked(i))
        for (const int body : i.body)
          if (body >= 0 && !has(body)) bodies_.push_back(body);
  }
  linked_.clear();
  std::copy_if(history_.begin(), history_.end(), std::back_inserter(linked_), is_linked);
}

bool Crowding::repeats(std::size_t n) const {
  // (Two cycles that happen to get faster, a rattling body that something else has struck, are none.)
  if (linked_.size() < fewest_cycles * n + 1) return false;
  const Impact* last = linked_.data() + linked_.size();
  for (std::size_t k = 1; k <= (fewest_cycles - 1) * n; ++k)
    if (last[-static_cast<std::ptrdiff_t>(k)].contact != last[-static_cast<std::ptrdiff_t>(k + n)].contact)
      return false;
  const auto strength = [&](std::size_t cycles_ago) {
    double square = 0;
    const Impact* from = last - (cycles_ago + 1) * n;
    for (const Impact* i = from; i != from + n; ++i) square += i->speed * i->speed;
    return std::sqrt(square);
  };
  double now = strength(0);
  for (std::size_t k = 1; k < fewest_cycles; ++k) {
    const double before = strength(k);
    if (now < before * (1 - tolerances::same_speed)) return false;
    now = before;
  }
  return std::any_of(last - n, last, [&](const Impact& i) { return i.contact != last[-1].contact; });
}

bool Crowding::predict(std::size_t n, Limit& limit) const {
  // What is left of cycles T_k is T_k s / (1 - d) with s = T_k / (T_k-1 - T_k) and d its growth from cycle to cycle: 0
  // where T_k is a geometric sequence, 1/p where T_k falls like k^-p. (Over all cycles seen: the differences of s would
  // be lost in the round-off of the times.)
  const Impact* last = linked_.data() + linked_.size() - 1;
  const auto cycle = [&](std::size_t k) { return (last - k * n)->t - (last - (k + 1) * n)->t; };
  for (std::size_t k = 0; k + 2 < fewest_cycles; ++k)
    if (!(cycle(k) > 0 && cycle(k) < cycle(k + 1))) return false;
  const auto s = [&](std::size_t k) { return cycle(k) / (cycle(k + 1) - cycle(k)); };
  constexpr std::size_t oldest = fewest_cycles - 2;
  const double growth = std::max((s(0) - s(oldest - 1)) / static_cast<double>(oldest - 1), 0.0);
  if (growth > tolerances::slowest) return false;
  limit.contacts.clear();
  for (const Impact* i = last + 1 - n; i <= last; ++i) limit.contacts.push_back(i->contact);
  std::sort(limit.contacts.begin(), limit.contacts.end());
  limit.contacts.erase(std::unique(limit.contacts.begin(), limit.contacts.end()), limit.contacts.end());
  limit.ratio = cycle(0) / cycle(1);
  limit.t = last->t + cycle(0) * s(0) / (1 - growth);
  return true;
}

bool Crowding::recognise(Limit& limit) {
  if (history_.size() < 2 * fewest_cycles) return false;
  link();
  for (std::size_t word = 2; word <= longest_word; ++word)
    if (repeats(word) && predict(word, limit)) return true;
  return false;
}

}  // namespace hstar
