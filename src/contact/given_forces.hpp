// src/contact/given_forces.hpp
//
// Rates of given forces, and what counts as round-off of either.
#pragma once

#include <vector>

#include "contact/problem.hpp"

namespace hstar::contact {

class GivenForces {
 public:
  void reserve(int rows);
  void take(const Problem& p, const double* force);

  [[nodiscard]] const double* force() const { return f_.data(); }
  [[nodiscard]] const double* rate() const { return a_.data(); }
  /// Size of the terms of a rate, and the force that causes as much.
  [[nodiscard]] double size(int row) const { return size_[row]; }
  [[nodiscard]] double force_size(int row) const;
  /// Of all forces: sqrt(G_ii) times this is what they change a rate by at most, in rows of any units, since
  /// |G_ij| <= sqrt(G_ii G_jj).
  [[nodiscard]] double largest_change() const;
  /// Largest of some rates, relative to their terms.
  [[nodiscard]] double off(const std::vector<int>& rows) const;
  /// Rates are above the round-off of their terms.
  [[nodiscard]] bool tells(const Problem& p) const;

 protected:
  void find_rates(const Problem& p);  ///< of f_

  int n_ = 0;
  const Problem* p_ = nullptr;
  std::vector<double> f_;

 private:
  std::vector<double> a_, size_;
  double force_scale_ = 0;
};

}  // namespace hstar::contact
