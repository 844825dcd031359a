// src/transition/given_motion.cpp: the state just before an event, and what the motion that bodies are given does at
// it: prescribed bodies, drivers, belts. Where its velocity jumps, the rows of joints follow by impulses.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"

namespace hstar {

template <class Use>
void MechanismProcess::each_held_row(const Use& use) {
  std::array<Row, most_directions> rows;
  for (std::size_t c = 0; c < mode_.closed.size(); ++c) {
    if (!mode_.closed[c]) continue;
    equations_.motion.normal_row(static_cast<int>(c), rows[0]);
    use(rows[0]);
  }
  for (std::size_t u = 0; u < mode_.friction.size(); ++u) {
    if (mode_.friction[u].slide != Slide::stick) continue;
    equations_.motion.tangent_rows(static_cast<int>(u), rows.data());
    for (int d = 0; d < system_->frictions[u].directions; ++d) use(rows[d]);
  }
}

template <class Use>
void MechanismProcess::each_joint_row(const Use& use) {
  equations_.rows.choose(mode_);
  equations_.rows.fill();
  for (std::size_t j = 0; j < system_->joints.size(); ++j)
    for (int i = 0; i < system_->joints[j]->rows(); ++i) use(j, equations_.rows[system_->joint_row[j] + i]);
}

bool MechanismProcess::left_limit(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log,
                                  Settled& settled) {
  // The only reader of the mode that ends. Given motion is that of just before: it may jump at this instant, with the
  // switches of its formulas.
  const System& s = *system_;
  if (s.nq == 0) return switch_branches(t, y, fired, log, settled);
  const double just_before = std::nextafter(t, -std::numeric_limits<double>::infinity());
  for (char& closed : mode_.closed) closed = closed != 0;
  rows_mode_ = mode_;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (mode_.friction[u].slide == Slide::slip && problem_.units[u].at_zero && !problem_.units[u].broke_away)
      rows_mode_.friction[u] = FrictionMode{Slide::stick, 0, 0, 0};
    else if (const int contact = s.frictions[u].contact; contact >= 0 && before_.closed[contact] == unloaded)
      rows_mode_.friction[u] = FrictionMode{};  // it held nothing
  // Where the rows are found off, what has just come to touch is put back onto its surface with them.
  positions_mode_ = mode_;
  for (const events::Root& root : fired)
    if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::gap && root.direction < 0)
      positions_mode_.closed[ref.index] = 1;
  if (!restart_.positions(positions_mode_, just_before, y.data(), 8) ||
      !restart_.come_to_rest(rows_mode_, just_before, y.data())) {
    settled.then = Settled::Then::fail;
    settled.status = RunStatus::inconsistent_restart;
    settled.message = "just before t = " + short_number(t) +
                      " s the state cannot be put onto the constraints of its mode: " + restart_.why();
    return false;
  }
  instant_.begin(t, y);
  held_nu_.clear();
  equations_.motion.evaluate(just_before, y.data());
  each_held_row([&](const Row& row) {
    held_nu_.push_back(row.nu);
    instant_.put_on(row);
  });
  each_joint_row([&](std::size_t, const Row& row) { instant_.put_on(row); });
  if (!switch_branches(t, y, fired, log, settled)) return false;
  equations_.motion.evaluate(t, y.data());
  std::size_t i = 0;
  bool jumps = false;
  each_held_row([&](const Row& row) { jumps |= std::abs(row.nu - held_nu_[i++]) > instant_.zero_speed(row); });
  each_joint_row([&](std::size_t j, const Row& row) {
    if (std::abs(equations_.motion.free_speed(row)) > instant_.zero_speed(row)) driven_[j] = 1;
  });
  if (jumps) instant_.given_motion_jumped();
  return true;
}

EventRecord MechanismProcess::driven_record(double t, const ImpactOutcome& impact, std::span<const double> y) {
  // Of the first joint that is driven, over its rows that jump.
  const auto j = static_cast<std::size_t>(std::find(driven_.begin(), driven_.end(), 1) - driven_.begin());
  EventRecord r = lines_.line(t, nullptr, "impact", system_->joints[j]->name, y_impact_, y);
  double speed = 0, impulse = 0;
  equations_.motion.evaluate(t, y_impact_.data());
  each_joint_row([&](std::size_t joint, const Row& row) {
    if (joint == j) speed = std::hypot(speed, equations_.motion.free_speed(row));
  });
  for (int i = 0; i < system_->joints[j]->rows(); ++i)
    impulse = std::hypot(impulse, impact.reaction[system_->joint_row[j] + i]);
  equations_.motion.evaluate(t, y.data());
  r.gap_velocity_before = speed;
  r.impulse_n = impulse;
  return r;
}

}  // namespace hstar
