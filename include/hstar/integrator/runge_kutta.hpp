// include/hstar/integrator/runge_kutta.hpp
//
// Any explicit Runge-Kutta pair from its tableau. A tableau is a struct of numbers (see tableau/ode23.hpp); zero
// coefficients cost nothing, because the compiler unrolls the sums over the stages.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "hstar/integrator/dense_rows.hpp"
#include "hstar/integrator/flow_options.hpp"
#include "hstar/integrator/step_control.hpp"
#include "hstar/integrator/vector.hpp"

namespace hstar::integrator {

template <class T, class State = std::vector<double>>
class RungeKutta {
  static constexpr std::size_t stages = T::stages;
  static constexpr std::size_t extra = T::extra;          ///< stages that only the dense output needs
  static constexpr std::size_t all = stages + 1 + extra;  ///< slope number `stages` is y' at the end

 public:
  using Vector = State;
  static constexpr int order = T::order;
  static constexpr int degree = 3 + static_cast<int>(T::dense.size());
  static constexpr bool gives_end_rates = T::error_uses_end;
  static constexpr bool large_weights = [] {
    bool large = false;
    for (const auto& row : T::a) {
      for (const double weight : row) {
        large = large || weight > 20 || weight < -20;
      }
    }
    return large;
  }();
  using Control = typename T::Control;

  RungeKutta(std::size_t n, const FlowOptions&) : stage_(zeros<Vector>(n)) { k_.fill(stage_); }

  template <class Rates>
  bool step(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new, Vector& f_new) {
    if (!finish(rates, t, y, f, h, y_new)) {
      return false;
    }
    if constexpr (gives_end_rates) {
      last_ = &f_new;
      return rates(t + h, y_new.data(), f_new.data());
    }
    return true;
  }

  template <class Rates>
  bool finish(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new) {
    first_ = &f;
    if (!run_stages<1>(rates, t, y, h)) {
      return false;
    }
    combine<stages>([](std::size_t j) { return T::b[j]; }, y, h, y_new);
    return true;
  }

  void local_error(double h, Vector& e) const {
    each(
        stage_, [&](std::size_t i) __attribute__((always_inline)) {
          const double main = sum<stages + 1>([](std::size_t j) { return T::error[j]; }, h, i);
          if constexpr (requires { T::second_error; }) {
            // Two estimates blended so that the product falls with the order of the pair (Hairer, Norsett & Wanner
            // 1993, II.10): e5^2 / sqrt(e5^2 + 0.01 e3^2).
            const double second = sum<stages + 1>([](std::size_t j) { return T::second_error[j]; }, h, i);
            const double size = std::sqrt(main * main + 0.01 * second * second);
            e[i] = size > 0 ? main * main / size : size;
          } else {
            e[i] = std::abs(main);
          }
        });
  }

  template <class Rates>
  bool dense(const Rates& rates, double t, double h, const Vector& y0, const Vector& f0, const Vector& y1,
             const Vector& f1, DenseRows<Vector, degree>& rows) {
    first_ = &f0;
    last_ = &f1;
    if (!run_extra<0>(rates, t, y0, h)) {
      return false;
    }
    hermite_rows(h, y0, f0, y1, f1, rows);
    add_rows<0>(h, rows);
    return true;
  }

 private:
  /// How many of the weights before the j-th are not zero. A `Weights` is a captureless function of the index, so that
  /// its values are constants to the compiler.
  template <class Weights>
  static constexpr std::size_t rank(std::size_t j) {
    std::size_t count = 0;
    for (std::size_t l = 0; l < j; ++l) count += Weights{}(l) != 0 ? 1U : 0U;
    return count;
  }

  /// Adds c w_j k_j, component i, to one of two sums that the processor builds side by side.
  template <class Weights, std::size_t J>
  [[gnu::always_inline]] void add(std::array<double, 2>& s, double c, std::size_t i) const {
    constexpr double weight = Weights{}(J);
    if constexpr (weight != 0) {
      constexpr std::size_t before = rank<Weights>(J);
      const double term = (c * weight) * slope<J>(i);
      s[before % 2] = before < 2 ? term : s[before % 2] + term;
    }
  }

  /// sum_j c w_j k_j, component i: unrolled and without the zeros.
  template <std::size_t Count, class Weights>
  [[gnu::always_inline]] double sum(Weights, double c, std::size_t i) const {
    std::array<double, 2> s{};
    [&]<std::size_t... J>(std::index_sequence<J...>) __attribute__((always_inline)) { (add<Weights, J>(s, c, i), ...); }
    (std::make_index_sequence<Count>{});
    return rank<Weights>(Count) < 2 ? s[0] : s[0] + s[1];
  }

  /// out = y + sum_j (h w_j) k_j. y is added once, so that its size does not round the sum off at every term.
  template <std::size_t Count, class Weights>
  [[gnu::always_inline]] void combine(Weights w, const Vector& y, double h, Vector& out) const {
    constexpr std::size_t last = Count - 1;
    [[maybe_unused]] constexpr double weight = Weights{}(last);
    // clang-format off
    each(stage_, [&](std::size_t i) __attribute__((always_inline)) {
      // Inside the step the newest slope comes last, so that everything else is ready when it is known. At its end
      // fewer roundings count more, because they add up from step to step; so they do where large weights enlarge them.
      if constexpr (Count == stages || large_weights) {
        out[i] = y[i] + h * sum<Count>(w, 1.0, i);
      } else if constexpr (last == 0) {
        out[i] = y[i] + (h * weight) * slope<last>(i);
      } else {
        out[i] = (y[i] + sum<last>(w, h, i)) + (h * weight) * slope<last>(i);
      }
    });
    // clang-format on
  }

  template <std::size_t S, class Rates>
  bool run_stages(const Rates& rates, double t, const Vector& y, double h) {
    if constexpr (S < stages) {
      combine<S>([](std::size_t j) { return T::a[S][j]; }, y, h, stage_);
      return rates(t + T::c[S] * h, stage_.data(), k_[S].data()) && run_stages<S + 1>(rates, t, y, h);
    } else {
      return true;
    }
  }

  template <std::size_t S, class Rates>
  bool run_extra(const Rates& rates, double t, const Vector& y, double h) {
    if constexpr (S < extra) {
      combine<stages + 1 + S>([](std::size_t j) { return T::extra_a[S][j]; }, y, h, stage_);
      return rates(t + T::extra_c[S] * h, stage_.data(), k_[stages + 1 + S].data()) && run_extra<S + 1>(rates, t, y, h);
    } else {
      return true;
    }
  }

  template <std::size_t R>
  void add_rows(double h, DenseRows<Vector, degree>& rows) const {
    if constexpr (R < T::dense.size()) {
      each(
          stage_, [&](std::size_t i) __attribute__((always_inline)) {
            rows[3 + R][i] = sum<all>([](std::size_t j) { return T::dense[R][j]; }, h, i);
          });
      add_rows<R + 1>(h, rows);
    }
  }

  template <std::size_t J>
  [[gnu::always_inline]] double slope(std::size_t i) const {
    if constexpr (J == 0) {
      return (*first_)[i];
    } else if constexpr (J == stages) {
      return (*last_)[i];
    } else {
      return k_[J][i];
    }
  }

  std::array<Vector, all> k_;  ///< slopes but the first and the one at the end, which the caller keeps:
  const Vector *first_ = nullptr, *last_ = nullptr;
  Vector stage_;
};

}  // namespace hstar::integrator
