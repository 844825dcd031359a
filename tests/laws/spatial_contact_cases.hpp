// tests/laws/spatial_contact_cases.hpp
//
// Shapes of every kind, two of them on two bodies, and the distance of convex bodies by a way of its own: the point of
// the smallest norm in the convex hull of all differences of their points (Wolfe 1976).
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "laws/spatial_cases.hpp"
#include "mechanism/spatial/contacts.hpp"
#include "mechanism/spatial/polyhedron.hpp"

namespace laws::spatial {

inline const std::vector<std::string>& shape_names() {
  static const std::vector<std::string> names{"plane", "sphere", "point", "capsule", "box", "hull"};
  return names;
}

inline SpatialShapeSpec random_shape(const std::string& name, support::Random& random) {
  SpatialShapeSpec s;
  s.shape = name;
  s.point = random_vector(random, 0.3);
  s.normal = random_axes(random).h;
  s.radius = random.uniform(0.1, 0.4);
  s.ends = {random_vector(random, 0.5), random_vector(random, 0.5)};
  for (double& x : s.sides) x = random.uniform(0.3, 1.2);
  for (int i = 0; i < 9; ++i) s.points.push_back(random_vector(random, 0.6));
  return s;
}

/// A shape as the convex hull of points, all of them this round (radius), in body coordinates. None for planes.
struct Rounded {
  std::vector<Vec3> points;
  double radius = 0;
};
inline Rounded rounded(const SpatialShapeSpec& s) {
  if (s.shape == "sphere") return {{s.point}, s.radius};
  if (s.shape == "point") return {{s.point}, 0};
  if (s.shape == "capsule") return {{s.point + s.ends[0], s.point + s.ends[1]}, s.radius};
  Rounded r;
  if (s.shape == "box")
    for (int i = 0; i < 8; ++i)
      r.points.push_back(s.point + Vec3{(i & 1 ? 0.5 : -0.5) * s.sides[0], (i & 2 ? 0.5 : -0.5) * s.sides[1],
                                        (i & 4 ? 0.5 : -0.5) * s.sides[2]});
  if (s.shape == "hull")
    for (const Vec3& p : s.points) r.points.push_back(s.point + p);
  return r;
}

/// Two bodies, and the contacts of one shape on each.
struct Meeting {
  Kinematics k;
  SpatialContactSpec spec;
  std::vector<ContactPart> parts;
  std::vector<std::unique_ptr<SpatialContact>> contacts;

  Meeting(SpatialContactSpec contact, const SpatialMotion& b1, const SpatialMotion& b2) : spec(std::move(contact)) {
    k.columns = 6;
    k.spatial = {b1, b2};
    parts = contact_parts(spec);
    for (const ContactPart& part : parts) {
      contacts.push_back(find_contact(part.first, part.second)->make(part.first, part.second, {}));
      contacts.back()->first = part.swapped ? 1 : 0;
      contacts.back()->second = part.swapped ? 0 : 1;
    }
  }
};

struct Nearest {
  double distance;
  Vec3 on_first, on_second;
  int first_points, second_points;  ///< how many points the nearest ones are made of: 1 vertex, 2 edge, 3 face
};

/// Wolfe's algorithm: a growing set of affinely independent points, each time the hull's point nearest to 0.
inline Nearest nearest(const std::vector<Vec3>& first, const std::vector<Vec3>& second) {
  struct Difference {
    std::size_t i, j;
  };
  const auto vector = [&](const Difference& d) -> Eigen::Vector3d {
    const Vec3 v = second[d.j] - first[d.i];
    return {v[0], v[1], v[2]};
  };
  std::vector<Difference> set{{0, 0}};
  std::vector<double> weight{1};
  Eigen::Vector3d x = vector(set[0]);
  for (int round = 0; round < 1000; ++round) {
    Difference best{0, 0};
    double least = 1e300;
    for (std::size_t i = 0; i < first.size(); ++i)
      for (std::size_t j = 0; j < second.size(); ++j)
        if (const double along = x.dot(vector({i, j})); along < least) least = along, best = {i, j};
    if (least > x.squaredNorm() - 1e-14) break;
    set.push_back(best);
    weight.push_back(0);
    for (;;) {
      const auto n = static_cast<Eigen::Index>(set.size());
      Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n + 1, n + 1);
      for (Eigen::Index a = 0; a < n; ++a) {
        m(a, n) = m(n, a) = 1;
        for (Eigen::Index b = 0; b < n; ++b)
          m(a, b) = vector(set[static_cast<std::size_t>(a)]).dot(vector(set[static_cast<std::size_t>(b)]));
      }
      const Eigen::VectorXd affine = m.fullPivLu().solve(Eigen::VectorXd::Unit(n + 1, n));
      double step = 1;
      std::size_t leaves = set.size();
      for (std::size_t a = 0; a < set.size(); ++a)
        if (const double to = affine(static_cast<Eigen::Index>(a)); to <= 1e-12 && weight[a] - to > 0)
          if (const double s = weight[a] / (weight[a] - to); s < step) step = s, leaves = a;
      for (std::size_t a = 0; a < set.size(); ++a)
        weight[a] += step * (affine(static_cast<Eigen::Index>(a)) - weight[a]);
      if (leaves == set.size()) break;
      set.erase(set.begin() + static_cast<std::ptrdiff_t>(leaves));
      weight.erase(weight.begin() + static_cast<std::ptrdiff_t>(leaves));
    }
    x.setZero();
    for (std::size_t a = 0; a < set.size(); ++a) x += weight[a] * vector(set[a]);
  }
  Nearest found{x.norm(), {0, 0, 0}, {0, 0, 0}, 0, 0};
  std::vector<std::size_t> one, two;
  const auto add = [](std::vector<std::size_t>& list, std::size_t i) {
    for (const std::size_t known : list)
      if (known == i) return;
    list.push_back(i);
  };
  for (std::size_t a = 0; a < set.size(); ++a) {
    found.on_first = found.on_first + weight[a] * first[set[a].i];
    found.on_second = found.on_second + weight[a] * second[set[a].j];
    if (weight[a] < 1e-9) continue;
    add(one, set[a].i);
    add(two, set[a].j);
  }
  found.first_points = static_cast<int>(one.size());
  found.second_points = static_cast<int>(two.size());
  return found;
}

}  // namespace laws::spatial
