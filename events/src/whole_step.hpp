// events/src/whole_step.hpp
//
// Guards that are a known polynomial on the whole step: of known form where the step's powers are (`exact`), or linear
// in y on an interpolant of rows. Few numbers, or the coefficients, tell of most that they stay away from zero, leave
// it, or cross it once; whatever they do not tell is left to the samples (isolator.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "followed.hpp"
#include "hstar/events/linear_bound.hpp"
#include "hstar/events/monitor.hpp"
#include "power_bound.hpp"
#include "sampler.hpp"
#include "scan.hpp"

namespace hstar::events::detail {

class WholeStep {
 public:
  WholeStep(std::size_t guard_count, std::size_t state_size, Sampler& sampler, Scanner& scanner,
            const MonitorOptions& options);

  /// For the next step: the rows of one guard, if they are known already.
  void rows_known(std::size_t guard, const LinearBound& rows);
  /// Guards whose form is known, on a step whose powers are: nothing but their ends is sampled. `settled`, by guard,
  /// becomes 1 of those that are told; open() are the others, whose piece() is known.
  void by_powers(std::span<const std::size_t> enabled, std::vector<Followed>& followed, std::span<double> settled);
  [[nodiscard]] std::span<const std::size_t> open() const { return open_; }
  /// Guards linear in y that are not settled yet, by their values at the interpolant's rows: as many as are worth it.
  void by_rows(std::span<const std::size_t> enabled, std::vector<Followed>& followed, std::span<double> settled);

  /// Bernstein's form of a guard whose rows are known, made once a step.
  const Piece& piece(std::size_t guard);
  /// Round-off of its coefficients.
  [[nodiscard]] double noise(std::size_t guard) const { return linear_[guard].noise(); }

 private:
  /// The powers of a guard whose form is known.
  void find_powers(std::size_t guard, std::span<const double> terms);
  bool tell_by_powers(std::size_t guard, const PowerBound& g, Followed& f);
  bool tell_by_rows(std::size_t guard, Followed& f);
  bool stays_away(std::size_t guard, const PowerBound& g, const Followed& f);
  [[nodiscard]] bool pays_by_slopes(int degree) const;
  bool add_rows(int degree, const std::vector<Followed>& followed);
  bool add_rows_by_slopes(int degree, const std::vector<Followed>& followed);
  bool leaves_zero(std::size_t guard, const Followed& f);
  bool crosses_once(std::size_t guard, Followed& f);
  bool ends_beyond(double g0, double g1, double noise, const Followed& f);
  void take_once(std::size_t guard, Followed& f, double g0, double g1, double root, double slope);

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  Sampler& sampler_;
  Scanner& scanner_;
  const MonitorOptions& options_;
  std::size_t state_size_;
  std::vector<std::size_t> list_, open_;
  std::vector<double> row_;      ///< values of the guards in list_
  std::vector<double> powers_;   ///< of one guard
  std::vector<double> changes_;  ///< by row, of the guards in list_
  std::vector<LinearBound> linear_;
  ScanTolerances tol_;        ///< of the guard that crosses
  std::size_t given_ = none;  ///< the guard whose rows are known
  Piece piece_;
  std::size_t piece_is_of_ = none;
};

}  // namespace hstar::events::detail
