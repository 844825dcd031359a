// events/src/state_boxes.hpp
//
// Bounds of the interpolated state and of its rate on parts of a step: the coefficients of its components in Bernstein
// form bound them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bernstein.hpp"
#include "hstar/events/dense_step.hpp"
#include "hstar/events/guard.hpp"

namespace hstar::events::detail {

class StateBoxes {
 public:
  explicit StateBoxes(std::size_t state_size);

  /// Begins a step. False if its interpolant is not known by rows: there are no boxes then.
  bool begin(DenseStep& step);
  /// Boxes of y and y' on the part [a, a + w] of the step's own time, for the components listed (none: all).
  void find(double a, double w, std::span<const std::size_t> which);
  [[nodiscard]] std::span<const Range> states() const { return states_; }
  [[nodiscard]] std::span<const Range> rates() const { return rates_; }

 private:
  void component(std::size_t i, double a, double w);

  DenseStep* step_ = nullptr;
  std::vector<double> y0_, y1_;
  std::vector<Range> states_, rates_;
  Piece whole_, head_, tail_;
};

}  // namespace hstar::events::detail
