// src/math/cone_search.hpp
//
// The inside of ConeSolver: the problem with one coefficient a unit, as equations in the forces (Alart & Curnier 1991)
//   lambda_N = max(0, lambda_N - rho a_N),    lambda_T = projection of lambda_T - rho a_T on |.| <= mu N,
// and ways to solve them. Rows are scaled by s = sqrt(G_ii), one s a unit: forces s f, rates a / s, so that G has ones
// on its diagonal and rho = 1.
#pragma once

#include <vector>

#include "math/cone_path.hpp"
#include "math/cone_problem.hpp"
#include "math/shortest_solution.hpp"

namespace hstar::math {

class ConeSearch {
 public:
  static constexpr double enough = 1e-12;  ///< residual of a solution
  /// Of impulses that nothing brings nearer, relative to the known ones as well. Contacts of one face whose heights
  /// differ by d (the integrator's error) cannot all stick while the face turns, by d times its angular velocity: that
  /// much is no sliding.
  static constexpr double near = 1e-7;

  void reserve(int contacts, int units, int rows);
  /// Takes the problem (kept by reference until the next) and starts at `guess`, or at zero.
  void load(const ConeProblem& problem, const double* guess);

  std::vector<double> mu;  ///< by unit: the coefficient that holds now
  std::vector<double> f;   ///< scaled forces, where the search is

  /// Gauss-Seidel and Newton in turn, from f as it is, then from other starts; the number of Newton steps.
  enum class Effort : unsigned char { little, all };
  int find(Effort effort = Effort::all);
  void take(const double* force);  ///< unscaled
  /// Of the equations at f, as forces, relative to the largest force.
  double residual();
  /// Whether it is small enough, `enough` or `near`.
  bool solved();
  /// Unscaled forces and rates, and the sizes of the terms of the rates.
  void unscale(double* force, double* rate, double* size) const;
  /// Largest force, or where there are (next to) none, of what the known rates ask for; unscaled. `row`: in whose unit.
  [[nodiscard]] double force_size(int row) const;
  [[nodiscard]] double rate_scale(int row) const { return scale_[static_cast<std::size_t>(row)]; }
  /// N of a unit at forces f (unscaled result).
  [[nodiscard]] double normal(int unit, const double* scaled_force) const {
    return normal(unit, scaled_force, nullptr);
  }

 private:
  static constexpr int small = 30;    ///< rows: up to here what is cheap is tried first
  static constexpr int medium = 120;  ///< rows: up to here what is dear is tried last
  // cone_newton.cpp
  void rates(const double* force, double* a) const;
  [[nodiscard]] double normal(int unit, const double* force, double* slope) const;
  double equations(const double* force, double* phi);  ///< norm of phi
  void jacobian();
  bool shifted_direction();
  bool newton_direction();  ///< from phi_ to step_
  int newton(int most);
  int leap(int most);
  // cone_sweeps.cpp
  void gauss_seidel(int sweeps);
  int stiffen();
  bool newton_weighted(double rho, int most, int& steps);
  bool follow_path(double size, double wide, int most, int& steps);
  void project_contact(int contact);
  void project_unit(int unit);
  [[nodiscard]] double size() const;  ///< of the scaled forces
  [[nodiscard]] double comparable_force() const;

  const ConeProblem* p_ = nullptr;
  int n_ = 0;
  std::vector<double> g_, c_, scale_, weight_;  ///< scaled G and c; s by row; unscaled forces over this are comparable
  std::vector<double> rho_;                     ///< by unit, for sweeps
  bool hasty_ = false;                  ///< more than `small` rows: no step for equations that cannot be solved exactly
  double known_ = 0, known_force_ = 0;  ///< of the forces that the known rates ask for, scaled and not
  std::vector<double> phi_, a_, jac_, step_, from_, best_, soft_, slope_;
  std::vector<int> pivot_;
  ShortestSolution linear_;
  ConePath path_{*this};
  friend ConePath;
};

}  // namespace hstar::math
