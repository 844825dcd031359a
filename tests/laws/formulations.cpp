// tests/laws/formulations.cpp
//
// Laws that every entry of formulations() must keep; a new one is tested by being registered.
//   - Where positions and velocities satisfy the constraints, all give the same accelerations and multipliers.
//   - Positions, velocities and multipliers converge with the integrator's order, with and without restarts on
//     the way: a restart changes nothing beyond that order.
//   - Without friction, energy is kept to what the tolerance allows.
//   - `direct` drifts, and grows; the others keep positions and velocities on the constraints.
//   - Independent coordinates are chosen anew where the old ones fail, and the motion does not notice.
//   - Redundant constraints get the same multipliers, those of least norm.
// Truth: the pendulum in elliptic functions; the slider-crank, one degree of freedom without friction, by the energy
// integral t = int sqrt(I(theta) / 2 (E - V(theta))) d theta.
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "hstar/flow.hpp"
#include "laws/dae_problems.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;

namespace {

constexpr double pi = 3.14159265358979323846, g = 9.81;

class Quiet final : public EventLog {
 public:
  bool wanted() const override { return false; }
  void add(EventRecord) override {}
};

/// A mechanism under one formulation, ready to be integrated.
struct Setup {
  std::shared_ptr<const System> system;
  MechanismProcess process;
  std::vector<double> y;

  Setup(const std::string& text, const FormulationEntry& formulation, const FormulationOptions& options = {})
      : system(build_system(parse_model(text, "law.toml"))),
        process(system, formulation, options),
        y(system->initial_state()) {
    Quiet quiet;
    REQUIRE(process.start(0.0, y, quiet).then == Settled::Then::go_on);
  }
};

/// The state and the multipliers of a motion at one time.
struct Truth {
  std::vector<double> q, v, lambda;
};

const FormulationEntry& by_name(const char* name) {
  const FormulationEntry* entry = find_formulation(name);
  REQUIRE(entry != nullptr);
  return *entry;
}

std::vector<double> multipliers(const Setup& s) {
  std::vector<double> all;
  for (int i = 0; i < s.system->rows; ++i) all.push_back(s.process.equations().multipliers()[i]);
  return all;
}

// A point mass on a rod, let go at rest beyond the horizontal: x and y take turns as the independent coordinate.
constexpr double length = 0.8, mass = 1.3, release = 2.5;

std::string pendulum(double end) {
  return "gravity = [0.0, -9.81]\n[simulation]\nend = " + std::to_string(end) +
         "\n[[body]]\nname = \"bob\"\nmass = 1.3\nposition = [\"0.8*sin(2.5)\", \"-0.8*cos(2.5)\"]\n"
         "[[joint]]\nname = \"rod\"\ntype = \"distance\"\nbodies = [\"ground\", \"bob\"]\nlength = 0.8\n";
}

Truth pendulum_truth(double t) {
  const double k = std::sin(release / 2), w = std::sqrt(g / length), u = boost::math::ellint_1(k) - w * t;
  double cn, dn;
  const double sn = boost::math::jacobi_elliptic(k, u, &cn, &dn);
  const double theta = 2 * std::asin(k * sn), omega = -2 * k * w * cn;
  const double x = length * std::sin(theta), y = -length * std::cos(theta);
  // Pull of the rod on the bob, along its own direction; the distance row's direction is that of the rod.
  const double pull = mass * (length * omega * omega + g * std::cos(theta));
  return {{x, y}, {-y * omega, x * omega}, {-pull}};
}

// The slider-crank of validation/p13_slider_crank, without friction.
constexpr double r = 0.1, l = 0.35, jc = 0.05, mr = 0.6, jr = 0.006, ms = 1.2, theta0 = 0.4, omega0 = 12;

std::string slider_crank() {
  return laws::slider_crank({r, l, jc, mr, jr, ms, theta0, omega0}) + "[simulation]\nend = 1.0\n";
}

/// q and dq/dtheta of the slider-crank.
void slider_crank_position(double theta, std::vector<double>& q, std::vector<double>& slope) {
  const double phi = std::asin(r * std::sin(theta) / l), dphi = r * std::cos(theta) / (l * std::cos(phi));
  q = {0,
       0,
       theta,
       r * std::cos(theta) + l / 2 * std::cos(phi),
       l / 2 * std::sin(phi),
       -phi,
       r * std::cos(theta) + l * std::cos(phi),
       0};
  slope = {0,
           0,
           1,
           -r * std::sin(theta) - l / 2 * std::sin(phi) * dphi,
           l / 2 * std::cos(phi) * dphi,
           -dphi,
           -r * std::sin(theta) - l * std::sin(phi) * dphi,
           0};
}

double crank_speed(double theta) {
  const auto inertia = [](double at, double& height) {
    std::vector<double> q, s;
    slider_crank_position(at, q, s);
    height = q[4];
    return jc + mr * (s[3] * s[3] + s[4] * s[4]) + jr * s[5] * s[5] + ms * s[6] * s[6];
  };
  double h0, h;
  const double i0 = inertia(theta0, h0), i = inertia(theta, h);
  return std::sqrt((i0 * omega0 * omega0 + 2 * mr * g * (h0 - h)) / i);
}

Truth slider_crank_truth(double t) {
  using boost::math::quadrature::gauss_kronrod;
  const auto slowness = [](double theta) { return 1 / crank_speed(theta); };
  double theta = theta0 + omega0 * t;
  for (int i = 0; i < 30; ++i) {
    double sum = 0;  // panels of a quarter turn or less: smooth enough for 15 digits
    const int panels = 1 + static_cast<int>((theta - theta0) / 0.8);
    for (int p = 0; p < panels; ++p)
      sum += gauss_kronrod<double, 31>::integrate(slowness, theta0 + (theta - theta0) * p / panels,
                                                  theta0 + (theta - theta0) * (p + 1) / panels, 0);
    const double correction = (t - sum) * crank_speed(theta);
    theta += correction;
    if (std::abs(correction) < 1e-14) break;
  }
  Truth truth;
  slider_crank_position(theta, truth.q, truth.v);
  for (double& v : truth.v) v *= crank_speed(theta);
  // Multipliers at the exact state.
  Setup exact(slider_crank(), by_name("direct"));
  std::copy(truth.q.begin(), truth.q.end(), exact.y.begin());
  std::copy(truth.v.begin(), truth.v.end(), exact.y.begin() + 8);
  REQUIRE(exact.process.solve_at(t, exact.y.data()));
  truth.lambda = multipliers(exact);
  return truth;
}

struct Problem {
  std::string name, text;
  double first_step;
  std::vector<double> stops;  ///< multiples of the first step
  std::function<Truth(double)> truth;
};

std::vector<Problem> problems() {
  return {{"pendulum", pendulum(1.9), 0.05, {0.6, 0.85, 1.2, 1.6, 1.9}, pendulum_truth},
          {"slider-crank", slider_crank(), 0.02, {0.22, 0.3, 0.46, 0.58, 0.7}, slider_crank_truth}};
}

struct Errors {
  double q = 0, v = 0, lambda = 0;
};

double distance(const double* a, const std::vector<double>& b) {
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return worst / size;
}

/// Largest errors at the stops of a problem, relative to its state there: single times may be passed by accident.
Errors errors(const Problem& problem, const FormulationEntry& formulation, const char* integrator, double h,
              bool restarts) {
  FormulationOptions how;
  how.step = h;
  // Weak feedback: with the chosen alpha, errors of the next order (alpha h) lead at all steps round-off leaves.
  how.baumgarte_alpha = 1;
  Setup s(problem.text, formulation, how);
  FlowOptions options;
  options.fixed_step = h;
  options.t_end = problem.stops.back();
  const auto flow = find_integrator(integrator)->make(s.process, options);
  flow->restart(0.0, s.y);
  std::vector<double> ydot(s.y.size());
  Quiet quiet;
  Errors worst;
  for (const double stop : problem.stops) {
    while (flow->t1() < stop) REQUIRE(flow->step(stop) == StepResult::accepted);
    std::copy(flow->y1().begin(), flow->y1().end(), s.y.begin());
    REQUIRE(s.process.rates(stop, s.y.data(), ydot.data()));
    const Truth truth = problem.truth(stop);
    const auto n = truth.q.size();
    worst.q = std::max(worst.q, distance(s.y.data(), truth.q));
    worst.v = std::max(worst.v, distance(s.y.data() + n, truth.v));
    worst.lambda = std::max(worst.lambda, distance(multipliers(s).data(), truth.lambda));
    if (!restarts) continue;
    REQUIRE(s.process.transition(stop, s.y, {}, {}, quiet).then == Settled::Then::go_on);
    flow->restart(stop, s.y);
  }
  return worst;
}

/// Slope over the last three steps (each half the one before) whose errors round-off does not reach.
double slope(const std::vector<double>& error) {
  std::size_t last = 0;
  while (last + 1 < error.size() && error[last + 1] > 5e-13) ++last;
  REQUIRE(last >= 2);
  return 0.5 * std::log2(error[last - 2] / error[last]);
}

/// Largest violation of joint rows: positions [m, rad] and velocities.
std::pair<double, double> violation(const Setup& s, double t, const std::vector<double>& y) {
  ModeEquations equations(s.system);
  equations.rows.choose(s.process.mode());
  equations.evaluate(t, y.data());
  equations.rows.fill();
  std::vector<double> phi(static_cast<std::size_t>(s.system->rows));
  s.system->joint_positions(equations.motion.kinematics(), phi.data());
  double position = 0, velocity = 0;
  for (int i = 0; i < s.system->rows; ++i) {
    position = std::max(position, std::abs(phi[static_cast<std::size_t>(i)]));
    velocity =
        std::max(velocity, std::abs(equations.rows[i].speed(equations.motion.kinematics()) - equations.rows[i].nu));
  }
  return {position, velocity};
}

double energy(const Setup& s, double t, const std::vector<double>& y) {
  Kinematics k;
  s.system->prepare(k);
  s.system->update(k, t, y.data());
  return s.system->kinetic_energy(k) + s.system->potential_energy(k);
}

}  // namespace

TEST_CASE("the registry names each formulation once") {
  for (const FormulationEntry& entry : formulations()) {
    CHECK(find_formulation(entry.name) == &entry);
    CHECK(!entry.about.empty());
    CHECK(!entry.source.empty());
  }
  CHECK(find_formulation("partition") == nullptr);
}

TEST_CASE("consistent states have the same accelerations and multipliers under all formulations") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> angle(-3, 3), speed(-20, 20);
  for (const FormulationEntry& entry : formulations()) {
    INFO(entry.name);
    Setup s(slider_crank(), entry), base(slider_crank(), by_name("direct"));
    Quiet quiet;
    std::vector<double> mine(s.y.size()), theirs(s.y.size()), q, slope;
    for (int trial = 0; trial < 50; ++trial) {
      const double omega = speed(random);
      slider_crank_position(angle(random), q, slope);
      for (std::size_t i = 0; i < 8; ++i) {
        s.y[i] = q[i];
        s.y[8 + i] = omega * slope[i];
      }
      REQUIRE(s.process.transition(0, s.y, {}, {}, quiet).then == Settled::Then::go_on);
      REQUIRE(s.process.rates(0, s.y.data(), mine.data()));
      REQUIRE(base.process.rates(0, s.y.data(), theirs.data()));
      CHECK(distance(mine.data(), theirs) < 1e-12);
      CHECK(distance(multipliers(s).data(), multipliers(base)) < 1e-12);
    }
  }
}

TEST_CASE("positions, velocities and multipliers converge with the integrator's order, restarts or not") {
  const bool restarts = GENERATE(false, true);
  const auto integrator = GENERATE(as<std::string>{}, "ode23", "dopri5");
  const int expected = find_integrator(integrator)->order;
  for (const Problem& problem : problems())
    for (const FormulationEntry& entry : formulations()) {
      INFO(problem.name << ", " << entry.name << ", " << integrator << (restarts ? ", with restarts" : ""));
      std::vector<double> q, v, lambda;
      double h = problem.first_step;
      for (int k = 0; k < 8; ++k, h /= 2) {
        const Errors e = errors(problem, entry, integrator.c_str(), h, restarts);
        q.push_back(e.q);
        v.push_back(e.v);
        lambda.push_back(e.lambda);
      }
      CHECK(std::abs(slope(q) - expected) <= 0.3);
      CHECK(std::abs(slope(v) - expected) <= 0.3);
      CHECK(std::abs(slope(lambda) - expected) <= 0.3);
    }
}

TEST_CASE("energy and constraints over a long run") {
  // 200 turns of the crank, 40 swings of the pendulum. Energy may go by the tolerance in each step.
  constexpr double end = 100, rtol = 1e-8;
  for (const Problem& problem : problems())
    for (const FormulationEntry& entry : formulations()) {
      INFO(problem.name << ", " << entry.name);
      Setup s(problem.text, entry);
      FlowOptions options;
      options.rtol = rtol;
      options.atol = 1e-2 * rtol;
      options.t_end = end;
      const auto flow = find_integrator("dopri5")->make(s.process, options);
      const double start = energy(s, 0, s.y);
      flow->restart(0.0, s.y);
      std::pair<double, double> early{0, 0}, late{0, 0};
      while (flow->t1() < end) {
        REQUIRE(flow->step(end) == StepResult::accepted);
        std::copy(flow->y1().begin(), flow->y1().end(), s.y.begin());
        const auto now = violation(s, flow->t1(), s.y);
        auto& bound = flow->t1() < end / 10 ? early : late;
        bound.first = std::max(bound.first, now.first);
        bound.second = std::max(bound.second, now.second);
      }
      CHECK(std::abs(energy(s, end, s.y) - start) <
            rtol * std::abs(start) * static_cast<double>(flow->counters().steps));
      if (entry.name == "direct") {  // quadratic in time: a factor of 100, measured 100 and 105
        CHECK(late.first > 50 * early.first);
        CHECK(late.second > 5 * early.second);
      } else if (entry.name == "baumgarte") {  // measured 8e-10 and 4e-9, as early as late
        CHECK(late.first < 1e-8);
        CHECK(late.second < 1e-7);
        CHECK(late.first < 2 * early.first);
      } else {  // round-off; measured 1e-14
        CHECK(late.first < 1e-13);
        CHECK(late.second < 1e-13);
      }
      // Both coordinates of the bob fail in turn, four times a swing; the crank angle never does.
      const bool partitions = entry.name == "partition_simple" || entry.name == "partition_full";
      if (partitions && problem.name == "pendulum")
        CHECK(s.process.formulation().repartitions() > 100);
      else
        CHECK(s.process.formulation().repartitions() == 0);
    }
}

TEST_CASE("rates of partitions do not depend on the dependent entries of y") {
  for (const char* name : {"partition_simple", "partition_full"}) {
    INFO(name);
    Setup s(pendulum(1), by_name(name));
    std::vector<double> clean(4), moved(4), y = s.y;
    REQUIRE(s.process.rates(0, y.data(), clean.data()));
    for (const std::size_t j : {0u, 1u}) {  // one of x and y is dependent: moving that one changes nothing
      y = s.y;
      y[j] += 1e-4;
      y[2 + j] += 1e-3;
      REQUIRE(s.process.rates(0, y.data(), moved.data()));
      if (j == 0) CHECK(distance(moved.data(), clean) > 1e-6);
      if (j == 1) CHECK(distance(moved.data(), clean) < 1e-14);
    }
  }
}

TEST_CASE("redundant constraints: the same motion and the multipliers of least norm") {
  const std::string text = R"toml(gravity = [0.0, -9.81]
[simulation]
end = 1.0
[[body]]
name = "block"
mass = 2.0
inertia = 0.1
velocity = [1.0, 0.0]
[[joint]]
name = "guide"
type = "translational"
bodies = ["ground", "block"]
[[joint]]
name = "again"
type = "relative_angle"
bodies = ["ground", "block"]
value = 0.0
[[force]]
name = "turn"
type = "torque"
body = "block"
torque = 3.0
)toml";
  for (const FormulationEntry& entry : formulations()) {
    INFO(entry.name);
    Setup s(text, entry), base(text, by_name("direct"));
    std::vector<double> mine(6), theirs(6);
    REQUIRE(s.process.rates(0, s.y.data(), mine.data()));
    REQUIRE(base.process.rates(0, base.y.data(), theirs.data()));
    CHECK(distance(mine.data(), theirs) < 1e-14);
    CHECK(distance(multipliers(s).data(), multipliers(base)) < 1e-14);
    double torque = 0, squares = 0;  // guide and driver share the torque equally
    for (std::size_t i = 1; i < 3; ++i) {
      torque += multipliers(s)[i];
      squares += std::abs(multipliers(s)[i]);
    }
    CHECK(torque == Approx(-3).epsilon(1e-14));
    CHECK(std::abs(multipliers(s)[1]) == Approx(std::abs(multipliers(s)[2])).epsilon(1e-14));
    CHECK(squares == Approx(3).epsilon(1e-14));
  }
}
