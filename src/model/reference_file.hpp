// src/model/reference_file.hpp
//
// What validation reads besides a model: reference.toml (schema "truth-1" or "truth-table-1") and
// accept.toml, which says what of the model is what of the reference, and ode23/traces.toml.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hstar/validate.hpp"

namespace hstar {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// A reference file. Decimal strings are kept as text where they set parameters: nothing is rounded twice.
struct ReferenceFile {
  std::string path, schema, id, title;
  NamedTexts parameters;
  std::vector<std::string> state_names;
  std::vector<double> initial;
  long double t_start = 0.0L, t_end = 0.0L;  ///< [s]
  std::vector<ReferenceEvent> events;
  std::vector<AllowedExtra> allowed;
  long double t_final = 0.0L;  ///< time of `final_state` [s]
  std::vector<double> final_state;
  std::map<std::string, double> results;  ///< those that are numbers
  double time_sensitivity = 0.0;          ///< 0: the file gives none [s]
  std::vector<NamedTexts> cases;          ///< truth-table-1; booleans are "true" and "false", lists are joined by ", "
};

/// Numbers of a reference that are samples of the motion, and which model quantities they are ([[samples]]).
struct SampleTable {
  std::string table;                      ///< where they stand in reference.toml: "reference.rows"
  std::vector<std::string> columns;       ///< "t" among them, unless `at` or `event` says when
  std::optional<double> at;               ///< all at this time [s]
  std::string event;                      ///< the numbers are the times of the events of this kind
  double until = 0.0;                     ///< only rows up to this time [s]; 0: all
  double digits = 10.0;                   ///< to be reached
  double decimals = 0.0;                  ///< reached decimals count instead of digits; 0: no
  bool by_value = false;                  ///< digits of each value; otherwise of the largest of its column
  NamedTexts set;                         ///< --set of the model, for a variant
  NamedTexts quantities;                  ///< column = formula of recorded columns
  std::vector<std::vector<double>> rows;  ///< read from the reference, one number a column
};

/// One tolerance a problem is run at.
struct AcceptRun {
  double rtol = 1e-9;
  std::string integrator = "dop853";
  std::string formulation;        ///< "": the model's own
  double atol = 0.0;              ///< 0: the model's own
  std::vector<double> steps;      ///< fixed steps instead of tolerances [s]
  double order = 0.0;             ///< several steps: the order of convergence to be seen
  double digits = 0.0;            ///< samples: to be reached by this run instead of the table's; 0: the table's
  std::vector<std::string> only;  ///< samples: tables this run is judged by; empty: all
  NamedTexts set;                 ///< --set of the model
  /// The tolerance cannot resolve a margin of the problem: missing and extra events are accepted
  /// where the run itself reports a graze there.
  bool undecided = false;
  double time_tolerance = 0.0;   ///< 0: by the general rule [s]
  double state_tolerance = 0.0;  ///< 0: by the general rule, relative to the state's scale
};

/// A table of cases: results of one way to set the model.
struct TableVariant {
  NamedTexts set;  ///< --set of the model
  /// Key of a case = formula, or formulas of the items of a list; items the case does not have are left out.
  std::vector<std::pair<std::string, std::vector<std::string>>> results;
};

struct AcceptFile {
  std::string path;
  bool bonus = false;                        ///< reported, not demanded
  std::string time_sensitivity;              ///< formula of parameters, for a reference that gives none [s]
  NamedTexts states;                         ///< reference state = expression of the model's states
  std::map<std::string, std::string> where;  ///< element -> place in the reference
  std::map<std::string, std::string> kinds;  ///< our kind -> the reference's
  NamedTexts results;                        ///< reference result = expression of extremes of measures
  std::vector<AcceptRun> runs;
  std::vector<SampleTable> samples;          ///< reference files without a schema
  std::vector<std::string> case_parameters;  ///< table: keys of a case that set the model
  /// table: "run", "classify" (the consistent modes of the start), "equilibrium", "modes", "inverse" or "assemble"
  std::string case_analysis = "run";
  struct {
    std::vector<std::string> vary, coordinates, touching, keep;
    NamedTexts weights;
    bool nearest = false, given = false, friction = true;
  } case_options;          ///< of these analyses ([table.options])
  NamedTexts case_lists;   ///< table: key of a list = prefix of parameters, masses = "m": m1, m2, ...
  NamedTexts case_counts;  ///< table: key of a list = parameter that is its length
  NamedTexts case_texts;   ///< table: key = "modes" or "class" (classify), "stability", ...
  std::map<std::string, std::string> case_words;  ///< table, modes: our mode = the reference's word
  std::vector<TableVariant> case_variants;        ///< table: [table.results], then every [[table.variant]]
  double case_tolerance = 1e-9;                   ///< table: relative to the key's largest value over the cases
};

/// One peer trace (validation/ode23/traces.toml).
struct TraceEntry {
  std::string name, file, model;
  std::string truth;  ///< "viscous" | "coulomb" | "dragsled" (closed forms), or a CSV with t and the states
  double end = 0.0;   ///< [s]
  double rtol = 0.0, atol = 0.0;
  std::vector<std::string> states;  ///< the model's states that are columns 2, 3, ... of the trace
  NamedTexts parameters;            ///< set in the model
};

/// @throws InputError with file:line:column for files that cannot be read or lack a key.
[[nodiscard]] ReferenceFile read_reference(const std::string& path);
[[nodiscard]] AcceptFile read_accept(const std::string& path);
[[nodiscard]] std::vector<TraceEntry> read_traces(const std::string& path);

}  // namespace hstar
