// src/formulation/dae_turning.hpp
//
// Orientations of a mechanism's bodies in a DaeProblem, q' = N(q) v. In space displacements are those of the centres
// and rotation vectors in body axes, so that M is constant, and orientations are moved on their group (Bruels & Cardona
// 2010); the parameters p are what is stored. In the plane q' = v. Angles over whole turns are kept with them.
#pragma once

#include <memory>
#include <vector>

#include "hstar/dae.hpp"
#include "mechanism/system.hpp"

namespace hstar {

class DaeTurning : public DaeProblem {
 public:
  explicit DaeTurning(std::shared_ptr<const System> system);

  [[nodiscard]] int coordinates() const final { return system_->nv; }
  [[nodiscard]] int places() const final { return system_->nq; }
  [[nodiscard]] int states() const final { return system_->ns; }
  [[nodiscard]] bool is_angle(int i) const final { return is_angle_[i] != 0; }
  [[nodiscard]] bool is_turned(int i) const final { return is_turned_[i] != 0; }
  void displace(const double* q0, const double* displacement, double* q) final;
  void displace_slopes(const double* displacement, std::vector<DaeTurn>& out) final;
  void place_rates(const double* q, const double* v, double* q_dot) final;
  void settle(double c0, const double* past, const double* v, double* q) final;
  void follow_turns(double t, double* y) final;
  void settle_slopes(double c0, const double* v, std::vector<DaeTurn>& out) final;
  void turning(const double* q, const double* q_dot, double* out) final;
  void turning_slopes(const double* q, const double* q_dot, DaeEntries& by_rate, DaeEntries& by_q) final;

 protected:
  std::shared_ptr<const System> system_;

 private:
  std::vector<unsigned char> is_angle_, is_turned_;  ///< of each velocity, of each entry of q
  std::vector<double> slots_, state_;
  Kinematics end_of_step_;
};

}  // namespace hstar
