// src/python/dense_store.hpp
//
// The interpolants of all steps of a run, so that the solution can be read at any time afterwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "hstar/flow.hpp"
#include "mechanism/system.hpp"

namespace hstar::python {

/// Each step is kept as its values at Chebyshev points of the second kind, as many as the interpolant has degrees plus
/// one: for polynomial interpolants that is the interpolant itself (barycentric formula, Berrut & Trefethen 2004).
class DenseStore {
 public:
  /// Length of the state; known when the run begins.
  void set_size(std::size_t size) { size_ = size; }
  /// States are kept in the axes that the system's model is written in (a linear map of the state).
  void write_as(std::shared_ptr<const System> system) {
    if (system->has_own_axes()) system_ = std::move(system);
  }

  void add(Flow& flow, double t_until) {
    const std::size_t nodes = static_cast<std::size_t>(flow.degree() > 0 ? flow.degree() : 8) + 1;
    Piece piece{flow.t0(), t_until, nodes, values_.size()};
    if (!(piece.t1 > piece.t0)) return;
    values_.resize(values_.size() + nodes * size_);
    for (std::size_t k = 0; k < nodes; ++k) {
      const std::span<double> y(values_.data() + piece.first + k * size_, size_);
      flow.at(std::clamp(piece.t0 + node(k, nodes) * (piece.t1 - piece.t0), piece.t0, piece.t1), y);
      if (system_) system_->as_written(y.data());
    }
    pieces_.push_back(piece);
  }

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// State at t: at a jump the one after it; outside the run the nearest step is continued.
  void at(double t, double* y) const {
    auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), t, [](double x, const Piece& p) { return x < p.t0; });
    if (piece != pieces_.begin()) --piece;
    const double s = (t - piece->t0) / (piece->t1 - piece->t0);
    double sum = 0;
    std::fill(y, y + size_, 0.0);
    for (std::size_t k = 0; k < piece->nodes; ++k) {
      const double* value = values_.data() + piece->first + k * size_;
      const double d = s - node(k, piece->nodes);
      if (d == 0) {
        std::copy(value, value + size_, y);
        return;
      }
      double w = (k % 2 == 0 ? 1.0 : -1.0) / d;
      if (k == 0 || k + 1 == piece->nodes) w *= 0.5;
      sum += w;
      for (std::size_t i = 0; i < size_; ++i) y[i] += w * value[i];
    }
    for (std::size_t i = 0; i < size_; ++i) y[i] /= sum;
  }

  struct Piece {
    double t0, t1;
    std::size_t nodes, first;
  };
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  void restore(std::size_t size, std::vector<Piece> pieces, std::vector<double> values) {
    size_ = size;
    pieces_ = std::move(pieces);
    values_ = std::move(values);
  }

 private:
  static double node(std::size_t k, std::size_t nodes) {
    if (k == 0) return 0.0;
    if (k + 1 == nodes) return 1.0;
    const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(nodes - 1);
    return 0.5 * (1 - std::cos(angle));
  }
  std::size_t size_ = 0;
  std::shared_ptr<const System> system_;
  std::vector<Piece> pieces_;
  std::vector<double> values_;
};

}  // namespace hstar::python
