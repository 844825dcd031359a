// src/simulate/islands/freedoms.hpp
//
// A mechanism in which joints with constant rows leave freedoms of their own to each few bodies and only forces couple
// these, affine in t and the motion with constant coefficients: blocks on rails with springs between them. With q = q0
// + Z s, Z^T M Z diagonal,
//   s_i'' = sum_j (K_ij s_j + D_ij s_j') + b_i + c_i t + friction_i,
// each freedom with dry friction of constant limits, or none; s_i' is then the sliding velocity gamma_T.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mechanism/system.hpp"

namespace hstar::islands {

/// Terms K_ij, D_ij of a freedom's acceleration, by another's position and velocity.
struct Coupling {
  int with;
  double stiff, damp;
};

/// Dry friction on one freedom, as accelerations; |friction| <= `holds` at rest, `kinetic` against what slides.
struct DryFriction {
  int unit = -1;  ///< -1: none
  double holds = 0, kinetic = 0;
};

class Freedoms {
 public:
  /// s = 0 is y, or where its own spring holds a freedom that nothing else is coupled with. None: the mechanism is not
  /// of this kind.
  [[nodiscard]] static std::optional<Freedoms> of(const System& system, std::span<const double> y);

  [[nodiscard]] std::size_t count() const { return friction_.size(); }
  /// Of freedom i; where j is coupled with i, i is with j.
  [[nodiscard]] std::span<const Coupling> couplings(int i) const { return part(couplings_, first_coupling_, i); }
  [[nodiscard]] double constant(int i) const { return constant_[i]; }
  [[nodiscard]] double by_time(int i) const { return by_time_[i]; }
  [[nodiscard]] const DryFriction& friction(int i) const { return friction_[i]; }

  /// s and s' of freedom i in y.
  [[nodiscard]] double position(int i, std::span<const double> y) const;
  [[nodiscard]] double velocity(int i, std::span<const double> y) const;
  /// y where every freedom is at its s and s'.
  void write(std::span<const double> s, std::span<const double> v, std::span<double> y) const;

 private:
  friend class FreedomsBuilder;
  /// One entry of a column of Z, and of Z^T M over the freedom's mass.
  struct Entry {
    int place;  ///< among the velocities
    double z, inverse;
  };
  template <class T>
  [[nodiscard]] static std::span<const T> part(const std::vector<T>& all, const std::vector<std::size_t>& first,
                                               int i) {
    const auto at = static_cast<std::size_t>(i);
    return std::span(all).subspan(first[at], first[at + 1] - first[at]);
  }

  std::vector<double> rest_;  ///< y at s = 0, s' = 0
  std::size_t nq_ = 0;
  std::vector<Entry> shape_;
  std::vector<Coupling> couplings_;
  std::vector<std::size_t> first_entry_{0}, first_coupling_{0};
  std::vector<double> constant_, by_time_;
  std::vector<DryFriction> friction_;
};

}  // namespace hstar::islands
