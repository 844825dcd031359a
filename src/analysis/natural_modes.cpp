// src/analysis/natural_modes.cpp: eigenvalues and shapes of the linearised constrained motion, and their report.
#include "hstar/natural_modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/analysis_text.hpp"
#include "analysis/statics/reduced.hpp"
#include "analysis/statics/rest.hpp"
#include "math/dense_eigen.hpp"
#include "record/json_writer.hpp"

namespace hstar {
namespace {

using Matrix = Eigen::MatrixXd;
using Complex = std::complex<double>;
/// Of the largest: squares of frequencies below are round-off.
constexpr double no_stiffness = 1e-12;

/// Eigenvalue and its shape in the basis of the reduced system.
struct Pair {
  Complex s;
  Eigen::VectorXcd x;
};

std::vector<Pair> undamped(const ReducedSystem& r) {
  const math::RealModes solution = math::symmetric_modes(r.K, r.M);
  const Eigen::VectorXd& k = solution.values;
  const double largest = k.cwiseAbs().maxCoeff();
  std::vector<Pair> out;
  for (long i = 0; i < k.size(); ++i) {
    const double value = std::abs(k[i]) <= std::max(no_stiffness * largest, r.no_stiffness) ? 0.0 : k[i];
    const Eigen::VectorXcd x = solution.vectors.col(i).cast<Complex>();
    out.push_back({value >= 0 ? Complex(0, std::sqrt(value)) : Complex(std::sqrt(-value), 0), x});
    if (value < 0) out.push_back({-out.back().s, x});
  }
  return out;
}

std::vector<Pair> general(const ReducedSystem& r) {
  // (x, x', s)' = A (x, x', s)
  const long d = r.K.rows(), k = r.R_s.rows();
  Matrix A = Matrix::Zero(2 * d + k, 2 * d + k);
  Matrix forces(d, 2 * d + k);
  forces << r.K, r.C, r.S;
  const Matrix per_mass = math::solve_regular(r.M, forces);
  A.block(0, d, d, d).setIdentity();
  A.block(d, 0, d, d) = -per_mass.leftCols(d);
  A.block(d, d, d, d) = -per_mass.middleCols(d, d);
  if (k > 0) {
    A.block(d, 2 * d, d, k) = per_mass.rightCols(k);
    A.block(2 * d, 0, k, d) = r.R_x;
    A.block(2 * d, d, k, d) = r.R_v;
    A.block(2 * d, 2 * d, k, k) = r.R_s;
  }
  const math::ComplexModes solution = math::general_modes(A);
  const double largest = solution.values.cwiseAbs().maxCoeff();
  std::vector<Pair> out;
  for (long i = 0; i < A.rows(); ++i) {
    Complex s = solution.values[i];
    // A freedom without stiffness and damping is a double zero: its round-off is the root of round-off.
    if (std::abs(s) <= 1e-7 * largest) s = 0;
    if (s.imag() < 0) continue;
    out.push_back({s, solution.vectors.col(i).head(d)});
  }
  return out;
}

std::string kind_of(Complex s, double largest) {
  const double zero = 1e-9 * largest;
  if (std::abs(s) <= zero) return "free";
  if (s.imag() == 0) return s.real() < 0 ? "decay" : "growth";
  return s.real() > zero ? "growing oscillation" : "oscillation";
}

/// By frequency; those of one frequency, round-off apart, by their growth.
void sort_modes(std::vector<NaturalMode>& modes, double largest) {
  std::stable_sort(modes.begin(), modes.end(),
                   [](const NaturalMode& a, const NaturalMode& b) { return a.frequency < b.frequency; });
  for (auto first = modes.begin(); first != modes.end();) {
    const auto last = std::find_if(
        first, modes.end(), [&](const NaturalMode& m) { return m.frequency > first->frequency + 1e-13 * largest; });
    std::stable_sort(first, last, [](const NaturalMode& a, const NaturalMode& b) {
      return a.eigenvalue.real() < b.eigenvalue.real();
    });
    first = last;
  }
}

std::string stability_of(const std::vector<NaturalMode>& modes, double largest) {
  bool damped = true, free = false, growth = false, flutter = false;
  for (const NaturalMode& m : modes) {
    growth |= m.kind == "growth";
    flutter |= m.kind == "growing oscillation";
    free |= m.kind == "free";
    damped &= m.eigenvalue.real() < -1e-9 * largest;
  }
  return growth    ? "unstable (divergence)"
         : flutter ? "unstable (flutter)"
         : free    ? "indifferent"
         : damped  ? "asymptotically stable"
                   : "stable";
}

}  // namespace

NaturalModesResult natural_modes(const ModelSpec& model, const NaturalModesOptions& options) {
  const auto system = build_system(model);
  if (system->nq == 0) throw InputError("the model has no free bodies; natural modes need bodies");
  Rest rest(system, model.simulation.start, {options.nearest, options.friction, options.touching});
  NaturalModesResult out;
  ForceBalance& m = rest.balance();
  Eigen::VectorXd lambda;
  if (options.given) {
    rest.let_stick(true);
    const Tangent at = tangent(m, {});
    lambda = at.lambda;
    if (at.along.size() > 0 && at.along.norm() > 1e-9 * at.force_size)
      out.notices.emplace_back("this is no equilibrium: the forces that act along the free motion are not in balance");
  } else {
    if (!rest.find())
      throw NoEquilibrium("no equilibrium to linearise about: " + rest.why() +
                          "; give another estimate, or linearise about the estimate itself with --given");
    lambda = rest.lambda();
    out.notices = rest.notices;
  }
  if (rest.any_can_stick())
    out.notices.emplace_back("what friction holds is taken as stuck; --without-friction lets it go");
  if (std::any_of(m.mode.closed.begin(), m.mode.closed.end(), [](char c) { return c != 0; }))
    out.notices.emplace_back("closed contacts are taken to stay closed");

  const ReducedSystem r = reduce(m, lambda);
  out.freedoms = static_cast<int>(r.K.rows());
  for (int i = 0; i < m.coordinates().count(); ++i) {
    out.coordinate_names.push_back(m.coordinates().name(i));
    out.coordinates.push_back(m.coordinate(i));
  }
  for (int i = 0; i < m.system().nv; ++i) out.names.push_back(m.coordinates().freedom_name(i));
  if (out.freedoms == 0) throw InputError("nothing can move: joints, contacts and friction hold every freedom");
  if (const Matrix massless = math::kernel(r.M, 1e-13); massless.cols() > 0) {
    int worst = 0;
    (r.basis * massless.col(0)).cwiseQuotient(m.size()).cwiseAbs().maxCoeff(&worst);
    throw InputError("a freedom has no mass: " + m.coordinates().freedom_name(worst) +
                     " can move without any; give the body an inertia or hold it");
  }
  double largest = 0;
  const std::vector<Pair> pairs = r.symmetric ? undamped(r) : general(r);
  for (const Pair& p : pairs) largest = std::max(largest, std::abs(p.s));
  for (const Pair& p : pairs) {
    NaturalMode mode;
    mode.eigenvalue = p.s;
    mode.frequency = std::abs(p.s);
    mode.damping = mode.frequency > 0 ? 0.0 - p.s.real() / mode.frequency : 0.0;
    mode.kind = kind_of(p.s, largest);
    Eigen::VectorXcd shape = m.coordinates().as_written(r.basis).cast<Complex>() * p.x;
    int most = 0;
    const Eigen::VectorXd dimensionless = shape.cwiseAbs().cwiseQuotient(m.size());
    // Of equal amplitudes the first, whatever their round-off.
    const double peak = dimensionless.maxCoeff();
    while (most < shape.size() && !(dimensionless[most] >= (1 - 1e-9) * peak)) ++most;
    if (peak > 0) shape *= m.size()[most] / shape[most];
    mode.shape.assign(shape.data(), shape.data() + shape.size());
    out.modes.push_back(std::move(mode));
  }
  sort_modes(out.modes, largest);
  out.stability = stability_of(out.modes, largest);
  return out;
}

std::string natural_modes_text(const NaturalModesResult& r) {
  std::string text = fmt::format("{} degrees of freedom, {}\n\n{:>4}{:>20}{:>20}{:>16}{:>14}  {}\n", r.freedoms,
                                 r.stability, "", "rad/s", "Hz", "damping", "Re s", "");
  for (std::size_t i = 0; i < r.modes.size(); ++i) {
    const NaturalMode& m = r.modes[i];
    text += fmt::format("{:>4}{:>20.12g}{:>20.12g}{:>16.8g}{:>14.6g}  {}\n", i + 1, m.frequency,
                        m.frequency / (2 * std::numbers::pi), m.damping, m.eigenvalue.real(), m.kind);
  }
  text += "\nshapes (amplitude and phase in degrees)\n";
  for (std::size_t i = 0; i < r.names.size(); ++i) {
    text += fmt::format("  {:<22}", r.names[i]);
    for (const NaturalMode& m : r.modes) {
      const double size = std::abs(m.shape[i]), phase = std::arg(m.shape[i]) * 180 / std::numbers::pi;
      const bool real = std::abs(m.shape[i].imag()) <= 1e-9 * size;
      text += fmt::format(" {:>12}", size < 1e-12 ? "0"
                                     : real       ? fmt::format("{:.5g}", m.shape[i].real())
                                                  : fmt::format("{:.4g}@{:.0f}", size, phase));
    }
    text += "\n";
  }
  for (const std::string& notice : r.notices) text += "notice: " + notice + "\n";
  return text;
}

std::string natural_modes_json(const NaturalModesResult& r) {
  record::JsonWriter json;
  json.open("", '{');
  json.item("freedoms", static_cast<std::size_t>(r.freedoms));
  json.item("stability", r.stability);
  json.open("coordinates", '{');
  for (std::size_t i = 0; i < r.coordinates.size(); ++i) json.item(r.coordinate_names[i], r.coordinates[i]);
  json.close('}');
  json.open("modes", '[');
  for (const NaturalMode& m : r.modes) {
    json.open("", '{');
    json.item("re", m.eigenvalue.real());
    json.item("im", m.eigenvalue.imag());
    json.item("frequency", m.frequency);
    json.item("damping", m.damping);
    json.item("kind", m.kind);
    json.open("shape", '{');
    for (std::size_t i = 0; i < r.names.size(); ++i) {
      json.open(r.names[i], '[');
      json.item("", m.shape[i].real());
      json.item("", m.shape[i].imag());
      json.close(']');
    }
    json.close('}');
    json.close('}');
  }
  json.close(']');
  json.open("notices", '[');
  for (const std::string& notice : r.notices) json.item("", notice);
  json.close(']');
  json.close('}');
  return json.text() + "\n";
}

}  // namespace hstar
