// include/hstar/affine_rates.hpp
//
// What an OdeProblem may offer besides its rates: that these are y' = A y + b + c t, known from how it is built and not
// from samples. The integrator `exact` asks for it with a dynamic_cast.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hstar {

class AffineRates {
 public:
  /// A by rows, b, c.
  AffineRates(std::vector<double> by_y, std::vector<double> constant, std::vector<double> by_time);

  [[nodiscard]] std::size_t size() const { return constant_.size(); }
  [[nodiscard]] const std::vector<double>& by_y() const { return by_y_; }
  [[nodiscard]] const std::vector<double>& by_columns() const { return by_columns_; }  ///< A again
  /// A once more: what is not zero in it, column by column.
  struct Entry {
    std::size_t row;
    double value;
  };
  [[nodiscard]] std::span<const Entry> column(std::size_t j) const {
    return std::span(entries_).subspan(first_[j], first_[j + 1] - first_[j]);
  }
  [[nodiscard]] const std::vector<double>& constant() const { return constant_; }
  [[nodiscard]] const std::vector<double>& by_time() const { return by_time_; }

  /// Units of the states, in which norm() is small: positions are measured by what velocities are in the time that the
  /// motion takes.
  [[nodiscard]] const std::vector<double>& scales() const { return scales_; }
  /// Largest row sum of |A| in these units [1/s]: |A x| <= norm() |x| for the largest |x_i| / scales()[i].
  [[nodiscard]] double norm() const { return norm_; }
  [[nodiscard]] bool depends_on_time() const { return depends_on_time_; }

 private:
  void balance();

  std::vector<double> by_y_, by_columns_, constant_, by_time_, scales_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> first_;  ///< by column
  double norm_ = 0;
  bool depends_on_time_ = false;
};

class AffineRatesProblem {
 public:
  virtual ~AffineRatesProblem() = default;
  /// Of the mode that has just begun, valid until it ends; nullptr: not affine, or not known to be.
  virtual const AffineRates* affine_rates() = 0;
};

}  // namespace hstar
