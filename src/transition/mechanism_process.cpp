// src/transition/mechanism_process.cpp: rates, projection, start and transition of a mechanism.
#include "transition/mechanism_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "formulation/dae_problem.hpp"
#include "formulation/linear_mode.hpp"
#include "formulation/mode_slopes.hpp"
#include "hstar/stop.hpp"
#include "mechanism/short_number.hpp"
#include "transition/not_finite.hpp"

namespace hstar {
MechanismProcess::MechanismProcess(std::shared_ptr<const System> system, const FormulationEntry& formulation,
                                   const FormulationOptions& options, const ImpactOptions& impacts)
    : system_(std::move(system)),
      equations_(system_),
      restart_(equations_),
      formulation_(formulation.make(equations_, options)),
      switches_(*system_),
      guards_(*system_, switches_),
      at_(equations_, restart_, guards_, impacts, options.rtol),
      held_(equations_, switches_, at_.mode),
      given_(at_),
      decision_(at_, given_, *formulation_, *this, options, impacts.energy_error),
      chatter_limit_(at_, decision_, held_, switches_),
      switching_(at_, switches_, held_, chatter_limit_, *this, formulation.dae.has_value()),
      critical_point_(at_, *this),
      user_guards_(at_),
      steps_(system_, equations_, restart_, at_.ranges, formulation.fragile, options),
      rest_(equations_),
      velocity_of_(system_->velocity_of()) {
  if (!formulation.dae) return;
  auto dae = std::make_unique<MechanismDae>(system_, at_.mode, *formulation.dae);
  dae->share_slide_references(equations_);
  dae->share_branches(switches_.branches());
  dae_ = std::move(dae);
}

MechanismProcess::~MechanismProcess() = default;

bool MechanismProcess::rates(double t, const double* y, double* ydot) {
  const System& s = *system_;
  if (stop_requested_meanwhile() || !held_.find_share(t, y)) return false;
  if (s.nq > 0) {
    if (!formulation_->rates(at_.mode, t, y, ydot)) return false;
  } else {
    equations_.motion.evaluate(t, y);
  }
  for (int i = 0; i < s.ns; ++i) ydot[s.nq + s.nv + i] = evaluate(s.states[i].rate, equations_.motion.kinematics());
  return true;
}

bool MechanismProcess::rate_slopes(double t, const double* y, double dt, double* by_y, double* by_t) {
  if (!formulation_->plain() || held_.any()) return false;
  if (!slopes_) slopes_ = std::make_unique<ModeSlopes>(system_, at_.mode, equations_);
  return slopes_->evaluate(t, y, dt, by_y, by_t);
}

const AffineRates* MechanismProcess::affine_rates() {
  const bool plain = formulation_->plain() && !dae_ && !held_.any();
  const LinearMode* linear = plain ? equations_.linear(at_.mode) : nullptr;
  const AffineRates* rates = linear ? linear->affine_rates() : nullptr;
  if (!rates && !std::exchange(bends_, true)) {
    std::string what = "the equations of this model";
    if (!plain) what = "the equations in this formulation";
    if (plain && LinearModes::possible(*system_)) what = "the equations of the mode " + mode_text();
    notices_.push_back(
        "integrator \"exact\": " + what +
        " are not known to be linear with constant coefficients; dop853 steps there, bdf where it is stiff");
  }
  return rates;
}

void MechanismProcess::run_until(double t_end) {
  at_.t_end = t_end;
  switches_.run_until(t_end);
}

std::vector<std::string> MechanismProcess::notices() const {
  auto all = notices_;
  all.insert(all.end(), switching_.notices().begin(), switching_.notices().end());
  for (const std::string& name : system_->unwatched)
    all.push_back(name + ": what stands inside noevent() or smooth() is integrated through; its kinks are no events");
  for (auto& notice : formulation_->notices()) all.push_back(std::move(notice));
  if (std::string omitted = at_.impulses.solver().notice(); !omitted.empty()) all.push_back(std::move(omitted));
  return all;
}

bool MechanismProcess::project(double t, double* y) {
  if (system_->nq == 0) return false;
  if (dae_) return formulation_->project(at_.mode, t, y);  // (now and then: of many steps)
  steps_.projection().before(y);
  const bool moved = formulation_->project(at_.mode, t, y);
  steps_.projection().after(t, y, restart_.fastest(steps_.projection().span(t)));
  return moved;
}

std::string MechanismProcess::remark(double t, std::span<const double> y) {
  std::string text = not_finite(*system_, t, y.data());
  if (text.empty()) text = too_fast_to_follow(*system_, t, y.data());
  return text.empty() ? steps_.remark(at_.mode, t, y.data()) : text;
}

bool MechanismProcess::accepted(double t, std::span<const double> y) {
  equations_.motion.evaluate(t, y.data());
  equations_.rows.settle();
  restart_.see_speeds(y.data());
  for (int u = 0; u < static_cast<int>(at_.mode.friction.size()); ++u)
    if (at_.mode.friction[u].slide == Slide::slip) equations_.motion.update_reference(u);
  decision_.next().hold_last_directions(t, y.data());
  guards_.update_tolerances(equations_, at_.mode, false);
  return steps_.accept(at_.mode, t, y.data(), notices_);
}

bool MechanismProcess::solve_mode(const Mode& mode) {
  equations_.rows.take(mode);
  return equations_.solve(mode);
}

bool MechanismProcess::solve_at(double t, const double* y) {
  if (std::exchange(changed_, false)) equations_.rows.take(at_.mode);
  return held_.solve(t, y);
}

void MechanismProcess::change(int unit, Slide slide, signed char direction) {
  FrictionMode& f = at_.mode.friction[unit];
  f.slide = slide;
  f.direction = direction;
  changed_ = true;
}

void MechanismProcess::stand(double since, double t, std::span<const double> y) {
  at_.instant.start(since);
  changed_ = true;
  solve_at(t, y.data());
  formulation_->restart(at_.mode, t, y.data());
  decision_.watch();
}

bool MechanismProcess::classify(double t, std::span<double> y, std::vector<Mode>& modes, Settled& settled) {
  class Nobody final : public EventLog {
    [[nodiscard]] bool wanted() const override { return false; }
    void add(EventRecord) override {}
  } nobody;
  begin_run(t, y);
  at_.instant.begin(t, y);
  return decision_.find_modes({t, y, nobody, settled}, modes);
}

void MechanismProcess::passive(const events::Root& root, std::span<const double> y, EventLog& log) {
  if (!log.wanted() || !at_.lines.is_told(root)) return;
  if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::gap) {
    // (Bodies come to lie beside each other.)
    equations_.motion.evaluate(root.t, y.data());
    if (!at_.ranges.can_strike(static_cast<std::size_t>(ref.index), at_.before.closed)) return;
  }
  at_.lines.tell_passive(root, y, log);
}

std::vector<std::pair<double, std::size_t>> MechanismProcess::scheduled() const {
  std::vector<std::pair<double, std::size_t>> times;
  for (std::size_t g = 0; g < system_->guards.size(); ++g)
    for (const double t : system_->guards[g].spec.times) times.emplace_back(t, g);
  std::sort(times.begin(), times.end());
  return times;
}

void MechanismProcess::assemble(double t, double* y) {
  const System& s = *system_;
  std::vector<double> given(y, y + s.nq + s.nv);
  const Mode& open = at_.mode;  // (the run has not begun)
  restart_.assemble(open, t, y);
  equations_.motion.evaluate(t, y);
  for (const auto& joint : s.joints)
    if (joint->turned_over(equations_.motion.kinematics()))
      throw InputError(joint->where,
                       "joint \"" + joint->name +
                           "\": assembly from the given positions ends with its axes the wrong way round; "
                           "give positions nearer to the assembled ones");
  if (!restart_.velocities(open, t, y)) throw InputError("inconsistent initial velocities: " + restart_.why());
  const auto names = s.state_names();
  std::vector<double> found(y, y + s.nq + s.nv);
  if (s.has_own_axes())
    for (auto* state : {&given, &found}) s.as_written(state->data());
  const auto largest = [&](int from, int to) {
    double size = 0;
    for (int i = from; i < to; ++i) size = std::max(size, std::abs(found[i]));
    return size;
  };
  const double far = std::max(s.length, largest(0, s.nq)), fast = largest(s.nq, s.nq + s.nv);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (std::abs(found[i] - given[i]) > tolerances::moved * (i < static_cast<std::size_t>(s.nq) ? far : fast))
      notices_.push_back("assembly moved " + names[i] + " from " + short_number(given[i]) + " to " +
                         short_number(found[i]));
  equations_.evaluate(t, y);
  if (equations_.rows.take(open) > 0)
    for (int i = 0; i < equations_.rows.count(); ++i)
      if (equations_.rows.saddle().is_redundant(i))
        notices_.push_back(equations_.rows.name(i) +
                           " is redundant: the motion is unique, its reaction is not (the least-norm one is used)");
}

}  // namespace hstar
