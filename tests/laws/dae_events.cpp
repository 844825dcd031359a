// tests/laws/dae_events.cpp
//
// Laws of every method for a DaeProblem through friction events: the sequence is that of the reference, and event times
// converge, with the method's order where steps are fixed. Truth: the same models under dop853 with projection at rtol
// 1e-12, which `hstar validate` compares with references of 40 digits.
#include <catch2/catch.hpp>
#include <cmath>

#include "hstar/run.hpp"

using namespace hstar;

TEST_CASE("friction events come in the reference's order and their times converge") {
  const std::string folder = std::string(HSTAR_SOURCE_DIR) + "/validation/";
  struct Case {
    const char *integrator, *formulation;
    double loose, tight;
    double gain;  ///< of event times from loose to tight: tolerance to the power order/(order + 1), with a factor 2
  };
  for (const char* problem : {"p02_sled_metal", "p09_pendulum_pin", "p13_slider_crank"}) {
    const auto events_of = [&](const char* integrator, const char* formulation, double rtol) {
      char tolerance[32];
      std::snprintf(tolerance, sizeof tolerance, "%.17g", rtol);
      const RunResult r = run(read_model(folder + problem + "/model.toml", {{"simulation.integrator", integrator},
                                                                            {"simulation.formulation", formulation},
                                                                            {"simulation.rtol", tolerance}}));
      REQUIRE(r.outcome.success());
      return r.events;
    };
    const auto truth = events_of("dop853", "projection", 1e-12);
    for (const Case c : {Case{"bdf", "index3", 1e-6, 1e-9, 30}, Case{"hht", "index3", 1e-5, 1e-7, 10},
                         Case{"generalized_alpha", "index3", 1e-5, 1e-7, 10}, Case{"newmark", "index3", 1e-4, 1e-6, 5},
                         Case{"ida", "ggl", 1e-6, 1e-9, 30}, Case{"ida", "index1", 1e-6, 1e-9, 30},
                         Case{"radau", "index3", 1e-6, 1e-9, 30}, Case{"radau", "index1", 1e-6, 1e-9, 30}}) {
      INFO(problem << ", " << c.integrator << " (" << c.formulation << ")");
      double worst[2] = {0, 0};
      int k = 0;
      for (const double rtol : {c.loose, c.tight}) {
        const auto events = events_of(c.integrator, c.formulation, rtol);
        REQUIRE(events.size() == truth.size());
        for (std::size_t i = 0; i < events.size(); ++i) {
          CHECK(events[i].kind == truth[i].kind);
          CHECK(events[i].element == truth[i].element);
          worst[k] = std::max(worst[k], std::abs(events[i].t - truth[i].t));
        }
        ++k;
      }
      INFO(worst[0] << " -> " << worst[1]);
      CHECK(worst[1] < worst[0] / c.gain);
    }
  }
}

TEST_CASE("event times have the method's order with fixed steps") {
  const std::string folder = std::string(HSTAR_SOURCE_DIR) + "/validation/";
  const auto events_of = [&](const char* problem, std::vector<Override> how) {
    const RunResult r = run(read_model(folder + problem + "/model.toml", how));
    REQUIRE(r.outcome.success());
    return r.events;
  };
  struct Case {
    const char* integrator;
    std::string max_order;
    double order, h;
  };
  for (const char* problem : {"p02_sled_metal", "p09_pendulum_pin"}) {
    const auto truth = events_of(problem, {{"simulation.integrator", "dop853"}, {"simulation.rtol", "1e-12"}});
    for (const Case& c :
         {Case{"newmark", "5", 1, 0.001}, Case{"hht", "5", 2, 0.0025}, Case{"generalized_alpha", "5", 2, 0.0025},
          Case{"bdf", "2", 2, 0.0025}, Case{"bdf", "3", 3, 0.0025}, Case{"bdf", "4", 4, 0.0025}}) {
      INFO(problem << ", " << c.integrator << " " << c.max_order);
      double worst[2] = {0, 0};
      for (int k = 0; k < 2; ++k) {
        char step[32];
        std::snprintf(step, sizeof step, "%.17g", c.h / (1 << k));
        const auto events = events_of(problem, {{"simulation.integrator", c.integrator},
                                                {"simulation.formulation", "index3"},
                                                {"simulation.max_order", c.max_order},
                                                {"simulation.fixed_step", step}});
        REQUIRE(events.size() == truth.size());
        for (std::size_t i = 0; i < events.size(); ++i) {
          CHECK(events[i].kind == truth[i].kind);
          worst[k] = std::max(worst[k], std::abs(events[i].t - truth[i].t));
        }
      }
      INFO(worst[0] << " -> " << worst[1]);
      CHECK(std::log2(worst[0] / worst[1]) == Approx(c.order).margin(0.3));
    }
  }
}
