// src/integrator/order_choice.hpp: which order the next steps of a method with memory have.
#pragma once

#include <algorithm>
#include <cstddef>

namespace hstar::integrator {

/// What a formula says of its orders after a step.
class OrderCandidates {
 public:
  virtual ~OrderCandidates() = default;
  /// Error in units of the tolerance at order k on the step just taken.
  virtual double neighbour(std::size_t k) = 0;
  /// Length that an error asks for at order k, in steps of the length just taken.
  [[nodiscard]] virtual double length_for(double ratio, std::size_t k) const = 0;
  [[nodiscard]] virtual std::size_t least_order() const = 0;  ///< that a step under error control falls back to
  [[nodiscard]] virtual bool can_raise_order() const = 0;     ///< the memory reaches far enough back
  [[nodiscard]] virtual double worth(double growth) const { return growth; }  ///< of the step that a growth leads to
};

/// Errors the neighbouring orders would have made on the step just taken; the order with the longest next step wins, if
/// it is clearly longer. An order is kept for as many steps as it has points.
class OrderChoice {
 public:
  OrderChoice(OrderCandidates& formula, double most_cut, double most_growth)
      : formula_(formula), most_cut_(most_cut), most_growth_(most_growth) {}

  /// Another order, or a segment, begins.
  void begin() { steps_ = 0; }
  void count_step() { ++steps_; }

  struct Growths {
    double kept, best;  ///< of the step: at the order it had, at the order chosen
  };
  /// Puts the order that follows a step with this error into `order`, which was that of the step.
  Growths choose(std::size_t& order, std::size_t max_order, double ratio) {
    const double kept = growth(ratio, order);
    std::size_t best = order;
    double best_growth = kept;
    if (steps_ > order) {
      if (order > formula_.least_order()) {
        const double lower = growth(formula_.neighbour(order - 1), order - 1);
        if (lower > clearly * best_growth) {
          best = order - 1;
          best_growth = lower;
        }
      }
      if (order < max_order && formula_.can_raise_order()) {
        const double higher = growth(formula_.neighbour(order + 1), order + 1);
        if (higher > clearly * best_growth || (order < 3 && higher >= best_growth)) {
          best = order + 1;
          best_growth = higher;
        }
      }
    }
    if (best != order) {
      order = best;
      begin();
    }
    return {kept, best_growth};
  }

 private:
  static constexpr double clearly = 1.1;

  [[nodiscard]] double growth(double ratio, std::size_t k) const {
    return std::clamp(formula_.length_for(ratio, k), most_cut_, most_growth_);
  }

  OrderCandidates& formula_;
  double most_cut_, most_growth_;
  std::size_t steps_ = 0;  ///< of this order
};

}  // namespace hstar::integrator
