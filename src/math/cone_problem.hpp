// src/math/cone_problem.hpp
//
// Contact and dry friction in space as one complementarity problem over exact cones, no pyramid, on matrices.
// Unilateral contacts, each with a normal row, and friction units of 1 to 3 rows, whose rates answer forces by
//   a = c + G f,
//   0 <= a_N  _|_  lambda_N >= 0                                                                      by contact,
//   stick: a_T = 0, |lambda_T| <= mu_static N,    slip: lambda_T = -mu_kinetic N a_T / |a_T|          by unit,
// or, for a unit that slides already, lambda_T = -mu_kinetic N d + further with its direction d given. N is the
// lambda_N of a contact (several units may share one: sliding, rolling, spinning), a given number, or a sum of weighted
// norms of affine functions of f (the reactions of a joint). a are accelerations at gamma_T = 0, or velocities after an
// impact, those of normals with e gamma_N before added, with f impulses. G = W^T M^-1 W with the bilateral rows held,
// symmetric, not negative, of any rank: where it is singular, f is one of many and a is what counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace hstar::math {

using Direction3 = std::array<double, 3>;  ///< as many entries are used as the unit has directions

struct ConeContact {
  int row = 0;           ///< of its normal in G and c
  bool lifting = false;  ///< lambda_N has just reached zero: closed only if clearly pressed again
};

/// weight |r_0 + R f|, with `size` rows of reaction_0 and reaction from `row` on.
struct ConePart {
  double weight = 1;
  int size = 1;  ///< 1 to 3
  int row = 0;
};

struct ConeUnit {
  enum class Normal : unsigned char {
    contact,  ///< lambda_N of `contact`; while that is open the unit is open
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
  bool broke_away = false;               ///< its stick limit has just been reached: sticks only if clearly inside again
  Direction3 heading{};                  ///< broke_away: where it slides to if neither a_T nor lambda_T tells
};

struct ConeProblem {
  std::vector<ConeContact> contact;
  std::vector<ConeUnit> unit;
  std::vector<ConePart> part;
  std::vector<double> G, c;        ///< n x n, row-major; n
  std::vector<double> scale;       ///< n: size of the terms of c, for round-off
  std::vector<double> reaction_0;  ///< m
  std::vector<double> reaction;    ///< m x n, row-major
  double force_scale = 0;          ///< size of the known forces, for round-off
  /// Forces that are not unique: those furthest inside their limits. False (impulses): as they are found from none on,
  /// without the preload that bodies between two walls could have.
  bool spread = true;

  [[nodiscard]] int rows() const { return static_cast<int>(c.size()); }
  /// All numbers zero. Allocates only beyond the largest problem so far.
  void resize(int contacts, int units, int rows, int parts = 0, int reactions = 0) {
    const auto n = static_cast<std::size_t>(rows), m = static_cast<std::size_t>(reactions);
    contact.assign(static_cast<std::size_t>(contacts), {});
    unit.assign(static_cast<std::size_t>(units), {});
    part.assign(static_cast<std::size_t>(parts), {});
    G.assign(n * n, 0.0);
    c.assign(n, 0.0);
    scale.assign(n, 0.0);
    reaction_0.assign(m, 0.0);
    reaction.assign(m * n, 0.0);
    force_scale = 0;
    spread = true;
  }
};

enum class ConeHold : unsigned char { open, closed, stick, slip };

/// How a problem was answered.
struct ConeAnswer {
  bool found = false;
  bool split = false;   ///< forces are not unique: one admissible split of many is given
  double residual = 0;  ///< largest violation of the laws, relative to the size of the terms
  int ties = 0;         ///< contacts and units on the boundary of their law: what comes next decides them
  int newton_steps = 0;
};

}  // namespace hstar::math
