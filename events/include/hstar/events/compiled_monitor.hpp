// events/include/hstar/events/compiled_monitor.hpp
//
// The monitor with its first and most frequent answer, "no guard comes near zero on this step", compiled together with
// the guards and the steps: where their types are known there is no virtual call in it. Every other step is looked at
// by the Monitor itself, so that nothing is seen differently.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "hstar/events/dense_step.hpp"
#include "hstar/events/linear_bound.hpp"
#include "hstar/events/monitor.hpp"

namespace hstar::events {

/// `Guards` and `Step` are final classes derived from GuardSet and DenseStep; a Step has also y0() and y1(), the states
/// at its ends. Cost of a step on which all guards are linear (GuardInfo::degree 1) and clear of zero: as many
/// evaluations of them as the interpolant has rows.
template <class Guards, class Step>
class CompiledMonitor : public Monitor {
 public:
  CompiledMonitor(Guards& guards, std::size_t state_size, const MonitorOptions& options = {})
      : Monitor(guards, state_size, options), guards_(guards), scratch_(state_size) {
    const std::size_t n = guards.guard_count();
    watched_.reserve(n);
  }

  void restart(double t, std::span<const double> y, Beginning* beginning = nullptr,
               std::span<const double> moved = {}) {
    tell();
    Monitor::restart(t, y, beginning, moved);
    watch();
  }

  [[nodiscard]] Counters counters() const {
    Counters all = Monitor::counters();
    all.guard_evaluations += evaluations_;
    return all;
  }

  const Look& look(Step& step) {
    if (ready_ && keeps_clear(step)) return nothing_;
    tell();
    if (const Watched* w = std::exchange(crossing_, nullptr)) rows_known(w->guard, bound_);
    const Look& seen = Monitor::look(step);
    watch();
    return seen;
  }

 private:
  struct Watched {
    std::size_t guard;
    double g_tol;
    Standing standing;
    double g = 0.0;  ///< at the end of the step that is looked at
    int trend = 0;
  };

  /// Gives back what was learnt on the steps that were clear.
  void tell() {
    for (const Watched& w : watched_) standing(w.guard) = w.standing;
  }

  /// Takes over what the monitor knows; ready if every enabled guard is linear and on a known side of zero.
  void watch() {
    which_ = enabled();
    watched_.clear();
    ready_ = !which_.empty();
    for (const std::size_t g : which_) {
      const GuardInfo& info = guards_.info(g);
      watched_.push_back({g, info.g_tol, standing(g), 0.0, 0});
      ready_ = ready_ && info.degree == 1 && standing(g).sign != 0;
    }
  }

  bool keeps_clear(Step& step) {
    const int degree = step.degree();
    if (degree < 1 || degree > LinearBound::max_rows) return false;
    for (Watched& w : watched_)
      if (!keeps_clear(step, degree, w)) return false;
    const double t1 = step.t1();
    for (Watched& w : watched_) {
      w.standing.trend = w.trend;
      w.standing.leading = false;
      w.standing.carry = 0.0;
      w.standing.t = t1;
      w.standing.g = w.g;
    }
    return true;
  }

  /// One guard at a time, so that its numbers stay in registers.
  bool keeps_clear(Step& step, int degree, Watched& w) {
    const Standing& s = w.standing;
    const double t0 = step.t0();
    const std::array<std::size_t, 1> which{w.guard};
    std::array<double, 1> g{};
    if (s.t != t0 || !guards_.values(step.t1(), step.y1(), which, g)) return false;
    LinearBound bound(s.g, g[0]);
    const bool crosses = bound.crosses(s);
    if (!crosses && !bound.promising(s)) return false;
    w.g = g[0];
    const std::span<const double> y0 = step.y0();
#pragma GCC unroll 8
    for (int r = 1; r < degree; ++r) {
      const std::span<const double> row = step.row(r);
      if (row.size() != y0.size()) return false;
      for (std::size_t i = 0; i < row.size(); ++i) scratch_[i] = y0[i] + row[i];
      if (!guards_.values(t0, scratch_, which, g)) return false;
      bound.add_row(r, g[0] - s.g);
    }
    evaluations_ += static_cast<std::size_t>(degree);
    if (crosses) {
      crossing_ = &w;
      bound_ = bound;
      return false;
    }
    w.trend = bound.trend_after(s.trend);
    return bound.clear(s, w.g_tol);
  }

  Guards& guards_;
  std::span<const std::size_t> which_;
  std::vector<Watched> watched_;
  std::vector<double> scratch_;
  Look nothing_;
  const Watched* crossing_ = nullptr;  ///< the guard that the step is looked at for, if its rows are known:
  LinearBound bound_;
  std::size_t evaluations_ = 0;
  bool ready_ = false;
};

}  // namespace hstar::events
