// src/mechanism/spatial/contact_rows.cpp
#include "mechanism/spatial/contact_rows.hpp"

namespace hstar::geometry {
namespace {

/// Both bodies and the contact's points at an instant; T is double or Slope.
template <class T>
struct Pair {
  Vector<T> columns[2][3];  ///< of A_k: body axes
  Vector<T> omega[2];       ///< global axes
  Vector<T> arm[2];         ///< P_k - r_k
  Vector<T> wandering[2];   ///< P_k_dot - r_dot_k
  Vector<T> v_rel;

  Pair(const Touch<Timed<T>>& touch, const SpatialMotion& b1, const SpatialMotion& b2) {
    const SpatialMotion* const body[2] = {&b1, &b2};
    for (int k = 0; k < 2; ++k) {
      const Carrier<Timed<T>> carrier(*body[k], k);
      for (std::size_t i = 0; i < 3; ++i) {
        Vec3 e{0, 0, 0};
        e[i] = 1;
        columns[k][i] = values(carrier.direction(e));
      }
      omega[k] = values(carrier.direction(body[k]->omega_bar));
      const Vector<Timed<T>> from_centre = (k == 0 ? touch.on_first : touch.on_second) - carrier.point({0, 0, 0});
      arm[k] = values(from_centre);
      wandering[k] = rates(from_centre);
    }
    v_rel = (constant<T>(b2.v) + cross(omega[1], arm[1])) - (constant<T>(b1.v) + cross(omega[0], arm[0]));
  }
};

template <class T>
struct RowNumbers {
  T J[2][6];
  T gamma;
};

template <class T>
RowNumbers<T> moving_along(const Pair<T>& p, const Vector<Timed<T>>& direction) {
  const Vector<T> u = values(direction);
  RowNumbers<T> row;
  for (int k = 0; k < 2; ++k) {
    const double sign = k == 0 ? -1 : 1;
    row.J[k][0] = sign * u.x;
    row.J[k][1] = sign * u.y;
    row.J[k][2] = sign * u.z;
    const Vector<T> moment = times(sign, cross(p.arm[k], u));
    for (int i = 0; i < 3; ++i) row.J[k][3 + i] = dot(p.columns[k][i], moment);
  }
  row.gamma = -1.0 * (dot(rates(direction), p.v_rel) +
                      dot(u, cross(p.omega[1], p.wandering[1]) - cross(p.omega[0], p.wandering[0])));
  return row;
}

template <class T>
RowNumbers<T> turning_about(const Pair<T>& p, const Vector<Timed<T>>& direction) {
  const Vector<T> u = values(direction);
  RowNumbers<T> row;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i) {
      row.J[k][i] = T(0);
      row.J[k][3 + i] = (k == 0 ? -1.0 : 1.0) * dot(p.columns[k][i], u);
    }
  row.gamma = -1.0 * dot(rates(direction), p.omega[1] - p.omega[0]);
  return row;
}

void put(const RowNumbers<double>& from, Row& row) {
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 6; ++i) row.J[k][i] = from.J[k][i];
  row.nu = 0;
  row.gamma = from.gamma;
}

void put(const RowNumbers<Slope>& from, SpatialRowSlope& slope) {
  for (std::size_t b = 0; b < 12; ++b) {
    for (std::size_t a = 0; a < 12; ++a) slope.J[a][b] = from.J[a / 6][a % 6].by[b];
    slope.gamma[b] = from.gamma.by[b];
  }
}

template <class T, class Out>
void fill_moving(const Touch<Timed<T>>& touch, const SpatialMotion& b1, const SpatialMotion& b2, Out& normal,
                 Out* tangents) {
  const Pair<T> p(touch, b1, b2);
  put(moving_along(p, touch.normal), normal);
  put(moving_along(p, touch.tangent), tangents[0]);
  put(moving_along(p, cross(touch.normal, touch.tangent)), tangents[1]);
}

template <class T, class Out>
void fill_turning(const Touch<Timed<T>>& touch, const SpatialMotion& b1, const SpatialMotion& b2, bool spinning,
                  Out* out) {
  const Pair<T> p(touch, b1, b2);
  if (spinning) return put(turning_about(p, touch.normal), out[0]);
  put(turning_about(p, touch.tangent), out[0]);
  put(turning_about(p, cross(touch.normal, touch.tangent)), out[1]);
}

}  // namespace

void fill_rows(const Touch<Timed<double>>& touch, const SpatialMotion& b1, const SpatialMotion& b2, Row& normal,
               Row* tangents) {
  fill_moving(touch, b1, b2, normal, tangents);
}
void fill_slopes(const Touch<Timed<Slope>>& touch, const SpatialMotion& b1, const SpatialMotion& b2,
                 SpatialRowSlope* out) {
  fill_moving(touch, b1, b2, out[0], out + 1);
}
void fill_turning_rows(const Touch<Timed<double>>& touch, const SpatialMotion& b1, const SpatialMotion& b2,
                       bool spinning, Row* out) {
  fill_turning(touch, b1, b2, spinning, out);
}
void fill_turning_slopes(const Touch<Timed<Slope>>& touch, const SpatialMotion& b1, const SpatialMotion& b2,
                         bool spinning, SpatialRowSlope* out) {
  fill_turning(touch, b1, b2, spinning, out);
}

}  // namespace hstar::geometry
