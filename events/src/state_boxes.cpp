// events/src/state_boxes.cpp
#include "state_boxes.hpp"

#include <algorithm>
#include <cmath>

#include "hstar/events/linear_bound.hpp"
#include "row_polynomial.hpp"

namespace hstar::events::detail {
namespace {

/// The part of p on [0, x] (de Casteljau).
void head_of(const Piece& p, double x, Piece& head) {
  auto c = p.b;
  head.n = p.n;
  for (int k = 0; k <= p.n; ++k) {
    head.b[k] = c[0];
    for (int j = 0; j + k < p.n; ++j) c[j] += x * (c[j + 1] - c[j]);
  }
}

/// The part of p on [x, 1].
void tail_of(const Piece& p, double x, Piece& tail) {
  tail = p;
  for (int k = 1; k <= p.n; ++k)
    for (int j = 0; j + k <= p.n; ++j) tail.b[j] += x * (tail.b[j + 1] - tail.b[j]);
}

}  // namespace

StateBoxes::StateBoxes(std::size_t state_size)
    : y0_(state_size, 0.0), y1_(state_size, 0.0), states_(state_size), rates_(state_size) {}

bool StateBoxes::begin(DenseStep& step) {
  step_ = &step;
  const int degree = step.degree();
  if (degree < 1 || degree > LinearBound::max_rows || step.row(degree - 1).size() != y0_.size()) return false;
  step.at(step.t0(), y0_);
  step.at(step.t1(), y1_);
  return true;
}

void StateBoxes::component(std::size_t i, double a, double w) {
  LinearBound rows(y0_[i], y1_[i]);
  for (int r = 1; r < step_->degree(); ++r) rows.add_row(r, step_->row(r)[i]);
  piece_of(rows, whole_);
  head_of(whole_, a + w, head_);
  tail_of(head_, a / (a + w), tail_);
  const auto [lo, hi] = std::minmax_element(tail_.b.begin(), tail_.b.begin() + tail_.n + 1);
  const double noise = rows.noise(), length = w * (step_->t1() - step_->t0());
  states_[i] = {*lo - noise, *hi + noise};
  Range slope{HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < tail_.n; ++k) {
    const double d = tail_.n * (tail_.b[k + 1] - tail_.b[k]);
    slope = {std::min(slope.lo, d), std::max(slope.hi, d)};
  }
  // (the noise of a difference of coefficients, which is what a slope is)
  rates_[i] = {(slope.lo - 2.0 * tail_.n * noise) / length, (slope.hi + 2.0 * tail_.n * noise) / length};
}

void StateBoxes::find(double a, double w, std::span<const std::size_t> which) {
  if (which.empty())
    for (std::size_t i = 0; i < y0_.size(); ++i) component(i, a, w);
  for (const std::size_t i : which) component(i, a, w);
}

}  // namespace hstar::events::detail
