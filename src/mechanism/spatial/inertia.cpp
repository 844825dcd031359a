// src/mechanism/spatial/inertia.cpp
#include "mechanism/spatial/inertia.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hstar {
namespace {

void positive(double value, std::string_view name, std::string_view unit, const Location& where,
              std::string_view owner) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(where, fmt::format("{}: {} = {} {} must be a positive number", owner, name, value, unit));
}

/// All eigenvalues positive (Sylvester).
bool positive_definite(const Mat3& m) {
  return m[0][0] > 0 && m[0][0] * m[1][1] - m[0][1] * m[1][0] > 0 && determinant(m) > 0;
}

}  // namespace

MassProperties box_inertia(const Vec3& sides, double density, const Location& where, std::string_view owner) {
  for (double side : sides) positive(side, "side", "m", where, owner);
  positive(density, "density", "kg/m^3", where, owner);
  const double m = density * sides[0] * sides[1] * sides[2];
  const Vec3 s{sides[0] * sides[0], sides[1] * sides[1], sides[2] * sides[2]};
  return {m, {m / 12 * (s[1] + s[2]), m / 12 * (s[2] + s[0]), m / 12 * (s[0] + s[1])}};
}

MassProperties cylinder_inertia(double radius, double length, double density, const Location& where,
                                std::string_view owner) {
  positive(radius, "radius", "m", where, owner);
  positive(length, "length", "m", where, owner);
  positive(density, "density", "kg/m^3", where, owner);
  const double m = density * std::numbers::pi * radius * radius * length;
  const double across = m * (radius * radius / 4 + length * length / 12);
  return {m, {across, across, m * radius * radius / 2}};
}

MassProperties rod_inertia(double radius, double length, double density, const Location& where,
                           std::string_view owner) {
  const MassProperties c = cylinder_inertia(radius, length, density, where, owner);
  return {c.mass, {c.moment[2], c.moment[0], c.moment[0]}};
}

MassProperties sphere_inertia(double radius, double density, const Location& where, std::string_view owner) {
  positive(radius, "radius", "m", where, owner);
  positive(density, "density", "kg/m^3", where, owner);
  const double m = density * 4 / 3 * std::numbers::pi * radius * radius * radius, J = 0.4 * m * radius * radius;
  return {m, {J, J, J}};
}

std::string inertia_defect(const Mat3& J) {
  double size = 0;
  for (const Vec3& row : J)
    for (double x : row) {
      if (!std::isfinite(x)) return fmt::format("has an entry that is not a finite number, {}", x);
      size = std::max(size, std::abs(x));
    }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(J[i][j] - J[j][i]) > 1e-9 * size)
        return fmt::format("must be symmetric: entry [{}][{}] = {} but [{}][{}] = {}", j, i, J[j][i], i, j, J[i][j]);
  const Mat3 unit = (1 / size) * J;
  if (!(size > 0) || !positive_definite(unit)) return "must be positive definite: about some axis it is zero or less";
  return "";
}

std::string inertia_doubt(const Mat3& J) {
  const double trace = J[0][0] + J[1][1] + J[2][2];  // positive where J is positive definite
  constexpr double round_off = 1e-9;                 // of a flat body's moments, as they are written
  if (positive_definite((0.5 + round_off) * identity3 - (1 / trace) * J)) return "";
  return "violates the triangle inequality: one principal moment is larger than the sum of the others, which no "
         "distribution of mass has";
}

}  // namespace hstar
