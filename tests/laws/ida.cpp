// tests/laws/ida.cpp
//
// Laws of SUNDIALS IDA in the formulations ggl and index1:
//   - From rest, with and without friction in the pins, pendulum and slider-crank come to their end at every
//     tolerance from 1e-3 to 1e-12, through all their restarts, with an error in proportion to it and the
//     events of the truth. Truth: the same model under dop853 with projection at rtol 1e-13.
//   - IDACalcIC, asked for accelerations and multipliers, finds the initial values that we give it.
//   - What does not turn is known to round-off only: boxes that ride on a cart, whose tolerances after an event are
//     that small. Truth as above.
//   - Large systems (KLU) give the same motion as small ones (dense), seen on a chain beyond the limit.
// And of all implicit methods: redundant constraints change neither the motion nor, by their least norm, the
// fairness of reactions: two guides in one place carry half each.
#include <catch2/catch.hpp>
#include <cmath>

#include "integrator/ida_check.hpp"
#include "laws/dae_problems.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;
using namespace laws;

namespace {

const std::string kFriction = "friction = { law = \"coulomb\", mu_static = 0.3, mu_kinetic = 0.2, radius = 0.02 }\n";

/// `model` with friction in the joint of this name.
std::string with_friction(std::string model, const std::string& joint) {
  const std::string key = "name = \"" + joint + "\"\n";
  const std::size_t at = model.find(key);
  REQUIRE(at != std::string::npos);
  return model.insert(at + key.size(), kFriction);
}

/// n links of length 0.2, horizontal at the start, on a pin.
std::string chain(int n) {
  std::string model = "gravity = [0.0, -9.81]\n";
  for (int i = 0; i < n; ++i)
    model += "[[body]]\nname = \"link" + std::to_string(i) + "\"\nmass = 0.3\ninertia = 0.001\nposition = [" +
             std::to_string(0.1 + 0.2 * i) + ", 0.0]\n";
  for (int i = 0; i < n; ++i)
    model += "[[joint]]\nname = \"pin" + std::to_string(i) + "\"\ntype = \"revolute\"\nbodies = [\"" +
             (i == 0 ? "ground" : "link" + std::to_string(i - 1)) + "\", \"link" + std::to_string(i) +
             "\"]\npoints = [[" + (i == 0 ? "0.0" : "0.1") + ", 0.0], [-0.1, 0.0]]\n";
  return model;
}

class Nobody final : public EventLog {
 public:
  bool wanted() const override { return false; }
  void add(EventRecord) override {}
};

}  // namespace

TEST_CASE("IDA from rest: no failure, and errors in proportion to the tolerance, at 1e-3 to 1e-12") {
  SliderCrank still;
  still.speed = 0;
  for (const std::string& model : {pendulum(), with_friction(pendulum(), "pin"), slider_crank(still),
                                   with_friction(with_friction(slider_crank(still), "pivot"), "crankpin")}) {
    const RunResult truth = run_model(model, {"dop853", "projection", 2.0, 0, 1e-13, ""});
    REQUIRE(truth.outcome.success());
    REQUIRE(truth.events.empty() == (model.find("friction") == std::string::npos));
    for (const char* formulation : {"ggl", "index1"}) {
      double first = 0, last = 0;
      for (const double rtol : {1e-3, 1e-6, 1e-9, 1e-12}) {
        INFO(formulation << " at rtol " << rtol << (model.find("friction") == std::string::npos ? "" : ", friction"));
        const RunResult r = run_model(model, {"ida", formulation, 2.0, 0, rtol, ""});
        INFO(r.outcome.message);
        REQUIRE(r.outcome.status == RunStatus::reached_end);
        double error = 0;  // of positions at the end
        for (std::size_t i = 0; i < r.y_end.size() / 2; ++i)
          error = std::max(error, std::abs(r.y_end[i] - truth.y_end[i]));
        CHECK(error < 5e3 * rtol);
        if (rtol == 1e-3) first = error;
        last = error;
        if (rtol > 1e-6) continue;
        REQUIRE(r.events.size() == truth.events.size());
        for (std::size_t i = 0; i < r.events.size(); ++i) {
          CHECK(r.events[i].kind == truth.events[i].kind);
          CHECK(std::abs(r.events[i].t - truth.events[i].t) < 5e3 * rtol);
        }
      }
      // Over all tolerances together: at one of them errors of either sign may cancel.
      INFO(formulation << ": " << first << " -> " << last);
      CHECK(last < 1e-6 * first);
    }
  }
}

TEST_CASE("IDA: boxes that ride on a cart and do not turn are no failure of the iteration") {
  for (const int boxes : {1, 3}) {
    std::string model =
        "gravity = [0, -9.81]\n[[body]]\nname = \"cart\"\nmass = 5\ninertia = 0.2\nposition = [0, 0.1]\n"
        "velocity = [1.5, 0]\n[[joint]]\nname = \"track\"\ntype = \"translational\"\nbodies = [\"ground\", \"cart\"]\n"
        "points = [[0, 0.1], [0, 0]]\nlimits = [-0.5, 0.8]\nrestitution = 0.4\nfriction = { mu = 0.02 }\n";
    const std::string shape =
        "shape = \"polygon\", corners = [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]] }";
    std::string below =
        "{ body = \"cart\", shape = \"polygon\", corners = [[-0.3, -0.1], [0.3, -0.1], [0.3, 0.1], [-0.3, 0.1]] }";
    for (int i = 0; i < boxes; ++i) {
      const std::string name = "box" + std::to_string(i), box = "{ body = \"" + name + "\", " + shape;
      model += "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = 0.0067\nposition = [0, " +
               std::to_string(0.25 + 0.1 * i) + "]\nvelocity = [1.5, 0]\n[[contact]]\nname = \"under_" + name +
               "\"\nbetween = [" + below + ", " + box + "]\nfriction = { mu = 0.5 }\nrestitution = 0.4\n";
      below = box;
    }
    const RunResult truth = run_model(model, {"dop853", "projection", 0.8, 0, 1e-13, ""});
    REQUIRE(truth.outcome.success());
    for (const char* formulation : {"ggl", "index1"})
      for (double rtol = 1e-6; rtol > 5e-13; rtol *= 0.1) {
        INFO(boxes << " boxes, " << formulation << ", rtol " << rtol);
        const RunResult r = run_model(model, {"ida", formulation, 0.8, 0, rtol, ""});
        REQUIRE(r.outcome.success());
        CHECK(r.y_end[0] == Approx(truth.y_end[0]).epsilon(100 * rtol));
        CHECK(r.y_end[3] == Approx(truth.y_end[3]).epsilon(100 * rtol));
      }
  }
}

TEST_CASE("IDACalcIC finds our initial accelerations and multipliers") {
  for (const std::string& model : {pendulum(), slider_crank(), with_friction(slider_crank(), "crankpin")}) {
    MechanismProcess process(build_system(parse_model(model + "[simulation]\nend = 1.0\n", "law")),
                             *find_formulation("index1"));
    std::vector<double> y = process.system().initial_state();
    Nobody nobody;
    REQUIRE(process.start(0, y, nobody).then == Settled::Then::go_on);
    for (const double disturbance : {0.0, 0.2}) {
      const auto found = integrator::compare_with_calc_ic(*process.dae(), 0, y.data(), disturbance);
      INFO("disturbed by " << disturbance);
      REQUIRE(found.solved);
      CHECK(found.acceleration < 1e-9);
      CHECK(found.multiplier < 1e-9);
    }
  }
}

TEST_CASE("IDA with KLU: a chain of more unknowns than the dense solver takes") {
  const std::string model = chain(8);  // 48 + 16 unknowns in index1, 48 + 32 in ggl
  const RunResult truth = run_model(model, {"dop853", "projection", 0.3, 0, 1e-12, ""});
  REQUIRE(truth.outcome.success());
  for (const char* formulation : {"ggl", "index1"}) {
    INFO(formulation);
    const RunResult r = run_model(model, {"ida", formulation, 0.3, 0, 1e-8, ""});
    REQUIRE(r.outcome.success());
    CHECK(end_errors(r, truth).q < 1e-5);
  }
}

TEST_CASE("two guides in one place: exact motion, half of the reaction each, in every implicit form") {
  std::string model =
      "gravity = [0.0, -9.81]\n[[body]]\nname = \"block\"\nmass = 2.0\ninertia = 0.1\n"
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [\"3*cos(t)\", 0.0]\n";
  for (const char* name : {"one", "two"})
    model += std::string("[[joint]]\nname = \"") + name +
             "\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\naxis = [0.8, -0.6]\n";
  const double end = 1.5;
  struct Case {
    const char *integrator, *formulation, *keys;
    double h, rtol;
  };
  for (const Case c :
       {Case{"bdf", "index3", "", 0, 1e-10}, Case{"bdf", "index3", "", 0.002, 1e-10},
        Case{"newmark", "index3", "newmark_gamma = 0.5\nnewmark_beta = 0.25\n", 1e-4, 1e-10},
        Case{"bdf", "ggl", "", 0.002, 1e-10}, Case{"ida", "ggl", "", 0, 1e-10}, Case{"ida", "index1", "", 0, 1e-10}}) {
    INFO(c.integrator << " " << c.formulation);
    const RunResult r = run_model(model, {c.integrator, c.formulation, end, c.h, c.rtol, c.keys});
    REQUIRE(r.outcome.success());
    // along the axis: 0.8 * 3 cos t / m + 0.6 g; across it: N = 0.8 m g - 0.6 * 3 cos t, on the normal (0.6, 0.8)
    const double s = 0.8 * 1.5 * (1 - std::cos(end)) + 0.3 * 9.81 * end * end;
    CHECK(r.y_end[0] == Approx(0.8 * s).epsilon(1e-7));
    CHECK(r.y_end[1] == Approx(-0.6 * s).epsilon(1e-7));
    const double half = 0.5 * (0.8 * 2 * 9.81 - 0.6 * 3 * std::cos(end));
    const auto column = [&](const std::string& name) {
      const auto it = std::find(r.columns.begin(), r.columns.end(), name);
      REQUIRE(it != r.columns.end());
      return r.rows.back()[static_cast<std::size_t>(it - r.columns.begin())];
    };
    for (const std::string name : {"one", "two"}) {
      CHECK(column(name + ".fx") == Approx(0.6 * half).epsilon(1e-9));
      CHECK(column(name + ".fy") == Approx(0.8 * half).epsilon(1e-9));
    }
  }
}
