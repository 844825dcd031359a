// src/integrator/arc.cpp
#include "integrator/arc.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

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

/// As many states that move have equations of their own.
constexpr std::size_t few = 4;

/// Calls use with the number of states that move as a constant if they are few, else with 0.
template <class Use>
void with_size(std::size_t m, const Use& use) {
  switch (m) {
    case 1:
      return use(std::integral_constant<std::size_t, 1>());
    case 2:
      return use(std::integral_constant<std::size_t, 2>());
    case 3:
      return use(std::integral_constant<std::size_t, 3>());
    case few:
      return use(std::integral_constant<std::size_t, few>());
    default:
      return use(std::integral_constant<std::size_t, 0>());
  }
}

/// out = factor (out + A x).
template <std::size_t N>
void product(const double* A, const AffineRates& rates, const double* x, double factor, double* out) {
  if constexpr (N > 0) {
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
void bound_next(const double* A, const AffineRates& rates, const double* x, double factor, double* out) {
  const std::size_t m = N > 0 ? N : rates.size();
  if constexpr (N > 0) {
    std::array<double, N> sum{};
#pragma GCC unroll 4
    for (std::size_t j = 0; j < N; ++j)
#pragma GCC unroll 4
      for (std::size_t i = 0; i < N; ++i) sum[i] += std::abs(A[j * N + i]) * x[j];
    std::copy(sum.begin(), sum.end(), out);
  } else {
    std::fill(out, out + m, 0.0);
    for (std::size_t j = 0; j < m; ++j)
      for (const AffineRates::Entry& e : rates.column(j)) out[e.row] += std::abs(e.value) * x[j];
  }
  for (std::size_t i = 0; i < m; ++i) out[i] *= factor;
}

double part_of(double way, double longest) { return way <= longest ? way : way < 2 * longest ? 0.5 * way : longest; }

}  // namespace

Arc::Arc(std::size_t size)
    : n_(size),
      moves_(size),
      A_(few * few),
      b_(size),
      b_size_(size),
      c_(size),
      meets_(size),
      y0_(size),
      terms_((most_terms + 1) * size),
      rows_(most_terms * size),
      work_(most_terms * size),
      error_(size) {
  moving_.reserve(size);
}

void Arc::begin(const AffineRates& rates, std::span<const double> y0) {
  rates_ = &rates;
  for (std::size_t i = 0; i < n_; ++i) moves_[i] = rates.constant()[i] != 0 || rates.by_time()[i] != 0;
  for (std::size_t j = 0; j < n_; ++j)
    if (y0[j] != 0)
      for (const AffineRates::Entry& e : rates.column(j)) moves_[e.row] = 1;
  // (What a state that moves acts on moves too. Of more than a few it is not asked.)
  const auto are_few = [&] { return std::count(moves_.begin(), moves_.end(), 1) <= static_cast<std::ptrdiff_t>(few); };
  for (bool more = true; more && are_few();) {
    more = false;
    for (std::size_t j = 0; j < n_; ++j)
      if (moves_[j])
        for (const AffineRates::Entry& e : rates.column(j)) more |= !std::exchange(moves_[e.row], 1);
  }
  gather(y0);
}

void Arc::gather(std::span<const double> y0) {
  const auto all = static_cast<std::size_t>(std::count(moves_.begin(), moves_.end(), 1)) > few;
  moving_.clear();
  for (std::size_t i = 0; i < n_; ++i)
    if (moves_[i] || all) moving_.push_back(i);
  if (moving_.empty()) moving_.push_back(0);
  m_ = moving_.size();
  std::fill_n(b_size_.begin(), n_, 0.0);
  const auto of = [&](const std::vector<double>& x) { return [&](std::size_t i) { return x[i]; }; };
  std::transform(moving_.begin(), moving_.end(), c_.begin(), of(rates_->by_time()));
  std::transform(moving_.begin(), moving_.end(), b_.begin(), of(rates_->constant()));
  for (std::size_t i = 0; i < m_; ++i) {
    b_size_[i] = std::abs(b_[i]);
    meets_[i] = !rates_->column(moving_[i]).empty();
  }
  if (all) return;
  for (std::size_t i = 0; i < m_; ++i) {
    const double* row = rates_->by_y().data() + moving_[i] * n_;
    for (std::size_t j = 0; j < m_; ++j) A_[j * m_ + i] = row[moving_[j]];
    for (std::size_t j = 0; j < n_; ++j) {
      if (moves_[j]) continue;
      b_[i] += row[j] * y0[j];
      b_size_[i] += std::abs(row[j] * y0[j]);
    }
  }
}

double Arc::follow(double t0, std::span<const double> y0, double way, double longest) {
  t0_ = t0;
  rows_known_ = error_known_ = false;
  std::copy(y0.begin(), y0.end(), y0_.begin());
  for (std::size_t i = 0; i < m_; ++i) term(0)[i] = y0[moving_[i]];
  const auto on_grid = [&](double h) { return h < way ? (t0 + h) - t0 : way; };
  const double reach = rates_->norm() > 0 ? theta / rates_->norm() : way;
  h_ = on_grid(part_of(way, std::min(longest, reach)));
  if (!(h_ > 0)) return 0;
  with_size(m_, [&](auto size) { expand<size()>(); });
  if (const double whole = on_grid(part_of(way, longest)); ends_ && h_ < whole) {
    stretch(whole / h_);
    h_ = whole;
  }
  return h_;
}

bool Arc::is_annihilated(const double* x) const {
  for (std::size_t j = 0; j < m_; ++j)
    if (x[j] != 0 && meets_[j]) return false;
  return true;
}

template <std::size_t N>
void Arc::expand() {
  const std::size_t m = N > 0 ? N : n_;
  const bool in_time = rates_->depends_on_time();
  double* largest = work_.data();
  for (std::size_t i = 0; i < m; ++i) {
    largest[i] = std::abs(term(0)[i]);
    term(1)[i] = b_[i] + c_[i] * t0_;
    term(2)[i] = h_ * c_[i];
  }
  int small = 0;  // terms in a row that nobody can see beside what has been summed up
  for (int k = 1;; ++k) {
    double* now = term(static_cast<std::size_t>(k));
    if (k > 2) std::fill(now, now + m, 0.0);
    product<N>(A_.data(), *rates_, now - m, h_ / k, now);
    bool is_small = true;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < m; ++i) {
      const double size = std::abs(now[i]);
      largest[i] = std::max(largest[i], size);
      is_small &= size <= negligible * largest[i];
    }
    small = is_small ? small + 1 : 0;
    last_ = static_cast<std::size_t>(k);
    ends_ = (k > 1 || !in_time) && is_annihilated(now);
    if (ends_ || last_ == most_terms || (k > 2 && small == enough_small)) return;
  }
}

void Arc::stretch(double factor) {
  double power = 1;
  for (std::size_t k = 1; k <= last_; ++k) {
    power *= factor;
    for (std::size_t i = 0; i < m_; ++i) term(k)[i] *= power;
  }
}

template <std::size_t N>
void Arc::sum_up(double x, double* y) const {
  const std::size_t m = N > 0 ? N : n_;
  std::array<double, few> few_sums{};
  double* sum = N > 0 ? few_sums.data() : y;
  std::copy(term(last_), term(last_) + m, sum);
  for (std::size_t k = last_; k-- > 0;) {
    const double* now = term(k);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < m; ++i) sum[i] = now[i] + x * sum[i];
  }
  if constexpr (N > 0)
    for (std::size_t i = 0; i < m; ++i) y[moving_[i]] = sum[i];
}

void Arc::at(double x, std::span<double> y) const {
  std::copy(y0_.begin(), y0_.end(), y.begin());
  with_size(m_, [&](auto size) { sum_up<size()>(x, y.data()); });
}

/// P(x) = P(1) + (1-x) Q(x) and P(x) = P(0) + x Q(x) in turn: the coefficients of Q are those of P without the lowest,
/// in the first case each summed up with all after it and with the other sign, which is kept aside.
void Arc::find_rows() {
  double sign = 1;
  std::copy(term(1), term(1) + last_ * m_, work_.begin());
  std::fill_n(rows_.begin(), last_ * n_, 0.0);
  for (std::size_t r = 0; r < last_; ++r) {
    double* lowest = work_.data() + r * m_;
    if (r % 2 == 0)
      for (double* x = work_.data() + (last_ - 1) * m_; x-- > lowest;) *x += x[m_];
    double* row = rows_.data() + r * n_;
    for (std::size_t i = 0; i < m_; ++i) row[moving_[i]] = sign * lowest[i];
    if (r % 2 == 0) sign = -sign;
  }
  // (a product of r + 1 factors x, 1-x, x, ... is below 2^-r)
  const auto is_negligible = [&](int r) {
    for (std::size_t i = 0; i < m_; ++i) {
      double largest = 0;
      for (std::size_t k = 0; k <= last_; ++k) largest = std::max(largest, std::abs(term(k)[i]));
      if (std::ldexp(std::abs(row_of(r)[moving_[i]]), -r) > negligible * largest) return false;
    }
    return true;
  };
  degree_ = static_cast<int>(last_);
  while (degree_ > most_rows || (degree_ > 1 && is_negligible(degree_ - 1))) --degree_;
  rows_known_ = true;
  error_known_ = false;  // of the rows too
}

std::span<const double> Arc::error() {
  if (!error_known_) with_size(m_, [&](auto size) { find_error<size()>(); });
  return error_;
}

template <std::size_t N>
void Arc::find_error() {
  const std::size_t m = N > 0 ? N : n_;
  std::array<double, 3 * few> few_numbers{};
  double* error = N > 0 ? few_numbers.data() : work_.data();
  // Each term: the error of the one before it, multiplied, and the round-off of its own operations.
  const double operations = static_cast<double>(n_ + 3) * round_off;
  double *carried = error + m, *next = carried + m;
  for (std::size_t i = 0; i < m; ++i) {
    carried[i] = 0;
    error[i] = 2 * round_off * std::abs(term(0)[i]);
  }
  for (std::size_t k = 1; k <= last_; ++k) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < m; ++i) carried[i] += operations * std::abs(term(k - 1)[i]);
    const double factor = h_ / static_cast<double>(k), sums = 2 * static_cast<double>(k) * round_off;
    bound_next<N>(A_.data(), *rates_, carried, factor, next);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < m; ++i) {
      if (k == 1) next[i] += factor * operations * (b_size_[i] + std::abs(c_[i] * t0_));
      if (k == 2) next[i] += factor * operations * h_ * std::abs(c_[i]);
      error[i] += next[i] + sums * std::abs(term(k)[i]);
    }
    std::swap(carried, next);
  }
  if (!ends_) {
    std::transform(term(last_), term(last_) + m, carried, [](double x) { return std::abs(x); });
    std::size_t k = last_ + 1;
    for (; k <= last_ + bounded_terms; ++k) {
      bound_next<N>(A_.data(), *rates_, carried, h_ / static_cast<double>(k), next);
      for (std::size_t i = 0; i < m; ++i) error[i] += next[i];
      std::swap(carried, next);
    }
    const double ratio = h_ * rates_->norm() / static_cast<double>(k);
    double largest = 0;
    for (std::size_t i = 0; i < m; ++i) largest = std::max(largest, carried[i] / rates_->scales()[moving_[i]]);
    for (std::size_t i = 0; i < m; ++i) error[i] += largest * ratio / (1 - ratio) * rates_->scales()[moving_[i]];
  }
  std::fill(error_.begin(), error_.end(), 0.0);
  for (std::size_t i = 0; i < m; ++i) error_[moving_[i]] = error[i];
  if (rows_known_)
    for (int r = degree_; r < static_cast<int>(last_); ++r)
      for (std::size_t i = 0; i < n_; ++i) error_[i] += std::ldexp(std::abs(row_of(r)[i]), -r);
  error_known_ = true;
}

}  // namespace hstar::integrator
