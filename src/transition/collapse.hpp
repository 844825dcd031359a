// src/transition/collapse.hpp
//
// Inelastic collapse: several contacts strike in turn, in a word that repeats (a ball between two others: left, right,
// left, ...), infinitely often in finite time, or at one instant where they touch. From cycle to cycle the velocities
// shrink by one ratio and the times by another, the eigenvalues of the map of a cycle (McNamara & Young 1992); what the
// impacts seen tell is taken for them once the approach speeds of three cycles are multiples of each other.
//
// The velocities at the limit are never read from here: they may shrink far more slowly than the times. The limit is
// that of one plastic impact of all contacts of the word.
//
// Where only the times shrink and the speeds do not (a ball between walls that close in on it) the impacts crowd: there
// is a last instant, and rigid bodies have no motion beyond it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace hstar {

class Collapse {
 public:
  /// Impacts kept: four cycles of a word of this many contacts.
  static constexpr std::size_t longest_word = 48, kept = 4 * longest_word;

  struct Limit {
    Limit() { contacts.reserve(longest_word); }
    std::vector<int> contacts;  ///< that strike in turn, sorted
    bool crowds = false;        ///< the speeds do not shrink
    double t = 0;               ///< of the limit [s]
    double remaining = 0;       ///< t - time of the last impact [s]; 0: at one instant
    double error = 0;           ///< estimate, of t: how far the last cycle has moved it [s]
    double shrink = 0;          ///< of the velocities in a cycle, < 1
    double ratio = 0;           ///< of the times of the last two cycles, < 1
    double cycle = 0;           ///< the last one [s]
  };

  /// Room for all impacts that are kept.
  Collapse() {
    history_.reserve(kept);
    linked_.reserve(kept);
    bodies_.reserve(2 * kept);
  }

  void reset() { history_.clear(); }
  /// An impact of one contact between two bodies; those without freedom (the ground, a driven table) are -1: they link
  /// nothing. `speed`: of approach, > 0. Contacts that strike together are added one after the other, always in the
  /// same order.
  void add(double t, int contact, std::array<int, 2> bodies, double speed);
  /// Whether the impact added last goes on in a word of at least two contacts whose limit is known; of impacts only
  /// those count that its bodies are linked to. Cost: a few times the impacts kept.
  bool recognise(Limit& limit);

 private:
  struct Impact {
    double t;
    int contact;
    std::array<int, 2> body;
    double speed;
  };

  void select(std::size_t window);
  bool repeats(std::size_t word, Limit& limit) const;
  /// Of the approach speeds of a cycle of n impacts.
  static double strength(const Impact* cycle, std::size_t n);
  /// Over several cycles of n impacts.
  [[nodiscard]] bool keeps_its_speed(std::size_t n) const;
  /// From the lengths of the last three cycles, the last one ending at t, and how s = T_k / (T_k-1 - T_k) has grown a
  /// cycle.
  static bool predict(const std::array<double, 3>& cycle, double growth, double t, Limit& limit);
  /// That growth, over all cycles of n impacts that are kept; 1 where they are too few to tell.
  [[nodiscard]] double growth(std::size_t n) const;

  std::vector<Impact> history_;
  std::vector<Impact> linked_;  ///< those linked to the last one, in order
  std::vector<int> bodies_;
};

}  // namespace hstar
