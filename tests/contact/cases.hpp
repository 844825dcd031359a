// tests/contact/cases.hpp
//
// Problems over cones put together, and their laws checked term by term, not by the solver's own residual.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "contact/share.hpp"

namespace cones {

using namespace hstar::contact;

inline bool is_open(const Solver& x, std::size_t i) { return x.status().contact[i] == Press::open; }
inline bool is_free(const Solver& x, std::size_t j) { return x.status().unit[j].hold == Hold::none; }
inline bool slips(const Solver& x, std::size_t j) { return x.status().unit[j].hold == Hold::slip; }
inline bool sticks(const Solver& x, std::size_t j) { return !is_free(x, j) && !slips(x, j); }

/// Rows (N, T1, T2) by contact, each with one unit.
inline void set_contacts(Problem& p, const Eigen::MatrixXd& G, const Eigen::VectorXd& c, double mu_static,
                         double mu_kinetic) {
  const int rows = static_cast<int>(c.size()), k = rows / 3;
  p.resize(k, k, rows);
  for (int i = 0; i < rows; ++i) {
    p.c[static_cast<std::size_t>(i)] = c[i];
    for (int j = 0; j < rows; ++j) p.G[static_cast<std::size_t>(i * rows + j)] = G(i, j);
  }
  for (int i = 0; i < k; ++i) {
    p.contact[static_cast<std::size_t>(i)].row = 3 * i;
    Unit& u = p.unit[static_cast<std::size_t>(i)];
    u.contact = i;
    u.row = 3 * i + 1;
    u.mu_static = mu_static;
    u.mu_kinetic = mu_kinetic;
  }
}

inline double normal_of(const Problem& p, const Unit& u, const double* f) {
  if (u.normal == Unit::Normal::given) return u.normal_0;
  if (u.normal == Unit::Normal::contact) return f[p.contact[static_cast<std::size_t>(u.contact)].row];
  double sum = 0;
  for (int k = u.part; k < u.part + u.parts; ++k) {
    const Part& part = p.part[static_cast<std::size_t>(k)];
    double square = 0;
    for (int i = part.row; i < part.row + part.size; ++i) {
      double value = p.reaction_0[static_cast<std::size_t>(i)];
      for (int j = 0; j < p.rows(); ++j) value += p.reaction[static_cast<std::size_t>(i * p.rows() + j)] * f[j];
      square += value * value;
    }
    sum += part.weight * std::sqrt(square);
  }
  return sum;
}

/// The largest violation of the laws, forces relative to the largest force, rates to the largest term of c + G f.
/// Slips with d other than the rate's count too.
inline double violation(const Problem& p, const Solver& x) {
  const int n = p.rows();
  const double* f = x.force().data();
  double force = 1e-300, rate = 1e-300;
  Eigen::VectorXd a(n);
  for (int i = 0; i < n; ++i) {
    force = std::max(force, std::abs(f[i]));
    a[i] = p.c[static_cast<std::size_t>(i)];
    double size = std::abs(a[i]);
    for (int j = 0; j < n; ++j) {
      const double term = p.G[static_cast<std::size_t>(i * n + j)] * f[j];
      a[i] += term;
      size += std::abs(term);
    }
    rate = std::max(rate, size);
  }
  double worst = 0;
  const auto demand = [&](double excess) { worst = std::max(worst, std::isnan(excess) ? 1e300 : excess); };
  for (std::size_t i = 0; i < p.contact.size(); ++i) {
    const int row = p.contact[i].row;
    demand(-f[row] / force);
    demand(-a[row] / rate);
    demand(std::min(std::abs(f[row]) / force, std::abs(a[row]) / rate));
    if (is_open(x, i)) demand(std::abs(f[row]) / force);
    if (!is_open(x, i)) demand(std::abs(a[row]) / rate);
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& u = p.unit[j];
    const Eigen::Map<const Eigen::VectorXd> T(f + u.row, u.directions),
        d(x.status().unit[j].direction.data(), u.directions);
    const Eigen::VectorXd aT = a.segment(u.row, u.directions);
    const Eigen::Map<const Eigen::VectorXd> further(u.further.data(), u.directions);
    const double N = normal_of(p, u, f);
    // (Friction of a contact that touches without force carries nothing, viscous friction neither.)
    if (u.normal == Unit::Normal::contact &&
        x.status().contact[static_cast<std::size_t>(u.contact)] == Press::touching) {
      demand(T.norm() / force);
      continue;
    }
    switch (x.status().unit[j].hold) {
      case Hold::none:
        demand(T.norm() / force);
        break;
      case Hold::held:
      case Hold::creeping:
        demand(aT.norm() / rate);
        demand((T.norm() - u.mu_static * N) / force);
        break;
      case Hold::slip:
        demand((T + u.mu_kinetic * N * d - (u.slides ? Eigen::VectorXd(further) : Eigen::VectorXd::Zero(u.directions)))
                   .norm() /
               force);
        // d along the rate: one of the two is as exact as the rate, the other as the force.
        if (!u.slides) demand((aT - aT.norm() * d).norm() * u.mu_kinetic * N / (rate * force));
        if (!u.slides && u.mu_kinetic * N < 1e-6 * force) demand((aT - aT.norm() * d).norm() / rate);
        break;
    }
  }
  return worst;
}

}  // namespace cones
