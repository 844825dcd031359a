// src/integrator/ida_scales.hpp
//
// How large positions, speeds and multipliers of a mechanism are, each in its own unit: what round-off leaves of them,
// and with that how far an iteration can come. One size for metres and radians would let the short and slow ones be
// less accurate than their own tolerance as soon as that comes near round-off: Andrews' squeezer measures 0.05 m and
// turns through 16 rad, and its angles hang on the positions of its pins.
#pragma once

#include <vector>

#include "hstar/dae.hpp"

namespace hstar::integrator {

class IdaScales {
 public:
  explicit IdaScales(const DaeProblem& problem);

  /// A segment begins with y = (q, v, s), a and lambda; the problem's last evaluated point is this one.
  void begin(DaeProblem& problem, const double* y, const double* a, const double* lambda);
  /// A step has come to y.
  void see(const double* y);

  /// Of entry i of q and of v: what they are to be compared with. Never zero but for the speed in a state of rest
  /// without acceleration.
  [[nodiscard]] double size(std::size_t i) const { return kind_[of_place_[i]].size; }
  [[nodiscard]] double speed(std::size_t i) const { return kind_[of_[i]].speed; }
  [[nodiscard]] double force() const { return force_; }
  [[nodiscard]] double fastest() const { return kind_[0].speed > kind_[1].speed ? kind_[0].speed : kind_[1].speed; }
  /// Shortest time [s] in which a motion with the accelerations at the beginning changes by `share` of its speed.
  [[nodiscard]] double time_to_change(double share) const;
  /// Shortest time [s] in which it comes from rest as far as atol + rtol * size.
  [[nodiscard]] double time_to_move(double atol, double rtol) const;

 private:
  struct Kind {
    double size, speed = 0, acceleration = 0;
  };
  static constexpr double kShort = 1e-3;  ///< [m] no mechanism is smaller
  static constexpr double kTurn = 1;      ///< [rad] what a lever's end moves, over the lever

  Kind kind_[2] = {{kShort}, {kTurn}};  ///< lengths, angles
  double force_ = 1;
  std::vector<unsigned char> of_, of_place_;  ///< kind of each velocity, of each entry of q
  std::vector<double> along_, about_;         ///< largest slope of each row by lengths, by angles
  DaeEntries rows_;
};

}  // namespace hstar::integrator
