// tests/oracle/solver/expect.cpp
#include "solver/expect.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace oracle {

namespace {

constexpr int turns = 4;  ///< directions in which the numbers are turned

/// The n-th event of an element since the last accumulation: its place in the story, which small changes keep. What may
/// be told or not is counted apart, by kind; an accumulation may be told of any contact that takes part.
using Place = std::pair<std::string, std::pair<int, int>>;

std::vector<Place> places(const std::vector<Event>& events) {
  std::vector<Place> result;
  std::map<std::pair<std::string, int>, int> seen;
  int accumulations = 0;
  for (const Event& e : events) {
    const std::string who = e.kind == "zeno" ? e.kind : e.told == Told::may ? e.element + " " + e.kind : e.element;
    result.push_back({who, {accumulations, seen[{who, accumulations}]++}});
    if (e.kind == "zeno") ++accumulations;
  }
  return result;
}

std::string words(const Event& e) {
  return e.kind + " of " + e.element + " at t = " + std::to_string(static_cast<double>(e.t));
}

/// The nearer to an accumulation's limit, the more the order of its impacts hangs on where the limit is: what comes
/// within some times the limit's own change belongs to the part that may be cut short.
void widen(Answer& answer, const Answer& other) {
  constexpr long double times = 50;
  for (std::size_t j = 0; j < answer.accumulations.size() && j < other.accumulations.size(); ++j) {
    Accumulation& a = answer.accumulations[j];
    a.from = std::min(a.from, a.limit - times * std::abs(a.limit - other.accumulations[j].limit));
    for (Event& e : answer.events)
      if (e.told == Told::must && e.kind != "zeno" && e.t >= a.from && e.t <= a.limit) e.told = Told::late;
  }
}

/// What the other answer leaves open at the same moment is open here: contacts without load need not be told to part.
void leave_open(Answer& answer, const Answer& other) {
  constexpr long double moment = 1e-4L;
  for (Event& e : answer.events)
    for (const Event& o : other.events)
      if (e.told == Told::must && o.told == Told::may && o.kind == e.kind && o.element == e.element &&
          std::abs(o.t - e.t) < moment)
        e.told = Told::may;
}

/// Widens the bounds by what a turned model changes; says what happens in one of the two stories only.
std::string compare(Answer turned, Expected& expected) {
  Answer& truth = expected.answer;
  if (!turned.aside.empty()) return "with numbers turned: " + turned.aside;
  widen(truth, turned);
  widen(turned, truth);
  leave_open(truth, turned);
  leave_open(turned, truth);
  const std::vector<Place> here = places(truth.events), there = places(turned.events);
  std::map<Place, const Event*> found;
  for (std::size_t k = 0; k < there.size(); ++k) found[there[k]] = &turned.events[k];
  for (std::size_t k = 0; k < here.size(); ++k) {
    const Event& e = truth.events[k];
    const auto it = found.find(here[k]);
    const bool same = it != found.end() && it->second->kind == e.kind;
    if (!same && e.told == Told::must) return "only without turning: " + words(e);
    if (same)
      expected.time_bound[k] = std::max(expected.time_bound[k], static_cast<double>(std::abs(it->second->t - e.t)));
    if (it != found.end()) found.erase(it);
  }
  for (const auto& [place, e] : found)
    if (e->told == Told::must) return "only with turning: " + words(*e);
  for (std::size_t i = 0; i < truth.final_state.size(); ++i)
    expected.state_bound[i] = std::max(expected.state_bound[i], std::abs(turned.final_state[i] - truth.final_state[i]));
  return {};
}

/// In many digits where few do not decide.
Answer solve_surely(const Model& model, const Turned& turned) {
  const Answer answer = solve<Fast>(model, turned);
  return answer.doubtful || !answer.aside.empty() ? solve<Exact>(model, turned) : answer;
}

}  // namespace

Expected expect(const Model& model) {
  Expected expected;
  expected.answer = solve_surely(model, {});
  expected.aside = expected.answer.aside;
  if (expected.answer.doubtful) expected.aside = "a decision hangs on less than 1e-60";
  if (!expected.aside.empty()) return expected;

  const double rtol = std::stod(model.rtol), allowed = 100 * rtol;
  expected.time_bound.assign(expected.answer.events.size(), 0.0);
  expected.state_bound.assign(expected.answer.final_state.size(), 0.0);
  for (int turn = 1; turn <= turns && expected.aside.empty(); ++turn)
    expected.aside = compare(solve_surely(model, {allowed, static_cast<std::uint64_t>(turn)}), expected);
  // Random directions show about half of the worst change; times and states are never better than rtol of their size.
  for (std::size_t k = 0; k < expected.time_bound.size(); ++k)
    expected.time_bound[k] =
        2 * expected.time_bound[k] + allowed * std::max(0.1, static_cast<double>(expected.answer.events[k].t));
  for (std::size_t i = 0; i < expected.state_bound.size(); ++i)
    expected.state_bound[i] =
        2 * expected.state_bound[i] + allowed * std::max(0.1, std::abs(expected.answer.final_state[i]));
  return expected;
}

}  // namespace oracle
