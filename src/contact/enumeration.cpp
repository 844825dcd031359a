// src/contact/enumeration.cpp
#include "contact/enumeration.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hstar::contact {
namespace {

/// Listed; and of which one is looked for: seven contacts with friction have as many.
constexpr double most_listed = 4096, most_enumerated = 16384;

/// Calls `visit` with the rank of every combination that obeys the laws, which is then in `guess`.
template <class Visit>
void each_combination(const Problem& p, Exchange& exchange, Guess& guess, const Visit& visit) {
  // The digits of a combination: contacts closed or open, units stuck, sliding forwards or backwards.
  const std::size_t contacts = p.contact.size();
  std::vector<int> digit(contacts + p.unit.size(), 0);
  const auto options = [&](std::size_t i) { return i < contacts ? 2 : p.unit[i - contacts].slides ? 1 : 3; };
  exchange.level().begin(p);
  for (bool more = true; more;) {
    guess.hold_all(p);
    int rank = 0;
    bool real = true;
    for (std::size_t i = 0; i < contacts; ++i) {
      guess.contact[i] = digit[i] == 0 ? Asked::closed : Asked::open;
      guess.status.contact[i] = digit[i] == 0 ? Press::loaded : Press::open;
      rank += digit[i];
    }
    for (std::size_t j = 0; j < p.unit.size(); ++j) {
      const Unit& unit = p.unit[j];
      const int d = digit[contacts + j];
      const bool acting = acts(unit, guess.status);
      real &= acting || d == 0;
      if (unit.slides || !acting) continue;
      guess.unit[j] = d == 0 ? Asked::stick : Asked::slip;
      rank += d == 0 ? 0 : static_cast<int>(contacts) + 1;
      if (d == 0) continue;
      guess.status.unit[j] = {Hold::slip, {d == 1 ? 1.0 : -1.0, 0, 0}};
      guess.mu[j] = unit.mu_kinetic;
    }
    if (real && exchange.walk(p, guess, most_exchanges)) visit(rank);
    more = false;
    for (std::size_t i = 0; i < digit.size() && !more; ++i) {
      more = ++digit[i] < options(i);
      if (!more) digit[i] = 0;
    }
  }
}

}  // namespace

double combinations(const Problem& p) {
  // Units of an open contact have nothing to choose.
  const auto ways = [](const Unit& unit) { return unit.slides ? 1.0 : 3.0; };
  double all = 1;
  for (int i = 0; i < static_cast<int>(p.contact.size()); ++i) {
    double closed = 1;
    for (const Unit& unit : p.unit)
      if (unit.normal == Unit::Normal::contact && unit.contact == i) closed *= ways(unit);
    all *= 1 + closed;
  }
  for (const Unit& unit : p.unit) all *= unit.normal == Unit::Normal::contact ? 1 : ways(unit);
  return all;
}

bool enumerate(const Problem& p, Exchange& exchange, Guess& guess) {
  if (combinations(p) > most_enumerated) return false;
  Guess best;
  int least = std::numeric_limits<int>::max();
  each_combination(p, exchange, guess, [&](int rank) {
    if (exchange.weak()) rank += std::numeric_limits<int>::max() / 2;
    if (rank >= least) return;
    least = rank;
    best = guess;
  });
  if (least == std::numeric_limits<int>::max()) return false;
  guess = std::move(best);
  return exchange.walk(p, guess, most_exchanges);
}

std::vector<Status> list(const Problem& p, Exchange& exchange, std::size_t limit) {
  std::vector<Status> all;
  if (combinations(p) > most_listed) return all;
  Guess guess;
  std::vector<std::pair<int, Status>> found;
  each_combination(p, exchange, guess, [&](int rank) {
    if (exchange.weak()) return;
    // In words only open, stick, slip.
    Status answer = guess.status;
    for (std::size_t i = 0; i < p.contact.size(); ++i)
      if (guess.contact[i] == Asked::closed) answer.contact[i] = Press::loaded;
    for (std::size_t j = 0; j < p.unit.size(); ++j)
      if (guess.unit[j] == Asked::stick) answer.unit[j].hold = Hold::held;
    found.emplace_back(rank, std::move(answer));
  });
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [rank, status] : found)
    if (all.size() < limit) all.push_back(std::move(status));
  return all;
}

std::size_t count(const Problem& p, Exchange& exchange) {
  Guess guess;
  std::size_t strict = 0;
  if (combinations(p) <= most_listed) each_combination(p, exchange, guess, [&](int) { strict += !exchange.weak(); });
  return strict;
}

}  // namespace hstar::contact
