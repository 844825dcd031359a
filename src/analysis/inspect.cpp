// src/analysis/inspect.cpp: the equations of a mechanism at one instant, or at many instants of one run.
#include "hstar/inspect.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "analysis/inspect_rates.hpp"
#include "analysis/inspect_space.hpp"
#include "formulation/dae_problem.hpp"
#include "hstar/elimination.hpp"
#include "hstar/error.hpp"
#include "integrator/newmark.hpp"
#include "math/tolerances.hpp"
#include "simulate/model_process.hpp"
#include "simulate/options.hpp"

namespace hstar {
namespace {

using Names = std::vector<std::string>;

class Nobody final : public EventLog {
 public:
  [[nodiscard]] bool wanted() const override { return false; }
  void add(EventRecord /*record*/) override {}
};

/// The state at t, and the process in the mode that holds there.
std::vector<double> carry_to(const ModelSpec& model, MechanismProcess& process, double t) {
  const System& system = process.system();
  std::vector<double> y = system.initial_state();
  const SimulationSpec& s = model.simulation;
  if (!(t >= s.start && t <= s.end))
    throw InputError(
        fmt::format("inspect: t = {:g} s must be in [{:g}, {:g}] s, the time of the run", t, s.start, s.end));
  if (t == s.start) {
    Nobody nobody;
    const Settled settled = process.start(t, y, nobody);
    if (settled.then == Settled::Then::fail) throw InputError("inspect: the model cannot start: " + settled.message);
    return y;
  }
  ModelSpec until = model;
  until.simulation.end = t;
  RunCounters counters;
  const RunOutcome outcome = run_counted(process, y, loop_options(until, system), nullptr, counters);
  if (!outcome.success())
    throw InputError(
        fmt::format("inspect: the run ends at t = {:.9g} s, before t = {:g} s: {}", outcome.t, t, outcome.message));
  return y;
}

/// Applied forces by velocity. (The DAE's force without multipliers has friction under a given normal force in it.)
std::vector<double> applied_forces(const System& s, ModeEquations& equations, double t, const double* y) {
  equations.evaluate(t, y);
  std::vector<double> out(static_cast<std::size_t>(s.nv));
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) out[s.bodies[b].dof + c] = equations.load()[s.slot(b, c)];
  return out;
}

NamedTable vector_table(std::string name, std::string about, const Names& rows, const double* values) {
  return {std::move(name), std::move(about), rows, {}, std::vector<double>(values, values + rows.size())};
}

NamedTable matrix_table(std::string name, std::string about, const Names& rows, const Names& columns) {
  return {std::move(name), std::move(about), rows, columns, std::vector<double>(rows.size() * columns.size())};
}

void add(NamedTable& table, const DaeEntries& entries, double factor = 1.0, std::size_t row = 0,
         std::size_t column = 0) {
  for (const DaeEntry& e : entries)
    table.values[(row + static_cast<std::size_t>(e.row)) * table.width() + column +
                 static_cast<std::size_t>(e.column)] += factor * e.value;
}

/// b2 and b1 of a step  q = q* + b2 a,  v = v* + b1 a  of the model's method.
std::pair<double, double> step_factors(const ModelSpec& model, const System& system, double h) {
  const std::string& name = model.simulation.integrator;
  const FlowOptions o = loop_options(model, system).flow;
  const auto alpha = [&](const integrator::AlphaMethod& m) {
    return std::pair{m.beta * m.weight() * h * h, m.gamma * m.weight() * h};
  };
  if (name == "newmark") return alpha(integrator::newmark_method(o));
  if (name == "hht") return alpha(integrator::hht_method(o));
  if (name == "generalized_alpha") return alpha(integrator::generalized_alpha_method(o));
  if (name == "bdf" || name == "backward_euler") {
    double c0 = 0;  // of equal steps: 1 + 1/2 + ... + 1/k
    for (int i = 1; i <= (name == "bdf" ? o.max_order : 1); ++i) c0 += 1.0 / i;
    return {h * h / (c0 * c0), h / c0};
  }
  throw InputError(
      "inspect: a step needs an integrator with an iteration matrix: newmark, hht, generalized_alpha, bdf or "
      "backward_euler; the integrator is " +
      name);
}

void partition(const NamedTable& phi_q, const double* mass, Inspection& out) {
  std::vector<double> scaled = phi_q.values;
  const std::size_t n = phi_q.width(), m = phi_q.rows.size();
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (mass[j] > 0) scaled[i * n + j] /= std::sqrt(mass[j]);  // a massless coordinate weighs like a unit mass
  Elimination elimination;
  elimination.factor(scaled, m, n, {math::dependent_row, 0});
  for (const int j : elimination.dependent()) out.dependent.push_back(phi_q.columns[j]);
  for (const int j : elimination.independent()) out.independent.push_back(phi_q.columns[j]);
  for (std::size_t i = elimination.rank(); i < m; ++i) out.redundant.push_back(phi_q.rows[elimination.row_order()[i]]);
  NamedTable pivots{"pivots", "of the elimination, in the order taken", {}, {}, {}};
  for (std::size_t k = 0; k < elimination.rank(); ++k) {
    pivots.rows.push_back(phi_q.rows[elimination.row_order()[k]] + " -> " + out.dependent[k]);
    pivots.values.push_back(elimination.pivots()[k]);
  }
  out.tables.push_back(std::move(pivots));
}

Inspection begin_inspection(const ModelSpec& model, const MechanismProcess& process, double t) {
  Inspection out;
  out.title = model.title.empty() ? model.file : model.title;
  out.t = t;
  out.mode = process.mode_text();
  return out;
}

enum class Extent : unsigned char { vectors, all };  ///< all: also eigenvalues, and the iteration matrix if asked for

/// The equations at (options.t, y) in the mode of the process.
Inspection equations_at(const ModelSpec& model, const std::shared_ptr<const System>& system, MechanismProcess& process,
                        const std::vector<double>& y, const InspectOptions& options, Extent extent) {
  const System& s = *system;
  Inspection out = begin_inspection(model, process, options.t);
  MechanismDae dae(system, process.mode(), DaeForm::index3);
  dae.share_slide_references(process.equations());
  const auto n = static_cast<std::size_t>(s.nv);
  std::vector<double> a(n), rate(static_cast<std::size_t>(s.ns)), lambda(static_cast<std::size_t>(dae.max_rows()), 0.0);
  if (!dae.begin(options.t, y.data()) || !dae.solve(options.t, y.data(), a.data(), rate.data(), lambda.data()))
    throw InputError(
        fmt::format("inspect: the equations are singular at t = {:g} s in the mode {}", options.t, out.mode));

  const Names state = s.state_names();
  const auto part = [&](std::size_t from, std::size_t count) {
    return Names(state.begin() + static_cast<std::ptrdiff_t>(from),
                 state.begin() + static_cast<std::ptrdiff_t>(from + count));
  };
  const Names places = part(0, static_cast<std::size_t>(s.nq)), velocities = part(static_cast<std::size_t>(s.nq), n);
  Names rows;
  ModeEquations named(system);
  named.rows.choose(process.mode());
  for (int i = 0; i < dae.rows(); ++i) rows.push_back(named.rows.name(i));

  const std::vector<double> Q = applied_forces(s, named, options.t, y.data());
  dae.evaluate(options.t, y.data(), lambda.data());
  DaeSlopes slopes;
  dae.differentiate(a.data(), slopes);

  auto& tables = out.tables;
  tables.push_back(vector_table("q", "coordinates", places, y.data()));
  tables.push_back(vector_table("v", "velocities", velocities, y.data() + s.nq));
  tables.push_back(vector_table("a", "accelerations, the rates of v", velocities, a.data()));
  tables.push_back(vector_table("M", "masses and moments of inertia (M is diagonal)", velocities, dae.mass()));
  tables.push_back(vector_table("Q", "applied forces, gravity included", velocities, Q.data()));
  if (!rows.empty()) {
    std::vector<double> phi(rows.size());
    named.rows.fill();
    named.rows.positions(phi.data());
    tables.push_back(vector_table("Phi", "constraints; 0 for rows of velocities alone (stick)", rows, phi.data()));
    NamedTable phi_q = matrix_table("Phi_q", "derivatives of Phi, by velocity", rows, velocities);
    add(phi_q, slopes.rows);
    std::vector<double> nu(rows.size()), force(n), friction(n);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      nu[i] = -dae.speed()[i];
      for (std::size_t j = 0; j < n; ++j) nu[i] += phi_q.at(i, j) * y[static_cast<std::size_t>(s.nq) + j];
    }
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < rows.size(); ++i) force[j] += phi_q.at(i, j) * lambda[i];
      friction[j] = dae.force()[j] - Q[j] - force[j];
    }
    partition(phi_q, dae.mass(), out);
    tables.insert(tables.end() - 1, std::move(phi_q));
    tables.push_back(vector_table("nu", "Phi_q v = nu", rows, nu.data()));
    tables.push_back(vector_table("gamma", "Phi_q a = gamma", rows, dae.gamma()));
    tables.push_back(
        vector_table("lambda", "multipliers, +Phi_q^T lambda on the right-hand side", rows, lambda.data()));
    tables.push_back(vector_table("Phi_q^T lambda", "forces of the constraints", velocities, force.data()));
    if (!s.frictions.empty())
      tables.push_back(vector_table("friction", "forces of what slides", velocities, friction.data()));
  }
  if (s.is_spatial()) analysis::add_euler_parameters(s, dae, y.data(), a.data(), out);
  if (extent == Extent::vectors) return out;
  analysis::add_eigenvalues(process, loop_options(model, s).flow, std::string(formulation_in_use(model, s).name),
                            options.t, y, out);
  if (options.step > 0) {
    const auto [b2, b1] = step_factors(model, s, options.step);
    Names unknowns = velocities;
    for (const std::string& row : rows) unknowns.push_back("lambda " + row);
    Names equations = velocities;
    equations.insert(equations.end(), rows.begin(), rows.end());
    NamedTable matrix =
        matrix_table("iteration",
                     fmt::format("of {} with h = {:g} s for (a, lambda): M - b2 F_q - b1 F_v, -F_lambda; "
                                 "Phi_q, 0; b2 = {:g}, b1 = {:g}",
                                 model.simulation.integrator, options.step, b2, b1),
                     equations, unknowns);
    for (std::size_t i = 0; i < n; ++i) matrix.values[i * matrix.width() + i] = dae.mass()[i];
    add(matrix, slopes.force_q, -b2);
    add(matrix, slopes.force_v, -b1);
    add(matrix, slopes.force_lambda, -1, 0, n);
    add(matrix, slopes.rows, 1, n, 0);
    tables.push_back(std::move(matrix));
  }
  return out;
}

/// Inspects at equal intervals of time while the run passes by.
class Sampler final : public LoopObserver {
 public:
  using Inspect = std::function<Inspection(double t, const std::vector<double>& y)>;
  Sampler(double start, double end, double interval, Inspect inspect)
      : start_(start), end_(end), interval_(interval), inspect_(std::move(inspect)) {}

  void segment_begin(double t, std::span<const double> y) override {
    if (taken.empty()) take({y.begin(), y.end()}, t);
  }
  void step(Flow& flow, double t_until) override {
    std::vector<double> y(flow.y1().size());
    for (double t = next(); t <= t_until; t = next()) {
      flow.at(t, y);
      take(y, t);
    }
  }

  std::vector<Inspection> taken;

 private:
  /// An instant that round-off has put behind the end is the end.
  [[nodiscard]] double next() const {
    const double t = start_ + static_cast<double>(taken.size()) * interval_;
    return t > end_ && t - end_ <= 4 * std::numeric_limits<double>::epsilon() * std::abs(t) ? end_ : t;
  }
  void take(const std::vector<double>& y, double t) { taken.push_back(inspect_(t, y)); }

  double start_, end_, interval_;
  Inspect inspect_;
};

}  // namespace

const NamedTable* Inspection::find(const std::string& name) const {
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const NamedTable& table) { return table.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

Inspection inspect(const ModelSpec& model, const InspectOptions& options) {
  const std::shared_ptr<const System> system = build_system(model);
  const auto process = model_process(model, system);
  const std::vector<double> y = carry_to(model, *process, options.t);
  if (system->nv > 0) return equations_at(model, system, *process, y, options, Extent::all);
  Inspection out = begin_inspection(model, *process, options.t);
  analysis::add_rates(*process, loop_options(model, *system), options.t, y, options.step, out);
  return out;
}

std::vector<Inspection> inspect_every(const ModelSpec& model, double interval) {
  const SimulationSpec& simulation = model.simulation;
  constexpr double most = 1e6;
  if (!(interval > 0) || (simulation.end - simulation.start) / interval > most)
    throw InputError(fmt::format("inspect: every {:g} s must be > 0 and make at most {:g} instants", interval, most));
  const std::shared_ptr<const System> system = build_system(model);
  if (system->nv == 0) throw InputError("inspect: the model has no bodies, whose equations could be followed");
  const auto process = model_process(model, system);
  Sampler sampler(simulation.start, simulation.end, interval, [&](double t, const std::vector<double>& y) {
    return equations_at(model, system, *process, y, {t, 0.0}, Extent::vectors);
  });
  std::vector<double> y = system->initial_state();
  RunCounters counters;
  const RunOutcome outcome = run_counted(*process, y, loop_options(model, *system), &sampler, counters);
  if (!outcome.success())
    throw InputError(fmt::format("inspect: the run ends at t = {:.9g} s: {}", outcome.t, outcome.message));
  return std::move(sampler.taken);
}

}  // namespace hstar
