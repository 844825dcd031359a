// src/transition/chatter.cpp
#include "transition/chatter.hpp"

#include <algorithm>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {

void FollowedGap::fly(double gap, double speed, double acceleration, double blur, bool own, double round_off) {
  gap_ = gap;
  acceleration_ = acceleration;
  round_off_ = round_off;
  speed_.set(speed, blur, own);
}

void FollowedGap::close() {
  gap_ = acceleration_ = 0;
  speed_.lose();
}

void FollowedGap::lose_speed() {
  gap_ = 0;
  speed_.lose();
  state_ = State::rests;
  lost_ = true;
}

void FollowedGap::bend(double acceleration) {
  const double change = acceleration - acceleration_;
  bent_ = acceleration_ + change / 2;
  acceleration_ += change / 3;
}

double FollowedGap::part(double change, double time) const {
  const double all = std::abs(speed()) + std::abs(acceleration_) * time;
  return all > 0 ? std::abs(change) * time / all : 0;
}

double FollowedGap::returns_after() const {
  // The first positive root of g + u t + a t^2 / 2, without cancellation (and, of bodies that have all but come to
  // rest, without underflow).
  const double g = gap_, u = speed(), a = acceleration_;
  const double square = u * u - 2 * a * g;
  if (g == far || square < 0) return far;
  if (u < 0) return 2 * g / (std::sqrt(square) - u);
  return a < 0 ? (u + std::hypot(u, std::sqrt(2 * g) * std::sqrt(-a))) / -a : far;
}

double FollowedGap::height(double time) const {
  const double g = gap_, u = speed(), a = acceleration_;
  const double highest = a < 0 && u > 0 ? std::min(-u / a, time) : u > 0 || a > 0 ? time : 0.0;
  return std::max(g, g + highest * (u + 0.5 * a * highest));
}

void FollowedGap::advance(double time, bool strikes, double part) {
  if (gap_ == far) return;
  const double u = speed(), a = acceleration_, gap = gap_ + time * (u + 0.5 * a * time);
  const double terms = gap_ + time * (std::abs(u) + 0.5 * std::abs(a) * time);
  // (Let go by its forces what has lost its speed is open after the shortest flight, whatever the blur of its
  // velocity.)
  const bool opens = rests() && u == 0 && a > 0 && time > 0;
  const double blur = std::min(speed_.blur(), part * (std::abs(u) + std::abs(a) * time));
  if (strikes || (!opens && gap <= tolerances::zero_gap * terms + time * blur))
    gap_ = 0;
  else
    gap_ = opens ? std::max(gap, tolerances::lowest_gap) : gap;
  speed_.accelerate(a * time);
}

void Chatter::reset() {
  follows_ = hides_ = false;
  for (FollowedGap& contact : contacts_) contact = {};
  stop_ = {};
}

void Chatter::follow(const Flight& first, double lasted) {
  follows_ = true;
  lasted_ = lasted;
  double blur = 0, fastest = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (!contacts_[c].bounces() && static_cast<int>(c) != first.contact) continue;
    blur = std::max(blur, contacts_[c].known_speed().blur());
    fastest = std::max(fastest, std::abs(contacts_[c].speed()));
  }
  part_ = blur < fastest ? blur / fastest : 1;
}

double Chatter::still(std::size_t contact) const {
  if (!follows_) return 0;
  const GapSpeed& speed = contacts_[contact].known_speed();
  return contacts_[contact].rests() ? tolerances::hardly * speed.still_seen() : speed.still();
}

double Chatter::still() const {
  double still = 0;
  for (const FollowedGap& contact : contacts_)
    if (follows_ && contact.bounces()) still = std::max(still, contact.known_speed().still_seen());
  return still;
}

void Chatter::arrive(std::size_t contact) {
  contacts_[contact].lose_speed();
  stop_ = {static_cast<int>(contact), -1, 0};
}

bool Chatter::goes_on() const {
  return std::any_of(contacts_.begin(), contacts_.end(),
                     [](const FollowedGap& gap) { return gap.bounces() && !gap.rests(); });
}

bool Chatter::arrive_unseen() {
  bool any = false;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const FollowedGap& gap = contacts_[c];
    if (!gap.bounces() || gap.rests() || std::abs(gap.speed()) > tolerances::hardly * gap.known_speed().still_seen())
      continue;
    arrive(c);
    any = true;
  }
  return any;
}

Chatter::Known Chatter::known(std::size_t contact, double speed, double blur) const {
  const FollowedGap& gap = contacts_[contact];
  if (!follows_ || rough_[contact] || !gap.is_near() || !(std::abs(gap.speed() - speed) <= blur))
    return {speed, blur, false};
  return {gap.speed(), std::min(gap.known_speed().known_to(), blur), true};
}

void Chatter::jump(std::size_t contact, double change, double size, double fastest) {
  contacts_[contact].jump(change, size, fastest);
  jumped_ |= change != 0;
}

Chatter::Flight Chatter::next() {
  Flight flight = stop_;
  bool strikes_again = false, strikes_unseen = false;  // anything; something that hardly moves
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (!contacts_[c].moves()) continue;
    const double time = contacts_[c].returns_after();
    if (time < flight.lasts) flight = {static_cast<int>(c), -1, time};
    if (!contacts_[c].bounces() || time > lasted_) continue;
    strikes_again = true;
    strikes_unseen |= contacts_[c].known_speed().is_round_off();
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const FollowedGap& gap = contacts_[c];
    const GapSpeed& speed = gap.known_speed();
    if (!gap.bounces() || gap.rests() || gap.shows() || !(gap.speed() > 0)) continue;
    const bool ends =
        speed.is_own() && speed.is_round_off()
            ? !strikes_unseen
            : !strikes_again && (speed.is_round_off() || gap.speed() <= tolerances::hardly * speed.still());
    if (ends) arrive(c);
  }
  return stop_.contact >= 0 ? stop_ : flight;  // (one that arrives does so at once)
}

void Chatter::advance(const Flight& flight) {
  lasted_ += flight.lasts;
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    contacts_[c].advance(flight.lasts, static_cast<int>(c) == flight.contact, part_);
}

void Followed::add(double flight) {
  ++flights;
  later += flight;
  if (!(flight > 0)) return;
  if (first == 0) first = flight;
  last = {last[1], last[2], flight};
}

double Followed::left() const {
  if (!(last[0] > 0 && last[2] < last[1])) return 0;
  const double ratio = last[2] / last[1];
  const double rest = last[2] * ratio / (1 - ratio);
  // All that has been followed shrinks as its flights do.
  const bool geometric = std::abs(ratio - last[1] / last[0]) <= tolerances::same_ratio * (1 - ratio);
  return geometric && rest * first <= 2 * later * last[2] ? rest : 0;
}

}  // namespace hstar
