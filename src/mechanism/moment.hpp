// src/mechanism/moment.hpp: when a prescribed function is asked for, and on which branches its switches stand then.
#pragma once

namespace hstar {

struct Moment {
  double t;
  const double* branches;                          ///< of the run; null: each switch as its condition is at t
  Moment(double time, const double* on = nullptr)  // NOLINT(google-explicit-constructor): a time is a moment
      : t(time), branches(on) {}
};

}  // namespace hstar
