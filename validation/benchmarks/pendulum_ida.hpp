// validation/benchmarks/pendulum_ida.hpp
//
// The point-mass pendulum as one writes it by hand on SUNDIALS IDA: stabilised index 2 (Gear, Gupta & Leimkuhler 1985),
//   x' = u + x mu,  y' = v + y mu,  u' = x lambda,  v' = y lambda - g,  x u + y v = 0,  (x^2 + y^2 - 1)/2 = 0,
// dense matrix from the analytic Jacobian, multipliers out of the error test and loosely weighted, exact initial
// values. Nothing allocates between init() and the end. It is the floor that the library is measured against.
#pragma once

#include <vector>

namespace bench {

class HandWrittenPendulum {
 public:
  HandWrittenPendulum();
  ~HandWrittenPendulum();
  HandWrittenPendulum(const HandWrittenPendulum&) = delete;
  HandWrittenPendulum& operator=(const HandWrittenPendulum&) = delete;

  /// (x, y) at t = 1, 2, ..., 10 s, one after the other; what has been reached if IDA gives up.
  const std::vector<double>& run(double rtol);
  [[nodiscard]] long steps() const;

 private:
  struct Memory;
  Memory* m_;
  std::vector<double> positions_;
};

}  // namespace bench
