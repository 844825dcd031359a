// src/analysis/compare_report.cpp
//
// A comparison as a table, as CSV, and as a recommendation with its grounds.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <ostream>

#include "analysis/convergence.hpp"
#include "hstar/compare.hpp"
#include "hstar/record.hpp"

namespace hstar {
namespace {

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.1e}", *value) : "-"; }

std::string at(const CompareRow& r) { return r.step > 0 ? fmt::format("h {:g}", r.step) : fmt::format("{:g}", r.rtol); }

std::string method(const CompareRow& r) {
  return r.formulation + " + " + r.integrator + (r.variant.empty() ? "" : " (" + r.variant + ")") +
         (r.step > 0 ? fmt::format(" at step {:g} s", r.step) : fmt::format(" at rtol {:g}", r.rtol));
}

std::string time_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

/// A row whose result may be used: finished, with the right events.
bool usable(const CompareRow& r) { return r.finished() && r.failure.empty() && r.end_error.has_value(); }

/// Without an accuracy asked for, an end-state error above this is not right ...
constexpr double largest_right = 1e-6;
/// ... and of those that are, the ones within this factor of the smallest are as good as it.
constexpr double alike = 10;

std::string quoted(std::string text) {
  for (std::size_t i = text.find('"'); i != std::string::npos; i = text.find('"', i + 2)) text.insert(i, 1, '"');
  return "\"" + text + "\"";
}

}  // namespace

using analysis::Convergence;
using analysis::convergence;

void print_comparison(const Comparison& c, std::ostream& out) {
  out << c.title << '\n' << "errors are measured against " << c.reference << ", which has " << c.events << " events\n";
  if (!c.conservative) out << "energy drift is not defined: something in the model takes or gives energy\n";
  out << fmt::format(
      "\n{:17} {:17} {:>7} {:>7} {:>6} {:>8} {:>7} {:>6} {:>6} {:>6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}\n",
      "formulation", "integrator", "rtol", "steps", "rej", "evals", "iter", "jac", "fact", "repart", "time", "|Phi|",
      "|Phi'|", "energy", "event s", "end");
  const auto off = [&](double error) { return c.constrained ? fmt::format("{:.1e}", error) : std::string("-"); };
  std::size_t notes = 0;
  for (const CompareRow& r : c.rows) {
    const FlowCounters& f = r.counters.flow;
    out << fmt::format("{:17} {:17} {:>7} {:7} {:6} {:8} {:7} {:6} {:6} {:6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}{}{}\n",
                       r.formulation, r.integrator, at(r), f.steps, f.rejected, f.evaluations, f.iterations,
                       f.jacobians, f.factorisations, r.counters.repartitions, time_text(r.seconds),
                       off(r.position_error), off(r.velocity_error), number(r.energy_drift), number(r.event_error),
                       number(r.end_error), r.variant.empty() ? "" : "  " + r.variant,
                       r.failure.empty() ? "" : fmt::format("  [{}]", ++notes));
  }
  notes = 0;
  if (std::any_of(c.rows.begin(), c.rows.end(), [](const CompareRow& r) { return !r.failure.empty(); })) out << '\n';
  for (const CompareRow& r : c.rows)
    if (!r.failure.empty()) out << fmt::format("[{}] {}: {}\n", ++notes, method(r), r.failure);
  const std::vector<Convergence> all = convergence(c);
  for (const Convergence& line : all)
    out << fmt::format("{}{}: errors fall with h^{:.2f} (order {})\n", &line == all.data() ? "\n" : "", line.name,
                       line.slope, line.order);
}

std::vector<std::string> recommendation(const Comparison& c) {
  const CompareRow *best = nullptr, *second = nullptr, *closest = nullptr;
  std::size_t good = 0, bad = 0;
  std::map<std::string, std::size_t> failed;
  for (const CompareRow& r : c.rows) {
    if (!usable(r)) {
      ++bad;
      ++failed[r.formulation];
    } else if (closest == nullptr || *r.end_error < *closest->end_error) {
      closest = &r;
    }
  }
  const double within =
      c.accuracy.value_or(closest != nullptr ? std::min(largest_right, alike * *closest->end_error) : largest_right);
  for (const CompareRow& r : c.rows) {
    if (!usable(r) || *r.end_error > within) continue;
    ++good;
    if (best == nullptr || r.seconds < best->seconds) best = &r;
  }
  if (best != nullptr)
    for (const CompareRow& r : c.rows)
      if (usable(r) && *r.end_error <= within && r.formulation != best->formulation &&
          (second == nullptr || r.seconds < second->seconds))
        second = &r;
  std::vector<std::string> lines;
  if (best != nullptr) {
    lines.push_back(fmt::format("Use {}: end-state error {:.1e} in {}, the fastest of {} runs within {:.2g}{}.",
                                method(*best), *best->end_error, time_text(best->seconds), good, within,
                                c.accuracy ? "" : " (at most ten times the smallest; --accuracy asks for another)"));
    std::string grounds =
        fmt::format("Grounds: {} steps, {} evaluations", best->counters.flow.steps, best->counters.flow.evaluations);
    if (c.constrained)
      grounds += fmt::format(", |Phi| stays below {:.1e}, |Phi_q v - nu| below {:.1e}", best->position_error,
                             best->velocity_error);
    if (best->event_error) grounds += fmt::format(", events are right to {:.1e} s", *best->event_error);
    if (best->energy_drift) grounds += fmt::format(", energy to {:.1e}", *best->energy_drift);
    if (second != nullptr)
      grounds += fmt::format("; the next formulation, {}, takes {:.2g} times as long with |Phi| {:.1e}",
                             method(*second), second->seconds / best->seconds, second->position_error);
    lines.push_back(grounds + ".");
  } else if (closest != nullptr) {
    lines.push_back(fmt::format("No run comes within {:g}; the closest is {}: end-state error {:.1e} in {}.", within,
                                method(*closest), *closest->end_error, time_text(closest->seconds)));
    lines.push_back(fmt::format("Grounds: {} runs ended with the reference's events; try smaller tolerances or steps.",
                                c.rows.size() - bad));
  } else {
    lines.emplace_back("No method can be recommended: no run came to its end with a known error.");
    lines.push_back("Grounds: errors are measured against " + c.reference + ".");
  }
  std::string last = fmt::format("{} of {} runs are of no use", bad, c.rows.size());
  for (const auto& [formulation, count] : failed) last += fmt::format(", {} with {}", count, formulation);
  if (bad == 0) last = "All runs came to their end with the reference's events";
  if (best != nullptr && closest != best)
    last += fmt::format("; the smallest error, {:.1e}, has {} in {}", *closest->end_error, method(*closest),
                        time_text(closest->seconds));
  lines.push_back(last + ".");
  return lines;
}

void write_comparison_csv(const Comparison& c, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  out << "# " << c.title << "\n# errors against " << c.reference << '\n'
      << "formulation,integrator,variant,order,rtol,step,status,t_end,steps,rejected,evaluations,iterations,jacobians,"
         "factorisations,"
         "repartitions,projections,restarts,events,seconds,phi,phi_velocity,energy_drift,event_error,end_error,note\n";
  const auto text = [](const std::optional<double>& v) { return v ? number_text(*v) : std::string(); };
  for (const CompareRow& r : c.rows) {
    const FlowCounters& f = r.counters.flow;
    out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", r.formulation,
                       r.integrator, quoted(r.variant), r.order, number_text(r.rtol), number_text(r.step),
                       name(r.outcome.status), number_text(r.outcome.t), f.steps, f.rejected, f.evaluations,
                       f.iterations, f.jacobians, f.factorisations, r.counters.repartitions, r.counters.projections,
                       f.restarts, r.counters.events, number_text(r.seconds), number_text(r.position_error),
                       number_text(r.velocity_error), text(r.energy_drift), text(r.event_error), text(r.end_error),
                       quoted(r.failure));
  }
  out.flush();
  if (!out) throw InputError("compare: cannot write \"" + path + "\"; give a path in a folder that exists");
}

}  // namespace hstar
