// src/simulate/crowd/outlook.hpp
//
// What comes next to a crowd: cells to look in, forecasts of what is seen there, a calendar of these.
#pragma once

#include <optional>
#include <vector>

#include "simulate/crowd/calendar.hpp"
#include "simulate/crowd/cells.hpp"
#include "simulate/crowd/disc.hpp"
#include "simulate/crowd/roots.hpp"

namespace hstar::crowd {

struct CrowdModel {
  Vec2 gravity{0, 0};
  std::vector<Disc> discs;  ///< at their starts
  std::vector<ContactLaw> laws;
  std::vector<std::vector<Wall>> walls;  ///< by disc
  const Meetings* meetings = nullptr;
};

/// An impact that is due.
struct Due {
  double t = 0;
  int first = -1, second = -1;  ///< discs; first -1: the wall
  const Wall* wall = nullptr;
  int law = 0;
};

/// A disc and a wall: the gap, its rate, and the sizes of what meets in them.
struct Nearness {
  double gap, rate, size, speed;
};

/// One of the discs around another, and where it is.
struct Near {
  int disc;
  Motion now;
};

class Outlook {
 public:
  /// Both must outlive this; the discs stand at their starts, at t.
  Outlook(const CrowdModel& model, const std::vector<Disc>& discs, double t);

  /// The next impact before t_end, all cells up to there passed; none: there is none, or it has been asked to stop
  /// (hstar/stop.hpp).
  [[nodiscard]] std::optional<Due> next(double t_end);
  /// The disc's motion is another since t. `near`: those around it; that of `partner` has changed too, -1: of none.
  void forecast(int disc, int partner, double t, std::vector<Near>& near);
  /// All in its cell and those around it.
  void look_around(int disc, double t, std::vector<Near>& near) const;

  [[nodiscard]] Motion motion(int disc, double t) const { return at(discs_[disc], model_.gravity, t); }
  [[nodiscard]] Approach approach(int a, const Motion& now, const Near& b) const;
  [[nodiscard]] Nearness nearness(int disc, const Wall& wall, double t) const;
  [[nodiscard]] std::size_t forecasts() const { return calendar_.size(); }  ///< kept at present

 private:
  /// Where its cell ends, and walls before that; those behind are looked for from the next cell.
  void forecast_way(int disc, double t);
  void forecast_walls(int disc, double t, double t_until);
  void forecast_meeting(int a, const Motion& now, const Near& b, double t);
  void pass(const Forecast& forecast);

  const CrowdModel& model_;
  const std::vector<Disc>& discs_;
  Cells cells_;
  Calendar calendar_;
};

[[nodiscard]] inline double dot(const Vec2& a, const Vec2& b) { return a[0] * b[0] + a[1] * b[1]; }
[[nodiscard]] inline double sum_of_sizes(const Vec2& a) { return std::abs(a[0]) + std::abs(a[1]); }

}  // namespace hstar::crowd
