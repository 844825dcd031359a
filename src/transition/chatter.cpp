// src/transition/chatter.cpp
#include "transition/chatter.hpp"

#include <algorithm>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {

void FollowedGap::fly(double gap, double speed, double acceleration, double blur) {
  gap_ = gap;
  blur_ = blur;
  speed_ = speed;
  acceleration_ = acceleration;
}

void FollowedGap::lose_speed() {
  gap_ = speed_ = 0;
  state_ = State::rests;
}

void FollowedGap::bend(double acceleration) {
  const double change = acceleration - acceleration_;
  bent_ = acceleration_ + change / 2;
  acceleration_ += change / 3;
}

double FollowedGap::part(double change, double time) const {
  const double all = std::abs(speed_) + std::abs(acceleration_) * time;
  return all > 0 ? std::abs(change) * time / all : 0;
}

double FollowedGap::returns_after() const {
  // The first positive root of g + u t + a t^2 / 2, without cancellation.
  const double g = gap_, u = speed_, a = acceleration_;
  const double square = u * u - 2 * a * g;
  if (g == far || square < 0) return far;
  if (u < 0) return 2 * g / (std::sqrt(square) - u);
  return a < 0 ? (u + std::sqrt(square)) / -a : far;
}

double FollowedGap::height(double time) const {
  const double g = gap_, u = speed_, a = acceleration_;
  const double highest = a < 0 && u > 0 ? std::min(-u / a, time) : u > 0 || a > 0 ? time : 0.0;
  return std::max(g, g + highest * (u + 0.5 * a * highest));
}

void FollowedGap::advance(double time, bool strikes) {
  if (gap_ == far) return;
  const double u = speed_, a = acceleration_, gap = gap_ + time * (u + 0.5 * a * time);
  const double terms = gap_ + time * (std::abs(u) + 0.5 * std::abs(a) * time);
  // (Let go by its forces what has lost its speed is open after the shortest flight, whatever the blur of its
  // velocity.)
  const bool opens = rests() && u == 0 && a > 0 && time > 0;
  if (strikes || (!opens && gap <= tolerances::zero_gap * terms + time * blur_))
    gap_ = 0;
  else
    gap_ = opens ? std::max(gap, tolerances::lowest_gap) : gap;
  speed_ = u + a * time;
}

void Chatter::reset() {
  follows_ = false;
  for (FollowedGap& contact : contacts_) {
    contact.fly(std::numeric_limits<double>::infinity(), 0, 0);
    contact.leave();
  }
  stop_ = {};
}

double Chatter::still(std::size_t contact) const {
  return contacts_[contact].rests() ? tolerances::hardly * still() : still();
}

void Chatter::arrive(std::size_t contact) {
  contacts_[contact].lose_speed();
  stop_ = {static_cast<int>(contact), -1, 0};
}

void Chatter::arrive() {
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (contacts_[c].bounces() && !contacts_[c].rests()) arrive(c);
}

Chatter::Flight Chatter::next() {
  Flight flight = stop_;
  bool strikes_again = false;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (!contacts_[c].moves()) continue;
    const double time = contacts_[c].returns_after();
    if (time < flight.lasts) flight = {static_cast<int>(c), -1, time};
    strikes_again |= contacts_[c].bounces() && time <= lasted_;
  }
  if (strikes_again) return flight;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const FollowedGap& gap = contacts_[c];
    if (gap.bounces() && !gap.rests() && gap.speed() > 0 && gap.speed() <= tolerances::hardly * still()) arrive(c);
  }
  return stop_.contact >= 0 ? stop_ : flight;  // (one that arrives does so at once)
}

void Chatter::advance(const Flight& flight) {
  lasted_ += flight.lasts;
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    contacts_[c].advance(flight.lasts, static_cast<int>(c) == flight.contact);
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
