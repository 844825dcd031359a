// src/transition/mechanism_process.hpp
//
// A mechanism as a hybrid process: smooth rates of its mode, its guards, and the transition
//   user resets -> impacts until none approaches -> consistent positions and velocities -> next mode.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "formulation/consistent_restart.hpp"
#include "formulation/formulation.hpp"
#include "formulation/mode_equations.hpp"
#include "hstar/affine_rates.hpp"
#include "hstar/dae.hpp"
#include "hstar/hybrid.hpp"
#include "hstar/rate_slopes.hpp"
#include "hstar/start_of_motion.hpp"
#include "transition/books.hpp"
#include "transition/branch_flips.hpp"
#include "transition/crowding.hpp"
#include "transition/flights.hpp"
#include "transition/guard_dependence.hpp"
#include "transition/impulses.hpp"
#include "transition/ledger_lines.hpp"
#include "transition/mechanism_guards.hpp"
#include "transition/next_mode.hpp"
#include "transition/rest.hpp"
#include "transition/step_check.hpp"
#include "transition/switches.hpp"
#include "transition/user_guards.hpp"

namespace hstar {

class ModeSlopes;

class MechanismProcess final : public HybridProcess, public RateSlopesProblem, public AffineRatesProblem {
 public:
  MechanismProcess(std::shared_ptr<const System> system, const FormulationEntry& formulation,
                   const FormulationOptions& options = {}, const ImpactOptions& impacts = {});
  ~MechanismProcess() override;

  /// Without broad phase, for comparison: before the start.
  void watch_all_contacts() { guards_.watch_all_contacts(); }

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
    return held_.find_share(t, y.data()) && guards_.values(equations_, mode_, t, y, which, g);
  }
  [[nodiscard]] bool has_bounds(std::size_t i) const override { return guards_.has_bounds(i); }
  bool bounds(std::size_t i, double ta, double tb, std::span<const events::Range> y,
              std::span<const events::Range> rates, events::Range& g, events::Range& slope) override {
    return guards_.bounds(i, ta, tb, y, rates, g, slope);
  }
  [[nodiscard]] std::span<const std::size_t> depends_on(std::size_t i) const override {
    return dependence_.of(guards_.ref(i));
  }
  const double* linear_form(std::size_t i) override {
    return held_.any() ? nullptr : guards_.linear_form(equations_, mode_, i);
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
  std::string remark(double t, std::span<const double> y) override;
  Settled breakdown(double& t, std::span<double> y, EventLog& log) override;
  [[nodiscard]] std::vector<std::pair<double, std::size_t>> scheduled() const override;
  [[nodiscard]] std::string mode_text() const override { return hstar::mode_text(*system_, mode_); }
  [[nodiscard]] std::vector<std::string> state_names() const override { return system_->state_names(); }

  DaeProblem* dae() override { return dae_.get(); }

  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const Mode& mode() const { return mode_; }
  /// The consistent modes at the start (t, y), preferred first; y is made consistent. Impacts that are due at once
  /// are carried out before. False: they or the constraints cannot be, as `settled` says.
  bool classify(double t, std::span<double> y, std::vector<Mode>& modes, Settled& settled);
  /// hstar::range_text() of a mode that has just been solved.
  [[nodiscard]] std::string range_text(const Mode& mode) { return hstar::range_text(equations_, mode); }
  /// Nothing depends explicitly on time: rest can be told.
  void set_constant_loads(bool constant) { rest_.set_constant_loads(constant); }
  /// Where both sides of a switch drive back to it, the motion is held there (Filippov).
  void set_holds_surfaces(bool holds) { held_.set_allowed(holds); }
  /// The last mode problem, and what has solved it.
  [[nodiscard]] const ModeProblem& problem() const { return problem_; }
  [[nodiscard]] ModeSolver& solver() { return next_.solver(); }
  /// Solves a given mode at the last evaluated state. False if it cannot be solved.
  bool solve_mode(const Mode& mode);
  /// Evaluates and solves the current mode at (t, y), for measures. False if it cannot be solved.
  bool solve_at(double t, const double* y) { return held_.solve(t, y); }
  /// Positions and velocities only, for measures that read no forces.
  void kinematics_at(double t, const double* y) { equations_.motion.evaluate(t, y); }
  [[nodiscard]] const ModeEquations& equations() const { return equations_; }
  [[nodiscard]] std::size_t mode_solves() const { return equations_.solves; }
  [[nodiscard]] std::size_t projections() const { return formulation_->projections(); }
  [[nodiscard]] std::size_t repartitions() const { return formulation_->repartitions(); }
  /// What assembly moved, redundant constraints, modes that are not unique, what the formulation chose.
  [[nodiscard]] std::vector<std::string> notices() const;
  [[nodiscard]] std::vector<std::pair<std::string, double>> chosen_options() const;

 private:
  void assemble(double t, double* y);
  /// A jump of given motion would move the mechanism: by a closed contact, a stuck friction unit or a joint.
  [[nodiscard]] bool is_held() const;
  /// Impacts, the next mode and a consistent restart; `count`: also how many other modes are consistent.
  bool decide(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log, Settled& settled,
              bool count);
  /// The same at this instant alone, without the impacts that come at once after it.
  bool decide_now(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log, Settled& settled,
                  bool count);
  /// Writes the states that tell what has become of contacts and friction.
  void tell_states(std::span<double> y) const;
  // switching.cpp
  /// The switches that have fired or whose time has come take their other branch; guards that jump through zero by it
  /// are in jumped_. False: a prescribed position jumps.
  bool switch_branches(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log,
                       Settled& settled);
  /// decide() on the branches that belong to the state, which decide() may move.
  bool decide_on_branches(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log,
                          Settled& settled, bool count);
  void tell_held(double t, std::span<const double> y, EventLog& log);
  // given_motion.cpp
  template <class Use>
  void each_held_row(const Use& use);
  template <class Use>
  void each_joint_row(const Use& use);
  /// The line of the ledger of an impact by joints that are driven, y just after it.
  EventRecord driven_record(double t, const ImpactOutcome& impact, std::span<const double> y);
  /// The state just before: put on the rows of the mode that ends, with what has just come to rest.
  bool left_limit(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log, Settled& settled);
  /// The next mode, and a consistent start in it.
  bool settle(double t, double* y, Settled& settled, bool count);
  enum class Jam : unsigned char { none, stops, impulse };
  /// No mode is consistent: an impulse without collision of the sliding contact, or of all that are closed if `contact`
  /// is -1; or some of these have stopped.
  Jam jam(double t, std::span<double> y, int contact, EventLog& log, Settled& settled);
  [[nodiscard]] ImpactOutcome jam_together(double t, std::span<const double> y);
  void note_rest(double t, std::span<const double> y, EventLog& log);
  /// The sliding contact whose determinant is nearest to zero, -1 if none slides.
  int least_regular(double& regularity) const;
  bool at_critical_point(double t, std::span<const double> y, const events::Root* root, EventLog& log,
                         Settled& settled);
  bool impacts(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log, Settled& settled);
  /// Impacts come ever faster and do not get slower, and there is no time left: the run ends as `settled` says.
  bool crowds(double t, Settled& settled);
  // chatter_limit.cpp
  /// Impacts whose flights are too low for the monitor, from (t, y) just after one on, to their limit or until flights
  /// are higher again; settled.t_jump is when. False: one of them cannot be carried out.
  bool follow_chatter(double t, std::span<double> y, EventLog& log, Settled& settled);
  bool follow_flights(Chatter::Flight flight, Followed& so_far, std::span<double> y, EventLog& log, Settled& settled);
  bool fly_and_decide(const Chatter::Flight& flight, Followed& so_far, std::span<double> y, EventLog& log,
                      Settled& settled);
  /// No time is left, but speeds are: one plastic impact of all contacts that strike, if they shrink.
  bool strike_at_limit(double t, std::span<double> y, bool shrinks, EventLog& log, Settled& settled);
  /// Contacts that flew before and rest now have come to their limit; `by_bounces`: of their own.
  void tell_limit(const Followed& so_far, bool by_bounces, std::span<const double> y);
  /// Rates in mode_, contacts that are about to close or open as it says. False: they cannot be computed.
  bool rates_of_flight(double t, std::span<const double> y);
  /// How high a contact flies that leaves with this speed [m]; infinity if it does not fall back.
  double flight_height(double t, std::span<const double> y, std::size_t contact, double speed);
  /// It leaves for a flight that its gap can show.
  bool flies(double t, std::span<const double> y, std::size_t contact);
  void tell_low_flight(double t, std::span<const double> y, int contact, const events::Root* root, EventLog& log);
  /// Guides whose normal force has passed through zero press on their other side; a stuck one was at both its limits.
  void turn_guides(std::span<const events::Root> fired);
  /// Checks the books of the instant. False: they do not close.
  bool close_books(double t, std::span<const double> y, Settled& settled);

  std::shared_ptr<const System> system_;
  ModeEquations equations_;
  ConsistentRestart restart_;
  std::unique_ptr<Formulation> formulation_;
  ImpactOptions impact_options_;
  Switches switches_;
  std::string held_told_;  ///< name of the formula whose switch is held, as the ledger knows it
  StartOfMotion motion_;
  double t_end_ = 1;
  MechanismGuards guards_;
  GuardDependence dependence_;
  Mode mode_, before_;  ///< now, and before this instant
  LedgerLines lines_;
  HeldMotion held_;
  BranchFlips flips_;
  bool bends_ = false;                  ///< a mode was not linear where exact arcs were wanted, and that has been said
  std::unique_ptr<DaeProblem> dae_;     ///< null for formulations y' = f(t, y)
  std::unique_ptr<ModeSlopes> slopes_;  ///< null until an implicit method asks
  std::vector<std::string> notices_;
  std::vector<int> velocity_of_;

  Instant instant_;
  Books books_;
  Impulses impulses_;
  Chatter chatter_;
  ContactRanges ranges_;
  Touching touching_;
  Flights flights_;
  UserGuards user_guards_;
  NextMode next_;
  StepCheck steps_;
  Rest rest_;
  bool contradicts_ = false;  ///< FiredGuards::contradicts
  bool look_ = true;          ///< positions may have left the room of the broad phase

  // scratch
  Mode rows_mode_, positions_mode_;
  ModeProblem problem_;
  std::vector<double> y_later_;
  std::vector<char> active_;
  std::vector<double> y_before_, y_impact_, ydot_, q_dot_;
  std::vector<char> stuck_in_impact_;
  std::vector<double> held_nu_;    ///< of closed and stuck rows just before
  std::vector<char> driven_;       ///< joints whose given velocity jumps at this instant
  std::vector<int> impacts_seen_;  ///< by contact, since the start
  std::vector<char> unsettled_;    ///< by contact: its gap came back to zero by error only, no event
  std::vector<char> flew_;         ///< by contact: open before a chatter, and its limit not told yet
  Crowding crowding_;
  Crowding::Limit crowded_;
  bool impact_recorded_ = false;
};

}  // namespace hstar
