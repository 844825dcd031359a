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
      impact_options_(impacts),
      switches_(*system_),
      motion_(*this),
      guards_(*system_, switches_),
      dependence_(*system_),
      lines_(equations_, guards_, before_, mode_),
      held_(equations_, switches_, mode_),
      flips_(equations_, switches_, guards_, held_),
      instant_(equations_),
      books_(equations_),
      impulses_(equations_, restart_, instant_, books_, impacts),
      chatter_(system_->contacts.size()),
      ranges_(equations_),
      touching_(equations_, instant_, ranges_, chatter_, options.rtol),
      flights_(equations_, restart_, held_, chatter_, touching_, ranges_, instant_, guards_, mode_),
      user_guards_(equations_, guards_, books_, instant_, lines_, touching_, mode_),
      next_(equations_, restart_, {instant_, touching_, ranges_, chatter_, guards_}, options.rtol, options.step > 0),
      steps_(system_, equations_, restart_, ranges_, formulation.fragile),
      rest_(equations_) {
  const System& s = *system_;
  velocity_of_ = s.velocity_of();
  mode_.closed.assign(s.contacts.size(), 0);
  mode_.friction.assign(s.frictions.size(), {});
  if (formulation.dae) {
    auto dae = std::make_unique<MechanismDae>(system_, mode_, *formulation.dae);
    dae->share_slide_references(equations_);
    dae->share_branches(switches_.branches());
    dae_ = std::move(dae);
  }
  before_ = rows_mode_ = positions_mode_ = mode_;
  problem_.contacts.resize(s.contacts.size());
  problem_.units.resize(s.frictions.size());
  driven_.assign(s.joints.size(), 0);
  active_.resize(s.contacts.size());
  y_before_.resize(s.size());
  y_later_.resize(s.size());
  y_impact_.resize(s.size());
  ydot_.resize(s.size());
  q_dot_.resize(static_cast<std::size_t>(s.nq));
  stuck_in_impact_.resize(s.frictions.size());
  flew_.resize(s.contacts.size());
  impacts_seen_.assign(s.contacts.size(), 0);
  unsettled_.assign(s.contacts.size(), 0);
}

MechanismProcess::~MechanismProcess() = default;

bool MechanismProcess::rates(double t, const double* y, double* ydot) {
  const System& s = *system_;
  if (stop_requested_meanwhile() || !held_.find_share(t, y)) return false;
  if (s.nq > 0) {
    if (!formulation_->rates(mode_, t, y, ydot)) return false;
  } else {
    equations_.motion.evaluate(t, y);
  }
  for (int i = 0; i < s.ns; ++i) ydot[s.nq + s.nv + i] = evaluate(s.states[i].rate, equations_.motion.kinematics());
  return true;
}

bool MechanismProcess::rate_slopes(double t, const double* y, double dt, double* by_y, double* by_t) {
  if (!formulation_->plain() || held_.any()) return false;
  if (!slopes_) slopes_ = std::make_unique<ModeSlopes>(system_, mode_, equations_);
  return slopes_->evaluate(t, y, dt, by_y, by_t);
}

const AffineRates* MechanismProcess::affine_rates() {
  const bool plain = formulation_->plain() && !dae_ && !held_.any();
  const LinearMode* linear = plain ? equations_.linear(mode_) : nullptr;
  const AffineRates* rates = linear ? linear->affine_rates() : nullptr;
  if (!rates && !std::exchange(bends_, true)) {
    std::string what = "the equations of this model";
    if (!plain) what = "the equations in this formulation";
    if (plain && LinearModes::possible(*system_)) what = "the equations of the mode " + mode_text();
    notices_.push_back("integrator \"exact\": " + what +
                       " are not known to be linear with constant coefficients; dop853 steps there");
  }
  return rates;
}

void MechanismProcess::run_until(double t_end) {
  t_end_ = t_end;
  switches_.run_until(t_end);
}

std::vector<std::string> MechanismProcess::notices() const {
  auto all = notices_;
  for (const std::string& name : system_->unwatched)
    all.push_back(name + ": what stands inside noevent() or smooth() is integrated through; its kinks are no events");
  for (auto& notice : formulation_->notices()) all.push_back(std::move(notice));
  if (std::string omitted = impulses_.solver().notice(); !omitted.empty()) all.push_back(std::move(omitted));
  return all;
}

std::vector<std::pair<std::string, double>> MechanismProcess::chosen_options() const {
  return formulation_->chosen_options();
}

bool MechanismProcess::project(double t, double* y) { return system_->nq > 0 && formulation_->project(mode_, t, y); }

std::string MechanismProcess::remark(double t, std::span<const double> y) {
  std::string text = not_finite(*system_, t, y.data());
  if (text.empty()) text = too_fast_to_follow(*system_, t, y.data());
  return text.empty() ? steps_.remark(mode_, t, y.data()) : text;
}

bool MechanismProcess::accepted(double t, std::span<const double> y) {
  equations_.motion.evaluate(t, y.data());
  for (int u = 0; u < static_cast<int>(mode_.friction.size()); ++u)
    if (mode_.friction[u].slide == Slide::slip) equations_.motion.update_reference(u);
  next_.hold_last_directions(mode_);
  guards_.update_tolerances(equations_, mode_, false);
  return steps_.accept(mode_, t, y.data(), notices_);
}

bool MechanismProcess::is_held() const {
  return (system_->rows > 0 && switches_.any()) ||
         std::any_of(mode_.closed.begin(), mode_.closed.end(), [](char closed) { return closed != 0; }) ||
         std::any_of(mode_.friction.begin(), mode_.friction.end(),
                     [](const FrictionMode& f) { return f.slide == Slide::stick; });
}

void MechanismProcess::passive(const events::Root& root, std::span<const double> y, EventLog& log) {
  if (!log.wanted() || !lines_.is_told(root)) return;
  if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::gap) {
    // (Bodies come to lie beside each other.)
    equations_.motion.evaluate(root.t, y.data());
    if (!ranges_.can_strike(static_cast<std::size_t>(ref.index), before_.closed)) return;
  }
  lines_.tell_passive(root, y, log);
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
  rows_mode_.closed.assign(s.contacts.size(), 0);
  rows_mode_.friction.assign(s.frictions.size(), {});
  restart_.assemble(rows_mode_, t, y);
  equations_.motion.evaluate(t, y);
  for (const auto& joint : s.joints)
    if (joint->turned_over(equations_.motion.kinematics()))
      throw InputError(joint->where,
                       "joint \"" + joint->name +
                           "\": assembly from the given positions ends with its axes the wrong way round; "
                           "give positions nearer to the assembled ones");
  if (!restart_.velocities(rows_mode_, t, y)) throw InputError("inconsistent initial velocities: " + restart_.why());
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
  if (equations_.rows.take(rows_mode_) > 0)
    for (int i = 0; i < equations_.rows.count(); ++i)
      if (equations_.rows.saddle().is_redundant(i))
        notices_.push_back(equations_.rows.name(i) +
                           " is redundant: the motion is unique, its reaction is not (the least-norm one is used)");
}

}  // namespace hstar
