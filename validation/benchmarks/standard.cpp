// validation/benchmarks/standard.cpp: ten standard problems by hstar and by loops written by hand on Odeint and IDA,
// from 1e-3 to 1e-14. Prints lines `problem,method,tolerance,seconds,end...`: the state at the end, of the two problems
// with events their times. standard.py judges them, adds SciPy and draws the pictures. Seconds are those of one run on
// one core, without reading the model, the least of several.
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "friction_problems.hpp"
#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"
#include "odeint_loops.hpp"
#include "simulate/model_process.hpp"
#include "standard_problems.hpp"
#include "standard_rosenbrock.hpp"

namespace bench {
namespace {

/// A run at a tolerance: the state at its end, or times of events; empty if it does not get there.
using Run = std::function<std::vector<double>(double)>;

double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void measure(const char* problem, const std::string& method, const Run& run) {
  constexpr double enough = 0.02, too_long = 2;  // [s]
  for (int digit = 3; digit <= 14; ++digit) {
    const double tolerance = std::pow(10, -digit);
    std::vector<double> end;
    double least = std::numeric_limits<double>::infinity();
    for (double spent = 0; spent < enough;) {
      const double begin = now();
      end = run(tolerance);
      const double took = now() - begin;
      least = std::min(least, took);
      spent += took;
      if (end.empty()) break;
    }
    if (!end.empty()) {
      std::printf("%s,%s,%g,%.4g", problem, method.c_str(), tolerance, least);
      for (const double y : end) std::printf(",%.17g", y);
      std::printf("\n");
    }
    if (least > too_long) return;
  }
}

/// The model file by hstar, read once.
Run mechanism(const std::string& file, const char* integrator, double t_end, double atol, bool events) {
  struct Times final : hstar::LoopObserver {
    void event(const hstar::EventRecord& record) override {
      if (!record.optional) t.push_back(record.t);
    }
    std::vector<double> t;
  };
  const auto model = std::make_shared<hstar::ModelSpec>(hstar::read_model(file));
  const std::shared_ptr<const hstar::System> system = hstar::build_system(*model);
  return [=](double tolerance) -> std::vector<double> {
    const auto process = hstar::model_process(*model, system);
    std::vector<double> y = system->initial_state();
    hstar::LoopOptions options;
    options.integrator = integrator;
    options.flow.rtol = tolerance;
    options.flow.atol = atol * tolerance;
    options.flow.t_end = t_end;
    hstar::RunCounters counters;
    Times times;
    const auto outcome = run_process(*process, y, options, events ? &times : nullptr, counters);
    if (!outcome.success()) return {};
    return events ? times.t : y;
  };
}

template <class Problem>
using StateOf = std::array<double, Problem::n>;

template <class Problem, class Stepper>
Run odeint_steps() {
  return [](double tolerance) -> std::vector<double> {
    StateOf<Problem> y = Problem().start;
    odeint::integrate_adaptive(
        odeint::make_controlled(tolerance, tolerance, Stepper()),
        [](const StateOf<Problem>& at, StateOf<Problem>& d, double) { Problem::rates(at, d); }, y, 0.0, Problem::t_end,
        1e-3);
    return {y.begin(), y.end()};
  };
}

/// What every use of IDA needs: y' - f(t, y) = 0, dense, Jacobian by IDA's difference quotients.
class Ida {
 public:
  using Rates = std::function<void(double, const double*, double*)>;
  Ida(std::size_t n, Rates rates) : n_(n), rates_(std::move(rates)) {
    SUNContext_Create(nullptr, &context_);
    y = N_VNew_Serial(static_cast<sunindextype>(n), context_);
    ydot_ = N_VClone(y);
    matrix_ = SUNDenseMatrix(static_cast<sunindextype>(n), static_cast<sunindextype>(n), context_);
    solver_ = SUNLinSol_Dense(y, matrix_, context_);
    memory = IDACreate(context_);
    IDASetErrFile(memory, nullptr);
  }
  ~Ida() {
    IDAFree(&memory);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    N_VDestroy(y);
    N_VDestroy(ydot_);
    SUNContext_Free(&context_);
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  double* state() const { return N_VGetArrayPointer(y); }
  void begin(double t, double rtol, double atol) {
    rates_(t, state(), N_VGetArrayPointer(ydot_));
    IDAInit(memory, &residual, t, y, ydot_);
    IDASStolerances(memory, rtol, atol);
    IDASetUserData(memory, this);
    IDASetLinearSolver(memory, solver_, matrix_);
    IDASetMaxNumSteps(memory, 1000000);
  }
  void begin_again(double t) {
    rates_(t, state(), N_VGetArrayPointer(ydot_));
    IDAReInit(memory, t, y, ydot_);
  }
  int go(double t_end, double& t) { return IDASolve(memory, t_end, &t, y, ydot_, IDA_NORMAL); }

  N_Vector y = nullptr;
  void* memory = nullptr;
  std::function<double(double, const double*)> guard;

  static int root(realtype t, N_Vector at, N_Vector, realtype* g, void* self) {
    *g = static_cast<Ida*>(self)->guard(t, N_VGetArrayPointer(at));
    return 0;
  }

 private:
  static int residual(realtype t, N_Vector at, N_Vector rate, N_Vector r, void* self) {
    auto& ida = *static_cast<Ida*>(self);
    double* out = N_VGetArrayPointer(r);
    ida.rates_(t, N_VGetArrayPointer(at), out);
    for (std::size_t i = 0; i < ida.n_; ++i) out[i] = N_VGetArrayPointer(rate)[i] - out[i];
    return 0;
  }
  std::size_t n_;
  Rates rates_;
  SUNContext context_ = nullptr;
  N_Vector ydot_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

template <class Problem>
Run ida_steps(double atol) {
  return [=](double tolerance) -> std::vector<double> {
    Ida ida(Problem::n, [](double, const double* y, double* d) { Problem::rates(y, d); });
    const auto start = Problem().start;
    std::copy(start.begin(), start.end(), ida.state());
    ida.begin(0, tolerance, atol * tolerance);
    IDASetStopTime(ida.memory, Problem::t_end);
    double t = 0;
    if (ida.go(Problem::t_end, t) < 0) return {};
    return {ida.state(), ida.state() + Problem::n};
  };
}

/// The loop over events by hand on IDA's root finding.
template <class Problem>
Run ida_events() {
  return [](double tolerance) -> std::vector<double> {
    Problem problem;
    Ida ida(2, [&](double t, const double* y, double* d) { problem.rates(t, y, d); });
    ida.guard = [&](double t, const double* y) { return problem.guard(t, y); };
    const State start = problem.start();
    std::copy(start.begin(), start.end(), ida.state());
    ida.begin(0, tolerance, tolerance);
    IDARootInit(ida.memory, 1, &Ida::root);
    int falling = -1;
    IDASetRootDirection(ida.memory, &falling);
    std::vector<double> times;
    for (double t = 0;;) {
      const int how = ida.go(Problem::t_end, t);
      if (how < 0) return {};
      if (how != IDA_ROOT_RETURN) return times;
      times.push_back(t);
      if (!problem.next(t, ida.state())) return times;
      ida.begin_again(t);
    }
  };
}

std::string path(const char* file) { return std::string(HSTAR_SOURCE_DIR) + "/validation/benchmarks/" + file; }

template <class Problem>
void smooth() {
  const auto by_hstar = [](const char* integrator, double atol) {
    measure(Problem::name, std::string("hstar ") + integrator,
            mechanism(path(Problem::model), integrator, Problem::t_end, atol, false));
  };
  if constexpr (Problem::stiff) {
    for (const char* integrator : {"radau", "bdf", "rosenbrock4"}) by_hstar(integrator, Problem::atol);
    measure(Problem::name, "Odeint rosenbrock4", odeint_rosenbrock<Problem>);
    measure(Problem::name, "IDA", ida_steps<Problem>(Problem::atol));
  } else {
    using S = StateOf<Problem>;
    for (const char* integrator : {"dop853", "dopri5", "ode113"}) by_hstar(integrator, 1);
    measure(Problem::name, "Odeint dopri5", odeint_steps<Problem, odeint::runge_kutta_dopri5<S>>());
    measure(Problem::name, "Odeint fehlberg78", odeint_steps<Problem, odeint::runge_kutta_fehlberg78<S>>());
    measure(Problem::name, "IDA", ida_steps<Problem>(1));
  }
}

template <class Problem>
void with_events(const char* name) {
  for (const char* integrator : {"exact", "dop853", "dopri5"})
    measure(name, std::string("hstar ") + integrator,
            mechanism(std::string(HSTAR_SOURCE_DIR) + "/" + Problem::model, integrator, Problem::t_end, 1, true));
  measure(name, "Odeint dopri5", [](double tolerance) {
    return dense_loop(odeint::make_dense_output(tolerance, tolerance, odeint::runge_kutta_dopri5<State>()), Problem());
  });
  measure(name, "Odeint fehlberg78",
          [](double tolerance) { return stepping_loop<odeint::runge_kutta_fehlberg78<State>>(tolerance, Problem()); });
  measure(name, "IDA", ida_events<Problem>());
}

}  // namespace
}  // namespace bench

int main() {
  using namespace bench;
  with_events<CoulombOscillator>("coulomb_oscillator");
  with_events<DragSled>("drag_sled");
  smooth<Pendulum>();
  smooth<Kepler>();
  smooth<Arenstorf>();
  smooth<RigidBody>();
  smooth<VanDerPol>();
  smooth<Robertson>();
  smooth<Oregonator>();
  smooth<Hires>();
}
