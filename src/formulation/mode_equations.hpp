// src/formulation/mode_equations.hpp
//
// The equations of motion of a mechanism in one mode, solved for accelerations and multipliers:
//   M a = f + Phi_q^T lambda + W_N lambda_N + W_T lambda_T,   all rows of the mode held at acceleration level,
// with sliding friction lambda_T = -d mu(|gamma_T|) N(lambda) - viscous gamma_T resolved implicitly where N is
// a reaction. The same rows serve velocities (projection, impact). Owns its scratch; allocates only when constructed.
//
// A unit that slides in k > 1 directions (space) has k rows while it sticks, and while it slips one: along its sliding
// direction d = sign(gamma_T . d_ref) gamma_T / |gamma_T|, taken at each evaluation (docs/spatial-friction.md). d_ref
// is the direction at the beginning of a step; whoever steps keeps it (set_slide_reference, update_slide_references).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "formulation/mode.hpp"
#include "formulation/row_factors.hpp"
#include "math/islands.hpp"
#include "math/saddle.hpp"
#include "math/tolerances.hpp"
#include "mechanism/system.hpp"

namespace hstar {

/// Another way to solve M a = f + G^T lambda, G a = rhs for the chosen rows than the saddle-point solver.
class RowSolver {
 public:
  virtual ~RowSolver() = default;
  /// Factorises for the chosen rows at the last evaluated state. False if singular.
  virtual bool factor() = 0;
  virtual void solve(const double* f, const double* rhs, double* a, double* lambda) = 0;
};

class ContactShares;
class LinearMode;
class LinearModes;

class ModeEquations {
 public:
  /// `linear_modes`: modes whose equations are linear are tabulated (linear_mode.hpp).
  explicit ModeEquations(std::shared_ptr<const System> system, bool linear_modes = true);
  ~ModeEquations();

  [[nodiscard]] const System& system() const { return *system_; }

  /// Kinematics, applied forces and joint rows at (t, y). Independent of the mode.
  void evaluate(double t, const double* y);
  /// The state is that at which other equations of the same system were evaluated last, with their sliding directions.
  void stand_where(const ModeEquations& other);
  /// Kinematics only (gaps, velocities).
  void evaluate_kinematics(double t, const double* y) { system_->update(kin_, t, y); }

  /// Chooses the rows of a mode: joint rows, then closed contacts' normal rows, then stuck units' rows.
  void choose_rows(const Mode& mode);
  /// Finds redundant rows among the chosen ones at the last evaluated state; returns how many.
  /// `stick_tolerance`: of the rows of stuck units, if it is larger.
  int find_redundant(double tolerance = math::dependent_row, double stick_tolerance = math::dependent_in_square);
  /// Chooses the rows of a mode, fills them at the last evaluated state and finds the redundant ones.
  int take_rows(const Mode& mode) {
    choose_rows(mode);
    fill_rows(mode);
    return find_redundant();
  }
  /// Factorises for the chosen rows as they were filled last; nothing to do while rows that never change keep their
  /// factors. False if singular.
  bool factor_rows();
  /// Solves the mode at the last evaluated state, by `solver` if there is one. `gamma_shift`, one entry a chosen
  /// row, is added to gamma. False if singular or friction does not converge.
  bool solve(const Mode& mode, RowSolver* solver = nullptr, const double* gamma_shift = nullptr);
  /// evaluate() and solve() in one; a linear mode by its matrix, and the applied forces stay as they were.
  bool solve_at(const Mode& mode, double t, const double* y);
  /// Rates of q and v at (t, y), nq + nv entries of ydot; in a linear mode nothing else is computed.
  bool rates_at(const Mode& mode, double t, const double* y, double* ydot);
  /// The matrices of a mode; nullptr if it is not linear.
  [[nodiscard]] const LinearMode* linear(const Mode& mode) const;
  /// The same equations for impulses: M v+ = momentum + G^T Lambda, G v+ = target by chosen row, sliding
  /// units with Lambda_T = -d mu Lambda_N. `acceleration()` is then v+, multipliers are impulses. The
  /// kinematics of the last evaluate are used. mu by friction unit.
  bool solve_impact(const Mode& mode, const double* momentum, const double* target, const double* mu);

  /// q_dot = N(q) v and the accelerations of the last solve into ydot (nq + nv entries).
  void store_rates(const double* y, double* ydot) const;

  // Results of solve, valid until the next.
  [[nodiscard]] const std::vector<double>& acceleration() const {
    return a_;
  }  ///< System::slots(); 0 for prescribed bodies
  /// By chosen row.
  [[nodiscard]] const std::vector<double>& multipliers() const { return lambda_; }
  [[nodiscard]] double joint_multiplier(int row) const { return lambda_[row]; }
  [[nodiscard]] const double* joint_multipliers(int joint) const { return lambda_.data() + system_->joint_row[joint]; }
  [[nodiscard]] double contact_force(int contact) const;  ///< lambda_N; 0 if open
  [[nodiscard]] double friction_force(int unit) const {
    return friction_[unit];
  }  ///< lambda_T (moment for pins); of several directions along d, and |lambda_T| if the unit sticks
  /// lambda_T by direction of the unit.
  void friction_forces(int unit, double* lambda) const;
  [[nodiscard]] double normal_force(int unit) const { return normal_[unit]; }  ///< N >= 0 times the lever
  /// [N, N m] until a stuck unit breaks away in the direction of +1 (mu_static N - lambda_T) or of -1; with several
  /// directions in any (mu_static N - |lambda_T|). Of one that creeps: +1 until it is held by itself again, -1 (several
  /// directions) until it slides.
  [[nodiscard]] double stick_reserve(int unit, int direction) const;
  /// lambda_N, or of a contact that touches how far it is from being pressed [N].
  [[nodiscard]] double press_reserve(int contact) const;
  /// Determinant of the sliding friction of a sliding unit's island in the last solution: for one contact
  /// (G_NN - d mu G_NT) / G_NN. Where it passes through zero, normal forces have a pole (Painleve 1895).
  [[nodiscard]] double regularity(int unit) const;
  /// f += J^T multiplier, f by slot.
  void add_row(const Row& row, double multiplier, double* f) const {
    const int columns = system_->columns;
    for (std::size_t i = 0; i < 2; ++i) {
      double* block = f + columns * row.body[i];
      for (int c = 0; c < columns; ++c) block[c] += row.J[i][c] * multiplier;
    }
  }
  /// J a, a by slot.
  [[nodiscard]] double row_times(const Row& row, const double* a) const {
    const int columns = system_->columns;
    double sum = 0;
    for (std::size_t i = 0; i < 2; ++i)
      for (int c = 0; c < columns; ++c) sum += row.J[i][c] * a[columns * row.body[i] + c];
    return sum;
  }
  /// J v - nu with the free bodies' velocities (prescribed motion is in nu).
  [[nodiscard]] double free_speed(const Row& row) const;
  /// Phi of the joints and gaps of closed contacts by chosen row, 0 of stuck units.
  void positions(double* phi) const;
  /// M v at the last evaluated kinematics, by slot; 0 where there is no mass.
  void momentum(double* p) const;
  /// Force along the row of a unit that slides or is viscous: known + coefficient |reaction|, its lever included.
  struct SlideForce {
    Row row;
    std::array<double, most_directions> direction{};  ///< d
    double known = 0, coefficient = 0;
  };
  /// At the last evaluated state. False: it has none in this mode.
  bool slide_force(const Mode& mode, int unit, SlideForce& force) const;
  /// Scale of the force terms of a unit, for round-off.
  [[nodiscard]] double force_scale() const { return force_scale_; }

  // Rows and motion at the last evaluated state.
  [[nodiscard]] const Kinematics& kinematics() const { return kin_; }
  [[nodiscard]] Kinematics& kinematics() { return kin_; }
  /// Tangential row of a friction unit (folded), at the last evaluated kinematics: of several directions the one along
  /// d, which goes to `direction`.
  void tangent_row(int unit, Row& row, double* direction = nullptr) const;
  /// All rows of a unit's gamma_T (folded), one a direction.
  void tangent_rows(int unit, Row* rows) const;
  void normal_row(int contact, Row& row) const;
  [[nodiscard]] double slide_velocity(int unit) const;  ///< gamma_T; of several directions gamma_T . d
  /// gamma_T by direction of the unit; returns |gamma_T|.
  double slide_velocities(int unit, double* gamma) const;
  /// |gamma_T|.
  [[nodiscard]] double slide_speed(int unit) const;
  /// gamma_T . d_ref of a unit with several directions, gamma_T d_ref in steps of +1 of others.
  [[nodiscard]] double slide_along_reference(int unit) const;
  /// d_ref (need not be of length 1) and the speed s_ref for which it was taken. d = d_ref where |gamma_T| is not more
  /// than 1e-6 s_ref or `floor`, what is round-off of gamma_T.
  void set_slide_reference(int unit, const double* direction, double speed, double floor);
  /// Nothing slides, and |gamma_T| <= floor is round-off: d = d_ref there, which set_slide_direction() may give (0
  /// leaves it as it is).
  void set_slide_floor(int unit, double floor);
  /// While it slides: below this |gamma_T| is not more than an error.
  void raise_slide_floor(int unit, double floor);
  [[nodiscard]] double slide_floor(int unit) const { return (*reference_)[unit].floor; }
  void set_slide_direction(int unit, const double* direction);
  /// From now on those of other equations of the same system, which whoever steps keeps.
  void share_slide_references(const ModeEquations& from) { reference_ = from.reference_; }
  /// The direction in which each slipping unit now slides becomes its d_ref, unless it has just stopped.
  void update_slide_references(const Mode& mode);
  [[nodiscard]] const std::array<double, most_directions>& slide_reference(int unit) const {
    return (*reference_)[unit].direction;
  }
  [[nodiscard]] double reference_speed(int unit) const { return (*reference_)[unit].speed; }
  /// gamma_T at y of a unit whose row never changes (FrictionUnit::velocity_is_linear); nothing need be evaluated.
  [[nodiscard]] double slide_velocity(int unit, const double* y) const;
  [[nodiscard]] double gap_velocity(int contact) const;  ///< gamma_N
  /// J a - gamma of a row with the last solution: rate of its velocity.
  [[nodiscard]] double row_acceleration(const Row& row) const;

  /// The chosen rows, for velocity problems.
  [[nodiscard]] int row_count() const { return m_; }
  [[nodiscard]] const Row& row(int i) const { return rows_[i]; }
  [[nodiscard]] std::string row_name(int i) const;
  /// Index among the chosen rows of a closed contact's normal row or a stuck unit's first row; -1 if not chosen.
  [[nodiscard]] int contact_row(int contact) const { return contact_row_[contact]; }
  [[nodiscard]] int stick_row(int unit) const { return stick_row_[unit]; }
  /// Fills the chosen rows at the last evaluated kinematics (joint rows included).
  void fill_rows(const Mode& mode);
  [[nodiscard]] math::SaddleSolver& saddle() { return factors_.solver(); }
  [[nodiscard]] const math::SaddleSolver& saddle() const { return factors_.solver(); }
  [[nodiscard]] const math::SaddleRow* saddle_rows() const { return saddle_rows_.data(); }
  /// The island of the chosen rows that a body belongs to; -1 for a prescribed body.
  [[nodiscard]] int island(int body) const { return islands_.of(body); }
  /// Applied forces with gravity at the last evaluated state, System::slots().
  [[nodiscard]] const std::vector<double>& load() const { return f_; }
  [[nodiscard]] const std::vector<double>& mass() const { return mass_; }

  std::size_t solves = 0;  ///< counted for the summary

 private:
  bool finish(const Mode& mode);
  /// Force of a stuck unit: its multiplier, or the length of all of them.
  [[nodiscard]] double held_force(int unit) const;
  // mode_rows.cpp
  void fill_constant_rows();
  void join_islands();
  void compute_tangent_rows(int unit, Row* rows) const;
  void compute_normal_row(int contact, Row& row) const;
  [[nodiscard]] std::array<int, 2> bodies_of(const FrictionUnit& unit) const;
  /// Forces of contacts that depend on each other: those of contact_shares.hpp.
  bool share_forces(const Mode& mode);
  // mode_friction.cpp
  bool solve_friction(const Mode& mode);
  bool solve_friction_of(int island, const Mode& mode);
  void link_sliding();
  void reserve_friction(std::size_t units_of_one_island);
  bool factor() { return solver_ ? solver_->factor() : factor_rows(); }
  void solve_rows(const double* f, const double* rhs, double* a, double* lambda) {
    if (solver_)
      solver_->solve(f, rhs, a, lambda);
    else
      factors_.solver().solve(f, rhs, a, lambda);
  }

  std::shared_ptr<const System> system_;
  std::unique_ptr<LinearModes> linear_;  ///< null: no mode of this system is linear
  Kinematics kin_;
  std::vector<double> mass_;  // by slot, as the saddle solver wants it
  RowFactors factors_;
  RowSolver* solver_ = nullptr;  ///< of the solve that runs; nullptr: that of factors_
  std::vector<double> f_, a_, lambda_, rhs_;
  std::vector<Row> rows_;
  std::vector<math::SaddleRow> saddle_rows_;
  int m_ = -1;  ///< none chosen yet
  std::vector<int> contact_row_, stick_row_, closed_, stuck_, choice_;
  std::vector<int> varying_joints_;            ///< the rows of the others are filled once
  std::vector<Row> tangent_row_, normal_row_;  ///< by unit and contact, where they never change
  bool constant_ = false;                      ///< none of the chosen rows ever changes
  std::vector<double> friction_, normal_;
  struct SlideReference {
    std::array<double, most_directions> direction{1, 0, 0};
    double speed = 0, floor = 0, largest = 0;  ///< largest: speed so far
  };
  std::shared_ptr<std::vector<SlideReference>> reference_;            ///< by unit
  std::vector<std::array<double, most_directions>> slide_direction_;  ///< d of the last solution, by unit
  std::vector<int> guide_row_;  ///< unit of a guide: the row whose size is its normal force; -1 for others
  // sliding units whose normal force is a reaction
  struct Sliding {
    int unit;
    double coefficient;  // -d mu lever
    Row row;
    int next = -1;   // in the same island
    int number = 0;  // among those of the island
  };
  std::vector<Sliding> sliding_;
  math::Islands islands_, joint_islands_{islands_};
  std::vector<int> first_sliding_, last_sliding_, sliding_islands_;  ///< by first body of the island
  std::vector<double> response_a_, response_lambda_, tau_, residual_, jacobian_, lambda_base_, a_base_, derivative_,
      zero_, load_, product_;
  std::vector<int> pivot_;
  double force_scale_ = 0;
  std::vector<double> island_regularity_;  ///< by first body, of islands with sliding units
  std::unique_ptr<ContactShares> shares_;  ///< made when contacts first depend on each other
  bool shared_ = false;                    ///< the last solution has forces of shares_
  bool forces_wanted_ = true;              ///< false: only accelerations
};

}  // namespace hstar
