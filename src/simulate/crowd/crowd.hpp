// src/simulate/crowd/crowd.hpp
//
// Discs that fly until they touch: each is advanced only when something happens to it, and what happens next is looked
// up in a calendar (Lubachevsky 1991). An impact costs what is near it, whatever the size of the crowd.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hstar/run.hpp"
#include "simulate/crowd/calendar.hpp"
#include "simulate/crowd/cells.hpp"
#include "simulate/crowd/disc.hpp"
#include "simulate/crowd/roots.hpp"
#include "simulate/crowd/strike.hpp"

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

/// Why a crowd cannot go on.
struct Halt {
  enum class Why : unsigned char { overlap, cluster, rests, accumulates, no_answer };
  Why why = Why::overlap;
  int disc = -1, other = -1;  ///< other -1: a wall
  int contact = -1;           ///< of the wall
  std::string text;           ///< of the law
  /// The impact itself has been carried out.
  [[nodiscard]] bool after_impact() const { return why == Why::rests || why == Why::accumulates; }
};

class Crowd {
 public:
  /// `most_at_instant`: impacts of one disc at one instant, beyond which they accumulate. The model must outlive this.
  Crowd(const CrowdModel& model, double t, std::size_t most_at_instant);

  /// Discs that overlap where they start, or touch so that they cannot fly.
  [[nodiscard]] std::optional<Halt> look_at_start();
  /// The next impact before t_end, all cells up to there passed; none: there is none, or halt() is set.
  [[nodiscard]] std::optional<Due> next(double t_end);
  /// Carries it out. False: halt() says why not, or what it has led to.
  bool strike(const Due& due, Struck& done);
  [[nodiscard]] const std::optional<Halt>& halt() const { return halt_; }

  [[nodiscard]] const std::vector<Disc>& discs() const { return discs_; }
  [[nodiscard]] Motion motion(int disc, double t) const { return at(discs_[disc], model_.gravity, t); }
  [[nodiscard]] double angle(int disc, double t) const {
    return discs_[disc].angle + (t - discs_[disc].t0) * discs_[disc].spin;
  }
  [[nodiscard]] const CrowdModel& model() const { return model_; }
  [[nodiscard]] std::size_t transfers() const { return transfers_; }
  [[nodiscard]] std::size_t forecasts() const { return calendar_.size(); }  ///< kept at present

 private:
  /// Impacts of one disc that come at one instant, to round-off.
  struct Row {
    double last = 0;
    std::size_t count = 0;
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
  [[nodiscard]] Approach approach(int a, const Motion& now, const Near& b) const;
  [[nodiscard]] Nearness nearness(int disc, const Wall& wall, double t) const;
  void look_around(int disc, double t, std::vector<Near>& near) const;
  void forecast_all(int disc, int partner, double t, std::vector<Near>& near);
  /// Where its cell ends, and walls before that; those behind are looked for from the next cell.
  void forecast_way(int disc, double t);
  void forecast_walls(int disc, double t, double t_until);
  void forecast_meeting(int a, const Motion& now, const Near& b, double t);
  void pass(const Forecast& forecast);
  /// Nothing touches the discs besides each other or the wall, and nothing has gone through anything.
  bool alone(const Due& due);
  bool apart(int disc, int partner, double t, const std::vector<Near>& near);
  bool walls_apart(int disc, const Wall* partner, double t);
  bool counts(int disc, int other, double t);
  [[nodiscard]] double time_error(const Due& due, const Struck& done) const;
  [[nodiscard]] bool stays(const Due& due, const Struck& done) const;
  bool stop(Halt halt) {
    halt_ = std::move(halt);
    return false;
  }

  const CrowdModel& model_;
  std::vector<Disc> discs_;
  std::vector<Row> rows_;
  std::size_t most_at_instant_, transfers_ = 0;
  Cells cells_;
  Calendar calendar_;
  Striker striker_;
  std::vector<Near> near_[2];  ///< the two that meet
  std::optional<Halt> halt_;
};

}  // namespace hstar::crowd
