// src/analysis/trace_truth.cpp
//
// Reads peer traces and gives the truth they are judged by (traces.hpp). The closed forms are evaluated
// in long double, far below the errors they judge.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <sstream>

#include "analysis/traces.hpp"
#include "hstar/error.hpp"

namespace hstar::validation {
namespace {

using Real = long double;
using Parameters = std::map<std::string, Real>;
using Law = std::function<void(Real t, Real& x, Real& v)>;

std::vector<double> split_numbers(const std::string& line, const std::string& path, int number) {
  std::vector<double> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) {
    char* end = nullptr;
    out.push_back(std::strtod(cell.c_str(), &end));
    if (end == cell.c_str()) throw InputError(Location{path, number, 1}, fmt::format("'{}' is not a number", cell));
  }
  return out;
}

/// Calls comment(line) for lines that start with '#', row(numbers) for the others.
void read_rows(const std::string& path, const std::function<void(const std::string&)>& comment,
               const std::function<void(const std::vector<double>&)>& row) {
  std::ifstream in(path);
  if (!in) throw InputError(fmt::format("{}: cannot be read; the traces belong to the folder of traces.toml", path));
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty()) continue;
    if (line.front() == '#')
      comment(line);
    else
      row(split_numbers(line, path, number));
  }
}

/// "# columns: t,x,v,s,event ; ..." -> index of the column "event", or npos.
std::size_t event_column(const std::string& comment) {
  const std::size_t begin = comment.find("columns:");
  if (begin == std::string::npos) return std::string::npos;
  std::istringstream in(comment.substr(begin + 8, comment.find(';', begin) - begin - 8));
  std::size_t index = 0;
  for (std::string name; std::getline(in, name, ','); ++index) {
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    if (name == "event") return index;
  }
  return std::string::npos;
}

Real parameter(const Parameters& p, const char* name) {
  const auto found = p.find(name);
  if (found == p.end())
    throw InputError(
        fmt::format("validate ode23: the closed form needs the parameter '{}'; add it to the model", name));
  return found->second;
}

/// m x'' + c x' + k x = 0, x(0) = 1, x'(0) = 0.
Law viscous(const Parameters& p) {
  const Real m = parameter(p, "m"), k = parameter(p, "k"), decay = parameter(p, "c") / (2 * m);
  const Real omega = std::sqrt(k / m - decay * decay);
  return [=](Real t, Real& x, Real& v) {
    const Real amplitude = std::exp(-decay * t), c = std::cos(omega * t), s = std::sin(omega * t);
    x = amplitude * (c + decay / omega * s);
    v = -amplitude * (omega + decay * decay / omega) * s;
  };
}

/// m x'' + k x + Fc sign(x') = 0, x(0) = 1: between the reversals n pi/omega a cosine about +-Fc/k whose
/// amplitude loses 2 Fc/k each; it sticks at the first reversal with |k x| <= Fc.
Law coulomb(const Parameters& p) {
  const Real omega = std::sqrt(parameter(p, "k") / parameter(p, "m")), offset = parameter(p, "Fc") / parameter(p, "k");
  const Real half = std::numbers::pi_v<Real> / omega;
  const Real last = std::ceil((1 - offset) / (2 * offset) - 1e-9L);
  return [=](Real t, Real& x, Real& v) {
    const Real n = std::min(std::floor(t / half), last), side = std::fmod(n, 2) < 0.5L ? 1 : -1;
    const Real turn = 1 - 2 * offset * n;  // |x| at the last reversal
    if (n >= last) {
      x = side * turn;
      v = 0;
      return;
    }
    const Real phase = omega * (t - n * half);
    x = side * (offset + (turn - offset) * std::cos(phase));
    v = -side * (turn - offset) * omega * std::sin(phase);
  };
}

/// The drag sled: stick until k s = mu_s m g, then a harmonic slip about mu_d m g/k, periodically.
Law dragsled(const Parameters& p) {
  const Real m = parameter(p, "m"), k = parameter(p, "k"), V = parameter(p, "V"), weight = m * parameter(p, "g");
  const Real omega = std::sqrt(k / m), mean = parameter(p, "mu_d") * weight / k;
  const Real A = parameter(p, "mu_s") * weight / k - mean;
  const Real first = (mean + A) / V;
  const Real slip = (2 * std::numbers::pi_v<Real> - 2 * std::atan(omega * A / V)) / omega, stick = 2 * A / V;
  return [=](Real t, Real& x, Real& v) {
    x = v = 0;
    if (t <= first) return;
    const Real period = slip + stick, cycles = std::floor((t - first) / period);
    const Real since = t - first - cycles * period, advance = V * slip + 2 * A;  // of the sled in one slip
    if (since >= slip) {
      x = (cycles + 1) * advance;
      return;
    }
    const Real stretch = mean + A * std::cos(omega * since) + V / omega * std::sin(omega * since);
    x = cycles * advance + V * since + (mean + A) - stretch;
    v = V + A * omega * std::sin(omega * since) - V * std::cos(omega * since);
  };
}

}  // namespace

Trace read_trace(const std::string& path, std::size_t states) {
  Trace out;
  std::size_t event = std::string::npos;
  const auto comment = [&](const std::string& line) {
    if (event == std::string::npos) event = event_column(line);
    const std::string label = "accepted steps:";
    if (const std::size_t at = line.find(label); at != std::string::npos)
      out.steps = static_cast<std::size_t>(std::strtoul(line.c_str() + at + label.size(), nullptr, 10));
  };
  const auto row = [&](const std::vector<double>& values) {
    if (values.size() < states + 1)
      throw InputError(fmt::format("{}: a row has {} columns; it needs t and {} states", path, values.size(), states));
    if (event != std::string::npos && event < values.size() && values[event] != 0.0) {
      ++out.event_rows;
      return;
    }
    if (!out.rows.t.empty() && values[0] <= out.rows.t.back()) return;  // the start of a segment, seen already
    out.rows.t.push_back(values[0]);
    out.rows.y.emplace_back(values.begin() + 1, values.begin() + 1 + static_cast<std::ptrdiff_t>(states));
  };
  read_rows(path, comment, row);
  if (out.rows.t.empty()) throw InputError(fmt::format("{}: has no rows", path));
  return out;
}

Judged judge(const TraceEntry& entry, const std::string& folder, const Trace& trace,
             const std::vector<std::pair<std::string, double>>& parameters) {
  static const std::map<std::string, std::function<Law(const Parameters&)>> laws = {
      {"viscous", viscous}, {"coulomb", coulomb}, {"dragsled", dragsled}};
  Judged out;
  if (const auto found = laws.find(entry.truth); found != laws.end()) {
    Parameters p;
    for (const auto& [name, value] : parameters) p[name] = value;
    const Law law = found->second(p);
    out.peer = trace.rows;
    out.truth.t = trace.rows.t;
    for (const double t : trace.rows.t) {
      Real x = 0, v = 0;
      law(t, x, v);
      out.truth.y.push_back({static_cast<double>(x), static_cast<double>(v)});
    }
    return out;
  }
  if (!entry.truth.ends_with(".csv"))
    throw InputError(fmt::format("{}: unknown truth '{}'; known: viscous, coulomb, dragsled, or a CSV file", entry.name,
                                 entry.truth));
  std::size_t next = 0;
  read_rows(
      folder + "/" + entry.truth, [](const std::string&) {},
      [&](const std::vector<double>& values) {
        while (next < trace.rows.t.size() && trace.rows.t[next] < values[0]) ++next;
        if (next == trace.rows.t.size() || trace.rows.t[next] != values[0]) return;
        out.peer.t.push_back(values[0]);
        out.peer.y.push_back(trace.rows.y[next]);
        out.truth.t.push_back(values[0]);
        out.truth.y.emplace_back(values.begin() + 1, values.end());
      });
  if (out.truth.t.empty()) throw InputError(fmt::format("{}: no time of the truth is a time of the trace", entry.name));
  return out;
}

}  // namespace hstar::validation
