// tests/simulate/long_runs.cpp
//
// What must hold: a run of any length takes bounded memory, and all of it still goes to the sink; a request to stop is
// heard while the rows of one long step are written, and in every round of a computation that asks.
#include <algorithm>
#include <catch2/catch.hpp>

#include "hstar/stop.hpp"
#include "hstar/thinned_run.hpp"

using namespace hstar;

namespace {

/// A thermostat: its switching times are ln(3) apart, alternately up and down; four rows between two.
ModelSpec thermostat() {
  return parse_model(R"(
[simulation]
end = 110
output = 0.25
[[state]]
name = "T"
initial = 0.5
rate = "u - T"
[[state]]
name = "u"
initial = 1.25
rate = 0
[[guard]]
name = "warm"
when = "T - 0.75"
crossing = "rising"
reset = { u = -0.25 }
[[guard]]
name = "cold"
when = "T - 0.25"
crossing = "falling"
reset = { u = 1.25 }
)",
                     "thermostat.toml");
}

class Everything final : public RunSink {
 public:
  void row(double t, std::span<const double>) override { t_.push_back(t); }
  void event(const EventRecord&) override { ++events; }
  std::vector<double> t_;
  std::size_t events = 0;
};

}  // namespace

TEST_CASE("a thinned run keeps what it may, its ends and both rows of a jump or none", "[simulate][memory]") {
  const RunResult whole = run(thermostat());
  REQUIRE(whole.events.size() > 90);
  Everything sink;
  const KeepLimits limits{.numbers = 300, .events = 10};
  const ThinnedRun thinned = run_thinned(thermostat(), sink, limits);
  const RunResult& kept = thinned.result;

  CHECK(sink.t_.size() == whole.rows.size());
  CHECK(sink.events == whole.events.size());
  CHECK(thinned.rows == whole.rows.size());
  CHECK(thinned.events == whole.events.size());
  std::size_t counted = 0;
  for (const auto& [kind, count] : thinned.tally.kinds) counted += count;
  CHECK(counted == whole.events.size());

  CHECK(kept.rows.size() * kept.columns.size() <= limits.numbers + kept.columns.size());
  CHECK(kept.rows.front() == whole.rows.front());
  CHECK(kept.rows.back() == whole.rows.back());
  const auto with_time = [](const std::vector<std::vector<double>>& rows, double t) {
    return std::count_if(rows.begin(), rows.end(), [t](const auto& row) { return row.front() == t; });
  };
  for (const auto& row : kept.rows) {
    CHECK(std::find(whole.rows.begin(), whole.rows.end(), row) != whole.rows.end());
    if (row.front() < whole.rows.back().front())
      CHECK(with_time(kept.rows, row.front()) == with_time(whole.rows, row.front()));
  }

  REQUIRE(kept.events.size() == limits.events);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(kept.events[i].t == whole.events[i].t);
    CHECK(kept.events[9 - i].t == whole.events[whole.events.size() - 1 - i].t);
  }
  CHECK(kept.outcome.success());
  CHECK(kept.notices.size() == whole.notices.size() + 2);
}

TEST_CASE("a short run is kept whole", "[simulate][memory]") {
  const RunResult whole = run(thermostat());
  Everything sink;
  const RunResult kept = run_thinned(thermostat(), sink).result;
  CHECK(kept.rows == whole.rows);
  CHECK(kept.events.size() == whole.events.size());
  CHECK(kept.notices == whole.notices);
}

TEST_CASE("a request to stop is heard while the rows of one step are written", "[simulate][stop]") {
  // Nothing changes: one step reaches the end, and would write 1e8 rows.
  class Impatient final : public RunSink {
   public:
    void row(double, std::span<const double>) override { ++rows; }
    bool stop_requested() override { return rows > 1000; }
    std::size_t rows = 0;
  } sink;
  const ModelSpec model =
      parse_model("simulation = { end = 1e8, output = 1 }\nstate = [{ name = \"y\", rate = 0 }]\n", "rest.toml");
  const ThinnedRun stopped = run_thinned(model, sink);
  CHECK(stopped.result.outcome.status == RunStatus::interrupted);
  CHECK(sink.rows < 50'000'000);
}

TEST_CASE("who asks to stop is heard through the scopes inside, and remembered", "[simulate][stop]") {
  CHECK_FALSE(stop_requested());
  bool asked = false;
  {
    const StopScope outer([&] { return asked; });
    const StopScope inner([] { return false; });
    CHECK_FALSE(stop_requested());
    asked = true;
    while (!stop_requested()) {  // asks again after a pause
    }
    asked = false;
    CHECK(stop_requested());
  }
  CHECK_FALSE(stop_requested());
}
