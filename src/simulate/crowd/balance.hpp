// src/simulate/crowd/balance.hpp: what a whole run has kept: its energy with the losses told, its momentum with the
// weight and the impulses of the walls.
#pragma once

#include <string>

#include "simulate/crowd/crowd.hpp"

namespace hstar::crowd {

class RunBalance {
 public:
  RunBalance(const Crowd& crowd, double t) : t_start_(t), start_(sums(crowd, t)) {}
  void add(const Due& due, const Struck& done) {
    ++impacts_;
    loss_ += done.loss;
    if (due.first >= 0) return;
    for (std::size_t i = 0; i < 2; ++i) impulse_[i] += done.impulse[i];
  }
  /// Of several contacts at one instant; `impulse`: of walls.
  void add(double loss, const Vec2& impulse) {
    ++impacts_;
    loss_ += loss;
    for (std::size_t i = 0; i < 2; ++i) impulse_[i] += impulse[i];
  }
  /// In words: impacts, and what is left over of both, relative to their sizes.
  [[nodiscard]] std::string told(const Crowd& crowd, double t) const;

  struct Left {
    double energy = 0, momentum = 0;
  };
  [[nodiscard]] Left left_over(const Crowd& crowd, double t) const;

 private:
  /// (Sums of millions: in long double their own round-off is none.)
  using Sum = long double;
  struct Sums {
    Sum energy = 0, size = 0, mass = 0;
    Sum momentum[2] = {0, 0}, momentum_size = 0;
  };
  [[nodiscard]] static Sums sums(const Crowd& crowd, double t);

  double t_start_;
  Sums start_;
  Sum loss_ = 0, impulse_[2] = {0, 0};
  std::size_t impacts_ = 0;
};

}  // namespace hstar::crowd
