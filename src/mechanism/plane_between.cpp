// src/mechanism/plane_between.cpp
#include "mechanism/plane_between.hpp"

#include <array>

namespace hstar {
namespace {
/// Of the lengths that make a gap: farther behind each other than this bodies that touch never are; those beside each
/// other are by their whole width.
constexpr double overlap = 1e-6;
/// Sine of the angle up to which two normals are the same: over the width of a body, which is of the size of those
/// lengths, planes that are tilted against each other by it are apart by less than `overlap`.
constexpr double same_normal = 0.1 * overlap;

Vec3 normal_of(const Contact& contact, const Kinematics& k) {
  Row row;
  std::array<Row, 2> tangents;
  if (k.columns == 3) {  // in the plane
    contact.rows_at(k, row, tangents[0]);
    row.J[1][2] = 0;
  } else {
    contact.all_rows_at(k, row, tangents.data());
  }
  // Parts of one contact name their bodies in either order.
  const double sign = contact.first < contact.second ? 1 : -1;
  return sign * Vec3{row.J[1][0], row.J[1][1], row.J[1][2]};
}

bool same_direction(const Vec3& a, const Vec3& b) { return dot(a, b) > 0 && norm(cross(a, b)) <= same_normal; }
}  // namespace

bool has_plane_between(const System& s, const Kinematics& k, std::size_t contact) {
  const Contact& c = *s.contacts[contact];
  if (!c.has_range()) return true;
  const Vec3 n = normal_of(c, k);
  const auto is_behind = [&](std::size_t o) {
    const Contact& other = *s.contacts[o];
    return other.has_range() && other.gap(k) < -overlap * other.gap_scale(k) && same_direction(n, normal_of(other, k));
  };
  // (Parts of a written contact are listed one after the other.)
  for (std::size_t o = contact; o-- > 0 && s.contacts[o]->group == c.group;)
    if (is_behind(o)) return false;
  for (std::size_t o = contact + 1; o < s.contacts.size() && s.contacts[o]->group == c.group; ++o)
    if (is_behind(o)) return false;
  return true;
}

}  // namespace hstar
