// src/simulate/friction_watch.hpp
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mechanism/system.hpp"

namespace hstar {

/// Formulas of coefficients of friction and of prescribed normal forces, which may become negative: friction then
/// counts none. Said once for each.
class FrictionWatch {
 public:
  explicit FrictionWatch(const System& system);
  [[nodiscard]] bool watches() const { return !watched_.empty(); }
  void look(double t, std::span<const double> y);
  [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

 private:
  struct Watched {
    std::string owner;
    const char *key, *unit;
    const BoundExpression* formula;
  };
  const System& system_;
  Kinematics kin_;
  std::vector<Watched> watched_;  ///< those of which nothing has been said
  std::vector<std::string> notices_;
};

}  // namespace hstar
