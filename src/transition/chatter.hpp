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

#include "transition/gap_speed.hpp"

namespace hstar {

/// A contact whose flights may be followed: its gap, and what acts on it.
class FollowedGap {
 public:
  /// It is open with this gap, gap velocity and gap acceleration. Velocities are known up to `blur`; the gap velocity
  /// is a number of its `own`, or a difference of them. Positions tell the gap to `round_off`.
  void fly(double gap, double speed, double acceleration, double blur = 0, bool own = true, double round_off = 0);
  /// No gap and no speed.
  void close();
  void set_gap(double gap) { gap_ = gap; }
  [[nodiscard]] double gap() const { return gap_; }
  /// Positions show that it is open.
  [[nodiscard]] bool shows() const { return gap_ > round_off_; }
  [[nodiscard]] bool is_near() const { return gap_ < far; }
  /// At zero gap after the last advance().
  [[nodiscard]] bool touches() const { return gap_ == 0; }
  /// It has touched since reset(). (What has lost its speed has not again before an impact gives it one, whatever is
  /// left of it in velocities.)
  void touch() {
    if (!lost_) state_ = State::bounces;
  }
  [[nodiscard]] bool bounces() const { return state_ != State::none; }
  void lose_speed();
  /// It has lost its speed, and forces open it.
  void let_go() { state_ = State::rests; }
  /// It has touched, and lost its speed.
  [[nodiscard]] bool rests() const { return state_ == State::rests; }
  /// It is no longer followed.
  void leave() { state_ = State::none; }

  /// An impact changes its speed.
  void jump(double change, double size, double fastest) {
    speed_.jump(change, size, fastest);
    lost_ = lost_ && !(size > 0);
  }

  /// The acceleration at the end of the flight that Chatter::next() tells: from now on what acts on the gap between.
  void bend(double acceleration);
  [[nodiscard]] double accelerated() const { return std::abs(acceleration_); }
  [[nodiscard]] double change(double acceleration) const { return acceleration - acceleration_; }
  /// After bend(): of the acceleration half-way, from what changes linearly.
  [[nodiscard]] double change_from_line(double half_way) const { return half_way - bent_; }
  /// What such a change of the acceleration does to the gap velocity in that time, as a part of what changes it at all.
  [[nodiscard]] double part(double change, double time) const;

  [[nodiscard]] bool moves() const { return gap_ != 0 || speed() != 0; }
  [[nodiscard]] double speed() const { return speed_.value(); }
  [[nodiscard]] const GapSpeed& known_speed() const { return speed_; }
  /// Time until it strikes if nothing else happens; infinite if it does not.
  [[nodiscard]] double returns_after() const;
  /// Its largest gap within this time.
  [[nodiscard]] double height(double time) const;
  /// After this time, at whose end it strikes or not. `part`: what its speed is known to, where it is below its blur.
  void advance(double time, bool strikes, double part);

 private:
  static constexpr double far = std::numeric_limits<double>::infinity();
  enum class State : unsigned char { none, bounces, rests };
  double gap_ = far, round_off_ = 0, acceleration_ = 0, bent_ = 0;
  GapSpeed speed_;
  State state_ = State::none;
  bool lost_ = false;  ///< its speed, and no impact has given it another
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

  explicit Chatter(std::size_t contacts) : contacts_(contacts), rough_(contacts) {}
  /// Its impacts have friction, which hangs on velocities of sliding that have their round-off: its speed is no number
  /// of its own.
  void set_rough(std::size_t contact) { rough_[contact] = 1; }

  [[nodiscard]] FollowedGap& operator[](std::size_t contact) { return contacts_[contact]; }
  [[nodiscard]] const FollowedGap& operator[](std::size_t contact) const { return contacts_[contact]; }
  /// No contact is near, and none is followed.
  void reset();
  /// From now on gaps are those of here, and so are speeds within the round-off of velocities; impacts have followed
  /// each other for so long already [s].
  void follow(const Flight& first, double lasted);
  [[nodiscard]] bool follows() const { return follows_; }
  /// A gap velocity and what counts as zero of it, where a mechanism's velocities tell `speed` up to `blur`; a number
  /// of its own if it agrees with that.
  struct Known {
    double speed, zero;
    bool own;
  };
  [[nodiscard]] Known known(std::size_t contact, double speed, double blur) const;
  /// An impact changes the speed of a contact.
  void jump(std::size_t contact, double change, double size, double fastest);
  /// One has since this was last asked.
  bool has_jumped() { return std::exchange(jumped_, false); }

  /// The next impacts are not told one by one.
  void hide(bool hidden) { hides_ = hidden; }
  [[nodiscard]] bool hides() const { return follows_ && hides_; }
  /// The largest GapSpeed::still_seen() of what bounces while impacts are followed [m/s].
  [[nodiscard]] double still() const;
  /// GapSpeed::still() of a contact: what has come to rest may have been left with more by the last impact beside
  /// it.
  [[nodiscard]] double still(std::size_t contact) const;

  /// A friction unit slides and stops after this time. After all fly().
  void slide(int unit, double time) {
    if (time < stop_.lasts) stop_ = {-1, unit, time};
  }
  void forget_stops() { stop_ = {}; }
  /// It has lost its speed: it comes to rest at once.
  void arrive(std::size_t contact);
  /// Something bounces and has not.
  [[nodiscard]] bool goes_on() const;
  /// All that bounces and that velocities do not show (any more than hardly) has. False: there is none.
  bool arrive_unseen();
  /// An impact with this speed of approach.
  void strike(double speed) { fastest_ = std::max(fastest_, last_ = speed); }
  [[nodiscard]] double last_strike() const { return last_; }
  /// The largest since this was last asked.
  double fastest() { return std::exchange(fastest_, 0.0); }

  /// What comes first. Where no contact that bounces strikes again within the time that the impacts have lasted, what
  /// still leaves has lost its speed too if that is hardly more than nothing. (The round-off of forces that balance
  /// each other brings it back after longer than that.) A number of its own is nothing if no other such strikes again:
  /// the sequence is over, whatever comes later. Cost: one pass.
  [[nodiscard]] Flight next();
  /// All gaps after the flight; zero for all contacts that strike together.
  void advance(const Flight& flight);

 private:
  bool follows_ = false, hides_ = false, jumped_ = false;
  double fastest_ = 0, last_ = 0, lasted_ = 0;
  double part_ = 1;  ///< round-off of what bounces when it is followed first, as a part of its speed
  Flight stop_;
  std::vector<FollowedGap> contacts_;
  std::vector<char> rough_;
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
  int untold = 0;  ///< impacts that have no line

  [[nodiscard]] double now() const { return t + later; }
  void add(double flight);
  /// What the round-off of the first gap makes of the flights (no more than they have lasted), and that of gaps that
  /// were open at the beginning [s].
  [[nodiscard]] double error() const { return std::min(blur, 1.0) * later + (speed > 0 ? round_off / speed : 0); }
  /// Until the limit of the last flights if they are a geometric sequence; else 0 [s].
  [[nodiscard]] double left() const;
};

}  // namespace hstar
