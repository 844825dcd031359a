// validation/benchmarks/contacts.cpp
//
// Impact and friction in contacts: time per event of whole runs at rtol 1e-9 with the share that the mode problem
// takes, and the mode problem by itself for up to eight contacts: the complementarity problem on matrices
// (contact/share.hpp), and the whole question (reduction to matrices, solution, accelerations in the new mode).
// Processor time of one core; reading, output and records excluded.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "contact/share.hpp"
#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"
#include "simulate/options.hpp"
#include "support/plane_rows.hpp"
#include "transition/mechanism_process.hpp"

namespace bench {
namespace {

/// [s] of this process: what others do on the machine does not count.
double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Least time of one call [us], over rounds of calls that fill a millisecond each; of one call if it is that slow.
double microseconds(const std::function<void()>& call) {
  double begin = now();
  call();
  double best = 1e6 * (now() - begin);
  for (int round = 0; round < 5 && best < 1000; ++round) {
    int calls = 0;
    begin = now();
    double end = begin;
    for (; end - begin < 1e-3; end = now())
      for (int i = 0; i < 8; ++i, ++calls) call();
    best = std::min(best, 1e6 * (end - begin) / calls);
  }
  return best;
}

/// Whatever is closed or at rest in the mode of the process is undecided.
hstar::ModeProblem undecided(const hstar::MechanismProcess& process) {
  const hstar::Mode& mode = process.mode();
  hstar::ModeProblem problem;
  problem.contacts.resize(mode.closed.size());
  problem.units.resize(mode.friction.size());
  for (std::size_t c = 0; c < mode.closed.size(); ++c) problem.contacts[c].touching = mode.closed[c] != 0;
  for (std::size_t u = 0; u < mode.friction.size(); ++u) {
    const int contact = process.system().frictions[u].contact;
    problem.units[u].at_zero = mode.friction[u].slide == hstar::Slide::stick &&
                               (contact < 0 || mode.closed[static_cast<std::size_t>(contact)] != 0);
  }
  return problem;
}

/// A mechanism whose mode problems are asked again, with the clock, when each has been answered.
class AskedAgain final : public hstar::HybridProcess {
 public:
  explicit AskedAgain(hstar::MechanismProcess& process) : process_(process) {}
  double total = 0, worst = 0;  ///< [us]
  std::size_t problems = 0, most_elements = 0;

  [[nodiscard]] std::size_t size() const override { return process_.size(); }
  bool rates(double t, const double* y, double* ydot) override { return process_.rates(t, y, ydot); }
  bool project(double t, double* y) override { return process_.project(t, y); }
  [[nodiscard]] std::size_t guard_count() const override { return process_.guard_count(); }
  [[nodiscard]] const hstar::events::GuardInfo& info(std::size_t i) const override { return process_.info(i); }
  bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    return process_.values(t, y, which, g);
  }
  [[nodiscard]] std::span<const std::size_t> depends_on(std::size_t i) const override { return process_.depends_on(i); }
  hstar::Settled start(double t, std::span<double> y, hstar::EventLog& log) override {
    return process_.start(t, y, log);
  }
  hstar::Settled transition(double t, std::span<double> y, std::span<const hstar::events::Root> fired,
                            std::span<const std::size_t> due, hstar::EventLog& log) override {
    auto settled = process_.transition(t, y, fired, due, log);
    if (settled.then == hstar::Settled::Then::go_on) ask(std::isnan(settled.t_jump) ? t : settled.t_jump, y.data());
    return settled;
  }
  void passive(const hstar::events::Root& r, std::span<const double> y, hstar::EventLog& log) override {
    process_.passive(r, y, log);
  }
  bool accepted(double t, std::span<const double> y) override { return process_.accepted(t, y); }
  [[nodiscard]] std::string why() const override { return process_.why(); }
  [[nodiscard]] std::vector<std::pair<double, std::size_t>> scheduled() const override { return process_.scheduled(); }
  [[nodiscard]] std::vector<std::string> state_names() const override { return process_.state_names(); }

 private:
  void ask(double t, const double* y) {
    if (!process_.solve_at(t, y)) return;
    const hstar::ModeProblem problem = undecided(process_);
    hstar::Mode mode = process_.mode();
    const double time = microseconds([&] {
      mode = process_.mode();
      (void)process_.solver().accelerations(problem, mode, false);
    });
    total += time;
    worst = std::max(worst, time);
    ++problems;
    std::size_t elements = 0;
    for (const auto& c : problem.contacts) elements += c.touching;
    for (std::size_t u = 0; u < problem.units.size(); ++u)
      elements += problem.units[u].at_zero && process_.system().frictions[u].contact < 0;
    most_elements = std::max(most_elements, elements);
  }
  hstar::MechanismProcess& process_;
};

class Counting final : public hstar::LoopObserver {
 public:
  void segment_begin(double, std::span<const double>) override { ++segments; }
  [[nodiscard]] bool wants_events() const override { return false; }
  std::size_t segments = 0;
};

void whole_run(const std::string& problem) {
  const hstar::ModelSpec model = hstar::read_model(
      std::string(HSTAR_SOURCE_DIR) + "/validation/" + problem + "/model.toml", {{"simulation.rtol", "1e-9"}});
  const auto system = hstar::build_system(model);
  const auto make = [&] {
    return hstar::MechanismProcess(system, hstar::formulation_in_use(model, *system), hstar::formulation_options(model),
                                   hstar::impact_options(model));
  };
  const auto options = loop_options(model, *system);
  double best = std::numeric_limits<double>::infinity();
  std::size_t events = 0;
  hstar::RunCounters counters;
  for (int repeat = 0; repeat < 5; ++repeat) {
    auto process = make();
    auto y = system->initial_state();
    Counting counting;
    const double begin = now();
    const auto outcome = run_process(process, y, options, &counting, counters);
    best = std::min(best, 1e6 * (now() - begin));
    events = counting.segments - 1;
    if (!outcome.success()) std::printf("%s: %s\n", problem.c_str(), outcome.message.c_str());
  }
  auto process = make();
  AskedAgain again(process);
  auto y = system->initial_state();
  hstar::RunCounters unused;
  run_process(again, y, options, nullptr, unused);
  std::printf("%-26s %7zu %9.1f %12.1f %11zu %11.2f %11.2f %8.1f %%\n", problem.c_str(), events,
              best / static_cast<double>(events),
              static_cast<double>(counters.flow.steps) / static_cast<double>(events), again.most_elements,
              again.total / static_cast<double>(again.problems), again.worst, 100 * again.total / best);
}

/// A random planar contact problem: k contacts with friction on a mechanism of `freedom` coordinates.
hstar::contact::Problem random_problem(int k, int freedom, double mu_static, std::mt19937& random) {
  std::uniform_real_distribution<double> u(-1, 1);
  hstar::contact::Problem p;
  support::set_plane_rows(p, k);
  std::vector<double> w(static_cast<std::size_t>(2 * k * freedom)), f(static_cast<std::size_t>(freedom));
  for (double& x : w) x = u(random);
  for (double& x : f) x = u(random);
  const auto at = [&](int row, int j) { return w[static_cast<std::size_t>(row * freedom + j)]; };
  for (int i = 0; i < 2 * k; ++i) {
    double size = 0;
    for (int j = 0; j < freedom; ++j) {
      p.c[static_cast<std::size_t>(i)] += at(i, j) * f[static_cast<std::size_t>(j)];
      size += std::abs(at(i, j) * f[static_cast<std::size_t>(j)]);
    }
    p.scale[static_cast<std::size_t>(i)] = size;
    for (int l = 0; l < 2 * k; ++l)
      for (int j = 0; j < freedom; ++j) p.G[static_cast<std::size_t>(2 * k * i + l)] += at(i, j) * at(l, j);
  }
  p.force_scale = 1;
  for (auto& unit : p.unit) {
    unit.mu_static = mu_static;
    unit.mu_kinetic = 0.3;
  }
  return p;
}

/// Random ones are the hardest there are: any mixture of opening, sticking and slipping may be the answer. `freedom`
/// below 2 k: redundant contacts.
void matrices(const std::string& what, int k, int freedom) {
  constexpr int problems = 200;
  for (const double mu_static : {0.3, 0.4}) {
    std::mt19937 random(static_cast<unsigned>(k));
    hstar::contact::Solver solver(2 * k);
    std::vector<double> times;
    int found = 0;
    for (int i = 0; i < problems; ++i) {
      const auto p = random_problem(k, freedom, mu_static, random);
      found += solver.solve(p).found;
      times.push_back(microseconds([&] { (void)solver.solve(p); }));
    }
    std::sort(times.begin(), times.end());
    std::printf(
        "%-44s %10.2f %10.2f %9d of %d solved\n",
        (what + ", " + std::to_string(k) + " contacts, mu_s " + (mu_static > 0.3 ? ">" : "=") + " mu_k").c_str(),
        times[problems / 2], times.back(), found, problems);
  }
}

/// One body on k feet that all touch (redundant from the third on), or a stack of k/2 blocks with two feet each.
void mechanism(const std::string& what, int k, const std::string& text) {
  const hstar::ModelSpec model = hstar::parse_model(text, what);
  const auto system = hstar::build_system(model);
  hstar::MechanismProcess process(system, hstar::formulation_in_use(model, *system));
  auto y = system->initial_state();
  struct Quiet final : hstar::EventLog {
    [[nodiscard]] bool wanted() const override { return false; }
    void add(hstar::EventRecord) override {}
  } quiet;
  const auto settled = process.start(0, y, quiet);
  if (settled.then != hstar::Settled::Then::go_on || !process.solve_at(0, y.data())) {
    std::printf("%s: %s\n", what.c_str(), settled.message.c_str());
    std::exit(1);
  }
  const hstar::ModeProblem problem = undecided(process);
  hstar::Mode mode;
  const double time = microseconds([&] {
    mode = process.mode();
    (void)process.solver().accelerations(problem, mode, false);
  });
  std::printf("%-44s %10.2f\n", (what + ", " + std::to_string(k) + " contacts").c_str(), time);
}

std::string feet(int k) {
  return "gravity = [1.0, -9.81]\n[simulation]\nend = 1.0\n[[body]]\nname = \"bench\"\nmass = 10.0\ninertia = "
         "2.0\nposition = [0.0, 0.5]\n"
         "[[contact]]\nname = \"foot{i}\"\ncount = " +
         std::to_string(k) +
         "\nbetween = [{ body = \"ground\", shape = \"line\", normal = [0.0, 1.0] }, { body = \"bench\", shape = "
         "\"point\", point = [\"2*i/" +
         std::to_string(k) + " - 1 + 1/" + std::to_string(k) +
         "\", -0.5] }]\nfriction = { law = \"coulomb\", mu_static = 0.4, mu_kinetic = 0.3 }\n";
}

std::string stack(int blocks) {
  std::string text = "gravity = [1.0, -9.81]\n[simulation]\nend = 1.0\n[[body]]\nname = \"block{i}\"\ncount = " +
                     std::to_string(blocks) + "\nmass = 1.0\ninertia = 0.2\nposition = [0.0, \"i + 0.5\"]\n";
  for (int b = 0; b < blocks; ++b)
    for (const char* side : {"-0.5", "0.5"}) {
      const std::string below = b == 0 ? "{ body = \"ground\", shape = \"line\", normal = [0.0, 1.0] }"
                                       : "{ body = \"block" + std::to_string(b - 1) +
                                             "\", shape = \"line\", point = [0.0, 0.5], normal = [0.0, 1.0] }";
      text += "[[contact]]\nname = \"foot" + std::to_string(b) + (side[0] == '-' ? "l" : "r") + "\"\nbetween = [" +
              below + ", { body = \"block" + std::to_string(b) + "\", shape = \"point\", point = [" + side +
              ", -0.5] }]\nfriction = { law = \"coulomb\", mu_static = 0.4, mu_kinetic = 0.3 }\n";
    }
  return text;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  std::vector<std::string> problems(argv + 1, argv + argc);
  if (problems.empty())
    problems = {"p14_woodpecker", "p11_rocking_free", "p08_stacked_equal", "p08_stacked_static_higher",
                "p08_stacked_simultaneous"};
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("Whole runs, rtol 1e-9\n%-26s %7s %9s %12s %11s %11s %11s %10s\n", "", "events", "us/event",
              "steps/event", "undecided", "us/problem", "worst", "share");
  for (const std::string& p : problems) {
    try {
      bench::whole_run(p);
    } catch (const hstar::InputError& error) {
      std::printf("%s: %s\n", p.c_str(), error.what());
    }
  }
  std::printf("\nThe mode problem by itself\n%-44s %10s %10s\n", "", "us/solve", "worst");
  for (const int k : {2, 4, 6, 8}) {
    bench::matrices("regular", k, 2 * k + 2);
    bench::matrices("half redundant", k, k);
  }
  bench::matrices("one body", 8, 3);
  for (const int k : {1, 2, 3, 4, 8}) bench::mechanism("body on feet", k, bench::feet(k));
  for (const int k : {2, 4, 8}) bench::mechanism("stack of blocks", k, bench::stack(k / 2));
}
