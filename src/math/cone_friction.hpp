// src/math/cone_friction.hpp
//
// Solves contact and friction over exact cones (cone_problem.hpp). Existence is not guaranteed (Painleve), nor
// uniqueness; what is returned as found satisfies the laws.
//
// mu_static > mu_kinetic: most sticking first, as math/coulomb.hpp does in the plane. All stick if they can; else the
// units that cannot hold slip with mu_kinetic and the rest is asked again; at the end no unit that slips could stick.
#pragma once

#include <memory>
#include <vector>

#include "math/cone_problem.hpp"

namespace hstar::math {

class ConeSearch;
class ConeSplit;

class ConeSolver {
 public:
  /// Room for problems of so many contacts, units and rows: no heap memory for problems up to that size afterwards.
  explicit ConeSolver(int contacts = 8, int units = 8, int rows = 24);
  ~ConeSolver();
  void reserve(int contacts, int units, int rows);

  /// Cost O(n^3) a Newton step for n rows, usually fewer than 20; a problem is given up after n^3 times steps of 1e9 (a
  /// second). `guess`: forces to start from, n, or null.
  ConeAnswer solve(const ConeProblem& problem, const double* guess = nullptr);

  // The answer to the last problem, by contact, unit and row; longer than that if a problem before was.
  [[nodiscard]] const std::vector<ConeHold>& contact_hold() const { return contact_hold_; }  ///< open or closed
  [[nodiscard]] const std::vector<ConeHold>& unit_hold() const { return unit_hold_; }        ///< open, stick or slip
  /// slip: of the sliding that begins, or as given; stick: of the sliding that -lambda_T would resist, for what is
  /// tied.
  [[nodiscard]] const std::vector<Direction3>& direction() const { return direction_; }
  [[nodiscard]] const std::vector<double>& force() const { return force_; }
  [[nodiscard]] const std::vector<double>& rate() const { return rate_; }
  /// On the boundary of its law: a force that holds at its limit, a rate of zero where one could begin.
  [[nodiscard]] bool contact_is_tied(const ConeProblem& problem, int i) const;
  [[nodiscard]] bool unit_is_tied(const ConeProblem& problem, int j) const;

 private:
  bool all_stick(const ConeProblem& problem);
  bool most_sticking(const ConeProblem& problem, ConeAnswer& answer);
  bool least_sticking(const ConeProblem& problem, const double* guess, ConeAnswer& answer);
  void stick_more(const ConeProblem& problem, ConeAnswer& answer);
  bool release(const ConeProblem& problem);
  void spread(const ConeProblem& problem, ConeAnswer& answer);
  void read(const ConeProblem& problem);
  [[nodiscard]] bool holds(const ConeProblem& problem, const double* force) const;

  std::unique_ptr<ConeSearch> search_;
  std::unique_ptr<ConeSplit> split_;
  std::vector<ConeHold> contact_hold_, unit_hold_;
  std::vector<Direction3> direction_;
  std::vector<double> force_, rate_, size_, kept_;
  std::vector<char> drags_;            ///< by contact: has a viscous force while closed
  std::vector<char> kinetic_, tried_;  ///< by unit: begins to slip with mu_kinetic
};

}  // namespace hstar::math
