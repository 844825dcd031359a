// src/transition/impact/incremental.hpp
//
// One contact with friction followed along its normal impulse (Routh 1891): phases of slip, stick and
// reverse slip in which velocities are linear in the impulse.
#pragma once

#include <string>

#include "transition/impact/impact_law.hpp"

namespace hstar {

class IncrementalImpact {
 public:
  explicit IncrementalImpact(const ImpactProblem& problem);

  /// Follows the phases until gamma_N = 0 (compression). False if it never comes (Painleve-like: the
  /// normal velocity does not grow in the last phase).
  bool compress();
  /// Goes on for the given further normal impulse.
  void restore_impulse(double normal);
  /// Goes on until the work of restitution is `work` > 0.
  bool restore_work(double work);

  [[nodiscard]] double normal() const { return normal_; }
  [[nodiscard]] double tangential() const { return tangential_; }
  [[nodiscard]] double compression_work() const { return work_; }  ///< < 0 after compress()
  [[nodiscard]] const std::string& sequence() const { return sequence_; }

 private:
  enum class Phase : signed char { minus = -1, stick = 0, plus = 1 };
  void choose_phase();                       ///< at v_t = 0
  [[nodiscard]] bool locked() const;         ///< sticks, and can then not move in the normal direction either
  [[nodiscard]] double normal_rate() const;  ///< d gamma_N / d Lambda_N in this phase
  [[nodiscard]] double slide_rate() const;
  [[nodiscard]] double slide_end() const;  ///< further normal impulse until slip stops; infinity if it does not
  void advance(double impulse);

  double nn_, nt_, tt_, mu_, vn_, vt_, approach_;
  double normal_ = 0, tangential_ = 0, work_ = 0;
  Phase phase_ = Phase::stick;
  bool first_ = true;
  std::string sequence_;
};

}  // namespace hstar
