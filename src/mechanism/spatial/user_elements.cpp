// src/mechanism/spatial/user_elements.cpp
#include "mechanism/spatial/user_elements.hpp"

#include "mechanism/system.hpp"

namespace hstar {

SpatialBodyView spatial_view(const Kinematics& k, int body) {
  const SpatialMotion& b = k.spatial_of(body);
  const Body& of = (*k.bodies)[body];
  const EulerParameters p = written_orientation(of, b.p);
  return {b.r, p, of.has_own_axes ? rotation_matrix(p) : b.A, b.v, written_axes(of, b.omega_bar)};
}

SpatialBodyView moved(const SpatialBodyView& view, const Body& body, int c, double h) {
  SpatialBodyView out = view;
  const auto i = static_cast<std::size_t>(c % 3);
  Vec3 e{0, 0, 0};
  e[i] = h;
  switch (c / 3) {
    case 0:
      out.r[i] += h;
      break;
    case 1:
      out.p = turned(view.p, written_axes(body, e));
      out.A = rotation_matrix(out.p);
      break;
    case 2:
      out.r_dot[i] += h;
      break;
    default:
      out.omega_bar = view.omega_bar + written_axes(body, e);
  }
  return out;
}

double spatial_step(const SpatialBodyView& view, int c) {
  // All components of one vector enter alike: where one of them vanishes, its step is that of the largest.
  const auto of = [](const Vec3& x) {
    return difference_step(std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}));
  };
  const int kind = c / 3;
  return kind == 0 ? of(view.r) : kind == 1 ? difference_step(1) : of(kind == 2 ? view.r_dot : view.omega_bar);
}

Vec3 to_system_axes(const Body& body, const Vec3& bar) {
  return body.has_own_axes ? transposed_times(body.axes, bar) : bar;
}

}  // namespace hstar
