// src/transition/crowding.hpp
//
// Impacts crowd: contacts strike in turn, in a word that repeats, ever faster and without getting slower (a ball
// between walls that close in on it). There is a last instant, and rigid bodies have no motion beyond it. Times of
// impacts come to it like those of a geometric sequence, or like k^-p, far too slowly to be waited for.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace hstar {

class Crowding {
 public:
  /// Impacts kept: of eight cycles of a word of this many contacts.
  static constexpr std::size_t longest_word = 12, fewest_cycles = 8, kept = (fewest_cycles + 1) * longest_word;

  struct Limit {
    std::vector<int> contacts;  ///< that strike in turn, sorted
    double t = 0;               ///< of the last instant [s]
    double ratio = 0;           ///< of the times of the last two cycles, < 1
  };

  Crowding() {
    history_.reserve(kept);
    linked_.reserve(kept);
    bodies_.reserve(2 * kept);
  }

  void reset() { history_.clear(); }
  /// An impact of one contact between two bodies; those without freedom (the ground, a driven table) are -1: they link
  /// nothing. `speed`: of approach, > 0. Contacts that strike together are added one after the other, always in the
  /// same order.
  void add(double t, int contact, std::array<int, 2> bodies, double speed);
  /// Whether the impact added last goes on in a word of at least two contacts that crowds; of impacts only those count
  /// that its bodies are linked to. Cost: a few times the impacts kept, where the last three cycles get no slower.
  bool recognise(Limit& limit);

 private:
  struct Impact {
    double t;
    int contact;
    std::array<int, 2> body;
    double speed;
  };

  void link();
  [[nodiscard]] bool repeats(std::size_t word) const;
  bool predict(std::size_t word, Limit& limit) const;

  std::vector<Impact> history_;
  std::vector<Impact> linked_;  ///< those linked to the last one, in order
  std::vector<int> bodies_;
};

}  // namespace hstar
