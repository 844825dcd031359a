// src/analysis/inspect_space.cpp
#include "analysis/inspect_space.hpp"

#include <array>

#include "mechanism/spatial/turning.hpp"

namespace hstar::analysis {
namespace {

/// Columns `first` to `first + count` of each free body.
NamedTable columns_of_bodies(const System& s, const NamedTable& phi_q, std::string name, std::string about,
                             std::size_t first) {
  NamedTable out{std::move(name), std::move(about), phi_q.rows, {}, {}};
  std::vector<std::size_t> columns;
  for (const Body& body : s.bodies) {
    if (body.prescribed) continue;
    for (std::size_t c = 0; c < 3; ++c) columns.push_back(static_cast<std::size_t>(body.dof) + first + c);
  }
  for (const std::size_t c : columns) out.columns.push_back(phi_q.columns[c]);
  for (std::size_t r = 0; r < phi_q.rows.size(); ++r)
    for (const std::size_t c : columns) out.values.push_back(phi_q.at(r, c));
  return out;
}

/// The part of Phi_p that is orthogonal to p: omega_bar = 2 G p_dot makes it 2 Pi-bar G.
NamedTable by_parameters(const System& s, const NamedTable& phi_q, const double* y) {
  NamedTable out{"Phi_p",
                 "derivatives of Phi, by Euler parameter: 2 Pi-bar G. (Its part along p, which hangs on how A(p) is "
                 "written off |p| = 1, is left out: p_dot is orthogonal to p)",
                 phi_q.rows,
                 {},
                 {}};
  const std::vector<std::string> names = s.state_names();
  for (const Body& body : s.bodies)
    for (int e = 0; e < 4 && !body.prescribed; ++e) out.columns.push_back(names[body.coordinate + 3 + e]);
  for (std::size_t r = 0; r < phi_q.rows.size(); ++r)
    for (const Body& body : s.bodies) {
      if (body.prescribed) continue;
      const double* p = y + body.coordinate + 3;
      const Mat34 G = matrix_G({p[0], p[1], p[2], p[3]});
      for (std::size_t e = 0; e < 4; ++e) {
        double sum = 0;
        for (std::size_t c = 0; c < 3; ++c)
          sum += 2 * phi_q.at(r, static_cast<std::size_t>(body.dof) + 3 + c) * G[c][e];
        out.values.push_back(sum);
      }
    }
  return out;
}

}  // namespace

void add_euler_parameters(const System& s, MechanismDae& dae, const double* y, const double* a, Inspection& out) {
  const auto np = static_cast<std::size_t>(s.nq);
  if (const NamedTable* phi_q = out.find("Phi_q")) {
    const NamedTable of = *phi_q;
    out.tables.push_back(columns_of_bodies(s, of, "Phi_r", "derivatives of Phi, by place", 0));
    out.tables.push_back(columns_of_bodies(s, of, "Pi-bar", "derivatives of Phi, by virtual rotation in body axes", 3));
    out.tables.push_back(by_parameters(s, of, y));
  }
  // q' = N(q) v is linear in both: q'' = N(q') v + N(q) v', of places v' alone.
  const double* v = y + np;
  std::vector<double> rate(np), moved(np), bent(np), change(np);
  dae.place_rates(y, v, rate.data());
  for (std::size_t i = 0; i < np; ++i) moved[i] = y[i] + rate[i];
  dae.place_rates(moved.data(), v, change.data());
  dae.place_rates(y, a, bent.data());
  NamedTable p_dot{"p_dot", "rates of the Euler parameters, G^T omega_bar / 2", {}, {}, {}};
  NamedTable p_ddot{"p_ddot", "their second derivatives", {}, {}, {}};
  NamedTable lambda{"lambda^P",
                    "multipliers of p^T p = 1 with +p lambda^P on the right-hand side, with Phi_p as above: -2 "
                    "omega_bar^T J omega_bar",
                    {},
                    {},
                    {}};
  const std::vector<std::string> names = s.state_names();
  for (const Body& body : s.bodies) {
    if (body.prescribed) continue;
    for (int e = 3; e < 7; ++e) {
      const auto i = static_cast<std::size_t>(body.coordinate + e);
      p_dot.rows.push_back(names[i]);
      p_ddot.rows.push_back(names[i]);
      p_dot.values.push_back(rate[i]);
      p_ddot.values.push_back(change[i] - rate[i] + bent[i]);
    }
    double twice_energy = 0;
    for (int c = 3; c < 6; ++c) twice_energy += dae.mass()[body.dof + c] * v[body.dof + c] * v[body.dof + c];
    lambda.rows.push_back(body.name);
    lambda.values.push_back(-2 * twice_energy);
  }
  for (NamedTable* table : {&p_dot, &p_ddot, &lambda}) out.tables.push_back(std::move(*table));
}

}  // namespace hstar::analysis
