// tests/oracle/cases/verdict.cpp
#include "cases/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

namespace oracle {

namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", x);
  return text;
}

bool names(const Event& truth, const ToldEvent& told) {
  return told.kind == truth.kind &&
         (told.element == truth.element ||
          std::find(truth.others.begin(), truth.others.end(), told.element) != truth.others.end());
}

/// Kinds that leave the motion as it is.
bool only_noted(const std::string& kind) {
  static const std::set<std::string> kinds = {"time", "graze", "normal_sign", "rest", "touch", "vertex", "switch"};
  return kinds.count(kind) > 0;
}

bool within_an_accumulation(const Expected& expected, const ToldEvent& told, double bound) {
  return std::any_of(
      expected.answer.accumulations.begin(), expected.answer.accumulations.end(), [&](const Accumulation& a) {
        return told.t >= static_cast<double>(a.from) - bound && told.t <= static_cast<double>(a.limit) + bound;
      });
}

bool is_unseen(const Expected& expected, const ToldEvent& told, double bound) {
  return std::any_of(expected.answer.unseen.begin(), expected.answer.unseen.end(), [&](const Unseen& u) {
    return told.element == u.element && told.t >= static_cast<double>(u.from) - bound &&
           told.t <= static_cast<double>(u.to) + bound;
  });
}

}  // namespace

std::string verdict(const Expected& expected, const Run& run) {
  if (!run.reached_end) return "ended: " + run.outcome;
  std::vector<char> matched(run.events.size(), 0);
  const std::vector<Event>& truth = expected.answer.events;
  const auto match = [&](std::size_t k, double bound) {
    std::size_t best = run.events.size();
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < run.events.size(); ++j) {
      const double late = run.events[j].t - static_cast<double>(truth[k].t);
      const double off = late >= 0 ? late : std::max(0.0, -late - static_cast<double>(truth[k].early));
      if (matched[j] || !names(truth[k], run.events[j]) || off >= nearest) continue;
      best = j;
      nearest = off;
    }
    if (nearest <= bound) matched[best] = 1;
    return nearest;
  };
  // A limit that is extrapolated from the impacts before is as exact as its last interval.
  const auto bound_of = [&](std::size_t k) {
    return expected.time_bound[k] +
           (truth[k].kind == "zeno" ? 1e-7 * std::max(0.1, static_cast<double>(truth[k].t)) : 0.0);
  };
  for (std::size_t k = 0; k < truth.size(); ++k) {
    if (truth[k].told != Told::must) continue;
    const double off = match(k, bound_of(k));
    if (off <= bound_of(k)) continue;
    const std::string what =
        truth[k].kind + " of " + truth[k].element + " at t = " + number(static_cast<double>(truth[k].t));
    return off < 1e-3 ? "late: " + what + " off by " + number(off) + " s, allowed " + number(bound_of(k))
                      : "missed: " + what;
  }
  double widest = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    widest = std::max(widest, bound_of(k));
    if (truth[k].told != Told::must) match(k, bound_of(k));
  }
  for (std::size_t j = 0; j < run.events.size(); ++j) {
    const ToldEvent& e = run.events[j];
    // What an element does first is its mode; to tell it as an event at the start says the same.
    const bool at_start = e.t <= 0 && e.kind != "impact";
    if (matched[j] || at_start || only_noted(e.kind) || within_an_accumulation(expected, e, 10 * widest) ||
        is_unseen(expected, e, widest))
      continue;
    return "invented: " + e.kind + " of " + e.element + " at t = " + number(e.t);
  }
  for (std::size_t i = 0; i < run.final_state.size(); ++i) {
    const double off = std::abs(run.final_state[i] - expected.answer.final_state[i]);
    if (!(off <= expected.state_bound[i]))
      return "state: entry " + std::to_string(i) + " is " + number(run.final_state[i]) + ", must be " +
             number(expected.answer.final_state[i]) + " (within " + number(expected.state_bound[i]) + ")";
  }
  return {};
}

}  // namespace oracle
