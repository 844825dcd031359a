// src/transition/not_finite.cpp
#include "transition/not_finite.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

bool finite(const double* x, std::size_t n) {
  return std::all_of(x, x + n, [](double value) { return std::isfinite(value); });
}

std::string named(const System& s, double t, const double* y) {
  std::string text;
  const auto add = [&](const char* kind, const std::string& name) {
    text += (text.empty() ? "" : ", ") + std::string(kind) + " \"" + name + "\"";
  };
  Kinematics k;
  s.prepare(k);
  s.update(k, t, y);
  std::vector<double> f(static_cast<std::size_t>(s.columns) * s.bodies.size());
  for (const auto& force : s.forces) {
    std::fill(f.begin(), f.end(), 0.0);
    force->apply(k, f.data());
    if (!finite(f.data(), f.size())) add("force", force->name);
  }
  for (const auto& joint : s.joints) {
    std::vector<Row> rows(static_cast<std::size_t>(joint->rows()));
    joint->rows_at(k, rows.data());
    const auto good = [](const Row& row) {
      return finite(row.J[0], 6) && finite(row.J[1], 6) && finite(&row.nu, 1) && finite(&row.gamma, 1);
    };
    if (!std::all_of(rows.begin(), rows.end(), good)) add("joint", joint->name);
  }
  for (const ExtraState& state : s.states)
    if (const double rate = evaluate(state.rate, k); !finite(&rate, 1)) add("the rate of state", state.name);
  return text;
}

/// The same that change by more than half within `step`, while coordinates and extra states go on as they do.
std::string too_fast(const System& s, double t, const double* y, double step) {
  Kinematics k;
  s.prepare(k);
  std::vector<double> later(y, y + s.size()), rate(s.size(), 0.0);
  s.update(k, t, y);
  s.coordinate_rates(y, rate.data());
  for (std::size_t i = 0; i < s.states.size(); ++i)
    rate[s.size() - s.states.size() + i] = evaluate(s.states[i].rate, k);
  for (std::size_t i = 0; i < later.size(); ++i) later[i] += step * rate[i];

  const std::size_t n = static_cast<std::size_t>(s.columns) * s.bodies.size();
  std::vector<std::vector<double>> values[2];
  for (std::vector<std::vector<double>>& at : values) {
    for (const auto& force : s.forces) force->apply(k, at.emplace_back(n, 0.0).data());
    for (const ExtraState& state : s.states) at.push_back({evaluate(state.rate, k)});
    s.update(k, t + step, later.data());
  }
  std::string text;
  for (std::size_t i = 0; i < values[0].size(); ++i) {
    double change = 0, size = 0;
    for (std::size_t j = 0; j < values[0][i].size(); ++j) {
      change = std::max(change, std::abs(values[1][i][j] - values[0][i][j]));
      size = std::max({size, std::abs(values[0][i][j]), std::abs(values[1][i][j])});
    }
    if (std::isfinite(size) && change <= 0.5 * size) continue;
    const bool force = i < s.forces.size();
    text += (text.empty() ? "" : ", ") + std::string(force ? "force \"" : "the rate of state \"") +
            (force ? s.forces[i]->name : s.states[i - s.forces.size()].name) + "\"";
  }
  return text;
}

}  // namespace

std::string too_fast_to_follow(const System& system, double t, const double* y) {
  const double moment = std::sqrt(std::numeric_limits<double>::epsilon()) * std::abs(t);
  const std::string text = too_fast(system, t, y, moment);
  return text.empty() ? text : text + " changes by more than half within " + short_number(moment, 2) + " s";
}

std::string without_inertia(const System& system) {
  std::string names;
  for (const Body& body : system.bodies)
    if (!body.prescribed && body.turns && body.inertia == 0 && !system.is_spatial())
      names += (names.empty() ? "body \"" : ", body \"") + body.name + "\"";
  if (names.empty()) return "the equations of motion are singular: a body can move without inertia";
  return names +
         ": inertia is 0 and joints do not hold the angle, so that no torque can be answered; give an inertia, " +
         "or leave it out (a point mass has no angle)";
}

std::string not_finite_states(const System& system, const double* y) {
  std::string text;
  if (finite(y, system.size())) return text;
  const std::vector<std::string> names = system.state_names();
  for (std::size_t i = 0; i < system.size(); ++i)
    if (!finite(y + i, 1)) text += (text.empty() ? "" : ", ") + names[i] + " = " + short_number(y[i], 6);
  return text;
}

std::string beyond_table(const System& system, const Kinematics& k) {
  for (const SwitchedFormula& f : system.switched) {
    std::array<double, max_signals> vars{};
    for (std::size_t i = 0; i < f.bound.refs.size(); ++i) vars[i] = read_kinematic(f.bound.refs[i], k);
    if (const auto found = f.bound.formula.beyond_table(vars.data()); found && std::isnan(evaluate(f.bound, k)))
      return "table \"" + found->name + "\" is asked at " + short_number(found->at) + " by " + f.name + " = \"" +
             f.bound.formula.text() + "\", and has no values beyond its rows, from " + short_number(found->first) +
             " to " + short_number(found->last) + " (beyond = \"error\")";
  }
  return {};
}

std::string not_finite(const System& system, double t, const double* y) {
  std::string text = named(system, t, y);
  if (text.empty()) {  // a step fails on its way
    std::vector<double> later(y, y + system.size()), rate(system.size(), 0.0);
    system.coordinate_rates(y, rate.data());
    double fastest = 0;
    for (const double r : rate) fastest = std::max(fastest, std::abs(r));
    const double moment = std::max(std::abs(t), fastest > 0 ? system.length / fastest : 0.0),
                 step = std::sqrt(tolerances::eps) * moment;
    for (std::size_t i = 0; i < later.size(); ++i) later[i] += step * rate[i];
    text = named(system, t + step, later.data());
  }
  return text.empty() ? text : text + " is not finite";
}

}  // namespace hstar
