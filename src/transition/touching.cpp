// src/transition/touching.cpp
#include "transition/touching.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/joint_stops.hpp"
#include "mechanism/plane_between.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

double Bounces::flies_since(double start) const { return count > 0 ? last : std::isfinite(opened) ? opened : start; }

void Bounces::add(double t) {
  if (count++ == 0) first = t;
  last = t;
  opened = std::numeric_limits<double>::infinity();
}

Touching::Touching(const ModeEquations& equations, const Instant& instant, const ContactRanges& ranges,
                   const Chatter& chatter, double rtol)
    : equations_(equations),
      instant_(instant),
      ranges_(ranges),
      chatter_(chatter),
      rtol_(rtol),
      contacts_(equations.system().contacts.size()),
      gap_velocity_(contacts_.size()) {}

void Touching::note_closed(const std::vector<char>& closed) {
  for (std::size_t c = 0; c < contacts_.size(); ++c) contacts_[c].touched = closed[c] != 0;
}

bool Touching::any_approaches() const {
  return std::any_of(contacts_.begin(), contacts_.end(), [](const Touch& c) { return c.approaches; });
}

bool Touching::any_leaves(const std::vector<char>& closed) const {
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (contacts_[c].touches && !closed[c] && gap_velocity_[c] > 0) return true;
  return false;
}

void Touching::free_struck(std::vector<char>& closed) const {
  const System& s = equations_.system();
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!closed[c] || !instant_.jumped(s.contacts[c]->first, s.contacts[c]->second)) continue;
    const Row row = equations_.motion.normal_row(static_cast<int>(c));
    const auto [speed, zero, own] = chatter_.known(c, equations_.motion.free_speed(row), instant_.zero_speed(row));
    if (std::abs(speed) > zero) closed[c] = 0;
  }
}

double Touching::find_gap_velocity(std::size_t contact, bool closed) {
  const Row row = equations_.motion.normal_row(static_cast<int>(contact));
  const auto [v, zero, own] = chatter_.known(contact, equations_.motion.free_speed(row), instant_.zero_speed(row));
  const bool still = std::abs(v) <= std::max(zero, chatter_.still(contact));
  gap_velocity_[contact] = still || closed ? 0 : v;
  return still ? 0 : std::abs(v) / instant_.speed_size(row);
}

void Touching::find_seen_velocities() {
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (gap_velocity_[c] != 0) gap_velocity_[c] = equations_.motion.gap_velocity(static_cast<int>(c));
}

bool Touching::may_touch(std::size_t contact, double t, double gap, double length) const {
  // No gap changes faster than the bodies move.
  const Kinematics& k = equations_.motion.kinematics();
  const int turning = k.columns == 3 ? 2 : 3;
  double speed = 0;
  for (const int body : {equations_.system().contacts[contact]->first, equations_.system().contacts[contact]->second})
    for (int column = 0; column < k.columns; ++column)
      speed += (column < turning ? 1 : length) * std::abs(k.velocity(static_cast<std::size_t>(body), column));
  return gap <= std::max(tolerances::same_place * length, tolerances::zero_gap * (length + speed * std::abs(t)));
}

void Touching::find(double t, const std::vector<char>& closed, const std::vector<char>& closed_before) {
  const System& s = equations_.system();
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    Touch& contact = contacts_[c];
    contact.touches = contact.approaches = false;
    gap_velocity_[c] = 0;
    const bool touched = closed[c] || contact.touched;
    if (!touched && chatter_.follows() && !chatter_[c].touches()) continue;
    const double length = s.contacts[c]->gap_scale(equations_.motion.kinematics());
    const double gap = s.contacts[c]->open_gap(equations_.motion.kinematics());
    if (!touched && !chatter_.follows() && !may_touch(c, t, gap, length)) continue;
    const double part = find_gap_velocity(c, closed[c] != 0);
    const bool in_front = gap >= -tolerances::zero_gap * length || (s.is_spatial() && ranges_.front(c));
    // What will touch before the resolution of time has passed touches now. So does what has neither gap nor gap
    // velocity beyond the integrator's error: bodies that have parted without force and fly side by side. (Their gap is
    // as uncertain as all coordinates they have had, also where these happen to be near zero.)
    double touches = tolerances::zero_gap * (length + std::max(0.0, -gap_velocity_[c]) * std::abs(t));
    const bool parted = contact.bounces.count == 0 && std::isfinite(contact.bounces.opened);
    const double error = std::min(rtol_, tolerances::same_place);
    if (parted && part <= error) touches = std::max(touches, error * std::max(length, s.length));
    contact.touches = closed[c] || (chatter_.follows() ? chatter_[c].touches()
                                                       : gap <= touches && (in_front || !ranges_.ranged(c)) &&
                                                             ranges_.can_strike(c, closed_before));
    contact.approaches = contact.touches && gap_velocity_[c] < 0;
  }
}

void Touching::strike_together(double t, const std::vector<char>& closed, const std::vector<char>& closed_before) {
  if (!any_approaches() || chatter_.follows()) return;
  const System& s = equations_.system();
  const double error = std::min(rtol_, tolerances::same_place);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    Touch& contact = contacts_[c];
    if (closed[c] || contact.touched || contact.touches) continue;
    const double gap = std::abs(s.contacts[c]->open_gap(equations_.motion.kinematics()));
    if (gap > error * s.contacts[c]->gap_scale(equations_.motion.kinematics())) continue;
    find_gap_velocity(c, false);
    const double way = -gap_velocity_[c] * (t - contact.bounces.flies_since(start_));
    contact.touches = contact.approaches = way > 0 && gap <= error * way && ranges_.can_strike(c, closed_before);
    if (!contact.touches) gap_velocity_[c] = 0;
  }
}

void Touching::close_at_start(double t, std::vector<char>& closed) {
  start_ = t;
  const System& s = equations_.system();
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const double gap = s.contacts[c]->open_gap(equations_.motion.kinematics()),
                 length = s.contacts[c]->gap_scale(equations_.motion.kinematics());
    // Round-off of coordinates that happen to cancel at this place is that of the whole model.
    const double touches = std::max(tolerances::start_gap * length, tolerances::zero_gap * s.length), least = -touches;
    // Not here, behind the edge, or beside the body.
    if (ranges_.ranged(c) &&
        (!ranges_.in_range(c) || gap < least || !has_plane_between(s, equations_.motion.kinematics(), c)))
      continue;
    if (gap < least) throw InputError(s.contacts[c]->where, start_refusal(*s.contacts[c], gap));
    if (std::abs(gap) <= touches &&
        std::abs(equations_.motion.gap_velocity(static_cast<int>(c))) <= tolerances::start_speed * ranges_.speed_at(c))
      closed[c] = 1;
  }
}

}  // namespace hstar
