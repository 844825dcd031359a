// src/contact/path_reading.hpp
//
// Which statuses the forces at a compliance tell (regularised.hpp): who is loaded, held, creeps or slips.
#pragma once

#include <vector>

#include "contact/exchange.hpp"
#include "contact/problem.hpp"
#include "contact/regularised.hpp"

namespace hstar::contact {

class PathReading {
 public:
  void reserve(std::size_t rows);
  /// Of a path that begins: no rates are known yet. O(units).
  void begin(const Problem& p);
  /// At the compliance eps, with the friction `mu` by unit. What pushes less than `clear` of the largest force is open.
  void read(const Problem& p, const Regularised& path, const std::vector<double>& mu, double eps);
  /// What is pressed by hardly anything beside others is read as loaded, too, where the last reading found it open.
  /// False: there is none.
  bool press_least(const Problem& p, const Regularised& path, const std::vector<double>& mu);
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  Status status_;
  std::vector<double> rate_;  ///< by unit: at the compliance before
};

}  // namespace hstar::contact
