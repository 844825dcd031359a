// events/src/isolator.hpp
//
// Makes the proxies: samples the guards that still need it at nested nodes of a subinterval, judges
// each proxy by its degree, a rate bound or its measured error, and halves the subinterval for the rest.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "hstar/events/guard.hpp"
#include "power_bound.hpp"
#include "sampler.hpp"
#include "scan.hpp"
#include "state_boxes.hpp"

namespace hstar::events::detail {

/// A guard as the engine uses it.
struct Followed {
  Track track;
  GuardInfo const* info = nullptr;
  double reach_ratio = -1.0;  ///< (error of g) / (largest error of y) seen in this mode; < 0: not yet
  bool rough = false;         ///< needed halving in this mode
  int sign_after = 0;         ///< just after the last event, if it left the guard at zero and did not fire it
  /// The last event that fired it, if that event has left the state alone and has declared no side: time and direction.
  double fired_t = std::numeric_limits<double>::quiet_NaN();
  int fired_direction = 0;
  double left_t = std::numeric_limits<double>::quiet_NaN();  ///< the last event that it fired where its step began
};

class Isolator {
 public:
  Isolator(GuardSet& guards, std::size_t state_size, Sampler& sampler, const MonitorOptions& options);

  enum class Result : unsigned char { ok, guards_failed, undecided };
  /// Follows the guards `enabled` over the step; candidates() holds what may be roots. Not `to_end`: up to end() only,
  /// where an event has been passed that all else on the step comes after.
  Result run(std::span<const std::size_t> enabled, std::vector<Followed>& followed, bool to_end);
  /// Of the last run, of the step: 1 is all of it.
  [[nodiscard]] double end() const { return end_; }
  /// The last run has followed a guard over all of the step.
  [[nodiscard]] bool has_settled(std::size_t guard) const { return settled_[guard] >= 1.0; }
  /// For the next run: the rows of one guard, if they are known already.
  void rows_known(std::size_t guard, const LinearBound& rows) {
    linear_[guard] = rows;
    given_ = guard;
  }
  [[nodiscard]] std::vector<Candidate>& candidates() { return candidates_; }

 private:
  struct Interval {
    double a = 0.0, w = 1.0;
    int depth = 0;
  };
  enum class Verdict : unsigned char { settled, refine, halve, failed };
  /// What bounds over a subinterval say: no root; at most one; perhaps more; or there are no bounds.
  enum class Proof : unsigned char { clear, once, open, none };

  Result interval(const Interval& i, std::vector<Followed>& followed);
  /// A guard that ends the step has clearly crossed before tau.
  [[nodiscard]] bool is_past_event(double tau, const std::vector<Followed>& followed) const;
  /// `known`: linear_[guard] is the guard on the whole step, and need not be sampled.
  Verdict judge(std::size_t guard, Followed& f, const Interval& i, int level, bool finest, bool known = false);
  /// Guards whose form is known, on a step whose powers are: nothing of them is sampled.
  bool settle_by_powers(std::span<const std::size_t> enabled, std::vector<Followed>& followed);
  /// The powers of a guard whose form is known.
  void find_powers(std::size_t guard, std::span<const double> terms);
  bool settle_power(std::size_t guard, const PowerBound& g, Followed& f);
  bool stays_away(std::size_t guard, const PowerBound& g, const Followed& f);
  void settle_by_rows(std::span<const std::size_t> enabled, std::vector<Followed>& followed);
  void settle_linear(std::size_t guard, Followed& f);
  bool pays_by_slopes(int degree) const;
  bool add_rows(int degree, const std::vector<Followed>& followed);
  bool add_rows_by_slopes(int degree, const std::vector<Followed>& followed);
  bool leaves_zero(std::size_t guard, const Followed& f);
  bool crosses_once(std::size_t guard, Followed& f);
  bool ends_beyond(double g0, double g1, double noise, const Followed& f);
  static bool is_far_start(double g0, double g1, const Track& k);
  void take_once(std::size_t guard, Followed& f, double g0, double g1, double root, double slope);
  double least_by_slope(std::size_t guard, int sign, const Interval& i, const Range& slope) const;
  Proof prove(std::size_t guard, const Followed& f, const Interval& i);
  bool apart(std::size_t guard, const Interval& i, int level, const double* v, bool& explained) const;
  bool ever_exact(const Followed& f) const;
  double measured_error(int level, const double* v) const;
  void to_piece(int level, const double* v, const Interval& i, Piece& p) const;

  GuardSet& guards_;
  Sampler& sampler_;
  const MonitorOptions& options_;
  const ProxyTables& tables_;
  std::vector<Candidate> candidates_;
  Scanner scanner_;
  ScanTolerances tol_;  ///< of the guard that crosses
  std::vector<std::size_t> list_, measured_;
  std::size_t state_size_;
  std::vector<double> powers_;  ///< of one guard
  std::vector<double> changes_, settled_, values_, row_, bound_, probes_;
  std::vector<LinearBound> linear_;
  std::vector<Interval> stack_;
  std::size_t budget_ = 0;
  double end_ = 1.0;
  StateBoxes boxes_;
  enum class Boxes : unsigned char { not_yet, known, none } has_boxes_ = Boxes::not_yet;
  std::vector<int> proofs_;  ///< by guard: bounds that may still be asked for on this step
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t given_ = kNone;  ///< the guard whose rows are known
  Piece piece_;
  /// Bernstein's form of linear_[guard], made once a step.
  const Piece& linear_piece(std::size_t guard);
  std::size_t piece_is_of_ = kNone;  ///< the guard whose linear_piece() is in piece_
};

}  // namespace hstar::events::detail
