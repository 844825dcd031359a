// src/transition/chatter.cpp
#include "transition/chatter.hpp"

#include <algorithm>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {

void Chatter::reset() {
  follows_ = false;
  std::fill(gap_.begin(), gap_.end(), far);
  std::fill(state_.begin(), state_.end(), State::none);
  stop_ = {};
}

void Chatter::fly(std::size_t contact, double gap, double speed, double acceleration, double blur) {
  gap_[contact] = gap;
  blur_[contact] = blur;
  speed_[contact] = speed;
  acceleration_[contact] = acceleration;
}

void Chatter::arrive(std::size_t contact) {
  gap_[contact] = speed_[contact] = 0;
  state_[contact] = State::rests;
  stop_ = {static_cast<int>(contact), -1, 0};
}

void Chatter::arrive() {
  for (std::size_t c = 0; c < gap_.size(); ++c)
    if (state_[c] == State::bounces) arrive(c);
}

double Chatter::still(std::size_t contact) const { return rests(contact) ? tolerances::hardly * still() : still(); }

double Chatter::returns_after(std::size_t contact) const {
  // The first positive root of g + u t + a t^2 / 2, without cancellation.
  const double g = gap_[contact], u = speed_[contact], a = acceleration_[contact];
  const double square = u * u - 2 * a * g;
  if (g == far || square < 0) return far;
  if (u < 0) return 2 * g / (std::sqrt(square) - u);
  return a < 0 ? (u + std::sqrt(square)) / -a : far;
}

Chatter::Flight Chatter::next() {
  Flight flight = stop_;
  bool strikes_again = false;
  for (std::size_t c = 0; c < gap_.size(); ++c) {
    if (gap_[c] == 0 && speed_[c] == 0) continue;
    const double time = returns_after(c);
    if (time < flight.lasts) flight = {static_cast<int>(c), -1, time};
    strikes_again |= state_[c] != State::none && time < far;
  }
  if (strikes_again) return flight;
  for (std::size_t c = 0; c < gap_.size(); ++c)
    if (state_[c] == State::bounces && speed_[c] > 0 && speed_[c] <= tolerances::hardly * still()) arrive(c);
  return stop_.contact >= 0 ? stop_ : flight;  // (one that arrives does so at once)
}

double Chatter::height(std::size_t contact, double time) const {
  const double g = gap_[contact], u = speed_[contact], a = acceleration_[contact];
  const double highest = a < 0 && u > 0 ? std::min(-u / a, time) : u > 0 || a > 0 ? time : 0.0;
  return std::max(g, g + highest * (u + 0.5 * a * highest));
}

double Chatter::part(std::size_t contact, double change, double time) const {
  const double all = std::abs(speed_[contact]) + std::abs(acceleration_[contact]) * time;
  return all > 0 ? std::abs(change) * time / all : 0;
}

void Chatter::advance(const Flight& flight) {
  const double t = flight.lasts;
  for (std::size_t c = 0; c < gap_.size(); ++c) {
    if (gap_[c] == far) continue;
    const double u = speed_[c], a = acceleration_[c], gap = gap_[c] + t * (u + 0.5 * a * t);
    const double terms = gap_[c] + t * (std::abs(u) + 0.5 * std::abs(a) * t);
    gap_[c] = static_cast<int>(c) == flight.contact || gap <= tolerances::zero_gap * terms + t * blur_[c] ? 0.0 : gap;
    speed_[c] = u + a * t;
  }
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
