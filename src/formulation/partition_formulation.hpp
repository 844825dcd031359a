// src/formulation/partition_formulation.hpp
//
// What both partition methods share: only independent coordinates are memory. Dependent entries of y are
// estimates for Newton-Raphson and outputs; the rates are a function of the independent ones. Other coordinates are
// chosen at the ends of accepted steps and at restarts only, where y satisfies all rows and every choice gives the
// same rates: a one-step method does not notice, and there is no integrator memory to convert.
#pragma once

#include <algorithm>
#include <vector>

#include "formulation/coordinate_partition.hpp"
#include "formulation/formulation.hpp"

namespace hstar {

class PartitionFormulation : public Formulation {
 public:
  explicit PartitionFormulation(ModeEquations& equations)
      : equations_(equations), partition_(equations), complete_(equations.system().size()) {}

  void restart(const Mode& mode, double t, const double* y) final {
    repartitions_ += partition_.restart(mode, t, y);
    equations_.evaluate(t, y);
    equations_.solve(mode);
  }

  bool rates(const Mode& mode, double t, const double* y, double* ydot) final {
    std::copy(y, y + complete_.size(), complete_.begin());
    if (!partition_.complete(t, complete_.data())) return false;
    equations_.evaluate(t, complete_.data());
    if (!solve(mode)) return false;
    equations_.store_rates(complete_.data(), ydot);
    return true;
  }

  /// Dependent entries follow the independent ones; the rates do not change by that.
  bool project(const Mode&, double t, double* y) final {
    if (partition_.dependent_count() == 0) return false;
    std::copy(y, y + complete_.size(), complete_.begin());
    if (!partition_.complete(t, complete_.data())) return false;
    std::copy(complete_.begin(), complete_.end(), y);
    ++projections_;
    repartitions_ += partition_.review(t, y);
    return false;
  }

 protected:
  /// Accelerations and multipliers at the state last evaluated.
  virtual bool solve(const Mode& mode) = 0;

  ModeEquations& equations_;
  CoordinatePartition partition_;

 private:
  std::vector<double> complete_;
};

}  // namespace hstar
