// src/formulation/consistent_restart.cpp: projection onto constraints, and assembly.
#include "formulation/consistent_restart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formulation/tolerances.hpp"
#include "math/tolerances.hpp"
#include "mechanism/short_number.hpp"
#include "mechanism/spatial/coordinates.hpp"

namespace hstar {
namespace {
using namespace formulation;
using math::dependent_in_square;

std::string number(double x) { return short_number(x, 6); }

double largest_speed(const System& s, const double* y) {
  double fastest = 0;
  for (int i = 0; i < s.nv; ++i) fastest = std::max(fastest, std::abs(y[s.nq + i]));
  return fastest;
}

/// J v - nu of a row relative to the speeds of the mechanism.
double velocity_residual(const ElementMotion& motion, const Row& row, double fastest) {
  const System& s = motion.system();
  const double speed = motion.free_speed(row);
  double scale = std::abs(row.nu);
  for (std::size_t b = 0; b < 2; ++b)
    for (int c = 0; c < s.columns && !s.bodies[row.body[b]].prescribed; ++c) scale += std::abs(row.J[b][c]) * fastest;
  return speed == 0 ? 0 : speed / scale;
}
}  // namespace

ConsistentRestart::ConsistentRestart(ModeEquations& equations, double dependent)
    : equations_(equations), dependent_(dependent) {
  const System& s = equations.system();
  for (auto* by_row : {&phi_, &target_, &scale_, &lambda_}) by_row->resize(static_cast<std::size_t>(ModeRows::most(s)));
  for (auto* by_slot : {&momentum_, &delta_}) by_slot->resize(s.slots());
}

double ConsistentRestart::position_residual(double t, const double* y) {
  const System& s = equations_.system();
  equations_.motion.evaluate(t, y);
  equations_.rows.fill();
  equations_.rows.positions(phi_.data());
  const double size = std::max(s.length, equations_.motion.kinematics().extent());
  double worst = 0;
  for (int i = 0; i < equations_.rows.count(); ++i) {
    scale_[i] = position_scale(equations_.motion, equations_.rows[i], size);
    if (phi_[i] != 0) worst = std::max(worst, std::abs(phi_[i]) / (scale_[i] + std::numeric_limits<double>::min()));
  }
  return worst;
}

bool ConsistentRestart::positions(const Mode& mode, double t, double* y, int max_iterations) {
  const System& s = equations_.system();
  moved_ = s.normalise(y);
  equations_.rows.choose(mode);
  double before = std::numeric_limits<double>::infinity();
  bool judge_again = false;  // the redundant rows were found off the constraints
  for (int iteration = 0;; ++iteration) {
    const double residual = position_residual(t, y);
    follow_turns(s, equations_.motion.kinematics(), y);
    if (iteration == 0) note_drift(residual, y);
    if (residual <= row_holds || (residual <= residual_floor && residual >= 0.5 * before)) {  // or the round-off floor
      if (judge_again) equations_.rows.find_redundant(dependent_);
      return true;
    }
    if (iteration == max_iterations || !std::isfinite(residual)) {
      // (Rows that depend on others but for next to nothing could be met only far away: where legs lie flat.)
      if (residual <= assembled && only_redundant_rows_are_off()) return true;
      int worst = 0;
      for (int i = 1; i < equations_.rows.count(); ++i)
        if (std::abs(phi_[i]) > std::abs(phi_[worst])) worst = i;
      return fail(equations_.rows.name(worst) + " is violated by " + number(phi_[worst]));
    }
    before = residual;
    // Off the constraints by d, a row that depends on others on them has a part of the order of d that looks new: it is
    // left out of this correction. Where it does not depend on them the next one, nearer, takes it in.
    const double tolerance = std::clamp(of_drift * residual, dependent_, farthest_joint);
    const double stick_tolerance = std::clamp(of_drift * position_drift_, dependent_in_square, farthest_stick);
    const int redundant = equations_.rows.find_redundant(tolerance, stick_tolerance);
    judge_again = tolerance > dependent_ && redundant > 0;
    if (!solve_correction()) return fail("the constraint Jacobian is singular");
    s.displace(delta_.data(), 1.0, y);
    moved_ = true;
  }
}

bool ConsistentRestart::solve_correction() {
  if (!equations_.rows.factor()) return false;
  std::fill(momentum_.begin(), momentum_.end(), 0.0);
  for (int i = 0; i < equations_.rows.count(); ++i) target_[i] = -phi_[i];
  equations_.rows.saddle().solve(momentum_.data(), target_.data(), delta_.data(), lambda_.data());
  return true;
}

bool ConsistentRestart::only_redundant_rows_are_off() const {
  for (int i = 0; i < equations_.rows.count(); ++i)
    if (!equations_.rows.saddle().is_redundant(i) && std::abs(phi_[i]) > residual_floor * scale_[i]) return false;
  return true;
}

double ConsistentRestart::largest_residual() const {
  double largest = 0;
  for (int i = 0; i < equations_.rows.count(); ++i) largest = std::max(largest, std::abs(phi_[i]));
  return largest;
}

void ConsistentRestart::note_drift(double position_residual, const double* y) {
  const System& s = equations_.system();
  const double fastest = largest_speed(s, y);
  position_drift_ = std::isfinite(position_residual) ? position_residual : 0.0;
  velocity_drift_ = 0;
  for (int i = 0; i < s.rows; ++i)
    velocity_drift_ =
        std::max(velocity_drift_, std::abs(velocity_residual(equations_.motion, equations_.rows[i], fastest)));
}

double ConsistentRestart::largest_acceleration() const {
  double largest = 0;
  for (const Freedom& f : equations_.motion.freedoms()) {
    const double mass = equations_.motion.mass()[f.slot], by_force = mass > 0 ? equations_.load()[f.slot] / mass : 0.0;
    largest = std::max({largest, std::abs(equations_.acceleration()[f.slot]), std::abs(by_force)});
  }
  return largest;
}

double ConsistentRestart::fastest(double span) const {
  const double acceleration = largest_acceleration();
  return std::max({fastest_, std::sqrt(2 * fallen * equations_.system().length * acceleration), acceleration * span});
}

bool ConsistentRestart::velocities(const Mode& mode, double t, double* y, double most) {
  return velocities(mode, t, y, Care{row_holds, dependent_in_square, most});
}
bool ConsistentRestart::stop(const Mode& mode, double t, double* y, double most) {
  return velocities(mode, t, y, Care{0, dependent_in_square, most});
}
bool ConsistentRestart::come_to_rest(const Mode& mode, double t, double* y, double most) {
  const double drift = std::max(position_drift_, velocity_drift_);
  return velocities(mode, t, y,
                    Care{0, std::clamp(of_drift_at_rest * drift, dependent_in_square, farthest_at_rest), most});
}

bool ConsistentRestart::velocities(const Mode& mode, double t, double* y, const Care& care) {
  equations_.rows.choose(mode);
  equations_.motion.evaluate(t, y);
  equations_.rows.fill();
  return velocities_here(t, y, care);
}

void ConsistentRestart::positions_and_velocities(const Mode& mode, double t, double* y) {
  positions(mode, t, y);  // converged or not, its last residual was evaluated at the y it leaves
  const bool moved = moved_;
  velocities_here(t, y, Care{row_holds, dependent_in_square, any_change});
  moved_ |= moved;
}

double ConsistentRestart::see_speeds(const double* y) {
  const System& s = equations_.system();
  const double fastest = largest_speed(s, y);
  fastest_ = std::max(fastest_, fastest);
  return fastest;
}

bool ConsistentRestart::velocities_here(double t, double* y, const Care& care) {
  const System& s = equations_.system();
  moved_ = left_moving_ = false;
  const double fastest = see_speeds(y);
  double worst = 0;
  for (int i = 0; i < equations_.rows.count(); ++i) {
    worst = std::max(worst, std::abs(velocity_residual(equations_.motion, equations_.rows[i], fastest)));
    target_[i] = equations_.rows[i].nu;
  }
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  if (worst <= care.allowed) return true;
  const double off = worst * fastest,
               dependent = off > dependent_ * care.most
                               ? std::max(dependent_, std::min(off / care.most, farthest_joint))
                               : dependent_,
               stick_tolerance = std::max(care.stick_tolerance, dependent);
  equations_.rows.find_redundant(dependent, stick_tolerance);
  if (!equations_.rows.factor()) return fail("the constraint Jacobian is singular");
  auto& saddle = equations_.rows.saddle();
  int held = equations_.rows.count();  // rows before those of stuck units
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (const int row = equations_.rows.of_stuck(static_cast<int>(u)); row >= 0) {
      for (int i = 0; i < s.frictions[u].directions; ++i) left_moving_ |= saddle.is_redundant(row + i);
      held = std::min(held, row);
    }
  equations_.motion.momentum(momentum_.data());
  saddle.solve(momentum_.data(), target_.data(), delta_.data(), lambda_.data(), false);
  for (const Freedom& f : equations_.motion.freedoms()) {
    if (!std::isfinite(delta_[f.slot])) return fail("the velocity projection is not finite");
    y[s.nq + f.velocity] = delta_[f.slot];
  }
  see_speeds(y);
  moved_ = worst > correction;
  // Redundant rows were not imposed: contradictory ones show here, against the speeds of the whole mechanism
  // (at a dead centre the slider's own speed is only round-off; where a mechanism stands for an instant all are, of the
  // speeds that it has had, and as uncertain as t).
  equations_.motion.evaluate(t, y);
  fastest_ = this->fastest(0);
  const double scale = std::max(fastest_, largest_acceleration() * eps * std::abs(t) / least_contradiction);
  const double contradiction =
      std::clamp(of_drift * std::max(position_drift_, velocity_drift_), least_contradiction, largest_contradiction);
  const int checked = stick_tolerance > dependent_in_square ? held : equations_.rows.count();
  for (int i = 0; i < checked; ++i) {
    if (!saddle.is_redundant(i)) continue;
    const double residual = velocity_residual(equations_.motion, equations_.rows[i], scale);
    // (Of a row that is dependent but for such a part of it as much may be left.)
    if (std::abs(residual) > std::max(contradiction, i < held ? dependent : stick_tolerance))
      return fail(equations_.rows.name(i) +
                  " contradicts the other constraints: its velocity equation is violated by " + number(residual) +
                  " of the mechanism's speed");
  }
  return true;
}

bool ConsistentRestart::redundant_rows_hold(double t, const double* y) {
  position_residual(t, y);
  for (int i = 0; i < equations_.system().rows; ++i)
    if (equations_.rows.saddle().is_redundant(i) && std::abs(phi_[i]) > positions_contradict * scale_[i])
      return fail(equations_.rows.name(i) + " contradicts the other constraints at t = " + number(t) +
                  " s: it is violated by " + number(phi_[i]));
  return true;
}

bool ConsistentRestart::stuck_units_stand(const Mode& mode, double t, double meant) {
  const double fastest = std::max(this->fastest(0), meant);
  for (std::size_t u = 0; u < mode.friction.size(); ++u) {
    const int contact = equations_.system().frictions[u].contact;
    // (Friction of a contact without force holds nothing: it moves with its bodies.)
    if (mode.friction[u].slide != Slide::stick || (contact >= 0 && mode.closed[contact] == unloaded)) continue;
    for (const Row& row : equations_.motion.tangents(static_cast<int>(u)))
      if (const double residual = velocity_residual(equations_.motion, row, fastest);
          std::abs(residual) > largest_contradiction)
        return fail("at t = " + number(t) + " s " + unit_name(equations_.system(), static_cast<int>(u)) +
                    " sticks and slides by " + number(residual) +
                    " of the mechanism's speed; a smaller rtol or another formulation may help");
  }
  return true;
}

std::string ConsistentRestart::far_off(double t, const double* y, double limit) {
  position_residual(t, y);
  for (int i = 0; i < equations_.system().rows; ++i)
    if (std::abs(phi_[i]) > limit * scale_[i])
      return equations_.rows.name(i) + " is off by " + number(phi_[i]) + " at t = " + number(t) + " s";
  return {};
}

namespace {

/// Where the model gives the joint that a row is of; nowhere for rows of contacts.
Location joint_place(const System& s, int row) {
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    if (row >= s.joint_row[j] && row < s.joint_row[j] + s.joints[j]->rows()) return s.joints[j]->where;
  return {};
}

}  // namespace

void ConsistentRestart::assemble(const Mode& mode, double t, double* y) {
  const System& s = equations_.system();
  if (s.rows == 0 && std::none_of(mode.closed.begin(), mode.closed.end(), [](char c) { return c != 0; })) return;
  equations_.rows.choose(mode);
  std::vector<double> trial(static_cast<std::size_t>(s.nq));
  double residual = position_residual(t, y);
  for (int iteration = 0; iteration < 100 && residual > row_assembled; ++iteration) {
    equations_.rows.find_redundant();
    if (!solve_correction()) break;
    const double size = largest_residual();
    std::copy(y, y + s.nq, trial.begin());
    double step = 1.0, next = residual;
    for (int halving = 0; halving < 12; ++halving, step *= 0.5) {
      std::copy(trial.begin(), trial.end(), y);
      s.displace(delta_.data(), step, y);
      next = position_residual(t, y);
      if (std::isfinite(next) && (largest_residual() < size || next <= row_assembled)) break;
    }
    if (!std::isfinite(next) || (next >= residual && residual < assembly_ends)) {
      residual = std::min(next, residual);
      break;
    }
    residual = next;
    follow_turns(s, equations_.motion.kinematics(), y);
  }
  if (!(residual <= assembled)) {
    std::string text = "the mechanism cannot be assembled from the given positions: ";
    bool first = true;
    Location where;
    for (int i = 0; i < equations_.rows.count(); ++i) {
      if (!(std::abs(phi_[i]) > violated * scale_[i])) continue;
      if (first) where = joint_place(s, i);
      text += (first ? "" : ", ") + equations_.rows.name(i) + " is violated by " + number(phi_[i]);
      first = false;
      // A redundant row is contradicted by others that act on its bodies.
      std::string against;
      for (int j = 0; j < i && equations_.rows.saddle().is_redundant(i); ++j)
        for (const int body : equations_.rows[i].body)
          if (!s.bodies[body].prescribed &&
              (equations_.rows[j].body[0] == body || equations_.rows[j].body[1] == body)) {
            against += (against.empty() ? " against " : ", ") + equations_.rows.name(j);
            break;
          }
      text += against;
    }
    throw InputError(where, text + "; the constraints contradict each other, or the estimates are too far off");
  }
}

}  // namespace hstar
