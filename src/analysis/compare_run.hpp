// src/analysis/compare_run.hpp
//
// One run of a comparison: what it costs, how well it keeps the constraints and the energy, and its errors.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/compare_errors.hpp"
#include "hstar/compare.hpp"
#include "mechanism/system.hpp"

namespace hstar::analysis {

/// What the errors of a comparison are measured against.
struct Truth {
  std::string source;               ///< in words
  std::vector<double> y;            ///< state at the end
  StateSizes sizes;                 ///< on the way
  bool has_path = false;            ///< `sizes` has seen every step of a run
  std::vector<EventRecord> events;  ///< t, kind and element
  bool has_events = false;
};

/// True if nothing in the model takes or gives energy: no friction, contact, damper, actuator, applied force,
/// driver or formula of time.
[[nodiscard]] bool keeps_energy(const ModelSpec& model);

/// The model's own tightest run.
[[nodiscard]] Truth own_truth(const ModelSpec& model, const std::shared_ptr<const System>& system);
/// A trajectory.csv, and events.csv beside it. @throws InputError
[[nodiscard]] Truth read_truth(const std::string& path, const System& system, const ModelSpec& model);

/// Puts formulas of t and parameters, at the end of the run, in the place of the states. Others count no longer.
/// @throws InputError for an unknown state or variable, or no finite value.
void apply_closed_form(const std::vector<std::pair<std::string, std::string>>& formulas, const System& system,
                       const ModelSpec& model, Truth& truth);

[[nodiscard]] CompareRow measured_run(const ModelSpec& model, const std::shared_ptr<const System>& system,
                                      bool conservative, double time_limit, const Truth& truth);

}  // namespace hstar::analysis
