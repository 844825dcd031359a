// src/analysis/inspect_rates.cpp
#include "analysis/inspect_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "hstar/error.hpp"
#include "integrator/rate_slopes.hpp"
#include "math/dense_eigen.hpp"

namespace hstar::analysis {
namespace {

/// Eigenvalues cost the cube of it.
constexpr std::size_t most_states = 300;

/// f at (t, y) and df/dy; nothing where they cannot be evaluated.
std::optional<std::pair<std::vector<double>, Eigen::MatrixXd>> rates_at(HybridProcess& process,
                                                                        const FlowOptions& options, double t,
                                                                        const std::vector<double>& y) {
  FlowCounters uncounted;
  const integrator::Rates rates{&process, &uncounted};
  const std::size_t n = y.size();
  std::vector<double> f(n);
  integrator::RateSlopes slopes(n, options);
  if (!rates(t, y.data(), f.data()) || !slopes.evaluate(rates, t, y, f, 1.0)) return std::nullopt;
  Eigen::MatrixXd by_y(n, n);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c)
      by_y(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = slopes.by_y(r, c);
  return std::pair{std::move(f), std::move(by_y)};
}

/// b of  y = b f(t, y) + ...  for a step of length h.
double implicit_part(const std::string& integrator, const FlowOptions& options, double h) {
  const IntegratorEntry* entry = find_integrator(integrator);
  const std::string name = entry != nullptr ? entry->name : integrator;
  if (name == "trapezoidal") return 0.5 * h;
  if (name == "bdf" || name == "backward_euler") {
    double c0 = 0;  // of equal steps: 1 + 1/2 + ... + 1/k
    for (int i = 1; i <= (name == "bdf" ? options.max_order : 1); ++i) c0 += 1.0 / i;
    return h / c0;
  }
  throw InputError(
      "inspect: a step needs an integrator of plain states with an iteration matrix: bdf, backward_euler or "
      "trapezoidal; the integrator is " +
      integrator);
}

NamedTable matrix(std::string name, std::string about, const std::vector<std::string>& rows,
                  const std::vector<std::string>& columns, const Eigen::MatrixXd& values) {
  NamedTable out{std::move(name), std::move(about), rows, columns, {}};
  for (Eigen::Index r = 0; r < values.rows(); ++r)
    for (Eigen::Index c = 0; c < values.cols(); ++c) out.values.push_back(values(r, c));
  return out;
}

void add_eigenvalues_of(const Eigen::MatrixXd& by_y, const std::string& about, Inspection& out) {
  if (!by_y.allFinite()) return;
  const Eigen::VectorXcd found = math::general_eigenvalues(by_y);
  std::vector<std::complex<double>> all(found.begin(), found.end());
  std::stable_sort(all.begin(), all.end(), [](auto a, auto b) { return std::abs(a) > std::abs(b); });
  NamedTable table{"eigenvalues", about, {}, {"re [1/s]", "im [1/s]"}, {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    table.rows.push_back(std::to_string(i + 1));
    table.values.push_back(all[i].real());
    table.values.push_back(all[i].imag());
  }
  out.tables.push_back(std::move(table));
}

}  // namespace

void add_eigenvalues(HybridProcess& process, const FlowOptions& options, const std::string& formulation, double t,
                     const std::vector<double>& y, Inspection& out) {
  if (y.size() > most_states) return;
  if (const auto at = rates_at(process, options, t, y))
    add_eigenvalues_of(at->second, "of the rates by the state, as formulation " + formulation + " integrates them",
                       out);
}

void add_rates(HybridProcess& process, const LoopOptions& options, double t, const std::vector<double>& y, double step,
               Inspection& out) {
  const auto at = rates_at(process, options.flow, t, y);
  if (!at) throw InputError(fmt::format("inspect: the rates cannot be evaluated at t = {:g} s", t));
  const auto& [f, by_y] = *at;
  const std::vector<std::string> names = process.state_names();
  std::vector<std::string> columns;
  for (const std::string& name : names) columns.push_back("d/d" + name);
  out.tables.push_back({"y", "states", names, {}, y});
  out.tables.push_back({"f", "their rates", names, {}, f});
  out.tables.push_back(matrix("f_y", "derivatives of the rates by the states", names, columns, by_y));
  if (y.size() <= most_states) add_eigenvalues_of(by_y, "of f_y", out);
  if (step <= 0) return;
  const double b = implicit_part(options.integrator, options.flow, step);
  const Eigen::MatrixXd iteration = Eigen::MatrixXd::Identity(by_y.rows(), by_y.cols()) - b * by_y;
  out.tables.push_back(matrix("iteration",
                              fmt::format("of {} with h = {:g} s: I - b f_y, b = {:g} s", options.integrator, step, b),
                              names, columns, iteration));
}

}  // namespace hstar::analysis
