// src/simulate/islands/island_motion.hpp
//
// Freedoms that stick and slide, each island of those that move with a clock of its own, and a calendar of what comes:
// the end of an island's arc, a limit of friction that is reached, a slide that stops. What happens to one freedom
// touches its island and the neighbours of that at rest, whatever else there is.
#pragma once

#include <span>
#include <vector>

#include "simulate/islands/arcs.hpp"
#include "simulate/islands/calendar.hpp"
#include "simulate/islands/freedoms.hpp"

namespace hstar::islands {

/// How a freedom moves: at rest, or going: sliding to one side, or without dry friction.
enum class Going : signed char { backward = -1, rests = 0, forward = 1, freely = 2 };

/// A guard of dry friction that is due: of a slide that stops, or of one that begins.
struct Due {
  int freedom = 0;
  double t = 0, give = 0;       ///< give: what its round-off leaves open of t [s]
  Going toward = Going::rests;  ///< where to a freedom at rest begins to slide
  bool clear = true;            ///< it has come there from its own side
};

class IslandMotion {
 public:
  IslandMotion(const Freedoms& freedoms, double t_start, double t_end);

  /// All begins at (t, y). False: no step leads on, failure() says why.
  bool begin(double t, std::span<const double> y, std::span<const Going> going);
  /// When something is due next; infinity: nothing before the end.
  [[nodiscard]] double next() const { return calendar_.next(); }
  /// Follows the island whose arc ends next. False, as begin().
  bool follow();
  /// An arc ends next, and no guard is due.
  [[nodiscard]] bool arc_ends() const { return calendar_.first() >= freedoms_.count(); }
  /// The guards that are due next: the first, and those within `tie` [s] and their give of it. They are due no more.
  void take_due(double tie, std::vector<Due>& due);
  /// What a freedom whose slide stops does then. Not clear: false.
  [[nodiscard]] bool after_stop(int freedom, double t, Going& after) const;
  /// Freedom i goes otherwise from t on, where it is at rest for a moment. False, as begin().
  bool change(int i, double t, Going after);

  [[nodiscard]] Going going(int i) const { return going_[i]; }
  [[nodiscard]] double velocity(int i, double t) const {
    double v = 0;
    arcs_.state(i, t, v);
    return v;
  }
  [[nodiscard]] std::size_t count_going() const { return count_going_; }
  [[nodiscard]] std::size_t steps() const { return arcs_.steps(); }
  [[nodiscard]] StepResult failure() const { return arcs_.failure(); }
  /// The state at t, up to next().
  void write(double t, std::span<double> y);

 private:
  bool join_around(std::span<const int> seeds, double t);
  void look(int i, double t);
  void look_around(std::span<const int> members, double t);
  void watch_slide(int i, double t);
  void watch_rest(int i, double t);
  /// From powers p on the freedom's guard: when it is due, p on [t, t + way].
  void watch(int i, double t, double way, const Powers& p, Due& first) const;
  [[nodiscard]] double friction_of(int i) const;

  const Freedoms& freedoms_;
  Arcs arcs_;
  Calendar calendar_;  ///< freedoms, then islands
  std::vector<Going> going_;
  std::vector<Due> due_;  ///< by freedom
  double t_end_;
  std::size_t count_going_ = 0;
  std::vector<unsigned> seen_;  ///< by freedom: when it was looked at last
  unsigned round_ = 0;
  std::vector<int> members_, island_, around_;
  std::vector<double> s_, v_;
};

}  // namespace hstar::islands
