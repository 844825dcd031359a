// src/simulate/islands/arcs.hpp
//
// Islands of freedoms that move and are coupled with each other, each on an arc of its own:
//   s_i(t0 + x h) = sum_k c_ik x^k,   c_i,k+2 = h^2 / ((k+1)(k+2)) (sum_j (K_ij c_jk + D_ij (k+1)/h c_j,k+1) + b_i +
//   ...),
// the Taylor series of s'' = K s + D s' + b + c t. With w = max (|K|/w + |D|) and theta = h w its terms are below
// theta^k / k! of the first, so that what is left out is below round-off. What does not move is constant to them.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "hstar/flow.hpp"
#include "simulate/islands/first_crossing.hpp"
#include "simulate/islands/freedoms.hpp"
#include "simulate/islands/lone_series.hpp"

namespace hstar::islands {

/// Powers of x from the first on, and what of each is round-off.
struct Powers {
  std::array<double, most_powers> of;  ///< `count` of them
  std::size_t count = 0;
  double noise = 0;  ///< round-off of the values
};

class Arcs {
 public:
  Arcs(const Freedoms& freedoms, double t_start, double t_end);

  /// All freedoms rest at s; what moves is told by join() afterwards.
  void begin(std::span<const double> s);
  /// No island has this freedom any more: it rests where it is, or is told by join().
  void stop(int i, double s) {
    island_[i] = -1;
    base_[i] = s;
    speed_[i] = 0;
  }
  /// The freedom moves from here on with this friction, an acceleration.
  void go(int i, double s, double v, double friction);
  /// Makes the members of an island at rest or going again; it is no more. The members that it had.
  void dissolve(int island, double t, std::vector<int>& members);
  /// An island of freedoms that go, from t on. Its number; -1: no step leads on, failure() says why.
  int join(std::span<const int> members, double t);
  /// The same island from the end of its arc on, or from within. False: as join().
  bool follow(int island, double t);

  /// -1: it rests.
  [[nodiscard]] int island(int i) const { return island_[i]; }
  [[nodiscard]] std::span<const int> members(int island) const { return islands_[island].members; }
  [[nodiscard]] double end(int island) const { return islands_[island].t1; }
  [[nodiscard]] double begin(int island) const { return islands_[island].t0; }

  /// Its position, and velocity v.
  double state(int i, double t, double& v) const;
  /// s'' of a freedom without its own friction, and the size of its terms.
  [[nodiscard]] double load(int i, double t, double& size) const;

  [[nodiscard]] bool is_alone(int i) const { return islands_[island_[i]].lone != nullptr; }
  /// Of one that is alone in its island: when its slide to this side stops on the arc, and its error [s]; `clear`:
  /// false if it does not even begin.
  [[nodiscard]] double stop_of(int i, double sign, double& error, bool& clear) const;
  /// The velocity of a member by its island's x.
  void velocity_powers(int i, Powers& p) const;
  /// The load of a freedom at rest on [t, t_until] by x there. Valid while its neighbours' arcs are.
  void load_powers(int i, double t, double t_until, Powers& p) const;
  /// Until when: the first end of a neighbour's arc.
  [[nodiscard]] double neighbours_end(int i) const;

  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] StepResult failure() const { return failure_; }

 private:
  struct Island {
    std::vector<int> members;
    mutable std::vector<double> terms;  ///< most_powers a member
    double t0 = 0, t1 = 0, h = 0;
    std::size_t count = 0;             ///< of powers
    const LoneSeries* lone = nullptr;  ///< of one member; its terms are there when they are first asked for
    LoneStart from;
    mutable bool filled = true;
    mutable double seen_t = 0, seen_s = 0, seen_v = 0;  ///< of one member, where it has last been asked for
  };
  [[nodiscard]] const double* terms(int i) const;
  /// The members' positions and speeds at t are those from which they go on.
  void rest_at(const Island& island, double t);
  const LoneSeries& series_of(int i);
  /// Of a load, per size of its terms.
  [[nodiscard]] double round_off_of(int i) const;
  [[nodiscard]] double reach(const Island& island, int number) const;
  bool expand(Island& island, int number);
  bool expand_lone(Island& island);
  bool fail(Island& island, StepResult why);

  const Freedoms& freedoms_;
  double t_end_, longest_;
  std::vector<int> island_, local_;  ///< by freedom; place in its island
  std::vector<double> base_, speed_, friction_, size_;
  std::vector<Island> islands_;
  std::vector<int> unused_;
  std::vector<const LoneSeries*> lone_;  ///< by freedom, once it has been needed
  std::map<std::pair<double, double>, LoneSeries> series_;
  std::size_t steps_ = 0;
  StepResult failure_ = StepResult::accepted;
};

}  // namespace hstar::islands
