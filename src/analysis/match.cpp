// src/analysis/match.cpp
//
// Matches computed events with reference events one to one (validate.hpp).
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "hstar/error.hpp"
#include "hstar/validate.hpp"

namespace hstar {
namespace {

/// Words of other programs, and of ours, that mean the reference's kind (compare_events.py, SAME).
const std::map<std::string, std::set<std::string>>& synonyms() {
  static const std::map<std::string, std::set<std::string>> table = {
      {"zeno", {"rest", "accumulation"}},
      {"uplift", {"liftoff", "lift-off"}},
      {"liftoff", {"lift-off", "detach"}},
      {"impact_A_terminal", {"impact"}},
      {"impact_B_terminal", {"impact"}},
      {"tip_B_touches", {"impact", "contact"}},
      {"guard_up", {"guard"}},
      {"guard_down", {"guard"}},
      {"graze", {"impact", "touch"}},
      {"stick", {"slip_to_stick", "stick_begin"}},
      {"slip", {"stick_to_slip", "slip_begin"}},
      {"reversal", {"slip_reversal"}},
  };
  return table;
}

bool same_kind(const std::string& reference, const std::string& computed) {
  if (reference == computed) return true;
  const auto found = synonyms().find(reference);
  return found != synonyms().end() && found->second.count(computed) > 0;
}

bool same_place(const std::string& reference, const std::string& computed) {
  return reference.empty() || computed.empty() || reference == computed;
}

/// Events the transition splits into one record an element, the reference into one event of several places.
bool belongs_to(const ReferenceEvent& reference, const ComputedEvent& partner, const ComputedEvent& event) {
  constexpr double one_instant = 1e-12;  // relative: far below any window, above 64 ulp
  const auto& also = reference.also_changing;
  return std::find(also.begin(), also.end(), event.where) != also.end() &&
         std::abs(event.t - partner.t) <= one_instant * std::max(1.0, std::abs(partner.t));
}

struct Candidate {
  long double distance;
  std::size_t shift, reference, computed;
  [[nodiscard]] auto key() const { return std::tie(distance, shift, reference, computed); }
};

/// Every pair that may be one event, nearest first. Both lists are in time order.
std::vector<Candidate> candidates(std::span<const ReferenceEvent> reference, std::span<const ComputedEvent> computed,
                                  const std::vector<std::string>& kinds, double window) {
  std::vector<Candidate> out;
  for (std::size_t i = 0; i < reference.size(); ++i)
    for (std::size_t j = 0; j < computed.size(); ++j) {
      const long double d = std::abs(static_cast<long double>(computed[j].t) - reference[i].t);
      if (d > static_cast<long double>(window) || !same_kind(reference[i].kind, kinds[j]) ||
          !same_place(reference[i].where, computed[j].where))
        continue;
      out.push_back({d, i > j ? i - j : j - i, i, j});
    }
  std::sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.key() < b.key(); });
  return out;
}

bool is_allowed(std::span<const AllowedExtra> allowed, const ComputedEvent& event, const std::string& kind,
                double window) {
  const auto t = static_cast<long double>(event.t), w = static_cast<long double>(window);
  return std::any_of(allowed.begin(), allowed.end(), [&](const AllowedExtra& a) {
    return a.t_from - w <= t && t <= a.t_to + w && (a.kind.empty() || a.kind == kind);
  });
}

}  // namespace

EventMatch match_events(std::span<const ReferenceEvent> reference, std::span<const AllowedExtra> allowed,
                        long double t_end, std::span<const ComputedEvent> computed, const MatchRules& rules) {
  if (!(rules.window > 0.0))
    throw InputError("match_events: window = " + std::to_string(rules.window) + " must be > 0; give it in seconds");
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::string> kinds;
  for (const ComputedEvent& event : computed) {
    const auto alias = rules.alias.find(event.kind);
    kinds.push_back(alias != rules.alias.end() ? alias->second : event.kind);
  }

  std::vector<std::size_t> partner(reference.size(), none), taken(computed.size(), none);
  for (const Candidate& c : candidates(reference, computed, kinds, rules.window)) {
    if (partner[c.reference] != none || taken[c.computed] != none) continue;
    partner[c.reference] = c.computed;
    taken[c.computed] = c.reference;
  }

  EventMatch match;
  std::size_t last = none;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (partner[i] == none) {
      if (reference[i].optional)
        ++match.optional_left_out;
      else
        match.missing.push_back(i);
      continue;
    }
    const double dt = static_cast<double>(static_cast<long double>(computed[partner[i]].t) - reference[i].t);
    match.pairs.push_back({i, partner[i], dt});
    if (last != none && partner[i] < last) match.order_preserved = false;
    last = partner[i];
    if (!reference[i].optional && (std::abs(dt) > match.worst_dt || match.worst_index == 0)) {
      match.worst_dt = std::abs(dt);
      match.worst_index = reference[i].index;
    }
  }
  for (std::size_t j = 0; j < computed.size(); ++j) {
    if (taken[j] != none) continue;
    const bool shared = std::any_of(match.pairs.begin(), match.pairs.end(), [&](const EventMatch::Pair& p) {
      return belongs_to(reference[p.reference], computed[p.computed], computed[j]);
    });
    if (static_cast<long double>(computed[j].t) > t_end + static_cast<long double>(rules.window))
      ++match.beyond_end;
    else if (shared || is_allowed(allowed, computed[j], kinds[j], rules.window))
      ++match.tolerated;
    else
      match.extra.push_back(j);
  }
  return match;
}

}  // namespace hstar
