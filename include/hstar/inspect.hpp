// include/hstar/inspect.hpp
//
// The equations of a mechanism at one instant, in numbers: what `hstar inspect` prints. In the notation of NOTATION.md
//   M a = Q + Phi_q^T lambda (+ friction),   Phi = 0,   Phi_q v = nu,   Phi_q a = gamma,
// with the rows of the mode in which the motion is: joints, closed contacts, stuck units.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

struct InspectOptions {
  double t = 0.0;     ///< [s]; the motion is computed up to here, and ends before an event at t
  double step = 0.0;  ///< [s]; > 0: also the iteration matrix of the model's Newmark, HHT or BDF method for this step
};

/// A matrix or vector with the names of its rows and columns.
struct NamedTable {
  std::string name, about;
  std::vector<std::string> rows, columns;  ///< columns: empty for a vector
  std::vector<double> values;              ///< row-major
  [[nodiscard]] std::size_t width() const { return columns.empty() ? 1 : columns.size(); }
  [[nodiscard]] double at(std::size_t row, std::size_t column = 0) const { return values[row * width() + column]; }
};

struct Inspection {
  std::string title, mode;
  double t = 0.0;
  std::vector<NamedTable> tables;
  std::vector<std::string> independent, dependent;  ///< velocities, of the full-pivot elimination of Phi_q M^-1/2
  std::vector<std::string> redundant;               ///< rows that depend on others
  [[nodiscard]] const NamedTable* find(const std::string& name) const;
};

/// @throws InputError for a model that cannot be built, a time outside the run, or a run that does not come so far.
[[nodiscard]] Inspection inspect(const ModelSpec& model, const InspectOptions& options);

/// The same at equal intervals of one run, without eigenvalues; between the ends of steps from the interpolant.
/// @throws InputError for an interval that is not positive, a model without bodies, or a run that ends early.
[[nodiscard]] std::vector<Inspection> inspect_every(const ModelSpec& model, double interval);

/// A row an instant: t, the mode, the dependent velocities, and every vector by component ("lambda pin").
[[nodiscard]] std::string inspections_csv(std::span<const Inspection> inspections);
/// When other velocities become independent: what a new elimination chooses at each instant. (A run keeps its choice
/// while that is good.)
void print_partitions(std::span<const Inspection> inspections, std::ostream& out);

/// Aligned tables with names.
void print_inspection(const Inspection& inspection, std::ostream& out);
[[nodiscard]] std::string inspection_json(const Inspection& inspection);
/// NumPy's archive: an array NAME a table, and the names of its rows and columns as NAME.rows and NAME.columns.
/// @throws FileError if the file cannot be written.
void write_inspection_npz(const Inspection& inspection, const std::string& path);

}  // namespace hstar
