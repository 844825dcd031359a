// tests/simulate/no_allocation.cpp
//
// In the steady state - stepping, looking, locating, transition, consistent restart - a run allocates
// no heap memory: from the third mode change to the end, neither operator new nor malloc (which Eigen
// uses) is called once. (The first modes may size caches.) Nobody listens to events here, because a record of
// the ledger owns its text.
#include <Eigen/Core>
#include <catch2/catch.hpp>

#include "hstar/hybrid.hpp"
#include "simulate/options.hpp"
#include "support/allocations.hpp"
#include "support/malloc_calls.hpp"
#include "support/plane_contact.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;

namespace {

class Counting final : public LoopObserver {
 public:
  explicit Counting(std::size_t from) : from_(from) {}
  void segment_begin(double, std::span<const double>) override {
    if (++segments_ == from_) {
      at_start_ = allocations();
      malloc_at_start_ = malloc_calls();
    }
  }
  void step(Flow&, double) override { ++steps_; }
  void segment_end(double, std::span<const double>) override {
    if (segments_ < from_) return;
    at_end_ = allocations();
    malloc_at_end_ = malloc_calls();
  }
  bool wants_events() const override { return false; }

  [[nodiscard]] std::size_t segments() const { return segments_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] std::size_t allocated() const { return at_end_ - at_start_; }
  [[nodiscard]] std::size_t malloc_called() const { return malloc_at_end_ - malloc_at_start_; }

 private:
  std::size_t from_, segments_ = 0, steps_ = 0, at_start_ = 0, at_end_ = 0, malloc_at_start_ = 0, malloc_at_end_ = 0;
};

/// The same from a number of steps on, for motion without events.
class CountingSteps final : public LoopObserver {
 public:
  void step(Flow&, double) override {
    if (++steps_ == 10) {
      at_start_ = allocations();
      malloc_at_start_ = malloc_calls();
    }
    at_end_ = allocations();
    malloc_at_end_ = malloc_calls();
  }
  bool wants_events() const override { return false; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] std::size_t allocated() const { return at_end_ - at_start_; }
  [[nodiscard]] std::size_t malloc_called() const { return malloc_at_end_ - malloc_at_start_; }

 private:
  std::size_t steps_ = 0, at_start_ = 0, at_end_ = 0, malloc_at_start_ = 0, malloc_at_end_ = 0;
};

struct Case {
  std::string problem;
  std::size_t fewest_segments;
};

}  // namespace

TEST_CASE("memory that Eigen takes is counted") {
  const std::size_t news = allocations(), mallocs = malloc_calls();
  const Eigen::VectorXd taken = Eigen::VectorXd::Zero(100);
  CHECK(taken.sum() == 0);
  CHECK(malloc_calls() > mallocs);
  CHECK(allocations() == news);
}

TEST_CASE("stepping, looking and restarting allocate nothing after the first modes") {
  const std::string integrator = GENERATE("ode23", "dopri5", "dop853", "exact", "bulirsch_stoer", "rosenbrock4");
  const Case c = GENERATE(Case{"p02_sled_metal", 80}, Case{"p09_pendulum_pin", 19}, Case{"p03_belt_stribeck", 28},
                          Case{"p05_table_periodic", 5}, Case{"p08_stacked_static_higher", 5});
  INFO(c.problem << " with " << integrator);
  const ModelSpec model =
      read_model(std::string(HSTAR_SOURCE_DIR) + "/validation/" + c.problem + "/model.toml",
                 {{"simulation.integrator", "\"" + integrator + "\""}, {"simulation.rtol", "1e-6"}});
  const auto system = build_system(model);
  MechanismProcess process(system, formulation_in_use(model, *system));
  auto y = system->initial_state();
  Counting counting(4);  // the first segment begins at the start, the fourth after the third event
  RunCounters counters;
  LoopOptions options = loop_options(model, *system);
  options.stop_after_events = 0;  // counting events needs their records
  const RunOutcome outcome = run_process(process, y, options, &counting, counters);
  INFO(outcome.message);
  CHECK(outcome.success());
  CHECK(counting.segments() >= c.fewest_segments);
  // (an exact flight is one step)
  CHECK(counting.steps() + (integrator == "exact") > counting.segments());
  CHECK(counting.allocated() == 0);
  CHECK(counting.malloc_called() == 0);
}

TEST_CASE("steps of a spatial mechanism allocate nothing") {
  // The chain's 60 rows are factorised sparse. (A new choice of independent coordinates among so many takes memory: the
  // run ends before the first.)
  const std::string problem = GENERATE("iftomm_a04_bricard", "chrono_adams_joint_pendula", "chain"),
                    formulation = GENERATE("direct", "baumgarte", "projection", "partition_simple", "partition_full");
  INFO(problem << ", " << formulation);
  const std::vector<Override> how{{"simulation.integrator", "\"dopri5\""},
                                  {"simulation.formulation", "\"" + formulation + "\""},
                                  {"simulation.rtol", "1e-5"},
                                  {"simulation.end", problem == "chain" ? "0.4" : "2"}};
  const ModelSpec model =
      problem == "chain"
          ? parse_model(
                "dimension = 3\ngravity = [0, 0, -9.81]\nsimulation.end = 2.0\n"
                "[[body]]\ncount = 20\nname = \"link{i}\"\nmass = 1.0\ninertia = [0.01, 0.09, 0.09]\n"
                "position = [\"i + 0.5\", 0, 0]\nangular_velocity = [0, 0, \"0.1*(i == 0)\"]\n"
                "[[joint]]\nname = \"anchor\"\ntype = \"spherical\"\nbodies = [\"ground\", \"link0\"]\nat = [0, 0, 0]\n"
                "[[joint]]\ncount = 19\nname = \"ball{i}\"\ntype = \"spherical\"\nbodies = [\"link{i}\", "
                "\"link{i+1}\"]\nat = [\"i + 1\", 0, 0]\n",
                "chain", how)
          : read_model(std::string(HSTAR_SOURCE_DIR) + "/validation/" + problem + "/model.toml", how);
  const auto system = build_system(model);
  MechanismProcess process(system, formulation_in_use(model, *system));
  auto y = system->initial_state();
  CountingSteps counting;
  RunCounters counters;
  const RunOutcome outcome = run_process(process, y, loop_options(model, *system), &counting, counters);
  INFO(outcome.message);
  CHECK(outcome.success());
  CHECK(counting.steps() > 20);
  CHECK(counting.allocated() == 0);
  CHECK(counting.malloc_called() == 0);
}

TEST_CASE("impacts in space allocate nothing") {
  // A box whose corners strike one by one and several at once, from when one of them has come to rest for the first
  // time until shortly before all have; a spinning ball.
  const bool box = GENERATE(true, false);
  const std::string law = GENERATE("newton", "poisson", "stronge");
  const bool sequential = law == "stronge";
  hstar::scene::SpatialScene s(
      "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = " + std::string(box ? "0.47" : "1.617") +
      "\nrtol = 1e-7\nintegrator = \"dopri5\"\n" + std::string(sequential ? "multiple_impact = \"sequential\"\n" : "") +
      (box ? "[[body]]\nname = \"box\"\nmass = 2.0\ninertia = [0.02, 0.03, 0.04]\nposition = [0, 0, 0.35]\n"
             "axis = [1, 0.3, 0]\nangle = 0.15\nvelocity = [0.5, 0.2, 0]\nangular_velocity = [0, 0, 1]\n"
           : "[[body]]\nname = \"ball\"\nmass = 1.0\ninertia = [0.01, 0.01, 0.01]\nposition = [0, 0, 0.5]\n"
             "velocity = [1, 0.4, 0]\nangular_velocity = [3, -4, 2]\n"));
  const hstar::Triad plane{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < (box ? 4 : 1); ++i) {
    const hstar::Vec3 point{i % 2 ? 0.2 : -0.2, i / 2 ? 0.15 : -0.15, -0.1};
    s.contact("corner" + std::to_string(i), 1, plane, box ? point : hstar::Vec3{}, box ? 0 : 0.1,
              hstar::scene::SpatialScene::coulomb(0.3, 0.25));
    s.system->contacts.back()->restitution = box ? 0.5 : 0.7;
    s.system->contacts.back()->impact_law = law;
  }
  MechanismProcess process(s.system, formulation_in_use(s.model, *s.system), formulation_options(s.model),
                           impact_options(s.model));
  auto y = s.system->initial_state();
  Counting counting(box ? 31 : 4);
  RunCounters counters;
  const RunOutcome outcome = run_process(process, y, loop_options(s.model, *s.system), &counting, counters);
  INFO((box ? "box, " : "ball, ") << law << ": " << outcome.message);
  CHECK(outcome.success());
  CHECK(counting.segments() > (box ? 30U : 15U));
  CHECK(counting.allocated() == 0);
  CHECK(counting.malloc_called() == 0);
}

TEST_CASE("friction in several directions allocates nothing") {
  // A shaft that is pushed and turned to and fro in its bearing; a box on four feet, more than it needs, pushed to and
  // fro.
  const bool box = GENERATE(false, true);
  const std::string integrator = GENERATE("dopri5", "dop853");
  const std::string head =
      "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 6.0\nrtol = 1e-6\nintegrator = \"" + integrator +
      "\"\n";
  hstar::scene::SpatialScene s(
      box ? head +
                "[[body]]\nname = \"box\"\nmass = 5.0\ninertia = [0.2, 0.3, 0.4]\nposition = [0, 0, 0.3]\n"
                "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"box\"\npoint = [0, 0, 0]\n"
                "force = [\"12*sin(4*t)\", \"14*sin(4*t)\", \"0\"]\n"
          : head +
                "[[body]]\nname = \"shaft\"\nmass = 2.0\ninertia = [0.005, 0.01, 0.01]\nposition = [0, 0, 0]\n"
                "[[joint]]\nname = \"bearing\"\ntype = \"cylindrical\"\nbodies = [\"ground\", \"shaft\"]\nat = [0, 0, "
                "0]\n"
                "axis = [1, 0, 0]\nfriction = { law = \"coulomb\", mu_static = 0.2, mu_kinetic = 0.15, radius = 0.05 "
                "}\n"
                "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"shaft\"\npoint = [0, 0, 0]\n"
                "force = [\"8*sin(5*t)\", \"0\", \"0\"]\n"
                "[[force]]\nname = \"twist\"\ntype = \"torque\"\nbody = \"shaft\"\ntorque = [\"0.3*sin(5*t)\", \"0\", "
                "\"0\"]\n");
  for (int i = 0; box && i < 4; ++i)
    s.contact("foot" + std::to_string(i), 1, {}, {i % 2 ? 0.4 : -0.4, i / 2 ? 0.25 : -0.25, -0.3}, 0,
              hstar::scene::SpatialScene::coulomb(0.3, 0.25));
  MechanismProcess process(s.system, formulation_in_use(s.model, *s.system));
  auto y = s.system->initial_state();
  Counting counting(4);
  RunCounters counters;
  const RunOutcome outcome = run_process(process, y, loop_options(s.model, *s.system), &counting, counters);
  INFO((box ? "box, " : "shaft, ") << integrator << ": " << outcome.message);
  CHECK(outcome.success());
  CHECK(counting.segments() > 10);
  CHECK(counting.steps() > counting.segments());
  CHECK(counting.allocated() == 0);
  CHECK(counting.malloc_called() == 0);
}
