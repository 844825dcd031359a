// include/hstar/rate_slopes.hpp
//
// What an OdeProblem may offer besides its rates. Implicit methods ask for it with a dynamic_cast; where it is not
// there they take difference quotients.
#pragma once

namespace hstar {

class RateSlopesProblem {
 public:
  virtual ~RateSlopesProblem() = default;
  /// The derivatives of the rates by y, row-major, exact to round-off, and by t, where what does not depend on t has
  /// the slope 0; `dt` is a time over which differences may be taken. False where they are not known. Must not allocate
  /// after the first call.
  virtual bool rate_slopes(double t, const double* y, double dt, double* by_y, double* by_t) = 0;
};

}  // namespace hstar
