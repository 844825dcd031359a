// tests/oracle/solver/expect.cpp
#include "solver/expect.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace oracle {

namespace {

constexpr int turns = 4;  ///< directions in which the numbers are turned
/// Turned by less than this the numbers of a model are those of its file, which are rounded to 1e-16 of their size.
constexpr double least_turn = 1e-14;

/// The n-th event of an element since the last accumulation: its place in the story, which small changes keep. What may
/// be told or not is counted apart, by kind; an accumulation may be told of any contact that takes part.
using Place = std::pair<std::string, std::pair<int, int>>;

std::vector<Place> places(const std::vector<Event>& events) {
  std::vector<Place> result;
  std::map<std::pair<std::string, int>, int> seen;
  int accumulations = 0;
  for (const Event& e : events) {
    const bool limit = e.kind == "zeno";
    const std::string who = limit                 ? e.told == Told::must ? "limit" : "limit of a part"
                            : e.told == Told::may ? e.element + " " + e.kind
                                                  : e.element;
    result.push_back({who, {accumulations, seen[{who, accumulations}]++}});
    if (limit && e.told == Told::must) ++accumulations;
  }
  return result;
}

std::string words(const Event& e) {
  return e.kind + " of " + e.element + " at t = " + std::to_string(static_cast<double>(e.t));
}

constexpr long double moment = 1e-4L;  ///< [s] what is farther apart in two answers is not the same

/// The nearer to an accumulation's limit, the more the order of its impacts hangs on where the limit is: what comes
/// within some times the change of the limit belongs to the part that may be cut short. Where one answer has several
/// accumulations in place of the other's one, they are parts of it.
void widen(Answer& one, Answer& other) {
  constexpr long double times = 50;
  Answer* const answers[] = {&one, &other};
  std::vector<long double> change[] = {std::vector<long double>(one.accumulations.size()),
                                       std::vector<long double>(other.accumulations.size())};
  for (const int round : {0, 1, 2, 3}) {  // (twice: each takes over what its counterpart has learned)
    const std::size_t here = round % 2, there = 1 - here;
    for (std::size_t i = 0; i < change[here].size(); ++i) {
      const auto apart = [&](std::size_t j) {
        return std::abs(answers[here]->accumulations[i].limit - answers[there]->accumulations[j].limit);
      };
      std::size_t same = 0;
      for (std::size_t j = 0; j < change[there].size(); ++j)
        if (apart(j) < apart(same)) same = j;
      if (same >= change[there].size() || apart(same) > moment) continue;
      change[here][i] = change[there][same] = std::max({change[here][i], change[there][same], apart(same)});
    }
  }
  for (const std::size_t here : {0, 1})
    for (std::size_t i = 0; i < change[here].size(); ++i) {
      Accumulation& a = answers[here]->accumulations[i];
      a.from = std::min(a.from, a.limit - times * change[here][i]);
      for (Event& e : answers[here]->events)
        if (e.told == Told::must && e.t >= a.from && (e.kind == "zeno" ? e.t < a.limit : e.t <= a.limit))
          e.told = Told::late;
    }
}

/// What the other answer leaves open at the same moment is open here: contacts without load need not be told to part.
void leave_open(Answer& answer, const Answer& other) {
  for (const Event& o : other.events) {
    if (o.told != Told::may) continue;
    Event* nearest = nullptr;
    for (Event& e : answer.events)
      if (e.kind == o.kind && e.element == o.element && (!nearest || std::abs(e.t - o.t) < std::abs(nearest->t - o.t)))
        nearest = &e;
    if (nearest && nearest->told == Told::must && std::abs(nearest->t - o.t) < moment) nearest->told = Told::may;
  }
}

/// Widens the bounds by what a turned model changes; says what happens in one of the two stories only.
std::string compare(Answer turned, Expected& expected) {
  Answer& truth = expected.answer;
  if (!turned.aside.empty()) return "with numbers turned: " + turned.aside;
  widen(truth, turned);
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
  if (expected.answer.doubtful) expected.aside = "a decision hangs on less than 1e-70";
  if (!expected.aside.empty()) return expected;

  const Answer truth = expected.answer;
  double amount = 100 * std::stod(model.rtol);
  while (true) {
    expected.answer = truth;
    expected.time_bound.assign(truth.events.size(), 0.0);
    expected.state_bound.assign(truth.final_state.size(), 0.0);
    std::string change;
    for (int turn = 1; turn <= turns && change.empty(); ++turn)
      change = compare(solve_surely(model, {amount, static_cast<std::uint64_t>(turn)}), expected);
    if (change.empty()) break;
    if (expected.close.empty()) expected.close = change;
    amount /= 100;
    if (amount > least_turn) continue;
    expected.aside = change;
    return expected;
  }
  // Random directions show about half of the worst change; times and states are never better than what was turned.
  for (std::size_t k = 0; k < expected.time_bound.size(); ++k)
    expected.time_bound[k] =
        2 * expected.time_bound[k] + amount * std::max(0.1, static_cast<double>(expected.answer.events[k].t));
  for (std::size_t i = 0; i < expected.state_bound.size(); ++i)
    expected.state_bound[i] =
        2 * expected.state_bound[i] + amount * std::max(0.1, std::abs(expected.answer.final_state[i]));
  return expected;
}

}  // namespace oracle
