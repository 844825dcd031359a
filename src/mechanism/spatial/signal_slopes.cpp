// src/mechanism/spatial/signal_slopes.cpp
#include "mechanism/spatial/signal_slopes.hpp"

#include "mechanism/system.hpp"

namespace hstar {
namespace {

/// Adds direction (x) value to one column.
void add_column(const SpatialDirection& direction, int column, double value, std::vector<ForceSlopes::Entry>& out) {
  if (value == 0) return;
  for (int i = 0; i < 12; ++i)
    if (direction.g[i] != 0) out.push_back({6 * direction.body[i / 6] + i % 6, column, direction.g[i] * value});
}

}  // namespace

void add_signal(const SpatialDirection& direction, const SignalRef& ref, const Kinematics& k, double factor,
                ForceSlopes& out) {
  if (ref.kind == SignalKind::state) return add_column(direction, ref.index, factor, out.by_state);
  if (ref.kind == SignalKind::spatial_motion) {
    double by_position[6], by_velocity[6];
    spatial_signal_slope(ref.index, k, by_position, by_velocity);
    for (int c = 0; c < 6; ++c) {
      add_column(direction, 6 * (ref.index / 16) + c, factor * by_position[c], out.by_position);
      add_column(direction, 6 * (ref.index / 16) + c, factor * by_velocity[c], out.by_velocity);
    }
  }
  if (ref.kind == SignalKind::force_length || ref.kind == SignalKind::force_rate) {
    OutputSlope slope;
    (*k.forces)[ref.index]->output_slope(ref.kind == SignalKind::force_length ? 0 : 1, k, slope);
    for (int c = 0; c < 12; ++c) {
      const int column = 6 * slope.body[c / 6] + c % 6;
      add_column(direction, column, factor * slope.by_position[c], out.by_position);
      add_column(direction, column, factor * slope.by_velocity[c], out.by_velocity);
    }
  }
}

void spatial_signal_slope(int index, const Kinematics& k, double by_position[6], double by_velocity[6]) {
  const auto i = static_cast<std::size_t>(index / 16), c = static_cast<std::size_t>(index % 16);
  const SpatialMotion& b = k.spatial[i];
  const Body& body = (*k.bodies)[i];
  for (int j = 0; j < 6; ++j) by_position[j] = by_velocity[j] = 0;
  if (c < 3) {
    by_position[c] = 1;
  } else if (c >= 7 && c < 10) {
    by_velocity[c - 7] = 1;
  }
  for (std::size_t j = 0; j < 3; ++j) {
    Vec3 e{0, 0, 0};
    e[j] = 1;
    if (c >= 3 && c < 7) by_position[3 + j] = written_orientation(body, parameter_rate(b.p, e))[c - 3];
    if (c >= 10 && c < 13) by_velocity[3 + j] = written_axes(body, e)[c - 10];
    if (c >= 13) {
      by_velocity[3 + j] = b.A[c - 13][j];
      by_position[3 + j] = (b.A * cross(e, b.omega_bar))[c - 13];
    }
  }
}

void add_output_slope(int which, const SpatialRow& row, const SpatialRowSlope& slope, const SpatialMotion& first,
                      const SpatialMotion& second, OutputSlope& out) {
  for (int b = 0; b < 12; ++b) {
    const double J = row.J[b / 6][b % 6];
    if (which == 0) {
      out.by_position[b] += J;
      continue;
    }
    out.by_velocity[b] += J;
    for (int i = 0; i < 2; ++i) {
      const SpatialMotion& body = i == 0 ? first : second;
      for (int c = 0; c < 3; ++c) {
        const auto at = static_cast<std::size_t>(c);
        out.by_position[b] += body.v[at] * slope.J[6 * i + c][b] + body.omega_bar[at] * slope.J[6 * i + 3 + c][b];
      }
    }
  }
}

void add_entries(const SpatialLoadSlope& slope, int first, int second, ForceSlopes& out) {
  const auto place = [&](int i) { return 6 * (i < 6 ? first : second) + i % 6; };
  for (int a = 0; a < 12; ++a)
    for (int b = 0; b < 12; ++b) {
      if (slope.by_position[a][b] != 0) out.by_position.push_back({place(a), place(b), slope.by_position[a][b]});
      if (slope.by_velocity[a][b] != 0) out.by_velocity.push_back({place(a), place(b), slope.by_velocity[a][b]});
    }
}

}  // namespace hstar
