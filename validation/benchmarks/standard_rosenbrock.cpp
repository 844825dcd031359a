// validation/benchmarks/standard_rosenbrock.cpp: Odeint's Rosenbrock method by hand, by itself because Boost 1.74's
// uBLAS is no C++20.
#include "standard_rosenbrock.hpp"

#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <exception>

#include "standard_problems.hpp"

namespace bench {

template <class Problem>
std::vector<double> odeint_rosenbrock(double tolerance) {
  namespace odeint = boost::numeric::odeint;
  using Vector = boost::numeric::ublas::vector<double>;
  using Matrix = boost::numeric::ublas::matrix<double>;
  Vector y(Problem::n);
  const auto start = Problem().start;
  std::copy(start.begin(), start.end(), y.begin());
  try {
    odeint::integrate_adaptive(
        odeint::make_controlled(Problem::atol * tolerance, tolerance, odeint::rosenbrock4<double>()),
        std::make_pair([](const Vector& at, Vector& d, double) { Problem::rates(at, d); },
                       [](const Vector& at, Matrix& j, double, Vector& by_time) {
                         j.clear();
                         by_time.clear();
                         Problem::jacobian(at, j);
                       }),
        y, 0.0, Problem::t_end, 1e-6);
  } catch (const std::exception&) {
    return {};
  }
  return {y.begin(), y.end()};
}

template std::vector<double> odeint_rosenbrock<VanDerPol>(double);
template std::vector<double> odeint_rosenbrock<Robertson>(double);
template std::vector<double> odeint_rosenbrock<Oregonator>(double);
template std::vector<double> odeint_rosenbrock<Hires>(double);

}  // namespace bench
