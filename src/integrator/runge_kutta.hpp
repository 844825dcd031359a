// src/integrator/runge_kutta.hpp
//
// Any explicit Runge-Kutta pair from its tableau. A tableau is a struct of numbers (see tableau/ode23.hpp); zero
// coefficients cost nothing, because the sums are unrolled by the compiler.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "integrator/dense_rows.hpp"
#include "integrator/flow_options.hpp"
#include "integrator/step_control.hpp"

namespace hstar::integrator {

template <class T>
class RungeKutta {
  using Vector = std::vector<double>;
  static constexpr std::size_t stages = T::stages;
  static constexpr std::size_t extra = T::extra;          ///< stages that only the dense output needs
  static constexpr std::size_t all = stages + 1 + extra;  ///< slope number `stages` is y' at the end

 public:
  static constexpr int order = T::order;
  static constexpr int degree = 3 + static_cast<int>(T::dense.size());
  static constexpr bool gives_end_rates = T::error_uses_end;
  using Control = typename T::Control;

  RungeKutta(std::size_t n, const FlowOptions&) : n_(n), k_(all * n), stage_(n) {}

  bool step(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new, Vector& f_new) {
    if (!finish(rates, t, y, f, h, y_new)) {
      return false;
    }
    if constexpr (gives_end_rates) {
      if (!rates(t + h, y_new.data(), f_new.data())) {
        return false;
      }
      std::copy(f_new.begin(), f_new.end(), slope(stages));
    }
    return true;
  }

  bool finish(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new) {
    std::copy(f.begin(), f.end(), k_.data());
    if (!run_stages<1>(rates, t, y, h)) {
      return false;
    }
    combine<stages>(T::b, y, h, y_new);
    return true;
  }

  void local_error(double h, Vector& e) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const double main = h * sum<stages + 1>(T::error, i);
      if constexpr (requires { T::second_error; }) {
        // Two estimates blended so that the product falls with the order of the pair (Hairer, Norsett & Wanner 1993,
        // II.10): e5^2 / sqrt(e5^2 + 0.01 e3^2).
        const double second = h * sum<stages + 1>(T::second_error, i);
        const double size = std::sqrt(main * main + 0.01 * second * second);
        e[i] = size > 0 ? main * main / size : size;
      } else {
        e[i] = std::abs(main);
      }
    }
  }

  bool dense(const Rates& rates, double t, double h, const Vector& y0, const Vector& f0, const Vector& y1,
             const Vector& f1, DenseRows& rows) {
    std::copy(f1.begin(), f1.end(), slope(stages));
    if (!run_extra<0>(rates, t, y0, h)) {
      return false;
    }
    hermite_rows(h, y0, f0, y1, f1, rows);
    add_rows<0>(h, rows);
    return true;
  }

 private:
  double* slope(std::size_t j) { return k_.data() + j * n_; }

  /// sum_j w_j k_j, component i, unrolled and without the zeros. `Weights` is known at compile time.
  template <std::size_t Count, std::size_t Size>
  [[gnu::always_inline]] double sum(const std::array<double, Size>& w, std::size_t i) const {
    static_assert(Count <= Size);
    const double* k = k_.data() + i;
    double s = 0;
    [&]<std::size_t... J>(std::index_sequence<J...>) { ((w[J] != 0 ? s += w[J] * k[J * n_] : s), ...); }
    (std::make_index_sequence<Count>{});
    return s;
  }

  template <std::size_t Count, std::size_t Size>
  [[gnu::always_inline]] void combine(const std::array<double, Size>& w, const Vector& y, double h, Vector& out) const {
    for (std::size_t i = 0; i < n_; ++i) {
      out[i] = y[i] + h * sum<Count>(w, i);
    }
  }

  template <std::size_t S>
  bool run_stages(const Rates& rates, double t, const Vector& y, double h) {
    if constexpr (S < stages) {
      combine<S>(T::a[S], y, h, stage_);
      return rates(t + T::c[S] * h, stage_.data(), slope(S)) && run_stages<S + 1>(rates, t, y, h);
    } else {
      return true;
    }
  }

  template <std::size_t S>
  bool run_extra(const Rates& rates, double t, const Vector& y, double h) {
    if constexpr (S < extra) {
      combine<stages + 1 + S>(T::extra_a[S], y, h, stage_);
      return rates(t + T::extra_c[S] * h, stage_.data(), slope(stages + 1 + S)) && run_extra<S + 1>(rates, t, y, h);
    } else {
      return true;
    }
  }

  template <std::size_t R>
  void add_rows(double h, DenseRows& rows) const {
    if constexpr (R < T::dense.size()) {
      for (std::size_t i = 0; i < n_; ++i) {
        rows[(3 + R) * n_ + i] = h * sum<all>(T::dense[R], i);
      }
      add_rows<R + 1>(h, rows);
    }
  }

  std::size_t n_;
  Vector k_;  ///< slope j, component i at [j * n + i]
  Vector stage_;
};

}  // namespace hstar::integrator
