// tests/support/differences.hpp
//
// First and second derivatives of a smooth scalar function by central differences with four levels of
// Richardson extrapolation: truncation O(h^8), so that round-off of the function is all that is left
// (about 1e-13 / h for the first and 1e-13 / h^2 for the second derivative of a function of size one).
#pragma once

namespace support {

template <class Difference>
double extrapolate(double h, const Difference& difference) {
  double column[4];
  for (double& d : column) {
    d = difference(h);
    h *= 0.5;
  }
  double power = 1;
  for (int level = 1; level < 4; ++level) {
    power *= 4;
    for (int i = 3; i >= level; --i) column[i] += (column[i] - column[i - 1]) / (power - 1);
  }
  return column[3];
}

template <class F>
double derivative(const F& f, double t, double h = 0.1) {
  return extrapolate(h, [&](double s) { return (f(t + s) - f(t - s)) / (2 * s); });
}

template <class F>
double second_derivative(const F& f, double t, double h = 0.1) {
  return extrapolate(h, [&](double s) { return ((f(t + s) - f(t)) - (f(t) - f(t - s))) / (s * s); });
}

}  // namespace support
