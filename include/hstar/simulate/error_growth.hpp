// include/hstar/simulate/error_growth.hpp
//
// Whether a run with a fixed step has diverged. Nothing controls the error of such a run, but every step has an
// estimate of it. What grows because the equations say so grows by far more than its errors; what an unstable step
// makes of a solution consists of errors, since a step outside the stability region enlarges what the equation would
// diminish: |R(z)| - |e^z| <= |R(z) - e^z|, and the right-hand side is the error of the step. A state is judged each
// time it has doubled. A doubling is lost if the errors of the steps since the last one account for it, and takes an
// earlier loss back if not. Where a motion swings, its error is a quarter of a swing ahead: at the turn where the state
// has doubled it may be nothing, and some further steps are looked at. Stable formulas may enlarge a state for a while,
// BDF of order 6 the most, before they damp it; ten lost doublings, from two steps at least, are beyond that.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "hstar/flow.hpp"

namespace hstar {

class ErrorGrowth {
 public:
  /// `implicit`: between the ends of a stiff step the interpolant of an implicit method is worth little, and with it
  /// the estimate. Only states that swing are judged.
  ErrorGrowth(std::size_t states, const FlowOptions& options, bool implicit);

  /// A segment begins at y: what a reset makes larger has not grown.
  void begin(std::span<const double> y);
  /// Judges the step that `flow` has accepted. True if the run has diverged.
  bool diverges(Flow& flow);
  /// In words, after diverges(): which state, from where it has grown, and what to do.
  [[nodiscard]] std::string message(const std::vector<std::string>& names) const;

 private:
  /// Growth from one size to another that has not been judged yet.
  struct Doubling {
    double from = 0, to = 0;  ///< [unit of y]
    std::size_t steps = 0;
    bool swings = false;  ///< the way there is longer than steady growth would have made it
    double error = 0;     ///< the largest of the steps looked at
    int looks = 0;        ///< further steps to look at; 0: there is no such doubling
  };
  struct State {
    double size = 0;        ///< at the last doubling [unit of y]; 0: never above faint()
    std::size_t steps = 0;  ///< taken until then
    double way = 0;         ///< gone since then, up and down
    Doubling open;
    int lost = 0;      ///< lost doublings, less sound ones since
    double sound = 0;  ///< size before the first of them
  };
  /// What is smaller may be round-off of the other states, and tells nothing by growing.
  [[nodiscard]] double faint() const;
  /// The errors of the steps make all of it.
  static bool accounts_for(const Doubling& doubling);
  /// Enters the doubling as lost or sound. True if there are too many lost ones.
  static bool judge(State& state, const Doubling& doubling, bool lost);

  bool fixed_, implicit_;
  double atol_, h_;
  std::vector<State> states_;
  double largest_ = 0;  ///< of all states and times
  std::size_t steps_ = 0;
  std::size_t worst_ = 0;  ///< the state that has diverged
};

}  // namespace hstar
