// include/hstar/compare.hpp
//
// One model run with many methods: formulations x integrators x tolerances (or fixed steps), what each
// cost and how far each is from the truth. What `hstar compare` prints.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

namespace hstar {

struct CompareOptions {
  std::vector<std::string> formulations;  ///< empty: all that apply
  std::vector<std::string> integrators;   ///< empty: all that fit the formulation
  std::vector<double> tolerances;         ///< rtol; empty and no steps: 1e-4, 1e-6, 1e-8, 1e-10
  std::vector<double> steps;              ///< fixed steps [s]
  /// Values of further keys of [simulation], ("newton", {"full", "quasi"}): every combination is run.
  std::vector<std::pair<std::string, std::vector<std::string>>> vary;
  /// A trajectory.csv whose last row is the truth, and an events.csv beside it if there is one; "": a run of its own,
  /// tighter than all others.
  std::string reference;
  /// Closed forms of states at the end, (state, formula of t and parameters): they replace those of the reference.
  std::vector<std::pair<std::string, std::string>> exact;
  /// End-state error the recommendation is about; none: ten times the smallest one, at most 1e-6.
  std::optional<double> accuracy;
  double time_limit = 3.0;  ///< wall time of one run [s]; longer ones are ended and listed as such
  /// Called before each run with its number, the number of all and its name; false ends the comparison.
  std::function<bool(std::size_t, std::size_t, const std::string&)> progress;
};

/// One method at one tolerance or step.
struct CompareRow {
  std::string formulation, integrator;
  std::string variant;            ///< "newton=full", of CompareOptions::vary
  int order = 0;                  ///< of the method
  double rtol = 0.0, step = 0.0;  ///< one of them
  RunOutcome outcome;
  RunCounters counters;
  double seconds = 0.0;                ///< wall time, without what the comparison itself measures
  double position_error = 0.0;         ///< largest |Phi| at the ends of steps
  double velocity_error = 0.0;         ///< largest |Phi_q v - nu|
  std::optional<double> energy_drift;  ///< largest |E - E(start)| over the largest kinetic energy
  std::optional<double> event_error;   ///< largest |dt| of the events [s]; none if they are not the reference's
  std::optional<double> end_error;     ///< of q and of v, each relative to the reference's largest entry
  std::string failure;                 ///< why there is no result, or what differs; "" = nothing
  [[nodiscard]] bool finished() const { return outcome.success(); }
};

struct Comparison {
  std::string title, reference;    ///< reference: what the errors are measured against, in words
  std::optional<double> accuracy;  ///< as asked for
  bool constrained = false;        ///< there are constraints to be off
  bool conservative = false;       ///< the energy should not change
  std::size_t events = 0;          ///< of the reference
  std::vector<CompareRow> rows;
};

/// @throws InputError for unknown names, bounds, a reference that cannot be read, or a model that cannot be built.
[[nodiscard]] Comparison compare(const std::string& model, const std::vector<Override>& overrides,
                                 const CompareOptions& options);

/// The table, and below it why rows failed.
void print_comparison(const Comparison& comparison, std::ostream& out);
/// Three lines: what to use, on what grounds, and what to avoid.
[[nodiscard]] std::vector<std::string> recommendation(const Comparison& comparison);
/// The table with all digits. @throws InputError if the file cannot be written.
void write_comparison_csv(const Comparison& comparison, const std::string& path);
/// End-state error against wall time, a curve a method. @throws InputError if the file cannot be written.
void write_comparison_svg(const Comparison& comparison, const std::string& path);
/// End-state error against fixed steps, with the slope of each curve beside the order of its method.
void write_convergence_svg(const Comparison& comparison, const std::string& path);

}  // namespace hstar
