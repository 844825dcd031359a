// src/mechanism/spatial/system_motion.cpp: what a system of spatial bodies does otherwise than one of planar bodies.
#include <algorithm>
#include <limits>

#include "mechanism/system.hpp"

namespace hstar {
namespace {

EulerParameters parameters_at(const double* p) { return {p[0], p[1], p[2], p[3]}; }

/// Rotation of a prescribed body at one instant; rates about the fixed axis, which are the same in body axes.
void prescribe(const Body& body, const Moment& now, SpatialMotion& b) {
  const auto x = body.x.at(now), y = body.y.at(now), z = body.z.at(now), angle = body.angle.at(now);
  b.r = {x.value, y.value, z.value};
  b.v = {x.rate, y.rate, z.rate};
  b.a = {x.acceleration, y.acceleration, z.acceleration};
  b.turn_to(turned(body.start, angle.value * body.axis));
  b.omega_bar = angle.rate * body.axis;
  b.alpha_bar = angle.acceleration * body.axis;
}

}  // namespace

void System::prepare_spatial(Kinematics& k) const {
  k.spatial.assign(bodies.size(), SpatialMotion{});
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].fixed) prescribe(bodies[i], 0, k.spatial[i]);
}

void System::update_spatial(Kinematics& k, double /*t*/, const double* y) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    SpatialMotion& b = k.spatial[i];
    if (body.fixed) continue;
    if (body.prescribed) {
      prescribe(body, k.now(), b);
      continue;
    }
    const double *q = y + body.coordinate, *v = y + nq + body.dof;
    b.r = {q[0], q[1], q[2]};
    b.turn_to(parameters_at(q + 3));
    b.v = {v[0], v[1], v[2]};
    b.omega_bar = {v[3], v[4], v[5]};
  }
}

void System::spatial_rates(const double* y, double* q_dot) const {
  for (const Body& body : bodies) {
    if (body.prescribed) continue;
    const double *q = y + body.coordinate, *v = y + nq + body.dof;
    double* rate = q_dot + body.coordinate;
    std::copy(v, v + 3, rate);
    const EulerParameters p = parameter_rate(parameters_at(q + 3), {v[3], v[4], v[5]});
    std::copy(p.begin(), p.end(), rate + 3);
  }
}

void System::displace_spatial(const double* displacement, double factor, double* q) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].prescribed) continue;
    double* own = q + bodies[i].coordinate;
    const double* d = displacement + slot(i, 0);
    for (int c = 0; c < 3; ++c) own[c] += factor * d[c];
    const EulerParameters p = turned(parameters_at(own + 3), factor * Vec3{d[3], d[4], d[5]});
    std::copy(p.begin(), p.end(), own + 3);
  }
}

bool System::normalise(double* q) const {
  if (!is_spatial()) return false;
  bool moved = false;
  for (const Body& body : bodies) {
    if (body.prescribed) continue;
    double* own = q + body.coordinate + 3;
    const double off = own[0] * own[0] + own[1] * own[1] + own[2] * own[2] + own[3] * own[3] - 1;
    if (!(std::abs(off) > 4 * std::numeric_limits<double>::epsilon())) continue;
    const EulerParameters p = normalised(parameters_at(own));
    std::copy(p.begin(), p.end(), own);
    moved |= std::abs(off) > 128 * std::numeric_limits<double>::epsilon();
  }
  return moved;
}

void System::body_forces(const Kinematics& k, double* f) const {
  for (std::size_t i = 0; i < bodies.size(); ++i, f += 6) {
    const Body& body = bodies[i];
    for (std::size_t c = 0; c < 3; ++c) f[c] = body.mass * gravity3[c];
    const Vec3& w = k.spatial[i].omega_bar;
    const Vec3 torque = cross({body.moment[0] * w[0], body.moment[1] * w[1], body.moment[2] * w[2]}, w);
    for (std::size_t c = 0; c < 3; ++c) f[3 + c] = torque[c];
  }
}

EulerParameters written_orientation(const Body& body, const EulerParameters& p) {
  if (!body.has_own_axes) return p;
  const EulerParameters& a = body.axes_p;
  return compose(p, {a[0], -a[1], -a[2], -a[3]});
}

Vec3 written_axes(const Body& body, const Vec3& bar) { return body.has_own_axes ? body.axes * bar : bar; }

bool System::has_own_axes() const {
  return std::any_of(bodies.begin(), bodies.end(), [](const Body& b) { return b.has_own_axes; });
}

void System::as_written(double* y) const {
  for (const Body& body : bodies) {
    if (body.prescribed || !body.has_own_axes) continue;
    double *p = y + body.coordinate + 3, *w = y + nq + body.dof + 3;
    const EulerParameters written = written_orientation(body, parameters_at(p));
    std::copy(written.begin(), written.end(), p);
    const Vec3 omega = written_axes(body, {w[0], w[1], w[2]});
    std::copy(omega.begin(), omega.end(), w);
  }
}

double read_spatial(int index, const Kinematics& k) noexcept {
  const auto i = static_cast<std::size_t>(index / 16), c = static_cast<std::size_t>(index % 16);
  const SpatialMotion& b = k.spatial[i];
  const Body& body = (*k.bodies)[i];
  if (c < 3) return b.r[c];
  if (c < 7) return written_orientation(body, b.p)[c - 3];
  if (c < 10) return b.v[c - 7];
  if (c < 13) return written_axes(body, b.omega_bar)[c - 10];
  return (b.A * b.omega_bar)[c - 13];
}

}  // namespace hstar
