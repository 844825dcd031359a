// events/src/isolator.hpp
//
// Makes the proxies: samples the guards that still need it at nested nodes of a subinterval, judges
// each proxy by its degree, a rate bound or its measured error, and halves the subinterval for the rest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "followed.hpp"
#include "hstar/events/guard.hpp"
#include "sampler.hpp"
#include "scan.hpp"
#include "state_boxes.hpp"
#include "whole_step.hpp"

namespace hstar::events::detail {

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
  void rows_known(std::size_t guard, const LinearBound& rows) { whole_.rows_known(guard, rows); }
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
  Verdict judge(std::size_t guard, Followed& f, const Interval& i, int level, bool finest);
  /// One whose polynomial on the whole step is known, and need not be sampled. False: its error is not to be had.
  bool settle_known(std::size_t guard, Followed& f);
  /// Samples of a guard at the nodes of a level.
  struct Values {
    const double* at;
    int level;
    double lowest = 0.0, highest = 0.0;
    [[nodiscard]] double size() const { return std::max(-lowest, highest); }
    /// Place of the sample that is nearest to zero.
    [[nodiscard]] std::size_t nearest() const;
  };
  /// The polynomial in their place.
  struct Proxy {
    const Piece& p;
    const Interval& i;
    bool exact = false;                         ///< it is the guard
    bool last = false;                          ///< there is no better one
    bool rate_known = false, explained = true;  ///< of the guard; and its changes of sign explain all that it exceeds
    double error = 0.0;
  };
  [[nodiscard]] Values values_of(std::size_t guard, int level) const;
  /// What the round-off of the sampled times is in them.
  [[nodiscard]] double noise_of_times(const Values& v, const Interval& i) const;
  void keep_side(std::size_t guard, Track& k, const Values& v, const Interval& i, const ScanTolerances& tol);
  Verdict read(std::size_t guard, Followed& f, const Proxy& proxy, const Values& v, ScanTolerances& tol);
  bool reads_quickly(std::size_t guard, Track& k, const Proxy& proxy, double g0, const ScanTolerances& tol,
                     double reach);
  bool error_of_step(std::size_t guard, Followed& f, const Proxy& proxy, const Values& v, bool near, double& error,
                     ScanTolerances& tol);
  /// Known well enough for what it has shown; `vague`: it begins at zero without a clear slope.
  [[nodiscard]] bool is_good(const Proxy& proxy, const Values& v, const ScanTolerances& tol, bool vague,
                             double error_of_step) const;
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
  WholeStep whole_;
  std::vector<std::size_t> list_, measured_;
  std::vector<double> settled_, values_, row_, bound_, probes_;
  std::vector<Interval> stack_;
  std::size_t budget_ = 0;
  double end_ = 1.0;
  StateBoxes boxes_;
  enum class Boxes : unsigned char { not_yet, known, none } has_boxes_ = Boxes::not_yet;
  struct Proofs {
    int patience;        ///< so many that tell nothing are asked for; fewer where they were in vain before
    bool asked = false;  ///< on this step
    bool tell = false;   ///< one of this step has told something
    int open = 0;        ///< before that: those that have not
  };
  std::vector<Proofs> proofs_;  ///< by guard
  Piece piece_;
};

}  // namespace hstar::events::detail
