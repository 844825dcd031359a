// tests/oracle/solver/mechanism.hpp
//
// A model as matrices. The state z = (q, v, e) holds the coordinates of the free bodies (x and y of each), their
// velocities, and the functions of time e = (1, t, t^2/2, sin, cos, sin, cos, ...) that occur; e' = E e, so that every
// gap, relative velocity and force is a row times z for as long as no function of time switches.
#pragma once

#include <string>
#include <vector>

#include "solver/model.hpp"
#include "solver/number.hpp"

namespace oracle {

/// A relative motion along a fixed direction: position and velocity are rows times z, acceleration is
/// w . v' + acceleration . z.
template <class R>
struct Direction {
  Vector<R> w;                                 ///< of the free coordinates
  Vector<R> position, velocity, acceleration;  ///< of z
};

template <class R>
struct Element {
  std::string name;
  bool contact = false;  ///< else a guide
  Direction<R> normal;
  R restitution = 0;
  bool friction = false;
  Direction<R> tangent;
  R mu_static = 0, mu_kinetic = 0;
  bool given = false;      ///< the friction's normal force is a function of time:
  Vector<R> given_normal;  ///< this row of z
};

template <class R>
class Mechanism {
 public:
  Mechanism(const Model& model, const Turned& turned);

  /// Times at which a function of time switches, increasing.
  [[nodiscard]] const std::vector<R>& switches() const { return switches_; }
  [[nodiscard]] R end() const { return value<R>(model_.end, turned_); }
  /// The first state, at t = 0.
  [[nodiscard]] Vector<R> start() const;
  /// The elements and forces as they are after the first `passed` switches.
  void set_epoch(std::size_t passed);

  [[nodiscard]] std::size_t coordinates() const { return n_; }
  [[nodiscard]] std::size_t size() const { return 2 * n_ + 3 + 2 * sines_.size(); }
  [[nodiscard]] const std::vector<Element<R>>& elements() const { return elements_; }  ///< guides, then contacts
  [[nodiscard]] const Vector<R>& masses() const { return mass_; }                      ///< of each coordinate
  [[nodiscard]] const std::vector<Vector<R>>& forces() const { return force_; }  ///< of each coordinate: a row of z
  /// e' = E e: the derivative of each function of time as a row of z.
  [[nodiscard]] const std::vector<Vector<R>>& clock() const { return clock_; }

 private:
  struct Wave {
    R frequency, phase;
  };
  [[nodiscard]] std::size_t at(std::size_t function) const { return 2 * n_ + function; }
  [[nodiscard]] R number(const Decimal& d) const { return value<R>(d, turned_); }
  [[nodiscard]] std::size_t sine(const Sine& s) const;
  void collect(const TimeLaw& law);
  [[nodiscard]] const TimeLaw::Piece& piece(const TimeLaw& law) const;
  /// Adds factor times the law, or its first or second derivative, to a row of z.
  void add_law(Vector<R>& row, const R& factor, const TimeLaw& law, int derivative) const;
  [[nodiscard]] Direction<R> direction(int first, int second, const R& ux, const R& uy) const;
  void build_elements();
  void build_forces();
  void build_clock();

  const Model& model_;
  Turned turned_;
  std::size_t n_ = 0;
  std::vector<int> first_coordinate_;  ///< of each body; -1 if prescribed
  std::vector<Wave> sines_;
  std::vector<R> switches_;
  R now_ = 0;  ///< the last switch that has passed
  Vector<R> mass_;
  std::vector<Element<R>> elements_;
  std::vector<Vector<R>> force_, clock_;
};

extern template class Mechanism<Fast>;
extern template class Mechanism<Exact>;

}  // namespace oracle
