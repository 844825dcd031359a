// tests/laws/dae_problems.hpp
//
// The constrained problems on which formulations and implicit DAE methods are judged, as model text without
// [simulation], and runs of them.
#pragma once

#include <string>
#include <vector>

#include "hstar/run.hpp"

namespace laws {

[[nodiscard]] std::string pendulum();  ///< a rod on a pin, from rest, 60 degrees

/// Crank (its centre on the pivot), rod and slider; angle of the crank [rad] and its speed [rad/s] at the start.
struct SliderCrank {
  double r = 0.12, l = 0.3, crank_inertia = 0.03, rod_mass = 0.5, rod_inertia = 0.004, slider_mass = 0.9;
  double angle = 1.0, speed = 5.0;
};
[[nodiscard]] std::string slider_crank(const SliderCrank& m = {});  ///< four joints, no friction

// In space.
[[nodiscard]] std::string ball_pendulum();  ///< a rod on a ball joint, thrown aside
[[nodiscard]] std::string heavy_top();      ///< that of validation/heavy_top, spinning at 30 rad/s
[[nodiscard]] std::string bricard();        ///< validation/iftomm_a04_bricard: 30 rows, one depends on the others

struct DaeRun {
  std::string integrator, formulation;
  double end = 1;
  double fixed_step = 0, rtol = 1e-6;
  std::string keys;  ///< further keys of [simulation]
};
[[nodiscard]] hstar::RunResult run_model(const std::string& model, const DaeRun& how);

/// Largest differences of two results over their rows (ten times, for at one time alone errors may cancel): positions,
/// velocities, and the joints' reactions.
struct EndErrors {
  double q = 0, v = 0, lambda = 0;
};
[[nodiscard]] EndErrors end_errors(const hstar::RunResult& run, const hstar::RunResult& truth);

}  // namespace laws
