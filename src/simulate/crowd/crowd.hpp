// src/simulate/crowd/crowd.hpp
//
// Discs that fly until they touch: each is advanced only when something happens to it, and what happens next is looked
// up in a calendar (Lubachevsky 1991). An impact costs what is near it, whatever the size of the crowd.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hstar/run.hpp"
#include "simulate/crowd/disc.hpp"
#include "simulate/crowd/outlook.hpp"
#include "simulate/crowd/strike.hpp"

namespace hstar::crowd {

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

/// Discs that touch each other, and walls, at one instant.
struct Cluster {
  double t = 0;
  std::vector<int> discs;
  std::vector<Due> contacts;
};

/// What becomes of one of them.
struct Flung {
  Vec2 velocity{0, 0};
  double spin = 0;
};

class Crowd {
 public:
  /// `most_at_instant`: impacts of one disc at one instant, beyond which they accumulate. The model must outlive this.
  Crowd(const CrowdModel& model, double t, std::size_t most_at_instant);
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  /// halt() if discs overlap where they start.
  [[nodiscard]] const std::optional<Halt>& look_at_start();
  [[nodiscard]] std::optional<Due> next(double t_end) { return outlook_.next(t_end); }
  /// Carries it out. False: halt() says why not, or what it has led to.
  bool strike(const Due& due, Struck& done);
  /// After a halt for a cluster: all that it is made of, its clocks put forward. None: halt() says that discs overlap.
  [[nodiscard]] std::optional<Cluster> cluster(const Due& due);
  /// Its discs go on so, by number in it. False: halt().
  bool go_on(const Cluster& cluster, std::span<const Flung> after);
  [[nodiscard]] const std::optional<Halt>& halt() const { return halt_; }

  [[nodiscard]] const std::vector<Disc>& discs() const { return discs_; }
  [[nodiscard]] Motion motion(int disc, double t) const { return outlook_.motion(disc, t); }
  [[nodiscard]] const CrowdModel& model() const { return model_; }
  [[nodiscard]] std::size_t forecasts() const { return outlook_.forecasts(); }

 private:
  /// Impacts of one disc that come at one instant, to round-off.
  struct Row {
    double last = 0;
    std::size_t count = 0;
  };
  /// Nothing touches the discs besides each other or the wall, and nothing has gone through anything.
  bool alone(const Due& due);
  /// Adds what touches the disc to touching_. False: something is inside it, halt().
  bool find_touching(int disc, double t, const std::vector<Near>& near);
  bool counts(int disc, int other, double t);
  [[nodiscard]] double time_error(const Due& due, const Struck& done) const;
  [[nodiscard]] bool stays(const Due& due, const Struck& done) const;
  [[nodiscard]] static int contact_of(const Due& due) { return due.wall ? due.wall->contact : -1; }
  bool stop(Halt halt) {
    halt_ = std::move(halt);
    return false;
  }

  const CrowdModel& model_;
  std::vector<Disc> discs_;
  std::vector<Row> rows_;
  std::size_t most_at_instant_;
  Outlook outlook_;
  Striker striker_;
  std::vector<Near> near_[2];  ///< of the two that meet
  std::vector<Due> touching_;
  std::optional<Halt> halt_;
};

}  // namespace hstar::crowd
