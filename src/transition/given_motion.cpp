// src/transition/given_motion.cpp
#include "transition/given_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "mechanism/short_number.hpp"

namespace hstar {

template <class Use>
void GivenMotion::each_held_row(const Use& use) {
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c)
    if (at_.mode.closed[c]) use(at_.equations.motion.normal_row(static_cast<int>(c)));
  for (std::size_t u = 0; u < at_.mode.friction.size(); ++u)
    if (at_.mode.friction[u].slide == Slide::stick)
      for (const Row& row : at_.equations.motion.tangents(static_cast<int>(u))) use(row);
}

template <class Use>
void GivenMotion::each_joint_row(const Use& use) {
  at_.equations.rows.choose(at_.mode);
  at_.equations.rows.fill();
  for (std::size_t j = 0; j < at_.system.joints.size(); ++j)
    for (int i = 0; i < at_.system.joints[j]->rows(); ++i) use(j, at_.equations.rows[at_.system.joint_row[j] + i]);
}

template <class Use>
void GivenMotion::each_slide_row(const Use& use) {
  std::array<double, most_directions> gamma;
  for (std::size_t u = 0; u < at_.mode.friction.size(); ++u) {
    if (at_.mode.friction[u].slide != Slide::slip || at_.system.frictions[u].directions == 1) continue;
    at_.equations.motion.slide_velocities(static_cast<int>(u), gamma.data());
    use(u, std::span(gamma).first(static_cast<std::size_t>(at_.system.frictions[u].directions)));
  }
}

bool GivenMotion::holds(bool switches) const {
  const Mode& mode = at_.mode;
  return (switches && at_.system.rows > 0) ||
         std::any_of(mode.closed.begin(), mode.closed.end(), [](char closed) { return closed != 0; }) ||
         std::any_of(mode.friction.begin(), mode.friction.end(),
                     [](const FrictionMode& f) { return f.slide == Slide::stick; });
}

bool GivenMotion::left_limit(const EventCall& call, std::span<const events::Root> fired) {
  // The only reader of the mode that ends. Given motion is that of just before: it may jump at this instant, with the
  // switches of its formulas.
  const System& s = at_.system;
  const double t = call.t;
  const std::span<double> y = call.y;
  if (s.nq == 0) return true;
  const double just_before = std::nextafter(t, -std::numeric_limits<double>::infinity());
  for (char& closed : at_.mode.closed) closed = closed != 0;
  rows_ = at_.mode;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (at_.mode.friction[u].slide == Slide::slip && at_.problem.units[u].at_zero && !at_.problem.units[u].broke_away)
      rows_.friction[u] = FrictionMode{Slide::stick, 0, 0, 0};
    else if (const int contact = s.frictions[u].contact; contact >= 0 && at_.before.closed[contact] == unloaded)
      rows_.friction[u] = FrictionMode{};  // it held nothing
  // Where the rows are found off, what has just come to touch is put back onto its surface with them.
  // (Gaps are zero also beyond the ends of an edge, where nothing touches.)
  positions_ = at_.mode;
  at_.equations.motion.evaluate(just_before, y.data());
  for (const events::Root& root : fired)
    if (const WatchRef ref = at_.guards.ref(root.guard); ref.what == Watch::gap && root.direction < 0)
      positions_.closed[ref.index] |=
          static_cast<char>(at_.ranges.can_strike(static_cast<std::size_t>(ref.index), at_.before.closed));
  if (!at_.restart.positions(positions_, just_before, y.data(), 8) ||
      !at_.restart.come_to_rest(rows_, just_before, y.data()))
    return call.settled.fail(RunStatus::inconsistent_restart,
                             "just before t = " + short_number(t) +
                                 " s the state cannot be put onto the constraints of its mode: " + at_.restart.why());
  for (std::size_t i = 0; i < y.size(); ++i) at_.moved[i] = y[i] - at_.y_before[i];
  at_.instant.begin(t, y);
  held_nu_.clear();
  at_.equations.motion.evaluate(just_before, y.data());
  each_held_row([&](const Row& row) {
    held_nu_.push_back(row.nu);
    at_.instant.put_on(row);
  });
  each_joint_row([&](std::size_t, const Row& row) { at_.instant.put_on(row); });
  slides_.clear();
  each_slide_row(
      [&](std::size_t, std::span<const double> gamma) { slides_.insert(slides_.end(), gamma.begin(), gamma.end()); });
  return true;
}

void GivenMotion::find_jumps(double t, std::span<const double> y) {
  if (at_.system.nq == 0) return;
  at_.equations.motion.evaluate(t, y.data());
  std::size_t i = 0;
  bool jumps = false;
  each_held_row([&](const Row& row) { jumps |= std::abs(row.nu - held_nu_[i++]) > at_.instant.zero_speed(row); });
  each_joint_row([&](std::size_t j, const Row& row) {
    if (std::abs(at_.equations.motion.free_speed(row)) > at_.instant.zero_speed(row)) driven_[j] = 1;
  });
  if (jumps) at_.instant.given_motion_jumped();
  auto before = slides_.begin();
  each_slide_row([&](std::size_t u, std::span<const double> gamma) {
    const double zero = at_.instant.zero_slide(static_cast<int>(u));
    double was = 0, is = 0, both = 0;
    for (std::size_t d = 0; d < gamma.size(); ++d) {
      was = std::hypot(was, before[static_cast<std::ptrdiff_t>(d)]);
      is = std::hypot(is, gamma[d]);
      both += gamma[d] * before[static_cast<std::ptrdiff_t>(d)];
    }
    at_.problem.units[u].reversed = std::min(was, is) > zero && both < 0;
    before += static_cast<std::ptrdiff_t>(gamma.size());
  });
}

EventRecord GivenMotion::line(double t, const ImpactOutcome& impact, std::span<const double> y_before,
                              std::span<const double> y) {
  // Of the first joint that is driven, over its rows that jump.
  const auto j = static_cast<std::size_t>(std::find(driven_.begin(), driven_.end(), 1) - driven_.begin());
  EventRecord r = at_.lines.line(t, nullptr, "impact", at_.system.joints[j]->name, y_before, y);
  double speed = 0, impulse = 0;
  at_.equations.motion.evaluate(t, y_before.data());
  each_joint_row([&](std::size_t joint, const Row& row) {
    if (joint == j) speed = std::hypot(speed, at_.equations.motion.free_speed(row));
  });
  for (int i = 0; i < at_.system.joints[j]->rows(); ++i)
    impulse = std::hypot(impulse, impact.reaction[at_.system.joint_row[j] + i]);
  at_.equations.motion.evaluate(t, y.data());
  r.gap_velocity_before = speed;
  r.impulse_n = impulse;
  return r;
}

}  // namespace hstar
