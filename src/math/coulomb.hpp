// src/math/coulomb.hpp
//
// Contact and dry friction as one complementarity problem on matrices: k elements, each with a normal
// direction (row 2i) and a tangential one (row 2i + 1), whose rates answer forces by
//   a = c + G f,    f = (lambda_N0, lambda_T0, lambda_N1, ...),
//   0 <= a_N  _|_  lambda_N >= 0,    stick: a_T = 0, |lambda_T| <= mu_static N,    slip d: d a_T >= 0, lambda_T = -d
//   mu_kinetic N.
// G = W^T M^-1 W with the bilateral rows held (Delassus 1917). Knows matrices only.
#pragma once

#include <vector>

#include "math/lcp.hpp"
#include "math/small_lp.hpp"

namespace hstar::math {

enum class Hold : signed char {
  open,
  closed,  ///< a contact without friction
  stick,
  slip_plus,
  slip_minus
};

struct CoulombElement {
  enum class Normal : unsigned char {
    contact,  ///< unilateral, lambda_N = f[2i]
    guide,    ///< N = |normal_0 + normal_by f|: a bilateral joint's reaction
    given,    ///< N = normal_0 >= 0
    sum       ///< N = normal_by f >= 0: the normal forces of contacts that share one tangential direction
  };
  enum class Tangent : unsigned char {
    none,
    slips,     ///< gamma_T != 0: slides in `direction`
    undecided  ///< gamma_T = 0
  };
  Normal normal = Normal::contact;
  Tangent tangent = Tangent::none;
  signed char direction = 0;
  double mu_static = 0, mu_kinetic = 0;
  double normal_0 = 0;
  double tangent_0 = 0;     ///< slips: further force (viscous)
  bool lifting = false;     ///< lambda_N has just reached zero: closed only if clearly pressed again
  bool broke_away = false;  ///< its stick limit has just been reached: sticks only if clearly inside again
  signed char heading = 0;  ///< direction in which it broke away; decides when a_T is zero
};

struct CoulombProblem {
  std::vector<CoulombElement> element;
  std::vector<double> G;          ///< 2k x 2k, row-major; rows of directions that do not exist are zero
  std::vector<double> c;          ///< 2k
  std::vector<double> scale;      ///< 2k: size of the terms of c, for round-off
  std::vector<double> normal_by;  ///< k x 2k, rows of guides and sums
  double force_scale = 0;         ///< size of the known forces, for round-off

  [[nodiscard]] int count() const { return static_cast<int>(element.size()); }
  /// k elements, all numbers zero. Allocates only beyond the largest k so far.
  void resize(int k);
};

/// How a problem was answered.
struct CoulombAnswer {
  bool found = false;
  bool weak = false;        ///< a rate that should be positive is zero to round-off
  bool counted = false;     ///< `consistent` is the number of all consistent combinations
  int consistent = 0;       ///< else 1
  bool split = false;       ///< forces are not unique: one admissible split of many is given
  double residual = 0;      ///< largest violation of the laws, relative to the size of the terms
  int ties = 0;             ///< elements on the boundary of their law: what comes next decides them
  double combinations = 0;  ///< of the elements' options
};

class CoulombSolver {
 public:
  /// Up to so many combinations are tried one by one, most sticking first, then most closed.
  static constexpr double few = 64;
  /// Up to so many are counted if asked.
  static constexpr double many = 4096;
  /// Enumeration gives up beyond.
  static constexpr double most = 100000;

  /// Room for k elements: no allocation for problems up to that size afterwards.
  explicit CoulombSolver(int k = 4) { reserve(k); }
  void reserve(int k);

  /// The combination taken: most sticking elements, then most closed contacts, then least f^T G f (the motion nearest
  /// to that without these forces, as in Gauss's principle). hold() and force() are it. Beyond `few`, with mu_static >
  /// mu_kinetic, an answer none of whose slipping elements could stick instead.
  /// `count_all`: count the other consistent combinations too, where there are at most `many`.
  /// Cost: O(k^3) a combination tried; beyond `few` usually some four of them, with mu_static > mu_kinetic one more
  /// for each slipping element.
  CoulombAnswer solve(const CoulombProblem& problem, bool count_all);
  /// All combinations tried, whatever their number (<= most).
  CoulombAnswer enumerate(const CoulombProblem& problem, bool count_all);
  /// By following what is violated (coulomb_active.cpp). With mu_static > mu_kinetic: all stuck, or else an answer that
  /// holds with mu_kinetic alone. Not found: it did not come to an end.
  CoulombAnswer by_active_set(const CoulombProblem& problem);
  /// By Lemke's method on the planar friction problem (Glocker & Pfeiffer 1992), mu_static > mu_kinetic by repeating it
  /// with the elements at their limit slipping, or (`kinetic`) with mu_kinetic in the place of mu_static. Not found: a
  /// ray (never with `kinetic` where nothing slides yet), or the answer does not satisfy the laws.
  CoulombAnswer by_lcp(const CoulombProblem& problem, bool kinetic = false);

  /// One given combination, solved and judged: 0 inconsistent, 1 weak, 2 consistent.
  int judge(const CoulombProblem& problem, const Hold* hold);
  /// The consistent combinations, each `count` Holds, after each other, in the order they are tried; at most `limit`.
  void list(const CoulombProblem& problem, std::vector<Hold>& all, int limit = 64);

  /// Whether element i of the answer is on the boundary of its law: a force that holds at its limit, a rate of zero
  /// where one could begin.
  [[nodiscard]] bool is_tied(const CoulombProblem& problem, int i) const;

  [[nodiscard]] const std::vector<Hold>& hold() const { return best_; }
  [[nodiscard]] const std::vector<double>& force() const { return best_force_; }  ///< 2k
  [[nodiscard]] const std::vector<double>& rate() const { return best_rate_; }    ///< 2k

 private:
  struct Option {
    Hold hold;
    signed char side;  ///< sign of a guide's normal force while it slips
  };
  struct Options {
    int count = 0;
    Option option[6];
  };
  void options_of(const CoulombProblem& p, int i, Options& out) const;
  // coulomb_search.cpp
  void count_below(const CoulombProblem& p);
  template <class Use>
  bool descend(int element, int sticks, int opens, const Use& use);
  template <class Use>
  void each(const CoulombProblem& p, int fewest_sticking, const Use& use);
  double compulsion(const CoulombProblem& p, const double* force) const;
  int best_of_classes(const CoulombProblem& p, int fewest_sticking, int worst_verdict, bool count_all, int* consistent);
  CoulombAnswer answer_of(const CoulombProblem& p, int verdict);
  [[nodiscard]] int sticking(const CoulombProblem& p) const;
  bool stick_too(const CoulombProblem& p, int from, int to);  ///< elements order_[from] to order_[to - 1]
  void stick_more(const CoulombProblem& p, CoulombAnswer& answer);
  // coulomb_active.cpp
  [[nodiscard]] Hold closed_hold(const CoulombElement& e) const;
  [[nodiscard]] Option asked_for(const CoulombProblem& p, int i, bool kinetic, double forces) const;
  void load(const CoulombProblem& p);
  double prepare(const CoulombProblem& p);             ///< options of every element; number of combinations
  enum class Split : unsigned char { least, inside };  ///< least norm, or inside all cones where there is one
  bool solve_combination(const CoulombProblem& p, Split how);
  void expand(const CoulombProblem& p, int m);  ///< forces of the unknowns
  void find_rates(const CoulombProblem& p);     ///< of the present forces
  // coulomb_split.cpp
  void split_inside(const CoulombProblem& p);  ///< the forces of the combination solved last
  void least_norm(int m, int rank);
  void furthest_inside(const CoulombProblem& p, double largest);
  [[nodiscard]] double least_slack(const CoulombProblem& p) const;
  // coulomb.cpp
  int verdict(const CoulombProblem& p);
  int try_combination(const CoulombProblem& p);
  [[nodiscard]] double normal(const CoulombProblem& p, int i, const double* f) const;
  [[nodiscard]] double residual(const CoulombProblem& p);
  void keep_best();
  CoulombAnswer by_lcp_path(const CoulombProblem& p, bool kinetic, int path);
  bool hold_all_at_rest(const CoulombProblem& p);
  bool lcp_round(const CoulombProblem& p, bool kinetic, int path, bool& again);

  std::vector<Options> options_;
  struct Below {
    int stick, open;  ///< how many of the elements before this one can
  };
  std::vector<Below> below_;
  std::vector<double> ways_, speed_;
  std::vector<int> order_;
  std::vector<Option> now_;  ///< the combination being tried
  std::vector<Option> next_;
  std::vector<double> force_, rate_, size_;
  std::vector<double> per_unit_;
  std::vector<double> unit_;  ///< 2k: sqrt(G_ii), 1 where zero: rates over it and forces times it are comparable
  bool split_ = false;
  std::vector<Hold> best_;
  std::vector<signed char> best_side_;
  std::vector<double> best_force_, best_rate_;
  bool best_split_ = false;
  // the linear system of a combination
  std::vector<int> unknown_, column_;  ///< index in f; column order after pivoting
  std::vector<double> a_, b_, x_, slope_, gram_;
  int unknowns_ = 0, rank_ = 0;
  // splits
  SmallLp lp_;
  struct Edge {
    int element;
    double normal, tangent;  ///< force of it, a unit of weight
  };
  std::vector<Edge> of_;
  std::vector<double> edge_, cost_, weight_, right_, multiplier_, side_;
  std::vector<int> place_, row_, equation_;  ///< position of an unknown, equation of a pivot, pivot or element of one
  // Lemke
  Lemke lemke_{0};
  std::vector<double> m_, q_, z_, cover_;
  std::vector<int> at_;             ///< first unknown of element i in the LCP
  std::vector<signed char> slips_;  ///< direction of an element known to slip, 0: to be found
  std::vector<double> response_, offset_, lcp_force_;
};

}  // namespace hstar::math
