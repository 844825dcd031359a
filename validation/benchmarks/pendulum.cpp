// validation/benchmarks/pendulum.cpp
//
// Position error against time for the point-mass pendulum (validation/iftomm_a01_simple_pendulum), 10 s from the
// horizontal: written by hand on IDA (the floor of implicit methods) and from the model file. Truth: Jacobi's
// elliptic functions. Times are of one whole run on one core; reading the model is excluded.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"
#include "pendulum_ida.hpp"
#include "simulate/options.hpp"
#include "transition/mechanism_process.hpp"
#include "work_precision.hpp"

namespace bench {
namespace {

constexpr double kWanted = 1e-9;  ///< [m] largest error of x and y at t = 1, 2, ..., 10 s

/// sn(u | m) by descending Landen transformations (Abramowitz & Stegun 1964, 16.4).
double sn(double u, double m) {
  double a[32], c[32];
  a[0] = 1;
  c[0] = std::sqrt(m);
  double b = std::sqrt(1 - m);
  int n = 0;
  for (; std::abs(c[n]) > 1e-17 && n < 30; ++n) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] * std::sin(phi) / a[n]));
  return std::sin(phi);
}

/// sin(theta/2) = sin(theta0/2) sn(K + w t), theta from straight down, theta0 = -pi/2.
std::vector<double> truth() {
  const double k = std::sqrt(0.5), w = std::sqrt(9.81);
  std::vector<double> positions;
  for (int i = 1; i <= 10; ++i) {
    const double half = -k * sn(std::comp_ellint_1(k) + w * i, k * k);  // sin(theta/2)
    positions.push_back(2 * half * std::sqrt(1 - half * half));
    positions.push_back(2 * half * half - 1);
  }
  return positions;
}

/// Reads x and y from the interpolant at t = 1, 2, ...
class Samples final : public hstar::LoopObserver {
 public:
  void step(hstar::Flow& flow, double t) override {
    for (; next_ <= t && next_ <= 10; ++next_) {
      flow.at(next_, y_);
      positions.push_back(y_[0]);
      positions.push_back(y_[1]);
    }
  }
  void reset() {
    positions.clear();
    next_ = 1;
  }
  std::vector<double> positions;

 private:
  int next_ = 1;
  double y_[4] = {};
};

Contestant mechanism(const char* formulation, const char* integrator) {
  struct Run {
    hstar::ModelSpec model;
    std::shared_ptr<const hstar::System> system;
    std::optional<hstar::MechanismProcess> process;
    std::vector<double> y;
    Samples samples;
    const hstar::FormulationEntry* formulation;

    void prepare() {
      process.emplace(system, *formulation);
      y = system->initial_state();
      samples.reset();
    }
    void run(const char* name, double rtol) {
      hstar::LoopOptions options;
      options.integrator = name;
      options.flow.rtol = options.flow.atol = rtol;
      options.flow.t_end = 10;
      hstar::RunCounters counters;
      run_process(*process, y, options, &samples, counters);
    }
  };
  auto shared = std::make_shared<Run>();
  shared->model =
      hstar::read_model(std::string(HSTAR_SOURCE_DIR) + "/validation/iftomm_a01_simple_pendulum/model.toml");
  shared->system = hstar::build_system(shared->model);
  shared->formulation = hstar::find_formulation(formulation);
  return {std::string("model file, ") + formulation + ", " + integrator,
          [=](double rtol) {
            shared->prepare();
            shared->run(integrator, rtol);
            return shared->samples.positions;
          },
          [=](double) { shared->prepare(); }, [=](double rtol) { shared->run(integrator, rtol); }};
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  const bool details = argc > 1 && std::strcmp(argv[1], "--details") == 0;
  auto by_hand = std::make_shared<HandWrittenPendulum>();
  const std::vector<Contestant> contestants = {
      {"by hand on IDA, stabilised index 2", [=](double rtol) { return by_hand->run(rtol); }, {}, {}},
      mechanism("projection", "dop853"),
      mechanism("projection", "dopri5"),
      mechanism("direct", "dop853"),
      mechanism("ggl", "ida"),
      mechanism("index1", "ida"),
      mechanism("index3", "bdf"),
  };
  const std::vector<double> exact = truth();
  std::printf("Pendulum: largest position error at t = 1, ..., 10 s against time; interpolated at 1e-9 m.\n\n");
  std::printf("  %-44s %14s %18s\n", "", "us at 1e-9 m", "by hand / this");
  double floor = 0;
  for (const Contestant& contestant : contestants) {
    const auto points = measure(contestant, exact);
    const double time = time_at_error(points, kWanted);
    if (floor == 0) floor = time;
    std::printf("  %-44s %14.1f %18.2f\n", contestant.name.c_str(), time, floor / time);
    if (details)
      for (const Point& p : points)
        std::printf("      rtol %8.1e  error %8.1e m  %10.1f us\n", p.rtol, p.error, p.microseconds);
  }
}
