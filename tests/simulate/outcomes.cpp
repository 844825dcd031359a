// tests/simulate/outcomes.cpp
//
// How a run may end: every numerical end is a returned outcome with status, time, mode and last event,
// and everything computed so far is kept; contradictory input is an exception that names what contradicts.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "hstar/hybrid.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;
using Catch::Matchers::Contains;

namespace {

const std::string block = "[[body]]\nname = \"block\"\nmass = 2.0\n";
const std::string floor_text =
    "[[joint]]\nname = \"floor\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\naxis = [1.0, 0.0]\n"
    "friction = { law = \"coulomb\", mu = 0.5 }\n";
std::string pushed(const std::string& force) {
  return "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [\"" + force + "\", 0.0]\n";
}
std::string until(double end, const std::string& more = {}) {
  return "gravity = [0.0, -10.0]\n[simulation]\nend = " + digits(end) + "\nrtol = 1e-9\n" + more;
}

/// What every failed run must still give.
void check_partial(const RunResult& r) {
  CHECK_FALSE(r.outcome.success());
  CHECK_FALSE(r.outcome.message.empty());
  REQUIRE_FALSE(r.rows.empty());
  for (const auto& row : r.rows) CHECK(row[0] <= r.outcome.t);
  CHECK(r.rows.back()[0] == r.outcome.t);
  for (const double y : r.y_end) CHECK(std::isfinite(y));
}

}  // namespace

TEST_CASE("a solution that runs to infinity ends at the pole with what was computed") {
  const std::string integrator = GENERATE("ode23", "dopri5", "dop853", "bulirsch_stoer", "rosenbrock4");
  INFO(integrator);
  const auto r = run_text(until(2.0, "integrator = \"" + integrator + "\"\n") +
                          "[[state]]\nname = \"x\"\ninitial = 1.0\nrate = \"x^2\"\n");
  CHECK((r.outcome.status == RunStatus::step_underflow || r.outcome.status == RunStatus::not_finite));
  CHECK(r.outcome.t == Approx(1.0).epsilon(1e-6));
  CHECK_THAT(r.outcome.message, Contains("state \"x\""));
  check_partial(r);
  for (const auto& row : r.rows)
    if (row[0] < 0.9) CHECK(row[1] == Approx(1 / (1 - row[0])).epsilon(1e-6));
}

TEST_CASE("a force with a pole ends the run there and is named, others are not") {
  const std::string weight =
      "[[force]]\nname = \"weight\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [\"3 + t\", 0.0]\n";
  const auto r = run_text(until(2.0) + block + pushed("1/(t - 0.5)") + weight);
  CHECK(r.outcome.status == RunStatus::step_underflow);
  CHECK(r.outcome.t == Approx(0.5).epsilon(1e-9));
  CHECK_THAT(r.outcome.message, Contains("force \"push\" changes by more than half within"));
  CHECK_THAT(r.outcome.message, !Contains("weight"));
  check_partial(r);
}

TEST_CASE("a force that becomes NaN ends the run there, with the events before") {
  const auto r = run_text(until(2.0) + block + floor_text + pushed("30*t - 0*sqrt(0.5 - t)"));
  CHECK((r.outcome.status == RunStatus::not_finite || r.outcome.status == RunStatus::step_underflow));
  CHECK(r.outcome.t == Approx(0.5).epsilon(1e-6));
  check_partial(r);
  REQUIRE(r.events.size() == 1);
  CHECK(r.events.front().kind == "slip");
  CHECK(r.events.front().t == Approx(1.0 / 3).epsilon(1e-9));
  CHECK_THAT(r.outcome.last_event, Contains("slip of floor"));
  CHECK(r.outcome.mode == "slip+");
}

TEST_CASE("a guard that its effect does not leave is a pile-up, named") {
  // The effect says that x lies below the wall again, and leaves it where it is.
  FunctionProcess process(1, [](double, const double*, double* rate) { rate[0] = 1.0; });
  events::GuardInfo info;
  info.name = "wall";
  info.crossing = events::Crossing::rising;
  const std::size_t wall = process.add_guard(
      info, [](double, std::span<const double> y) { return y[0] - 1; }, {},
      [](double, std::span<double>) { return true; });
  process.set_after(wall, events::Sign::negative);
  LoopOptions options;
  options.flow.t_end = 2.0;
  std::vector<double> y{0.0};
  RunCounters counters;
  struct Listener final : LoopObserver {
    std::size_t events = 0;
    void event(const EventRecord&) override { ++events; }
  } listener;
  const RunOutcome outcome = run_process(process, y, options, &listener, counters);
  INFO(outcome.message);
  CHECK(outcome.status == RunStatus::event_pile_up);
  CHECK(outcome.t == Approx(1.0).epsilon(1e-9));
  CHECK(y[0] == Approx(1.0).epsilon(1e-9));
  CHECK_THAT(outcome.message, Contains("wall"));
  CHECK_THAT(outcome.last_event, Contains("wall"));
  CHECK(listener.events == options.max_events_per_instant + 1);
}

namespace {

/// x falls to 0, where a mode begins that leads nowhere. The first mode is found again there, whose guard fires at
/// once. Only later than that instant there is another one.
class LeadsNowhere final : public HybridProcess {
 public:
  LeadsNowhere() {
    guard_.name = "end";
    guard_.g_tol = 1e-13;
  }
  std::vector<double> asked_for;  ///< `least` of each look for another mode [s]

  std::size_t size() const override { return 1; }
  std::vector<std::string> state_names() const override { return {"x"}; }
  bool rates(double, const double*, double* rate) override {
    rate[0] = mode_ == Mode::falls ? -1 : 1;
    return mode_ != Mode::nowhere;
  }
  std::size_t guard_count() const override { return 1; }
  const events::GuardInfo& info(std::size_t) const override { return guard_; }
  bool values(double, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    for (std::size_t i = 0; i < which.size(); ++i) g[i] = y[0];
    return true;
  }
  Settled start(double, std::span<double>, EventLog&) override {
    guard_.start = events::Sign::positive;
    return {};
  }
  Settled transition(double, std::span<double>, std::span<const events::Root>, std::span<const std::size_t>,
                     EventLog&) override {
    mode_ = Mode::nowhere;
    return {};
  }
  void passive(const events::Root&, std::span<const double>, EventLog&) override {}
  Settled breakdown(double& t, std::span<double>, EventLog&, double least) override {
    asked_for.push_back(least);
    mode_ = least > 0 ? Mode::rises : Mode::falls;
    t += least;
    Settled settled;
    settled.then = Settled::Then::begin_again;
    return settled;
  }

 private:
  enum class Mode : unsigned char { falls, nowhere, rises };
  Mode mode_ = Mode::falls;
  events::GuardInfo guard_;
};

}  // namespace

TEST_CASE("where a mode that leads nowhere has been left for one that ends at once, another is looked for later") {
  LeadsNowhere process;
  LoopOptions options;
  options.flow.t_end = 2.0;
  std::vector<double> y{1.0};
  RunCounters counters;
  const RunOutcome outcome = run_process(process, y, options, nullptr, counters);
  INFO(outcome.message);
  CHECK(outcome.status == RunStatus::reached_end);
  REQUIRE(process.asked_for.size() == 2);
  CHECK(process.asked_for[0] == 0);
  CHECK(process.asked_for[1] > 0);
  CHECK(process.asked_for[1] < 1e-12);
  CHECK(y[0] == Approx(1.0).epsilon(1e-9));
}

TEST_CASE("an automaton whose events accumulate ends at the limit, with its time") {
  const auto r = run_text(until(5.0) +
                          "[[state]]\nname = \"h\"\ninitial = 1.0\nrate = \"v\"\n"
                          "[[state]]\nname = \"v\"\ninitial = 0.0\nrate = -9.81\n"
                          "[[guard]]\nname = \"floor\"\nwhen = \"h\"\ncrossing = \"falling\"\nkind = \"impact\"\nreset "
                          "= { v = \"-0.5*v\" }\n");
  INFO(r.outcome.message);
  CHECK(r.outcome.status == RunStatus::accumulation);
  CHECK(r.outcome.t == Approx(3 * std::sqrt(2 / 9.81)).epsilon(1e-4));
  CHECK_THAT(r.outcome.message, Contains("floor") && Contains("1.354570"));  // the limit itself
  CHECK(count(r, "impact") > 12);
  check_partial(r);
}

TEST_CASE("a terminal guard ends the run at its exact time") {
  const auto r = run_text(until(5.0) +
                          "[[state]]\nname = \"x\"\ninitial = 0.0\nrate = \"cos(t)\"\n"
                          "[[guard]]\nname = \"half\"\nwhen = \"x - 0.5\"\ncrossing = \"rising\"\nterminal = true\n");
  CHECK(r.outcome.status == RunStatus::terminal_event);
  CHECK(r.outcome.success());
  CHECK(r.outcome.t == Approx(std::asin(0.5)).epsilon(1e-9));
  CHECK(r.rows.back()[0] == r.outcome.t);
  CHECK_THAT(r.outcome.last_event, Contains("half"));
}

TEST_CASE("stop_after_events stops after that many events, optional ones not counted") {
  const auto r = run_text(until(50.0, "stop_after_events = 3\n") + block + floor_text + pushed("30*sin(t)") +
                          "[[guard]]\nname = \"watch\"\nwhen = \"sin(20*t)\"\n");
  CHECK(r.outcome.status == RunStatus::stopped_after_events);
  CHECK(r.outcome.success());
  std::size_t demanded = 0;
  for (const auto& e : r.events) demanded += !e.optional;
  CHECK(demanded == 3);
  CHECK(r.events.size() > 3);
  CHECK(r.outcome.t == r.events.back().t);
}

TEST_CASE("a caller may interrupt and keeps what there is") {
  struct Impatient final : RunSink {
    int rows = 0;
    bool ended = false;
    void row(double, std::span<const double>) override { ++rows; }
    bool stop_requested() override { return rows >= 5; }
    void end(const RunOutcome& o, const RunCounters&) override { ended = o.status == RunStatus::interrupted; }
  } sink;
  const auto r = run_text(until(50.0, "max_step = 0.1\n") + block + floor_text + pushed("30*sin(t)"), &sink);
  CHECK(r.outcome.status == RunStatus::interrupted);
  CHECK(sink.ended);
  CHECK(r.rows.size() >= 5);
  CHECK(r.rows.size() < 12);
  CHECK(r.outcome.t < 2.0);
  check_partial(r);
}

TEST_CASE("contradictory constraints are an error that names them and their place") {
  const std::string two = until(1.0) + block +
                          "[[joint]]\nname = \"left\"\ntype = \"absolute_x\"\nbody = \"block\"\nvalue = 0.0\n"
                          "[[joint]]\nname = \"right\"\ntype = \"absolute_x\"\nbody = \"block\"\nvalue = 1.0\n";
  CHECK_THROWS_WITH(run_text(two), Contains("test:13:") && Contains("left") && Contains("right"));
  const std::string rates = until(1.0) + block +
                            "[[joint]]\nname = \"slow\"\ntype = \"absolute_x\"\nbody = \"block\"\nvalue = \"t\"\n"
                            "[[joint]]\nname = \"fast\"\ntype = \"absolute_x\"\nbody = \"block\"\nvalue = \"2*t\"\n";
  CHECK_THROWS_WITH(run_text(rates), Contains("fast"));
  const std::string far =
      until(1.0) + block +
      "[[joint]]\nname = \"rod\"\ntype = \"distance\"\nbodies = [\"ground\", \"block\"]\nlength = 1.0\n"
      "[[joint]]\nname = \"rail\"\ntype = \"absolute_x\"\nbody = \"block\"\nvalue = 2.0\n";
  CHECK_THROWS_WITH(run_text(far), Contains("rod") || Contains("rail"));
}

TEST_CASE("constraints that can no longer be met end the run before that time") {
  const auto r =
      run_text(until(2.0) +
               "[[body]]\nname = \"bead\"\nmass = 2.0\nposition = [0.0, 1.0]\nvelocity = [1.0, 0.0]\n"
               "[[joint]]\nname = \"rod\"\ntype = \"distance\"\nbodies = [\"ground\", \"bead\"]\nlength = 1.0\n"
               "[[joint]]\nname = \"pull\"\ntype = \"absolute_x\"\nbody = \"bead\"\nvalue = \"t\"\n");
  INFO(r.outcome.message);
  check_partial(r);
  CHECK(r.outcome.t <= 1.0 + 1e-9);
  CHECK(r.outcome.t > 0.9);
  for (const auto& row : r.rows)  // the bead was on the circle all the time
    CHECK(std::hypot(row[column(r, "bead.x")], row[column(r, "bead.y")]) == Approx(1.0).epsilon(1e-9));
}

TEST_CASE("a rod whose sliding contradicts its contact (Painleve) jams, and the ledger says so") {
  // Lower end slides towards the rod's lean with mu = 2 at 60 degrees: 1 + 3 cos(cos - mu sin) < 0.
  const double angle = std::acos(-1.0) / 3, half = 1.0;
  const auto r =
      run_text(until(1.0) + "[[body]]\nname = \"rod\"\nmass = 1.0\ninertia = " + digits(1.0 / 3) + "\nposition = [" +
               digits(half * std::cos(angle)) + ", " + digits(half * std::sin(angle)) + "]\nangle = " + digits(angle) +
               "\nvelocity = [-1.0, 0.0]\n"
               "[[contact]]\nname = \"tip\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = "
               "\"rod\", point = [-1.0, 0.0], shape = \"point\" }]\n"
               "friction = { law = \"coulomb\", mu = 2.0 }\n");
  INFO(r.outcome.message);
  CHECK(r.outcome.status == RunStatus::reached_end);
  REQUIRE(!r.events.empty());
  CHECK(r.events.front().kind == "jam");
  CHECK(r.events.front().impulse_n > 0);
  CHECK(r.events.front().note.find("no mode is consistent") != std::string::npos);
}

TEST_CASE("drivers that contradict each other from some time on end the run there and name the one that is broken") {
  // Redundant at first: the second driver is the first one's copy until t = 0.5.
  const std::string drivers =
      "[[joint]]\nname = \"first\"\ntype = \"absolute_x\"\nbody = \"block\"\nvalue = \"sin(t)\"\n"
      "[[joint]]\nname = \"second\"\ntype = \"absolute_x\"\nbody = \"block\"\n"
      "value = \"t < 0.5 ? sin(t) : sin(t) + (t - 0.5)^3\"\n";
  const auto r = run_text(until(2.0, "max_step = 0.01\n") + block + drivers);
  CHECK(r.outcome.status == RunStatus::inconsistent_restart);
  // (t - 0.5)^3 passes the allowed drift, 1e-4 of the mechanism's size, within a tenth of a second
  CHECK(r.outcome.t > 0.5);
  CHECK(r.outcome.t < 0.6);
  CHECK_THAT(r.outcome.message, Contains("joint \"second\""));
  check_partial(r);
}

TEST_CASE("a prescribed normal force that becomes negative is told, once") {
  const std::string joint =
      "[[joint]]\nname = \"floor\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\n"
      "friction = { mu = 0.1, normal_force = \"5 - 10*t\" }\n";
  const RunResult r = run(parse_model(until(2.0) + block + joint + pushed("3"), "test"));
  CHECK(r.outcome.success());
  const auto told = [](const std::string& notice) {
    return notice.find("normal_force is negative") != std::string::npos;
  };
  REQUIRE(std::count_if(r.notices.begin(), r.notices.end(), told) == 1);
  CHECK_THAT(*std::find_if(r.notices.begin(), r.notices.end(), told), Contains("joint \"floor\""));
}
