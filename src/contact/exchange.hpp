// src/contact/exchange.hpp
//
// An active-set method for the contact problem: forces and rates of given statuses (two_level.hpp) are held against
// all laws on both levels, and statuses are exchanged where a law is broken, all at once, until none is.
#pragma once

#include <vector>

#include "contact/problem.hpp"
#include "contact/two_level.hpp"

namespace hstar::contact {

/// Exchanges from a guess: a walk that has not ended after these goes in circles.
constexpr int most_exchanges = 12;

/// What an enumeration leaves open; a walk exchanges nothing else.
enum class Asked : unsigned char { anything, open, closed, stick, slip };

/// Statuses to begin with and to end with.
struct Guess {
  Status status;
  std::vector<double> mu;  ///< by unit: the coefficient of its limit
  std::vector<Asked> contact, unit;

  void reserve(int rows);
  /// Everything is loaded and held, or slides as it did.
  void hold_all(const Problem& p);
};

/// A contact's normal presses as far as the statuses say, or the normal force comes from elsewhere.
[[nodiscard]] bool acts(const Unit& unit, const Status& status);
/// The same but for directions.
[[nodiscard]] bool same(const Status& a, const Status& b);

class Exchange {
 public:
  /// Room for problems of so many rows: no heap memory for these afterwards.
  void reserve(int rows);
  /// True: `guess` obeys all laws, with the forces and rates of level(). False after `rounds`, or after `patience`
  /// rounds without fewer laws broken.
  bool walk(const Problem& p, Guess& guess, int rounds, int patience = most_exchanges);
  /// The last walk ended on a boundary of what was asked for.
  [[nodiscard]] bool weak() const { return weak_; }
  [[nodiscard]] TwoLevel& level() { return level_; }
  [[nodiscard]] const GivenForces& level() const { return level_; }
  [[nodiscard]] int systems() const { return systems_; }  ///< linear systems of given statuses, since the beginning

 private:
  int judge(const Problem& p, const Guess& guess);  ///< laws broken, and next_ what they ask for
  bool judge_contact(const Problem& p, int i, Asked asked);
  bool judge_unit(const Problem& p, int j, double mu, Asked asked);

  TwoLevel level_;
  Status next_, before_;
  bool impossible_ = false;  ///< something that is held moves
  bool refused_ = false;     ///< the laws ask for another status than was asked for
  bool weak_ = false;
  int systems_ = 0;
};

}  // namespace hstar::contact
