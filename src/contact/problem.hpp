// src/contact/problem.hpp
//
// Contact and dry friction of rigid bodies as one complementarity problem on matrices, at one instant: the rates of
// rows answer forces by
//   a = c + G f,    G = J M^-1 J^T with the bilateral rows held, symmetric, not negative, of any rank.
//   contact:  0 <= a_N  _|_  f_N >= 0
//   unit:     a_T = 0, |f_T| <= mu_static N   or   f_T = -mu_kinetic N a_T / |a_T|;
//             one that slides already, with direction d:  f_T = -mu_kinetic N d + further
// A unit has 1 to 3 rows; its N is the force of a contact (several units may share one: sliding, rolling, spinning), a
// given number, or the reaction of a joint, a sum of weighted norms of affine functions of f. At an impact a are
// velocities after it, those of normals with e gamma_N before added, and f impulses.
//
// Where G is singular the laws leave f open. It is the limit for vanishing compliance of all rows (share.hpp).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace hstar::contact {

using Direction3 = std::array<double, 3>;  ///< as many entries are used as the unit has directions

struct Contact {
  int row = 0;            ///< of its normal in G and c
  bool leaving = false;   ///< f_N has just reached zero: it presses only if clearly pressed again
  bool pressing = false;  ///< it touched without force and has just sunk in: it is without only if clearly so again
  double nothing = 0;     ///< leaving: f_N that is none, what the last place of t leaves of it
};

/// weight |r_0 + R f|, with `size` rows of reaction_0 and reaction from `row` on.
struct Part {
  double weight = 1;
  int size = 1;  ///< 1 to 3
  int row = 0;
};

struct Unit {
  enum class Normal : unsigned char {
    contact,  ///< f_N of `contact`; while that is without force the unit has none
    given,    ///< N = normal_0 >= 0
    parts     ///< N = sum of `parts` parts from `part` on
  };
  Normal normal = Normal::contact;
  int contact = 0;
  double normal_0 = 0;
  int part = 0, parts = 1;
  int row = 0, directions = 2;           ///< rows row .. row + directions - 1; 1 to 3
  double mu_static = 0, mu_kinetic = 0;  ///< mu_static >= mu_kinetic >= 0, the lever of the unit included
  bool slides = false;                   ///< gamma_T != 0 (mu_static is not used)
  Direction3 direction{1, 0, 0};         ///< slides: gamma_T / |gamma_T|
  Direction3 further{};                  ///< slides: force beside the dry one (viscous)
  bool exceeded = false;                 ///< its limit has just been reached: held only if clearly inside again
  bool returned = false;                 ///< it crept and has just come inside its limit: beyond only if clearly so
  double nothing = 0;                    ///< either: distance to the limit that is none, as that of a contact
  bool arrives = false;                  ///< it slid until now
  bool kinetic = false;                  ///< it creeps with mu_kinetic N: sliding that had begun made others hold
  Direction3 heading{};                  ///< exceeded: where it slides to if neither a_T nor f_T tells
  /// Of the limit of f_T, before this instant lets go of it.
  [[nodiscard]] double mu() const { return slides || kinetic ? mu_kinetic : mu_static; }
};

struct Problem {
  std::vector<Contact> contact;
  std::vector<Unit> unit;
  std::vector<Part> part;
  std::vector<double> G, c;        ///< n x n, row-major; n
  std::vector<double> scale;       ///< n: size of the terms of c, for round-off
  std::vector<double> alone;       ///< n: J M^-1 J^T without the bilateral rows, which G_ii is a remainder of; or 0
  std::vector<double> compliance;  ///< n: 1 for forces, 1 / lever^2 for moments
  std::vector<double> reaction_0;  ///< m
  std::vector<double> reaction;    ///< m x n, row-major
  double force_scale = 0;          ///< size of the known forces, for round-off
  double drift = 0;                ///< rows may differ by such a part of their lengths from those where they hold

  [[nodiscard]] int rows() const { return static_cast<int>(c.size()); }
  [[nodiscard]] double g(int i, int j) const { return G[i * rows() + j]; }
  /// All numbers zero, all compliances 1. Allocates only beyond the largest problem so far.
  void resize(int contacts, int units, int rows, int parts = 0, int reactions = 0);
  /// c + G f of a row, and `further`.
  [[nodiscard]] double rate(int row, const double* f, double further = 0) const {
    const int n = rows();
    const double* g = G.data() + row * n;
    double sum = c[row] + further;
    for (int j = 0; j < n; ++j) sum += g[j] * f[j];
    return sum;
  }
  /// r_0 + R f of one of its rows.
  [[nodiscard]] double reaction_at(int row, const double* f) const {
    const int n = rows();
    const double* by = reaction.data() + row * n;
    double sum = reaction_0[row];
    for (int j = 0; j < n; ++j) sum += by[j] * f[j];
    return sum;
  }
  /// N of a unit at forces f; `slope` gets its derivatives by row, or is null.
  double normal(const Unit& unit, const double* f, double* slope = nullptr) const;
};

/// |x| of n entries.
[[nodiscard]] inline double length(const double* x, int n) {
  double sum = n > 0 ? std::abs(x[0]) : 0;
  for (int i = 1; i < n; ++i) sum = std::hypot(sum, x[i]);
  return sum;
}

/// What a contact does. Touching: it has neither force nor rate, because others hold the bodies apart.
enum class Press : unsigned char { open, touching, loaded };
/// What a unit does. Creeping: at its limit, without motion, because others hold the bodies.
enum class Hold : unsigned char { none, held, creeping, slip };

struct UnitStatus {
  Hold hold = Hold::none;
  Direction3 direction{};  ///< creeping, slip: that of the sliding which f_T resists
  bool kinetic = false;    ///< in an answer: its limit is mu_kinetic N
};

struct Status {
  std::vector<Press> contact;
  std::vector<UnitStatus> unit;
};

}  // namespace hstar::contact
