// src/integrator/ida.cpp
#include "integrator/ida.hpp"

#include <fmt/core.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "hstar/error.hpp"
#include "hstar/integrator/flow_options.hpp"
#include "integrator/ida_equations.hpp"
#include "integrator/ida_scales.hpp"
#include "integrator/sparse_columns.hpp"
#include "integrator/starter.hpp"

namespace hstar::integrator {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
/// Errors below this share of the mechanism's size or speed count as nothing.
constexpr double kFloor = 50 * kEps;
/// What an iteration may leave, in errors of a step. IDA's own 0.33 is as large as the errors of the steps themselves:
/// it disturbs their estimate, which costs up to 40 % more steps, and makes the last digits of a motion a matter of
/// chance.
constexpr double kIteration = 0.03, kLeastIteration = 0.33;
/// What no iteration is asked to come below, and how much more than the last correction IDA takes for left at first.
constexpr double kNoise = 5 * kEps, kCaution = 20;
/// Of the tolerance, what a step of order one may spend. IDA begins with order one after every event and would spend a
/// whole tolerance there each time; ten thousand starts spend it so.
constexpr double kStart = 1e-4;
constexpr int kDense = 60;  ///< unknowns up to which the dense solver is faster

/// IDA's objects; each is freed by its own function, in the reverse order.
struct Memory {
  SUNContext context = nullptr;
  N_Vector y = nullptr, dy = nullptr, id = nullptr, work = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  SUNNonlinearSolver newton = nullptr;
  void* ida = nullptr;

  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (ida) IDAFree(&ida);
    if (newton) SUNNonlinSolFree(newton);
    if (solver) SUNLinSolFree(solver);
    if (matrix) SUNMatDestroy(matrix);
    for (N_Vector v : {y, dy, id, work})
      if (v) N_VDestroy(v);
    if (context) SUNContext_Free(&context);
  }
};

class IdaFlow final : public Flow {
 public:
  IdaFlow(OdeProblem& ode, DaeProblem& problem, const FlowOptions& options)
      : ode_(ode),
        starter_(make_starter(ode, options)),
        equations_(problem),
        options_(options),
        n_(static_cast<std::size_t>(equations_.y_size())),
        y0_(n_),
        y1_(n_),
        error_(n_),
        a_(static_cast<std::size_t>(problem.coordinates())),
        way_(a_.size()),
        rate_(static_cast<std::size_t>(problem.states())),
        lambda_(static_cast<std::size_t>(problem.max_rows())),
        scales_(problem) {
    check_options(options);
    if (options.fixed_step > 0)
      throw InputError(
          fmt::format("fixed_step = {} is not possible with ida, which chooses step and order itself; use bdf",
                      options.fixed_step));
    create();
  }

  StepResult restart(double t, std::span<const double> y) override {
    ++counters_.restarts;
    add_counters();
    std::copy(y.begin(), y.end(), y1_.begin());
    y0_ = y1_;
    t0_ = t1_ = t;
    walked_ = false;
    DaeProblem& problem = equations_.problem();
    sound_ = std::all_of(y1_.begin(), y1_.end(), [](double x) { return std::isfinite(x); }) &&
             problem.begin(t, y1_.data()) && problem.solve(t, y1_.data(), a_.data(), rate_.data(), lambda_.data());
    if (!sound_) return StepResult::not_finite;
    columns_.forget();
    at_start_ = true;
    by_starter_ = false;
    return begin_ida();
  }

  StepResult step(double t_limit) override {
    if (!sound_) return StepResult::not_finite;
    if (t_limit - t1_ <= resolution(t1_)) return splinter(t_limit);
    if (at_start_) {
      at_start_ = false;
      if (counters_.restarts > 1 && start_step(t_limit)) return begin_ida();
    }
    IDASetStopTime(memory_.ida, t_limit);
    realtype reached = t1_;
    const int flag = IDASolve(memory_.ida, t_limit, &reached, memory_.y, memory_.dy, IDA_ONE_STEP);
    add_counters();
    if (flag < 0) {
      sound_ = false;
      return flag == IDA_ERR_FAIL                               ? StepResult::too_small
             : flag == IDA_CONV_FAIL || flag == IDA_LSETUP_FAIL ? StepResult::not_converged
                                                                : StepResult::not_finite;
    }
    std::swap(y0_, y1_);
    std::copy(data(memory_.y), data(memory_.y) + n_, y1_.begin());
    t0_ = t1_;
    t1_ = reached;
    walked_ = by_starter_ = false;
    ++counters_.steps;
    scales_.see(y1_.data());
    return StepResult::accepted;
  }

  [[nodiscard]] double t0() const override { return t0_; }
  [[nodiscard]] double t1() const override { return t1_; }
  [[nodiscard]] std::span<const double> y0() const override { return y0_; }
  [[nodiscard]] std::span<const double> y1() const override { return y1_; }
  [[nodiscard]] int degree() const override {
    if (by_starter_) return starter_->degree();
    int order = 1;
    if (t1_ > t0_ && !walked_) IDAGetLastOrder(memory_.ida, &order);
    return std::max(order, 1);
  }
  [[nodiscard]] std::span<const double> row(int r) override {
    return by_starter_ ? starter_->row(r) : std::span<const double>{};
  }
  void at(double t, std::span<double> y) override {
    if (by_starter_) return starter_->at(t, y);
    if (t >= t1_ || t <= t0_) {
      const auto& end = t >= t1_ ? y1_ : y0_;
      std::copy(end.begin(), end.end(), y.begin());
      return;
    }
    if (!walked_ && IDAGetDky(memory_.ida, t, 0, memory_.work) == IDA_SUCCESS) {
      std::copy(data(memory_.work), data(memory_.work) + n_, y.begin());
      return;
    }
    const double s = (t - t0_) / (t1_ - t0_);
    for (std::size_t i = 0; i < n_; ++i) y[i] = y0_[i] + s * (y1_[i] - y0_[i]);
  }
  std::span<const double> error() override {
    if (by_starter_) return starter_->error();
    std::fill(error_.begin(), error_.end(), 0.0);
    if (t1_ > t0_ && !walked_) {
      // IDA's estimate at the end of the step; its polynomial is of the same order inside.
      IDAGetEstLocalErrors(memory_.ida, memory_.work);
      for (std::size_t i = 0; i < n_; ++i) error_[i] = 2 * std::abs(data(memory_.work)[i]);
    }
    return error_;
  }
  /// IDA cannot repeat a step. Its polynomial has the order of the step, so the value there, put onto the
  /// constraints, is as good as a step that ends there.
  StepResult finish_at(double t, std::span<double> y) override {
    if (by_starter_) return starter_->finish_at(t, y);
    at(t, y);
    if (t < t1_ && t1_ > t0_) ode_.project(t, y.data());
    return StepResult::accepted;
  }
  [[nodiscard]] const FlowCounters& counters() const override { return counters_; }
  [[nodiscard]] int order() const override { return 5; }

 private:
  static double* data(N_Vector v) { return N_VGetArrayPointer(v); }

  static int residual(realtype t, N_Vector y, N_Vector dy, N_Vector out, void* self) {
    return static_cast<IdaFlow*>(self)->equations_.residual(t, data(y), data(dy), data(out)) ? 0 : 1;
  }
  static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector dy, N_Vector, SUNMatrix matrix, void* self,
                      N_Vector, N_Vector, N_Vector) {
    return static_cast<IdaFlow*>(self)->fill(t, cj, data(y), data(dy), matrix) ? 0 : 1;
  }
  static int weights(N_Vector y, N_Vector weight, void* self) {
    static_cast<IdaFlow*>(self)->weigh(data(y), data(weight));
    return 0;
  }

  /// IDA's test of an iteration, but what no iteration comes below has converged: at the short first steps after an
  /// event the tolerance of what is zero is round-off itself, and corrections that do not shrink are taken for
  /// failures.
  static int converged(SUNNonlinearSolver newton, N_Vector y, N_Vector correction, realtype tolerance, N_Vector weight,
                       void* self) {
    const auto* flow = static_cast<IdaFlow*>(self);
    if (flow->is_round_off(data(y), data(correction))) return SUN_NLS_SUCCESS;
    return flow->test_(newton, y, correction, tolerance, weight, flow->memory_.ida);
  }
  /// Of positions and velocities. (Multipliers enter linearly: they are as right as these.)
  [[nodiscard]] bool is_round_off(const double* y, const double* correction) const {
    for (std::size_t i = 0; i < n_; ++i)
      if (!(std::abs(correction[i]) <= kNoise * scale(y, i))) return false;
    return true;
  }
  [[nodiscard]] double scale(const double* y, std::size_t i) const {
    const auto v = static_cast<std::size_t>(equations_.velocity()), s = static_cast<std::size_t>(equations_.rate());
    return i < v ? scales_.size(i) : i < s ? scales_.speed(i - v) : std::abs(y[i]);
  }

  void create() {
    const int n = equations_.size();
    const auto check = [](bool ok) {
      if (!ok) throw std::bad_alloc();
    };
    check(SUNContext_Create(nullptr, &memory_.context) == 0);
    for (N_Vector* v : {&memory_.y, &memory_.dy, &memory_.id, &memory_.work})
      check((*v = N_VNew_Serial(n, memory_.context)) != nullptr);
    N_VConst(0, memory_.y);
    N_VConst(0, memory_.dy);
    for (int i = 0; i < n; ++i) data(memory_.id)[i] = i < equations_.y_size() ? 1.0 : 0.0;
    check((memory_.ida = IDACreate(memory_.context)) != nullptr);
    IDASetErrFile(memory_.ida, nullptr);
    check(IDAInit(memory_.ida, &residual, 0.0, memory_.y, memory_.dy) == IDA_SUCCESS);
    check(IDASetUserData(memory_.ida, this) == IDA_SUCCESS);
    check(IDAWFtolerances(memory_.ida, &weights) == IDA_SUCCESS);
    check(IDASetId(memory_.ida, memory_.id) == IDA_SUCCESS);
    check(IDASetSuppressAlg(memory_.ida, SUNTRUE) == IDA_SUCCESS);
    IDASetMaxOrd(memory_.ida, std::min(options_.max_order, 5));
    IDASetNonlinConvCoef(memory_.ida,
                         std::clamp(kCaution * kNoise / (options_.rtol + kFloor), kIteration, kLeastIteration));
    IDASetMaxNumSteps(memory_.ida, -1);
    IDASetMaxConvFails(memory_.ida, 30);
    IDASetMaxErrTestFails(memory_.ida, 30);
    if (std::isfinite(options_.max_step)) IDASetMaxStep(memory_.ida, options_.max_step);
    if (n <= kDense) {
      check((memory_.matrix = SUNDenseMatrix(n, n, memory_.context)) != nullptr);
      check((memory_.solver = SUNLinSol_Dense(memory_.y, memory_.matrix, memory_.context)) != nullptr);
    } else {
      check((memory_.matrix = SUNSparseMatrix(n, n, n, CSC_MAT, memory_.context)) != nullptr);
      check((memory_.solver = SUNLinSol_KLU(memory_.y, memory_.matrix, memory_.context)) != nullptr);
    }
    check(IDASetLinearSolver(memory_.ida, memory_.solver, memory_.matrix) == 0);
    check(IDASetJacFn(memory_.ida, &jacobian) == 0);
    check((memory_.newton = SUNNonlinSol_Newton(memory_.y, memory_.context)) != nullptr);
    check(IDASetNonlinearSolver(memory_.ida, memory_.newton) == IDA_SUCCESS);
    test_ = static_cast<SUNNonlinearSolverContent_Newton>(memory_.newton->content)->CTest;
    check(SUNNonlinSolSetConvTestFn(memory_.newton, &converged, this) == 0);
  }

  bool fill(double t, double cj, const double* y, const double* dy, SUNMatrix matrix) {
    ++counters_.jacobians;
    ++counters_.factorisations;
    if (!equations_.jacobian(t, cj, y, dy, entries_)) return false;
    const int n = equations_.size();
    if (n <= kDense) {
      SUNMatZero(matrix);
      for (const DaeEntry& e : entries_) SM_ELEMENT_D(matrix, e.row, e.column) += e.value;
      return true;
    }
    columns_.clear(n);
    columns_.add(entries_);
    const bool new_pattern = columns_.finish();
    const auto count = static_cast<sunindextype>(columns_.value().size());
    if (count > SUNSparseMatrix_NNZ(matrix)) SUNSparseMatrix_Reallocate(matrix, count);
    std::copy(columns_.start().begin(), columns_.start().end(), SUNSparseMatrix_IndexPointers(matrix));
    std::copy(columns_.row().begin(), columns_.row().end(), SUNSparseMatrix_IndexValues(matrix));
    std::copy(columns_.value().begin(), columns_.value().end(), SUNSparseMatrix_Data(matrix));
    // (SUNDIALS keeps the order of pivots, and gives up where it leads to a zero.)
    if (new_pattern || SUNLinSolLastFlag(memory_.solver) == SUNLS_PACKAGE_FAIL_REC)
      SUNLinSol_KLUReInit(memory_.solver, matrix, SUNSparseMatrix_NNZ(matrix), SUNKLU_REINIT_PARTIAL);
    return true;
  }

  /// IDA begins at (t1, y1), of which a_, rate_ and lambda_ are known.
  StepResult begin_ida() {
    equations_.consistent(y1_.data(), a_.data(), rate_.data(), lambda_.data(), data(memory_.y), data(memory_.dy));
    scales_.begin(equations_.problem(), y1_.data(), a_.data(), lambda_.data());
    sound_ = IDAReInit(memory_.ida, t1_, memory_.y, memory_.dy) == IDA_SUCCESS &&
             IDASetInitStep(memory_.ida, first_step()) == IDA_SUCCESS;
    return sound_ ? StepResult::accepted : StepResult::not_finite;
  }

  /// IDA begins at order one, where a parabola is a straight line: a short flight between two impacts would end in the
  /// ground, deeper each time. After an event the way in which a motion from rest comes as far as a hundred tolerances
  /// is one step of dop853.
  bool start_step(double t_limit) {
    const double way = scales_.time_to_move(100 * options_.atol, 100 * options_.rtol);
    if (!std::isfinite(way)) return false;
    const std::size_t before = starter_->counters().evaluations;
    const bool stepped =
        starter_->restart(t1_, y1_) == StepResult::accepted &&
        starter_->step(std::min(t_limit, t1_ + std::max(way, resolution(t1_)))) == StepResult::accepted;
    counters_.evaluations += starter_->counters().evaluations - before;
    y_to_.assign(starter_->y1().begin(), starter_->y1().end());
    if (!stepped || !equations_.problem().solve(starter_->t1(), y_to_.data(), a_.data(), rate_.data(), lambda_.data()))
      return false;
    std::swap(y0_, y1_);
    y1_ = y_to_;
    t0_ = t1_;
    t1_ = starter_->t1();
    by_starter_ = true;
    walked_ = false;
    ++counters_.steps;
    return true;
  }

  /// IDA's own guess is the tolerance over the largest rate: at tight tolerances so short that the round-off of the
  /// constraints divided by it is more than the tolerance. Order 1 allows its square root.
  [[nodiscard]] double first_step() const {
    if (counters_.restarts == 1 && options_.first_step > 0) return options_.first_step;
    const double h = std::min(1e-3 * std::max(options_.t_end - t1_, resolution(t1_)),
                              scales_.time_to_change(0.1 * std::sqrt(kStart * options_.rtol)));
    return std::min(std::max(h, resolution(t1_)), options_.max_step);
  }

  void weigh(const double* y, double* weight) const {
    int order = 0;  // of the last step since the start
    IDAGetLastOrder(memory_.ida, &order);
    const double share = order < 2 ? kStart : 1;
    for (std::size_t i = 0; i < n_; ++i)
      weight[i] = 1 / (share * (options_.atol + options_.rtol * std::abs(y[i])) + kFloor * scale(y, i));
    // Multipliers enter the equations (nearly) linearly: an iteration that is right in q and v is right in them. They
    // carry the round-off of the constraints divided by the step, lambda twice, so that at the short first steps of
    // tight tolerances nothing could converge: they are practically left out of the test.
    const auto first = n_, second = static_cast<std::size_t>(equations_.mu()),
               end = static_cast<std::size_t>(equations_.size());
    for (std::size_t i = first; i < second; ++i) weight[i] = 1e-6 / (scales_.force() + std::abs(y[i]));
    for (std::size_t i = second; i < end; ++i) weight[i] = 1e-6 / (scales_.fastest() + 1e-3);
  }

  /// A way shorter than the resolution of t is walked along the tangent: IDA refuses it.
  StepResult splinter(double t_limit) {
    const double h = t_limit - t1_;
    y_from_ = y1_;
    DaeProblem& problem = equations_.problem();
    if (!problem.solve(t1_, y1_.data(), a_.data(), rate_.data(), lambda_.data())) return StepResult::not_finite;
    const auto v = static_cast<std::size_t>(equations_.velocity()), s = static_cast<std::size_t>(equations_.rate());
    for (std::size_t i = 0; i < a_.size(); ++i) {
      way_[i] = h * y1_[v + i];
      y1_[v + i] += h * a_[i];
    }
    problem.displace(y_from_.data(), way_.data(), y1_.data());
    for (std::size_t i = 0; i < rate_.size(); ++i) y1_[s + i] += h * rate_[i];
    y_to_ = y1_;
    const double t_from = t1_;
    const StepResult result = restart(t_limit, y_to_);
    --counters_.restarts;
    t0_ = t_from;
    y0_ = y_from_;
    walked_ = true;
    ++counters_.steps;
    return result;
  }

  void add_counters() {
    long evaluations = 0, iterations = 0, failures = 0, convergence = 0;
    IDAGetNumResEvals(memory_.ida, &evaluations);
    IDAGetNumNonlinSolvIters(memory_.ida, &iterations);
    IDAGetNumErrTestFails(memory_.ida, &failures);
    IDAGetNumStepSolveFails(memory_.ida, &convergence);
    const auto grow = [](std::size_t& total, long now, long& before) {
      total += static_cast<std::size_t>(now >= before ? now - before : now);
      before = now;
    };
    grow(counters_.evaluations, evaluations, evaluations_);
    grow(counters_.iterations, iterations, iterations_);
    grow(counters_.rejected, failures + convergence, failures_);
  }

  OdeProblem& ode_;
  std::unique_ptr<Flow> starter_;
  IdaEquations equations_;
  FlowOptions options_;
  std::size_t n_;
  std::vector<double> y0_, y1_, y_from_, y_to_, error_, a_, way_, rate_, lambda_;
  IdaScales scales_;
  DaeEntries entries_;
  SparseColumns columns_;
  Memory memory_;
  SUNNonlinSolConvTestFn test_ = nullptr;  ///< IDA's own
  double t0_ = 0, t1_ = 0;
  long evaluations_ = 0, iterations_ = 0, failures_ = 0;
  bool sound_ = false;
  bool at_start_ = false, by_starter_ = false;  ///< the next, the last step is the starter's
  bool walked_ = false;                         ///< the last step was a splinter, not IDA's
  FlowCounters counters_;
};

}  // namespace

std::unique_ptr<Flow> make_ida(OdeProblem& ode, DaeProblem& problem, const FlowOptions& options) {
  return std::make_unique<IdaFlow>(ode, problem, options);
}

}  // namespace hstar::integrator
