// src/integrator/arc.cpp
#include "integrator/arc.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

namespace hstar::integrator {
namespace {

/// h |A|. Newton's form with the nodes 0, 1, 0, 1, ... leaves out theta^17 / 17! 2^-17 after most_rows rows, which is
/// round-off up to here: twice as far as the Taylor series of that degree reaches.
constexpr double theta = 1.65;
/// The isolation proves roots of polynomials up to this degree (events/src/bernstein.hpp).
constexpr int most_rows = 16;
/// theta^25 / 25! < 2^-65.
constexpr std::size_t most_terms = 24;
/// Part of a component, below which what is left out cannot be told from its round-off.
constexpr double negligible = 0x1p-58;
/// Terms in a row that are negligible, until the series is taken to be at its end; error() bounds what is left out.
constexpr int enough_small = 2;
/// Terms beyond the last one that are bounded one by one and component by component, before the norm bounds the rest.
constexpr std::size_t bounded_terms = 6;

constexpr double round_off = 0.5 * std::numeric_limits<double>::epsilon();

/// Calls use with the number of states as a constant if it is that of one or two coordinates, else with 0.
template <class Use>
void with_size(std::size_t n, const Use& use) {
  if (n == 2)
    use(std::integral_constant<std::size_t, 2>());
  else if (n == 4)
    use(std::integral_constant<std::size_t, 4>());
  else
    use(std::integral_constant<std::size_t, 0>());
}

/// out = factor (out + A x): the compiler takes several components at once where their number is known, and leaves out
/// the zeros of A where it is not.
template <std::size_t N>
void product(const AffineRates& rates, const double* x, double factor, double* out) {
  if constexpr (N > 0) {
    const double* A = rates.by_columns().data();
    std::array<double, N> sum;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < N; ++i) sum[i] = out[i];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < N; ++j)
#pragma GCC unroll 4
      for (std::size_t i = 0; i < N; ++i) sum[i] += A[j * N + i] * x[j];
#pragma GCC unroll 4
    for (std::size_t i = 0; i < N; ++i) out[i] = factor * sum[i];
  } else {
    for (std::size_t j = 0; j < rates.size(); ++j)
      for (const AffineRates::Entry& e : rates.column(j)) out[e.row] += e.value * x[j];
    for (std::size_t i = 0; i < rates.size(); ++i) out[i] *= factor;
  }
}

/// out = factor |A| x, x >= 0.
template <std::size_t N>
void bound_next(const AffineRates& rates, const double* x, double factor, double* out) {
  const std::size_t n = N > 0 ? N : rates.size();
  if constexpr (N > 0) {
    const double* A = rates.by_columns().data();
    std::array<double, N> sum{};
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t i = 0; i < N; ++i) sum[i] += std::abs(A[j * N + i]) * x[j];
    std::copy(sum.begin(), sum.end(), out);
  } else {
    std::fill(out, out + n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
      for (const AffineRates::Entry& e : rates.column(j)) out[e.row] += std::abs(e.value) * x[j];
  }
  for (std::size_t i = 0; i < n; ++i) out[i] *= factor;
}

double part_of(double way, double longest) { return way <= longest ? way : way < 2 * longest ? 0.5 * way : longest; }

}  // namespace

Arc::Arc(std::size_t size)
    : n_(size),
      terms_((most_terms + 1) * size),
      largest_(size),
      rows_(most_terms * size),
      work_(most_terms * size),
      error_(size) {}

bool Arc::is_negligible(const double* x, double factor) const {
  for (std::size_t i = 0; i < n_; ++i)
    if (factor * std::abs(x[i]) > negligible * largest_[i]) return false;
  return true;
}

double Arc::follow(const AffineRates& rates, double t0, std::span<const double> y0, double way, double longest) {
  rates_ = &rates;
  t0_ = t0;
  rows_known_ = error_known_ = false;
  std::copy(y0.begin(), y0.end(), term(0));
  const auto on_grid = [&](double h) { return h < way ? (t0 + h) - t0 : way; };
  const double reach = rates.norm() > 0 ? theta / rates.norm() : way;
  h_ = on_grid(part_of(way, std::min(longest, reach)));
  if (!(h_ > 0)) return 0;
  with_size(n_, [&](auto size) { expand<size()>(); });
  if (const double whole = on_grid(part_of(way, longest)); ends_ && h_ < whole) {
    stretch(whole / h_);
    h_ = whole;
  }
  return h_;
}

template <std::size_t N>
void Arc::expand() {
  const std::size_t n = N > 0 ? N : n_;
  const double *b = rates_->constant().data(), *c = rates_->by_time().data();
  const bool in_time = rates_->depends_on_time();
  double* largest = largest_.data();
  for (std::size_t i = 0; i < n; ++i) {
    largest[i] = std::abs(term(0)[i]);
    term(1)[i] = b[i] + c[i] * t0_;
    term(2)[i] = h_ * c[i];
  }
  int small = 0;  // terms in a row that nobody can see beside what has been summed up
  for (int k = 1;; ++k) {
    double* now = term(static_cast<std::size_t>(k));
    if (k > 2) std::fill(now, now + n, 0.0);
    product<N>(*rates_, now - n, h_ / k, now);
    bool is_small = true;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < n; ++i) {
      const double size = std::abs(now[i]);
      largest[i] = std::max(largest[i], size);
      is_small &= size <= negligible * largest[i];
    }
    small = is_small ? small + 1 : 0;
    last_ = static_cast<std::size_t>(k);
    ends_ = (k > 1 || !in_time) && rates_->annihilates(now);
    if (ends_ || last_ == most_terms || (k > 2 && small == enough_small)) return;
  }
}

void Arc::stretch(double factor) {
  double power = 1;
  for (std::size_t k = 1; k <= last_; ++k) {
    power *= factor;
    for (std::size_t i = 0; i < n_; ++i) {
      term(k)[i] *= power;
      largest_[i] = std::max(largest_[i], std::abs(term(k)[i]));
    }
  }
}

template <std::size_t N>
void Arc::sum_up(double x, double* y) const {
  const std::size_t n = N > 0 ? N : n_;
  std::copy(term(last_), term(last_) + n, y);
  for (std::size_t k = last_; k-- > 0;)
    for (std::size_t i = 0; i < n; ++i) y[i] = term(k)[i] + x * y[i];
}

void Arc::at(double x, std::span<double> y) const {
  with_size(n_, [&](auto size) { sum_up<size()>(x, y.data()); });
}

/// P(x) = P(1) + (1-x) Q(x) and P(x) = P(0) + x Q(x) in turn: the coefficients of Q are those of P without the lowest,
/// in the first case each summed up with all after it and with the other sign, which is kept aside.
void Arc::find_rows() {
  double sign = 1;
  std::copy(term(1), term(1) + last_ * n_, work_.begin());
  for (std::size_t r = 0; r < last_; ++r) {
    double* lowest = work_.data() + r * n_;
    if (r % 2 == 0)
      for (double* x = work_.data() + (last_ - 1) * n_; x-- > lowest;) *x += x[n_];
    double* row = rows_.data() + r * n_;
    for (std::size_t i = 0; i < n_; ++i) row[i] = sign * lowest[i];
    if (r % 2 == 0) sign = -sign;
  }
  degree_ = static_cast<int>(last_);
  // (a product of r + 1 factors x, 1-x, x, ... is below 2^-r)
  while (degree_ > most_rows || (degree_ > 1 && is_negligible(row_of(degree_ - 1), std::ldexp(1.0, 1 - degree_))))
    --degree_;
  rows_known_ = true;
  error_known_ = false;  // of the rows too
}

std::span<const double> Arc::error() {
  if (!error_known_) with_size(n_, [&](auto size) { find_error<size()>(); });
  return error_;
}

template <std::size_t N>
void Arc::find_error() {
  const std::size_t n = N > 0 ? N : n_;
  const double *b = rates_->constant().data(), *c = rates_->by_time().data();
  double* error = error_.data();
  // Each term: the error of the one before it, multiplied, and the round-off of its own operations.
  const double operations = static_cast<double>(n + 3) * round_off;
  double *carried = work_.data(), *next = work_.data() + n;
  for (std::size_t i = 0; i < n; ++i) {
    carried[i] = 0;
    error[i] = 2 * round_off * std::abs(term(0)[i]);
  }
  for (std::size_t k = 1; k <= last_; ++k) {
    for (std::size_t i = 0; i < n; ++i) carried[i] += operations * std::abs(term(k - 1)[i]);
    const double factor = h_ / static_cast<double>(k);
    bound_next<N>(*rates_, carried, factor, next);
    for (std::size_t i = 0; i < n; ++i) {
      if (k == 1) next[i] += factor * operations * (std::abs(b[i]) + std::abs(c[i] * t0_));
      if (k == 2) next[i] += factor * operations * h_ * std::abs(c[i]);
      error[i] += next[i] + 2 * static_cast<double>(k) * round_off * std::abs(term(k)[i]);
    }
    std::swap(carried, next);
  }
  if (!ends_) {
    std::copy(term(last_), term(last_) + n, carried);
    std::size_t k = last_ + 1;
    for (; k <= last_ + bounded_terms; ++k) {
      bound_next<N>(*rates_, carried, h_ / static_cast<double>(k), next);
      for (std::size_t i = 0; i < n; ++i) error[i] += next[i];
      std::swap(carried, next);
    }
    const double ratio = h_ * rates_->norm() / static_cast<double>(k);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, carried[i] / rates_->scales()[i]);
    for (std::size_t i = 0; i < n; ++i) error[i] += largest * ratio / (1 - ratio) * rates_->scales()[i];
  }
  if (rows_known_)
    for (int r = degree_; r < static_cast<int>(last_); ++r)
      for (std::size_t i = 0; i < n; ++i) error[i] += std::ldexp(std::abs(row_of(r)[i]), -r);
  error_known_ = true;
}

}  // namespace hstar::integrator
