// src/model/nearest.cpp
#include "model/nearest.hpp"

#include <algorithm>
#include <cctype>

namespace hstar {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Edit distance with neighbour swaps (optimal string alignment), in tenths; a change of case costs 1.
int distance(std::string_view a, std::string_view b) {
  constexpr int whole = 10, slight = 1;
  const std::size_t n = b.size();
  std::vector<int> before_last(n + 1), last(n + 1), now(n + 1);
  for (std::size_t j = 0; j <= n; ++j) last[j] = whole * static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = whole * static_cast<int>(i);
    for (std::size_t j = 1; j <= n; ++j) {
      const char x = a[i - 1], y = b[j - 1];
      const int change = x == y ? 0 : lower(x) == lower(y) ? slight : whole;
      now[j] = std::min({last[j] + whole, now[j - 1] + whole, last[j - 1] + change});
      if (i > 1 && j > 1 && lower(x) == lower(b[j - 2]) && lower(a[i - 2]) == lower(y))
        now[j] = std::min(now[j], before_last[j - 2] + whole);
    }
    std::swap(before_last, last);
    std::swap(last, now);
  }
  return last[n];
}

}  // namespace

std::string nearest_name(std::string_view given, std::span<const std::string> candidates) {
  std::string best;
  int best_distance = 0;
  for (const std::string& candidate : candidates) {
    const int d = distance(given, candidate);
    const int allowed = std::max(10, 10 * static_cast<int>(std::max(given.size(), candidate.size())) / 3);
    // One letter for another is a different name, not a misspelling ("m" for "g").
    if (d > allowed || d >= 10 * static_cast<int>(std::min(given.size(), candidate.size()))) continue;
    // Of equally near ones that which only has more letters: block.v is block.vx rather than block.x.
    const bool begins = candidate.starts_with(given) && !best.starts_with(given);
    if (best.empty() || d < best_distance || (d == best_distance && begins)) {
      best = candidate;
      best_distance = d;
    }
  }
  if (!best.empty() || given.size() < 2) return best;
  // Nothing is near by letters: take what begins with the given word ("mu" for "mu_static").
  const auto longer = std::find_if(candidates.begin(), candidates.end(),
                                   [given](const std::string& c) { return c.starts_with(given); });
  return longer == candidates.end() ? std::string() : *longer;
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  std::string s;
  for (const std::string& word : words) {
    if (!s.empty()) s += between;
    s += word;
  }
  return s;
}

std::string suggestion(std::string_view given, std::span<const std::string> candidates, std::string_view known_as,
                       std::size_t show) {
  const std::string near = nearest_name(given, candidates);
  if (!near.empty()) return "did you mean \"" + near + "\"?";
  if (candidates.empty()) return std::string(known_as) + ": none";
  std::string s = std::string(known_as) + ": " + joined(candidates.first(std::min(show, candidates.size())));
  return candidates.size() > show ? s + ", ..." : s;
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  std::size_t i = 0;
  while (i < list.size()) {
    const std::size_t end = std::min(list.find(' ', i), list.size());
    if (end > i) words.emplace_back(list.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

}  // namespace hstar
