// src/formulation/dae_turning.cpp
#include "formulation/dae_turning.hpp"

#include <algorithm>

#include "mechanism/spatial/coordinates.hpp"
#include "mechanism/spatial/turning.hpp"

namespace hstar {
namespace {

EulerParameters parameters(const double* p) { return {p[0], p[1], p[2], p[3]}; }
Vec3 vector(const double* x) { return {x[0], x[1], x[2]}; }

DaeTurn turn(int first, const Mat3& slope) {
  DaeTurn out{first, {}};
  for (std::size_t i = 0; i < 3; ++i) std::copy(slope[i].begin(), slope[i].end(), out.slope[i]);
  return out;
}

}  // namespace

DaeTurning::DaeTurning(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      is_angle_(static_cast<std::size_t>(system_->nv)),
      is_turned_(static_cast<std::size_t>(system_->nq)),
      slots_(system_->slots()),
      state_(system_->size()) {
  system_->prepare(end_of_step_);
  for (const Body& body : system_->bodies) {
    for (int c = 0; c < body.dofs; ++c) is_angle_[body.dof + c] = system_->turns(c);
    for (int c = 0; c < body.coordinates; ++c) is_turned_[body.coordinate + c] = system_->turns(c);
  }
}

void DaeTurning::displace(const double* q0, const double* displacement, double* q) {
  const System& s = *system_;
  if (!s.is_spatial()) return DaeProblem::displace(q0, displacement, q);
  std::fill(slots_.begin(), slots_.end(), 0.0);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) slots_[s.slot(b, c)] = displacement[s.bodies[b].dof + c];
  std::copy(q0, q0 + s.nq, q);
  s.displace(slots_.data(), 1.0, q);
}

void DaeTurning::displace_slopes(const double* displacement, std::vector<DaeTurn>& out) {
  out.clear();
  if (!system_->is_spatial()) return;
  for (const Body& body : system_->bodies)
    if (!body.prescribed) out.push_back(turn(body.dof + 3, turned_slope(vector(displacement + body.dof + 3))));
}

void DaeTurning::place_rates(const double* q, const double* v, double* q_dot) {
  if (!system_->is_spatial()) return DaeProblem::place_rates(q, v, q_dot);
  std::copy(q, q + system_->nq, state_.begin());
  std::copy(v, v + system_->nv, state_.begin() + system_->nq);
  system_->coordinate_rates(state_.data(), q_dot);
}

void DaeTurning::settle(double c0, const double* past, const double* v, double* q) {
  if (!system_->is_spatial()) return DaeProblem::settle(c0, past, v, q);
  for (const Body& body : system_->bodies) {
    if (body.prescribed) continue;
    const double *before = past + body.coordinate, *speed = v + body.dof;
    double* own = q + body.coordinate;
    for (int c = 0; c < 3; ++c) own[c] = (speed[c] - before[c]) / c0;
    const EulerParameters p = settled(parameters(before + 3), c0, vector(speed + 3));
    std::copy(p.begin(), p.end(), own + 3);
  }
}

void DaeTurning::follow_turns(double t, double* y) {
  if (system_->turns_counted.empty()) return;
  system_->update(end_of_step_, t, y);
  hstar::follow_turns(*system_, end_of_step_, y);
}

void DaeTurning::settle_slopes(double c0, const double* v, std::vector<DaeTurn>& out) {
  out.clear();
  if (!system_->is_spatial()) return;
  for (const Body& body : system_->bodies)
    if (!body.prescribed) out.push_back(turn(body.dof + 3, settled_slope(c0, vector(v + body.dof + 3))));
}

void DaeTurning::turning(const double* q, const double* q_dot, double* out) {
  if (!system_->is_spatial()) return DaeProblem::turning(q, q_dot, out);
  double* length = out + system_->nv;
  for (const Body& body : system_->bodies) {
    if (body.prescribed) continue;
    const double *p = q + body.coordinate + 3, *rate = q_dot + body.coordinate;
    const Mat34 G = matrix_G(parameters(p));
    for (int c = 0; c < 3; ++c) {
      const EulerParameters& row = G[c];
      out[body.dof + c] = rate[c];
      out[body.dof + 3 + c] = 2 * (row[0] * rate[3] + row[1] * rate[4] + row[2] * rate[5] + row[3] * rate[6]);
    }
    *length++ = 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1);
  }
}

void DaeTurning::turning_slopes(const double* q, const double* q_dot, DaeEntries& by_rate, DaeEntries& by_q) {
  if (!system_->is_spatial()) return DaeProblem::turning_slopes(q, q_dot, by_rate, by_q);
  by_rate.clear();
  by_q.clear();
  int length = system_->nv;
  for (const Body& body : system_->bodies) {
    if (body.prescribed) continue;
    // G(p) p' = -G(p') p.
    const Mat34 G = matrix_G(parameters(q + body.coordinate + 3)),
                G_rate = matrix_G(parameters(q_dot + body.coordinate + 3));
    for (int c = 0; c < 3; ++c) by_rate.push_back({body.dof + c, body.coordinate + c, 1.0});
    for (int c = 0; c < 3; ++c)
      for (int e = 0; e < 4; ++e) {
        const auto i = static_cast<std::size_t>(c), j = static_cast<std::size_t>(e);
        by_rate.push_back({body.dof + 3 + c, body.coordinate + 3 + e, 2 * G[i][j]});
        by_q.push_back({body.dof + 3 + c, body.coordinate + 3 + e, -2 * G_rate[i][j]});
      }
    for (int e = 0; e < 4; ++e) by_q.push_back({length, body.coordinate + 3 + e, q[body.coordinate + 3 + e]});
    ++length;
  }
}

}  // namespace hstar
