// tests/laws/hybrid_closed_form.cpp
//
// Issue 2, Accept 4: random hybrid problems with closed-form answers over all integrators and rtol 1e-3
// to 1e-12. Wherever the lobe of a guard between two of its roots (or its distance from zero at a near
// miss) is deeper than ten times the step's error estimate there, no root is missed and none invented;
// the rest is found as a pair or reported as a graze. Every found time is a root of the closed form
// within the error accumulated so far.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "hstar/flow.hpp"
#include "hstar/hybrid.hpp"
#include "laws/hybrid_problems.hpp"

using namespace hstar;
using namespace hybrid_laws;

namespace {

struct Found {
  double t = 0.0;
  int direction = 0;
  double off = 0.0;          ///< g there on the exact motion through the start of its step ...
  double error = 0.0;        ///< ... and the step's error estimate in g
  double accumulated = 0.0;  ///< all error estimates so far
};

/// What a run has shown of one guard, and what the steps said about their own error in it.
struct Seen {
  std::vector<Found> roots;
  std::vector<double> grazes;
  // at the lobe, by the exact motion through the start of each step around it
  bool met = false;
  double error = 0.0, shallowest = 0.0, deepest = 0.0;
  bool must_graze = false;  ///< within half of what is reported, on the very step that holds the extremum
};

class Watch final : public LoopObserver {
 public:
  explicit Watch(const Problem& p) : p_(p), seen_(p.guards.size()), y_(p.n), y0_(p.n), error_(p.n), accumulated_(p.n) {}

  void step(Flow& flow, double /*t_until*/) override {
    ++steps;
    t0_ = flow.t0();
    t1_ = flow.t1();
    std::copy(flow.y0().begin(), flow.y0().end(), y0_.begin());
    std::copy(flow.error().begin(), flow.error().end(), error_.begin());
    for (std::size_t j = 0; j < p_.n; ++j) accumulated_[j] += error_[j];
    for (std::size_t i = 0; i < p_.guards.size(); ++i) {
      const Guard& g = p_.guards[i];
      Seen& s = seen_[i];
      double t = t1_, depth = 0.0;
      if (g.lobe.present) std::tie(t, depth) = g.lobe.local(t0_, y0_);
      const double margin = 0.5 * (t1_ - t0_);
      const bool here = g.lobe.present && t >= t0_ - margin && t <= t1_ + margin;
      if (here) {
        p_.motion(t0_, y0_, t, y_);
        const double error = change(g, t, error_);
        if (t > t0_ && t < t1_) s.must_graze = std::fabs(depth) + g.round_off < 5.0 * error;
        s.error = std::max(s.error, error);
        s.shallowest = s.met ? std::min(s.shallowest, depth) : depth;
        s.deepest = s.met ? std::max(s.deepest, depth) : depth;
        s.met = true;
      }
      for (Found& f : s.roots)
        if (f.error < 0.0) complete(i, f);  // passive roots come before their step
    }
  }

  void event(const EventRecord& r) override {
    const auto i = static_cast<std::size_t>(r.element[1] - '0');
    Seen& s = seen_[i];
    if (r.kind == "graze") {
      s.grazes.push_back(r.t);
      return;
    }
    s.roots.push_back({r.t, r.kind == "guard_up" ? 1 : -1, 0.0, -1.0, 0.0});
    if (p_.guards[i].active) complete(i, s.roots.back());
  }

  [[nodiscard]] const Seen& of(std::size_t i) const { return seen_[i]; }
  std::size_t steps = 0;

 private:
  void complete(std::size_t i, Found& f) {
    p_.motion(t0_, y0_, f.t, y_);
    f.off = std::fabs(p_.guards[i].g(f.t, y_));
    f.error = change(p_.guards[i], f.t, error_);
    f.accumulated = change(p_.guards[i], f.t, accumulated_);
  }

  /// The step's error estimate in g at state y_.
  double change(const Guard& g, double t, std::span<const double> e) {
    const double base = g.g(t, y_);
    double sum = 0.0;
    for (std::size_t j = 0; j < e.size(); ++j) {
      const double keep = y_[j];
      y_[j] = keep + e[j];
      const double up = std::fabs(g.g(t, y_) - base);
      y_[j] = keep - e[j];
      sum += std::max(up, std::fabs(g.g(t, y_) - base));
      y_[j] = keep;
    }
    return sum;
  }

  const Problem& p_;
  std::vector<Seen> seen_;
  std::vector<double> y_, y0_, error_, accumulated_;
  double t0_ = 0.0, t1_ = 0.0;
};

struct Tally {
  std::size_t problems = 0, guards = 0, roots = 0, pairs = 0, misses = 0, grazes = 0, shallow_pairs = 0, steps = 0;
};

enum class Verdict { right, missed, invented, silent, misplaced };

const char* text(Verdict v) {
  constexpr std::array<const char*, 5> words = {"right", "missed", "invented", "neither found nor reported",
                                                "misplaced"};
  return words[static_cast<std::size_t>(v)];
}

std::vector<TrueRoot> expected(const Guard& g, bool with_lobe) {
  std::vector<TrueRoot> out;
  for (const TrueRoot& r : g.roots)
    if (g.wants(r.direction)) out.push_back(r);
  if (with_lobe)
    for (const int direction : {g.lobe.first, -g.lobe.first})
      if (g.wants(direction)) out.push_back({g.lobe.t, direction});
  return out;
}

bool same(const Seen& s, const std::vector<TrueRoot>& truth) {
  return std::equal(s.roots.begin(), s.roots.end(), truth.begin(), truth.end(),
                    [](const Found& f, const TrueRoot& r) { return f.direction == r.direction; });
}

/// Each root is one of the exact motion through its step, and one of the whole motion within all errors.
bool placed(const Guard& g, const Seen& s) {
  return std::all_of(s.roots.begin(), s.roots.end(), [&g, &s](const Found& f) {
    return f.off <= 10.0 * (f.error + s.error) + g.round_off &&
           std::fabs(g.exact(f.t)) <= 10.0 * f.accumulated + g.round_off;
  });
}

Verdict judge(const Guard& g, const Seen& s, Tally& tally) {
  ++tally.guards;
  tally.roots += s.roots.size();
  const double limit = 10.0 * s.error + g.round_off;
  const bool crosses = s.shallowest > limit, misses = s.deepest < -limit;
  if (!g.lobe.present || !s.met || crosses || misses) {
    tally.pairs += crosses;
    tally.misses += misses;
    const auto truth = expected(g, g.lobe.present && crosses);
    if (same(s, truth)) return placed(g, s) ? Verdict::right : Verdict::misplaced;
    return s.roots.size() < truth.size() ? Verdict::missed : Verdict::invented;
  }
  // lost in the round-off of g itself: no more than the pair may be seen
  if (std::fabs(s.deepest) < g.round_off && s.roots.size() <= expected(g, true).size())
    return placed(g, s) ? Verdict::right : Verdict::misplaced;
  // too shallow to be decided: a pair, or reported as a graze
  if (same(s, expected(g, false))) {
    if (s.grazes.empty() && s.must_graze) return Verdict::silent;
    tally.grazes += !s.grazes.empty();
  } else if (same(s, expected(g, true))) {
    ++tally.shallow_pairs;
  } else if (g.active && s.roots.size() == 1 && expected(g, true).size() == 2 && s.roots[0].direction == g.lobe.first) {
    ++tally.shallow_pairs;  // fired, restarted, and the way back is lost in the error of the new step
  } else {
    return s.roots.size() < expected(g, false).size() ? Verdict::missed : Verdict::invented;
  }
  return placed(g, s) ? Verdict::right : Verdict::misplaced;
}

/// Runs one problem and checks every guard.
void check(Problem& p, std::string_view integrator, double rtol, Tally& tally) {
  const auto process = p.process();
  LoopOptions o;
  o.integrator = integrator;
  o.t_start = p.t_start;
  o.flow.rtol = rtol;
  o.flow.atol = rtol * p.scale;
  o.flow.t_end = p.t_end;
  o.flow.max_step = p.max_step;
  Watch watch(p);
  RunCounters counters;
  std::vector<double> y = p.y0;
  const RunOutcome outcome = run_process(*process, y, o, &watch, counters);
  ++tally.problems;
  tally.steps += watch.steps;
  if (outcome.status != RunStatus::reached_end) {
    FAIL_CHECK(p.text << ", " << integrator << ", rtol " << rtol << ": " << outcome.message << " at t = " << outcome.t);
    return;
  }
  if (p.one_instant > 0.0) {
    double first = p.t_end, last = p.t_start;
    for (std::size_t i = 0; i < p.guards.size(); ++i)
      for (const Found& f : watch.of(i).roots) {
        first = std::min(first, f.t);
        last = std::max(last, f.t);
      }
    if (counters.transitions > 1 || last - first > p.one_instant)
      FAIL_CHECK(p.text << ", " << integrator << ", rtol " << rtol << ": " << counters.transitions
                        << " transitions for one instant, " << first << " to " << last);
  }
  for (std::size_t i = 0; i < p.guards.size(); ++i) {
    const Guard& g = p.guards[i];
    const Seen& s = watch.of(i);
    const Verdict v = judge(g, s, tally);
    if (v == Verdict::right) continue;
    std::string list;
    for (const Found& f : s.roots)
      list += " " + std::to_string(f.t) + (f.direction > 0 ? "+" : "-") + " off by " + std::to_string(f.off / f.error) +
              " errors";
    list += " | true";
    for (const TrueRoot& r : g.roots) list += " " + std::to_string(r.t) + (r.direction > 0 ? "+" : "-");
    list += " | grazes";
    for (const double t : s.grazes) list += " " + std::to_string(t);
    FAIL_CHECK(p.text << ", " << integrator << ", rtol " << rtol << ", guard " << i << (g.active ? " active" : "")
                      << (g.crossing == events::Crossing::either ? " either" : "") << ": " << text(v) << "; lobe at "
                      << g.lobe.t << " depth " << g.lobe.depth << ", by steps " << s.shallowest << " to " << s.deepest
                      << ", error " << s.error << "; found" << list);
  }
}

constexpr std::array<double, 10> kTolerances = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};

void run_family(const char* name, Problem (*draw)(std::mt19937_64&), std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Tally tally;
  const auto all = integrators();
  for (std::size_t k = 0; k < count; ++k) {
    Problem p = draw(random);
    const IntegratorEntry& entry = all[k % all.size()];
    double rtol = kTolerances[(k / all.size()) % kTolerances.size()];
    p.text = std::string(name) + " problem " + std::to_string(k) + " (" + p.text + ")";
    check(p, entry.name, rtol, tally);
  }
  WARN(name << ": " << tally.problems << " problems, " << tally.guards << " guards, " << tally.roots << " roots, "
            << tally.pairs << " pairs and " << tally.misses << " near misses decided, " << tally.grazes << " grazes, "
            << tally.shallow_pairs << " pairs too shallow to be demanded, " << tally.steps << " steps");
  CHECK(tally.problems == count);
}

}  // namespace

TEST_CASE("pairs, touches and near misses of an oscillator at its peak") {
  run_family("oscillator", draw_oscillator, 5000, 20260101);
}
TEST_CASE("pairs, touches and near misses of polynomial motions") {
  // (several seeds: a guard that fired on a lobe of a few units in the last place used to fire there again, 1 in 4000;
  // the last three: on one that is no deeper than what its root had left)
  for (const std::uint64_t seed : {20260102, 20260103, 20260104, 20260105, 20260106, 20260111, 20260119, 20260120})
    run_family("polynomial", draw_polynomial, 4000, seed);
}
TEST_CASE("an active guard that turns round within a few units in the last place does not fire without end") {
  std::mt19937_64 random(20260109);
  const auto all = integrators();
  for (std::size_t k = 0; k < 2000; ++k) {
    Problem p = draw_shallow(random);
    LoopOptions o;
    o.integrator = all[k % all.size()].name;
    o.flow.rtol = kTolerances[(k / all.size()) % kTolerances.size()];
    o.flow.atol = o.flow.rtol * p.scale;
    o.flow.t_end = p.t_end;
    o.flow.max_step = p.max_step;
    Watch watch(p);
    RunCounters counters;
    std::vector<double> y = p.y0;
    const RunOutcome outcome = run_process(*p.process(), y, o, &watch, counters);
    INFO(k << ", " << p.text << ", " << o.integrator << ", rtol " << o.flow.rtol << ": " << outcome.message);
    REQUIRE(outcome.status == RunStatus::reached_end);
  }
}
TEST_CASE("pairs, touches and near misses of exponential motions, guards of degree two") {
  run_family("exponential", draw_exponential, 4000, 20260103);
}
TEST_CASE("pairs of a guard on a clock, decided down to 1e-10 of the run") {
  run_family("clock", draw_clock, 3000, 20260107);
}
TEST_CASE("bouncing, impacts and resets: every event, guards that start at zero") {
  run_family("reset", draw_reset, 4000, 20260104);
}
TEST_CASE("simultaneous guards are one instant, in any order") {
  run_family("simultaneous", draw_simultaneous, 2000, 20260105);
}
TEST_CASE("guards that start at zero and guards that stay at zero") { run_family("zero", draw_zero, 2000, 20260106); }

TEST_CASE("passive guards leave the motion bit for bit as it was") {
  std::mt19937_64 random(20260108);
  const auto all = integrators();
  for (std::size_t k = 0; k < 200; ++k) {
    Problem p = draw_reset(random);
    LoopOptions o;
    o.integrator = all[k % all.size()].name;
    o.flow.rtol = kTolerances[(k / all.size()) % 8];
    o.flow.atol = o.flow.rtol * p.scale;
    o.flow.t_end = p.t_end;
    const auto end = [&] {
      std::vector<double> y = p.y0;
      Watch watch(p);
      RunCounters counters;
      const auto process = p.process();
      REQUIRE(run_process(*process, y, o, &watch, counters).status == RunStatus::reached_end);
      return std::pair(y, counters.flow.steps);
    };
    const auto alone = end();
    for (const double level : {0.2, 0.5, 0.9}) {
      Guard g;  // crossed in every flight, or touched
      g.degree = level < 0.4 ? 1 : 0;
      g.g = [level, scale = p.scale](double, std::span<const double> y) { return y[0] - level * scale; };
      g.exact = [](double) { return 0.0; };
      p.guards.push_back(g);
    }
    INFO(p.text << ", " << o.integrator << ", rtol " << o.flow.rtol);
    CHECK(end() == alone);
  }
}
