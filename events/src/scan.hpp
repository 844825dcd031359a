// events/src/scan.hpp
//
// Reads the signs of one guard's proxy polynomial from left to right, piece after piece and step after
// step, and writes down what may be a root: changes between clear signs, and extrema that come too
// near to zero for the proxy to decide. Knows polynomials and signs; evaluates nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "bernstein.hpp"
#include "hstar/events/guard.hpp"
#include "hstar/events/linear_bound.hpp"

namespace hstar::events::detail {

/// A place where a guard may have a root; times are tau in [0, 1] of the step.
struct Candidate {
  std::size_t guard = 0;
  bool touch = false;      ///< an extremum near zero instead of a change between clear signs
  bool at_start = false;   ///< left the start of the step to the other side at once
  bool leading = false;    ///< lies in the run of zeros with which a segment begins
  bool from_zero = false;  ///< nothing before it on this step is clearly off zero
  bool hump = false;       ///< the proxy rises from zero before it crosses, less than it can decide
  int before = 0;          ///< sign of the guard before
  double tau = 0.0;        ///< root or extremum of the proxy
  double lo = 0.0;         ///< where the proxy lies farthest on the side before ...
  double hi = 1.0;         ///< ... and farthest on the side after
  double clear = 0.0;      ///< last place before that lies clearly on the side before
  double slope = 0.0;      ///< of the proxy by tau at the root
  double eps = 0.0;        ///< what the proxy could not tell from zero there
};

/// Whether a sign change to this direction counts.
[[nodiscard]] inline bool wants(Crossing crossing, int direction) {
  return crossing == Crossing::either || (crossing == Crossing::rising) == (direction > 0);
}

/// What is known of one guard while it is followed.
struct Track : Standing {
  // of the current step
  bool start_zero = false;  ///< nothing was clearly off zero since the start of the step
  bool have_root = false;   ///< the proxy went through zero after the last clear place, at:
  double root_tau = 0.0, root_slope = 0.0;
  double last_tau = 0.0, last_p = 0.0;
  double clear_tau = 0.0;
  double far = 0.0, far_tau = 0.0;  ///< farthest place on the side of `sign` since the last crossing
  double hump = 0.0, hump_tau = 0.0;
  std::ptrdiff_t crossing = -1, touch = -1;  ///< its last candidates on this step
};

/// Tolerances of one piece.
struct ScanTolerances {
  double g_tol = 0.0;  ///< zero at places that the integrator itself has computed
  double eps = 0.0;    ///< zero inside: g_tol and the error of the proxy
  double noise = 0.0;  ///< round-off of the coefficients
  double start = 0.0;  ///< zero on the wrong side of the known sign at the start of the step
  double lead = 0.0;   ///< while a segment leaves zero: error of the step, which may be on the wrong side
  double band = 0.0;   ///< dips shallower than this are the integrator's to decide
};

/// Follows one guard over one piece.
class Scanner {
 public:
  explicit Scanner(std::vector<Candidate>& out) : out_(out) {}

  /// Starts a step at value g0.
  void begin(std::size_t guard, Track& k, double g0, const ScanTolerances& tol);
  /// Takes a piece that is clear of zero by more than its tolerance without a full scan. `reach`: an upper
  /// estimate of the band. False if the piece needs a full scan; nothing is changed then.
  bool quick(Track& k, const Piece& p, const ScanTolerances& tol, double reach) const;
  /// The error of the proxy is measured, not proven: an extremum within so many times it is looked at.
  static constexpr double kDoubt = 3.0;
  /// A lower bound of the guard's distance from zero on its side, by the proxy; 0 or less where it may cross.
  static double least(const Track& k, const Piece& p);
  /// True if the band matters on this piece: it has an extremum towards zero.
  static bool may_touch(const Track& k, const Piece& p, double noise);
  void scan(std::size_t guard, Track& k, const Piece& p, const ScanTolerances& tol);
  /// Takes a whole step from g0, on the known side of zero, to g1, clearly on the other, whose only root is given.
  void once(std::size_t guard, Track& k, double g0, double g1, double root, double slope, const ScanTolerances& tol);
  /// Takes it that the guard keeps its sign up to tau.
  void skip(Track& k, double tau, double p) const;

  /// Since the last reset: something lay too near to zero for the proxy's own error to be ignored.
  [[nodiscard]] bool touchy() const { return touchy_; }
  [[nodiscard]] bool crossed() const { return crossed_; }
  void reset_flags() { touchy_ = crossed_ = false; }

 private:
  /// The next place; `move`: direction on the way there if it was monotone.
  void point(double tau, double p, bool monotone, int move, const Piece& piece);
  void extremum();
  void cross(double tau, double p);

  static constexpr int kStack = 40;
  std::vector<Candidate>& out_;
  bool touchy_ = false, crossed_ = false;
  std::size_t guard_ = 0;
  Track* k_ = nullptr;
  const ScanTolerances* tol_ = nullptr;
  Piece stack_[kStack];
};

}  // namespace hstar::events::detail
