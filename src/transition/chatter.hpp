// src/transition/chatter.hpp
//
// Chatter: impacts that follow each other ever faster, of one contact or of several in turn, and may be infinitely many
// in finite time (Budd & Dux 1994; Nordmark & Piiroinen 2009). Where flights are so low that the round-off of positions
// begins to hide them, they are followed on gaps that are numbers of their own: zero at the impact, and from then on
// known to all their digits however low the flight is. Velocities, accelerations and impacts are those of the
// mechanism, so that nothing is supposed about the sequence: it ends where no contact leaves with more than round-off
// of its velocity, or it grows again and is handed back.
//
// Accelerations change linearly during a flight, from what they are at its beginning to what they are where it seems to
// end; what that leaves out is of fourth order in its length.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace hstar {

/// A contact whose flights may be followed: its gap, and what acts on it.
class FollowedGap {
 public:
  /// It is open with this gap, gap velocity (known up to `blur`) and gap acceleration; all zero: it is closed.
  void fly(double gap, double speed, double acceleration, double blur = 0);
  void set_gap(double gap) { gap_ = gap; }
  [[nodiscard]] double gap() const { return gap_; }
  [[nodiscard]] bool is_near() const { return gap_ < far; }
  /// At zero gap after the last advance().
  [[nodiscard]] bool touches() const { return gap_ == 0; }
  /// It has touched since reset().
  void touch() { state_ = State::bounces; }
  [[nodiscard]] bool bounces() const { return state_ != State::none; }
  void lose_speed();
  /// It has lost its speed, and forces open it.
  void let_go() { state_ = State::rests; }
  /// It has touched, and lost its speed.
  [[nodiscard]] bool rests() const { return state_ == State::rests; }
  /// It is no longer followed.
  void leave() { state_ = State::none; }

  /// The acceleration at the end of the flight that Chatter::next() tells: from now on what acts on the gap between.
  void bend(double acceleration);
  [[nodiscard]] double change(double acceleration) const { return acceleration - acceleration_; }
  /// After bend(): of the acceleration half-way, from what changes linearly.
  [[nodiscard]] double change_from_line(double half_way) const { return half_way - bent_; }
  /// What such a change of the acceleration does to the gap velocity in that time, as a part of what changes it at all.
  [[nodiscard]] double part(double change, double time) const;
  /// By how much an impact would be late that is looked for on a gap with this round-off [s].
  [[nodiscard]] double late(double round_off) const { return round_off / std::abs(speed_); }

  [[nodiscard]] bool moves() const { return gap_ != 0 || speed_ != 0; }
  [[nodiscard]] double speed() const { return speed_; }
  /// Time until it strikes if nothing else happens; infinite if it does not.
  [[nodiscard]] double returns_after() const;
  /// Its largest gap within this time.
  [[nodiscard]] double height(double time) const;
  /// After this time, at whose end it strikes or not.
  void advance(double time, bool strikes);

 private:
  static constexpr double far = std::numeric_limits<double>::infinity();
  enum class State : unsigned char { none, bounces, rests };
  double gap_ = far, speed_ = 0, acceleration_ = 0, bent_ = 0, blur_ = 0;
  State state_ = State::none;
};

class Chatter {
 public:
  /// Until the next impact, or until something stops that slides meanwhile.
  struct Flight {
    int contact = -1;  ///< that strikes next; -1: none does
    int unit = -1;     ///< the friction unit that stops before; -1: none does
    double lasts = std::numeric_limits<double>::infinity();
    [[nodiscard]] bool ends() const { return contact >= 0 || unit >= 0; }
  };

  explicit Chatter(std::size_t contacts) : contacts_(contacts) {}

  [[nodiscard]] FollowedGap& operator[](std::size_t contact) { return contacts_[contact]; }
  [[nodiscard]] const FollowedGap& operator[](std::size_t contact) const { return contacts_[contact]; }
  /// No contact is near, and none is followed.
  void reset();
  /// From now on gaps are those of here; impacts have followed each other for so long already [s].
  void follow(double lasted) {
    follows_ = true;
    lasted_ = lasted;
  }
  [[nodiscard]] bool follows() const { return follows_; }
  /// The next impacts are not told one by one.
  void hide(bool hidden) { hides_ = hidden; }
  [[nodiscard]] bool hides() const { return follows_ && hides_; }
  /// Gap velocities up to this are none while impacts are followed: what an impact cannot tell from zero [m/s].
  void set_still(double speed) { still_ = speed; }
  [[nodiscard]] double still() const { return follows_ ? still_ : 0; }
  /// The same of a contact: what has come to rest may have been left with more by the last impact beside it.
  [[nodiscard]] double still(std::size_t contact) const;

  /// A friction unit slides and stops after this time. After all fly().
  void slide(int unit, double time) {
    if (time < stop_.lasts) stop_ = {-1, unit, time};
  }
  void forget_stops() { stop_ = {}; }
  /// It has lost its speed: it comes to rest at once.
  void arrive(std::size_t contact);
  /// All that bounces has.
  void arrive();
  /// An impact with this speed of approach.
  void strike(double speed) { fastest_ = std::max(fastest_, last_ = speed); }
  [[nodiscard]] double last_strike() const { return last_; }
  /// The largest since this was last asked.
  double fastest() { return std::exchange(fastest_, 0.0); }

  /// What comes first. Where no contact that bounces strikes again within the time that the impacts have lasted, what
  /// still leaves has lost its speed too if that is hardly more than nothing. (The round-off of forces that balance
  /// each other brings it back after longer than that.) Cost: one pass.
  [[nodiscard]] Flight next();
  /// All gaps after the flight; zero for all contacts that strike together.
  void advance(const Flight& flight);

 private:
  bool follows_ = false, hides_ = false;
  double fastest_ = 0, last_ = 0, still_ = 0, lasted_ = 0;
  Flight stop_;
  std::vector<FollowedGap> contacts_;
};

/// How far a chatter has been followed, from just after an impact that the monitor found.
struct Followed {
  double t = 0;                  ///< of that impact [s]
  double begun = 0;              ///< when the contacts that chatter struck first [s]
  double later = 0;              ///< since t [s]
  int contact = -1;              ///< that strikes first
  double round_off = 0;          ///< of the gaps of others that strike; else 0 [m]
  double speed = 0;              ///< of the last impact whose flight was higher than that [m/s]
  double blur = 0;               ///< round-off of the gap, as a part of the height of the first flight
  double first = 0;              ///< length of the first flight [s]
  std::array<double, 3> last{};  ///< of the last ones
  int seen = 0;                  ///< impacts that the monitor has found
  int flights = 0;

  [[nodiscard]] double now() const { return t + later; }
  void add(double flight);
  /// What the round-off of the first gap makes of the flights, and that of gaps that were open at the beginning [s].
  [[nodiscard]] double error() const { return blur * later + (speed > 0 ? round_off / speed : 0); }
  /// Until the limit of the last flights if they are a geometric sequence; else 0 [s].
  [[nodiscard]] double left() const;
};

}  // namespace hstar
