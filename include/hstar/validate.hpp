// include/hstar/validate.hpp
//
// Validation: models run against reference data, every event matched one to one and every number
// scored in digits. Also usable piecewise: the matcher alone compares any list of events.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hstar {

/// What `hstar validate` is asked for.
struct ValidateOptions {
  /// Problem names ("p01_osc_equal"), folders, or "ode23"; empty: every folder of `folder`, then ode23.
  std::vector<std::string> targets;
  std::string folder;    ///< "": validation_folder()
  bool details = false;  ///< print every matched event, not only what falls short
};

/// Runs what is asked for and prints one line a problem and tolerance, with the details of what falls
/// short. Returns how many lines fell short: 0 means everything passed.
/// @throws InputError for unknown targets and for files that cannot be read.
[[nodiscard]] int validate(const ValidateOptions& options, std::ostream& out);

/// Where the problems are: $HSTAR_VALIDATION_DIR, ./validation, the source tree, the installed folder;
/// the first that exists. @throws InputError if none does.
[[nodiscard]] std::string validation_folder();

/// One event of a reference file (schema "truth-1").
struct ReferenceEvent {
  int index = 0;
  long double t = 0.0L;  ///< [s], more digits than a double where the platform has them
  std::string kind, where;
  bool optional = false;                   ///< a solver may leave it out
  std::vector<std::string> also_changing;  ///< places that change at the same instant
  std::vector<double> before, after;       ///< reference states, both one-sided limits
};

/// Extra events of this kind (any kind if empty) are correct between t_from and t_to.
struct AllowedExtra {
  long double t_from = 0.0L, t_to = 0.0L;
  std::string kind;
};

struct ComputedEvent {
  double t = 0.0;
  std::string kind, where;  ///< `where` in the reference's words; "" matches every place
};

/// How far apart two events may be, and which names mean the same.
struct MatchRules {
  double window = 1e-4;                      ///< largest |dt| of a match [s], > 0
  std::map<std::string, std::string> alias;  ///< computed kind -> reference kind
};

/// Which computed event is which reference event. Indices count from 0 into the two lists.
struct EventMatch {
  struct Pair {
    std::size_t reference, computed;
    double dt;  ///< computed - reference [s]
  };
  std::vector<Pair> pairs;           ///< in the reference's order
  std::vector<std::size_t> missing;  ///< required reference events without a partner
  std::vector<std::size_t> extra;    ///< computed events nobody asked for
  std::size_t optional_left_out = 0, tolerated = 0, beyond_end = 0;
  double worst_dt = 0.0;        ///< largest |dt| of a required event [s]
  int worst_index = 0;          ///< its index in the reference file
  bool order_preserved = true;  ///< partners come in the same order
  [[nodiscard]] bool complete() const { return missing.empty() && extra.empty(); }
};

/// Matches one to one, nearest pairs first; the same rules as compare_events.py of the reference data,
/// and a computed event that shares its instant with a matched one and its place with that event's
/// `also_changing` belongs to it. `computed` is in time order; events after t_end + window are not judged.
[[nodiscard]] EventMatch match_events(std::span<const ReferenceEvent> reference, std::span<const AllowedExtra> allowed,
                                      long double t_end, std::span<const ComputedEvent> computed,
                                      const MatchRules& rules);

}  // namespace hstar
