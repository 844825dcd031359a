// src/formulation/baumgarte.cpp: the acceleration-level equations with the errors of the constraints fed back
// (Baumgarte 1972),
//   Phi_q a = gamma - 2 alpha (Phi_q v - nu) - beta^2 Phi,
// so that errors decay like a damped oscillator; critically for alpha = beta. Rows that exist at velocity level only
// (stuck units) have no Phi. Guards and recorded reactions use the equations without the feedback.
//
// Choice of alpha = beta where none is given: 1 / T, T the mechanism's own time scale, the smaller of size / speed and
// sqrt(size / acceleration) at the start. Forces in balance accelerate nothing, but will once one of them changes: T is
// at most ten times sqrt(size / acceleration) of the applied forces alone. Errors then die as fast as the motion
// changes, which bounds the drift at what one T collects. More is not better: the stages of a step leave the
// constraints by some power of h, the feedback multiplies that by alpha h, and an error-controlled step of order p
// shrinks like 1 / (alpha T) (ten times as many steps at alpha = 10 / T, measured on the slider-crank). The textbook
// choice alpha ~ 1 / h (Ostermeyer 1990) takes beta^2 Phi ~ Phi / h^2, two orders, from the method. With a fixed step
// h, 1 / h is the upper bound: beyond it explicit methods come near their limit of stability on the root -alpha.
#include <algorithm>
#include <cmath>

#include "formulation/formulation.hpp"
#include "formulation/tolerances.hpp"
#include "mechanism/short_number.hpp"

namespace hstar {
namespace {

/// Applied forces that the constraints hold back count for the time scale as if they were this many times slower.
constexpr double held_back = 10;

std::string number(double x) { return short_number(x, 6); }

class Baumgarte final : public Formulation {
 public:
  Baumgarte(ModeEquations& equations, const FormulationOptions& options)
      : equations_(equations), alpha_(options.baumgarte_alpha), beta_(options.baumgarte_beta) {
    const System& s = equations.system();
    shift_.resize(static_cast<std::size_t>(s.rows + s.sliding_rows()) + s.contacts.size());
    if (alpha_ > 0 && beta_ > 0) return;
    if (alpha_ > 0 || beta_ > 0) {
      alpha_ = beta_ = std::max(alpha_, beta_);
      source_ = "one of them was given, equal ones are critical damping";
    } else if (options.step > 0) {
      most_ = 1 / options.step;
    }
  }

  void restart(const Mode& mode, double t, const double* y) override {
    if (alpha_ > 0) return;
    equations_.evaluate(t, y);
    equations_.solve(mode);
    const double scale = time_scale(y);
    const bool moves = std::isfinite(scale) && scale > 0;
    alpha_ = beta_ = std::min(moves ? 1 / scale : 1.0, most_);
    source_ = alpha_ == most_ ? "1 / fixed_step"
              : moves         ? "1 / T, T the time scale of motion and forces at the start"
                              : "nothing moves at the start";
  }

  bool rates(const Mode& mode, double t, const double* y, double* ydot) override {
    equations_.evaluate(t, y);
    feed_back();
    if (!equations_.solve(mode, nullptr, shift_.data())) return false;
    equations_.store_rates(y, ydot);
    return true;
  }

  bool project(const Mode&, double t, double*) override {
    // y is left alone; the end of a step is where the equations just solved are judged.
    if (equations_.rows.count() == 0) return false;
    const double part = equations_.rows.saddle().independence();
    if (part < formulation::near_singular) {
      ++near_;
      if (part < smallest_) {
        smallest_ = part;
        t_smallest_ = t;
      }
    }
    return false;
  }

  std::vector<std::pair<std::string, double>> chosen_options() const override {
    if (source_.empty() || !(alpha_ > 0)) return {};
    return {{"baumgarte_alpha", alpha_}, {"baumgarte_beta", beta_}};
  }

  std::vector<std::string> notices() const override {
    std::vector<std::string> all;
    if (!source_.empty() && alpha_ > 0)
      all.push_back("baumgarte: alpha = beta = " + number(alpha_) + " 1/s were chosen (" + source_ +
                    "); set baumgarte_alpha and baumgarte_beta to change them");
    if (near_ > 0)
      all.push_back("baumgarte: " + std::to_string(near_) + " steps near a singular configuration, nearest at t = " +
                    number(t_smallest_) + " s (only " + number(smallest_) +
                    " of a constraint is independent of the others): feedback and reactions are amplified there; "
                    "compare with projection");
    return all;
  }

 private:
  /// Size over speed and acceleration of the mechanism, at the equations just solved.
  double time_scale(const double* y) const {
    const System& s = equations_.system();
    const Kinematics& k = equations_.motion.kinematics();
    double size = 0;
    for (int i = 0; i < equations_.rows.count(); ++i) {
      const Row& row = equations_.rows[i];
      for (std::size_t b = 0; b < 2; ++b) {
        const double* J = row.J[b];
        const double direction = s.is_spatial() ? std::hypot(J[0], J[1], J[2]) : std::hypot(J[0], J[1]),
                     turn = s.is_spatial() ? std::hypot(J[3], J[4], J[5]) : std::abs(J[2]);
        if (direction > 0) size = std::max(size, turn / direction);  // an arm
      }
      size = std::max(size, k.distance(row.body[0], row.body[1]));
    }
    double speed = 0, acceleration = 0, applied = 0;
    for (const Freedom& f : equations_.motion.freedoms()) {
      const double arm = f.turns ? size : 1.0, mass = equations_.motion.mass()[f.slot];
      speed = std::max(speed, arm * std::abs(y[s.nq + f.velocity]));
      acceleration = std::max(acceleration, arm * std::abs(equations_.acceleration()[f.slot]));
      if (mass > 0) applied = std::max(applied, arm * std::abs(equations_.load()[f.slot]) / mass);
    }
    return std::min({size / speed, std::sqrt(size / acceleration), held_back * std::sqrt(size / applied)});
  }

  void feed_back() {
    equations_.rows.fill();
    equations_.rows.positions(shift_.data());
    for (int i = 0; i < equations_.rows.count(); ++i) {
      double& shift = shift_[i];
      shift = -2 * alpha_ * equations_.motion.free_speed(equations_.rows[i]) - beta_ * beta_ * shift;
    }
  }

  ModeEquations& equations_;
  double alpha_, beta_;
  double most_ = HUGE_VAL;  ///< for chosen values
  std::string source_;      ///< of chosen values
  std::vector<double> shift_;
  std::size_t near_ = 0;
  double smallest_ = 1, t_smallest_ = 0;
};

}  // namespace

std::unique_ptr<Formulation> make_baumgarte(ModeEquations& e, const FormulationOptions& options) {
  return std::make_unique<Baumgarte>(e, options);
}

}  // namespace hstar
