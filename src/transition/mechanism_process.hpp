// src/transition/mechanism_process.hpp
//
// A mechanism as a hybrid process: smooth rates of its mode, its guards, and the transition
//   user resets -> impacts until none approaches -> consistent positions and velocities -> next mode.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formulation/consistent_restart.hpp"
#include "formulation/formulation.hpp"
#include "formulation/mode_equations.hpp"
#include "hstar/affine_rates.hpp"
#include "hstar/dae.hpp"
#include "hstar/hybrid.hpp"
#include "hstar/rate_slopes.hpp"
#include "transition/critical_point.hpp"
#include "transition/rest.hpp"
#include "transition/step_check.hpp"
#include "transition/switching.hpp"
#include "transition/user_guards.hpp"

namespace hstar {

class ModeSlopes;

class MechanismProcess final : public HybridProcess, public RateSlopesProblem, public AffineRatesProblem {
 public:
  MechanismProcess(std::shared_ptr<const System> system, const FormulationEntry& formulation,
                   const FormulationOptions& options = {}, const ImpactOptions& impacts = {});
  ~MechanismProcess() override;

  // OdeProblem
  [[nodiscard]] std::size_t size() const override { return system_->size(); }
  bool rates(double t, const double* y, double* ydot) override;
  bool project(double t, double* y) override;
  [[nodiscard]] std::span<const int> velocity_of() const override { return velocity_of_; }
  // RateSlopesProblem
  bool rate_slopes(double t, const double* y, double dt, double* by_y, double* by_t) override;
  // AffineRatesProblem
  const AffineRates* affine_rates() override;
  // GuardSet
  [[nodiscard]] std::size_t guard_count() const override { return guards_.count(); }
  [[nodiscard]] const events::GuardInfo& info(std::size_t i) const override { return guards_.info(i); }
  bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    return held_.find_share(t, y.data()) && guards_.values(equations_, at_.mode, t, y, which, g);
  }
  bool note_round_off(std::size_t i, double round_off) override { return guards_.note_round_off(i, round_off); }
  [[nodiscard]] bool has_bounds(std::size_t i) const override { return guards_.has_bounds(i); }
  bool bounds(std::size_t i, double ta, double tb, std::span<const events::Range> y,
              std::span<const events::Range> rates, events::Range& g, events::Range& slope) override {
    return guards_.bounds(i, ta, tb, y, rates, g, slope);
  }
  [[nodiscard]] std::span<const std::size_t> depends_on(std::size_t i) const override {
    return decision_.depends_on(guards_.ref(i));
  }
  const double* linear_form(std::size_t i) override {
    return held_.any() ? nullptr : guards_.linear_form(equations_, at_.mode, i);
  }
  // HybridProcess
  void run_until(double t_end) override;
  [[nodiscard]] double next_switch() const override { return switches_.next_time(); }
  Settled start(double t, std::span<double> y, EventLog& log) override;
  Settled transition(double t, std::span<double> y, std::span<const events::Root> fired,
                     std::span<const std::size_t> due, EventLog& log) override;
  void passive(const events::Root& root, std::span<const double> y, EventLog& log) override;
  bool accepted(double t, std::span<const double> y) override;
  [[nodiscard]] RunStatus refusal() const override { return steps_.status(); }
  [[nodiscard]] std::string why() const override { return steps_.why(); }
  bool is_too_long(std::span<const events::Root> fired) override { return decision_.next().turns_too_soon(fired); }
  std::string remark(double t, std::span<const double> y) override;
  Settled breakdown(double& t, std::span<double> y, EventLog& log, double least) override;
  [[nodiscard]] std::vector<std::pair<double, std::size_t>> scheduled() const override;
  [[nodiscard]] std::string mode_text() const override { return hstar::mode_text(*system_, at_.mode); }
  [[nodiscard]] std::vector<std::string> state_names() const override { return system_->state_names(); }

  DaeProblem* dae() override { return dae_.get(); }

  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const Mode& mode() const { return at_.mode; }
  /// The consistent modes at the start (t, y), preferred first; y is made consistent. Impacts that are due at once
  /// are carried out before. False: they or the constraints cannot be, as `settled` says.
  bool classify(double t, std::span<double> y, std::vector<Mode>& modes, Settled& settled);
  /// hstar::range_text() of a mode that has just been solved.
  [[nodiscard]] std::string range_text(const Mode& mode) {
    return hstar::range_text(equations_, mode, most_rows_of_answer);
  }
  /// Nothing depends explicitly on time: rest can be told.
  void set_constant_loads(bool constant) { rest_.set_constant_loads(constant); }
  /// Where both sides of a switch drive back to it, the motion is held there (Filippov).
  void set_holds_surfaces(bool holds) { held_.set_allowed(holds); }
  /// What has solved the last mode problem.
  [[nodiscard]] ModeSolver& solver() { return decision_.next().solver(); }
  /// Solves a given mode at the last evaluated state. False if it cannot be solved.
  bool solve_mode(const Mode& mode);
  /// Evaluates and solves the current mode at (t, y), for measures. False if it cannot be solved.
  bool solve_at(double t, const double* y);
  // For those who follow the motion themselves (simulate/islands).
  /// Another follows the motion from now on, or does no more: then nobody looks at the guards on steps. False: it
  /// cannot, since the rates are not the mode's accelerations, written as y' = f(t, y).
  bool follow_elsewhere(bool elsewhere) {
    if (elsewhere && (!formulation_->plain() || dae_)) return false;
    decision_.set_looked_at(!elsewhere);
    return true;
  }
  /// A unit of one direction, whose friction does not depend on the speed, has begun or stopped to slide.
  void change(int unit, Slide slide, signed char direction);
  /// The motion in the present mode has come from its last event at `since` to (t, y): transition() may follow.
  void stand(double since, double t, std::span<const double> y);
  [[nodiscard]] WatchRef watch(std::size_t guard) const { return guards_.ref(guard); }
  /// Positions and velocities only, for measures that read no forces.
  void kinematics_at(double t, const double* y) { equations_.motion.evaluate(t, y); }
  [[nodiscard]] const ModeEquations& equations() const { return equations_; }
  [[nodiscard]] const Formulation& formulation() const { return *formulation_; }
  /// What assembly moved, redundant constraints, modes that are not unique, what the formulation chose.
  [[nodiscard]] std::vector<std::string> notices() const;

 private:
  void assemble(double t, double* y);
  /// All is open and nothing known, on the constraints of joints: what touches and is at rest there is closed.
  void begin_run(double t, std::span<double> y);
  void note_rest(double t, std::span<const double> y, EventLog& log);
  /// Checks the books of the instant. False: they do not close.
  bool close_books(double t, std::span<const double> y, Settled& settled);

  std::shared_ptr<const System> system_;
  ModeEquations equations_;
  ConsistentRestart restart_;
  std::unique_ptr<Formulation> formulation_;
  Switches switches_;
  MechanismGuards guards_;
  EventState at_;
  HeldMotion held_;
  GivenMotion given_;
  ModeDecision decision_;
  ChatterLimit chatter_limit_;
  Switching switching_;
  CriticalPoint critical_point_;
  UserGuards user_guards_;
  StepCheck steps_;
  Rest rest_;
  std::unique_ptr<DaeProblem> dae_;     ///< null for formulations y' = f(t, y)
  std::unique_ptr<ModeSlopes> slopes_;  ///< null until an implicit method asks
  bool changed_ = false;                ///< the mode, and its rows have not been chosen yet
  bool bends_ = false;                  ///< a mode was not linear where exact arcs were wanted, and that has been said
  std::vector<std::string> notices_;
  std::vector<int> velocity_of_;
};

}  // namespace hstar
