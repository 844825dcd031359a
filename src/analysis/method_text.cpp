// src/analysis/method_text.cpp: coefficients, order and stability of an integrator, from what it steps with.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <numbers>
#include <vector>

#include "hstar/dae.hpp"
#include "hstar/error.hpp"
#include "hstar/flow.hpp"
#include "hstar/integrator/tableau/dop853.hpp"
#include "hstar/integrator/tableau/dopri5.hpp"
#include "hstar/integrator/tableau/forward_euler.hpp"
#include "hstar/integrator/tableau/ode23.hpp"
#include "hstar/integrator/tableau/rk4.hpp"
#include "hstar/method.hpp"
#include "integrator/adams.hpp"
#include "integrator/newmark.hpp"
#include "integrator/radau.hpp"
#include "integrator/stability.hpp"
#include "math/dense_eigen.hpp"

namespace hstar {
namespace {

using Complex = std::complex<double>;

using integrator::no_growth;
/// Round-off of a sum of weights of size 1.
constexpr double no_condition = 1e-14;
/// As good as infinity for the eigenvalues of a step.
constexpr double far_out = 1e8;

class Text {
 public:
  template <typename... Args>
  void line(fmt::format_string<Args...> pattern, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), pattern, std::forward<Args>(args)...);
    text_ += '\n';
  }
  template <class Numbers>
  void numbers(const char* name, const Numbers& values) {
    text_ += fmt::format("  {:6}", name);
    for (const double x : values) text_ += fmt::format(" {:>22.16g}", x);
    text_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

template <class Tableau>
void print_tableau(Text& out) {
  out.line("\nnodes c, matrix a (one stage a line), weights b, error weights e");
  out.numbers("c", Tableau::c);
  for (std::size_t i = 0; i < Tableau::a.size(); ++i)
    out.numbers(i == 0 ? "a" : "",
                std::vector<double>(Tableau::a[i].begin(), Tableau::a[i].begin() + static_cast<std::ptrdiff_t>(i)));
  out.numbers("b", Tableau::b);
  out.numbers("e", Tableau::error);
  out.line("order conditions of the quadrature, sum b c^(q-1) - 1/q for q = 1, 2, ...");
  std::vector<double> left;
  for (int q = 1; q <= Tableau::order + 1; ++q) {
    double sum = -1.0 / q;
    for (std::size_t i = 0; i < Tableau::b.size(); ++i) sum += Tableau::b[i] * std::pow(Tableau::c[i], q - 1);
    left.push_back(std::abs(sum) < no_condition ? 0.0 : sum);
  }
  out.numbers("", left);
}

/// How far |R| <= 1 holds along a direction from 0; infinite if it does not end.
double reach(integrator::Amplification& R, Complex direction) {
  constexpr double pitch = 1.0 / 64, longest = 64;
  double inside = 0;
  for (double r = pitch; r <= longest; r += pitch, inside = r - pitch)
    if (R(r * direction) > 1 + no_growth) {
      double outside = r;
      for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (inside + outside);
        (R(middle * direction) > 1 + no_growth ? outside : inside) = middle;
      }
      return inside;
    }
  return R(far_out * direction) <= 1 + no_growth ? HUGE_VAL : longest;
}

std::string reach_text(double reach) { return std::isinf(reach) ? "without end" : fmt::format("{:.4f}", reach); }

void print_stability(Text& out, const IntegratorEntry& entry) {
  integrator::Amplification R(entry, FlowOptions{});
  out.line("\nstability on y' = lambda y, z = h lambda");
  out.line("  along the negative real axis to |z| = {}", reach_text(reach(R, {-1, 0})));
  out.line("  along the imaginary axis to |z| = {}", reach_text(reach(R, {0, 1})));
  if (entry.implicit) out.line("  |R(-infinity)| = {:.6f}", R(-far_out));
}

/// Largest angle [degrees] about the negative real axis in which every step is stable: outside the curve on which a
/// root of the characteristic polynomial has length 1.
double stable_angle(const std::vector<double>& c) {
  constexpr int places = 20000;
  double least = 90;
  for (int i = 1; i < places; ++i) {
    Complex z = 0;
    for (std::size_t j = 0; j < c.size(); ++j)
      z += c[j] * std::polar(1.0, -2 * std::numbers::pi * i / places * static_cast<double>(j));
    if (z.real() < 0)
      least = std::min(least, std::abs(std::atan2(std::abs(z.imag()), -z.real())) * 180 / std::numbers::pi);
  }
  return least;
}

/// Sizes of the roots of c0 r^k + c1 r^(k-1) + ..., the largest first: at h = 0 none may be larger than 1.
std::vector<double> root_sizes(const std::vector<double>& c) {
  const auto k = static_cast<Eigen::Index>(c.size()) - 1;
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(k, k);
  for (Eigen::Index j = 0; j < k; ++j) companion(0, j) = -c[static_cast<std::size_t>(j) + 1] / c[0];
  for (Eigen::Index j = 1; j < k; ++j) companion(j, j - 1) = 1;
  const Eigen::VectorXd sizes = math::general_eigenvalues(companion).cwiseAbs();
  std::vector<double> out(sizes.data(), sizes.data() + sizes.size());
  std::sort(out.rbegin(), out.rend());
  return out;
}

void print_bdf(Text& out, int most) {
  out.line(
      "\nc0 y_n + c1 y_n-1 + ... = h y'_n on equal steps; sizes of the roots at h = 0; the angle alpha of "
      "A(alpha)-stability");
  for (int k = 1; k <= most; ++k) {
    const std::vector<double> c = integrator::bdf_coefficients(static_cast<std::size_t>(k));
    out.numbers(fmt::format("k = {}", k).c_str(), c);
    out.numbers("|r|", root_sizes(c));
    out.line("         alpha = {:.2f} degrees", stable_angle(c));
  }
}

void print_adams(Text& out, const IntegratorEntry& entry) {
  out.line(
      "\non equal steps: b of the prediction y_n + h sum b_i f_n-i, c of the correction y_n + h sum c_i f_n+1-i, and "
      "how far the");
  out.line("method is stable along the negative real axis");
  for (int k = 1; k <= 8; ++k) {
    FlowOptions o;
    o.max_order = k;
    integrator::Amplification R(entry, o);
    out.numbers(fmt::format("k = {}", k).c_str(),
                integrator::adams_weights(static_cast<std::size_t>(std::max(k - 1, 1)), false));
    out.numbers("", integrator::adams_weights(static_cast<std::size_t>(k), true));
    out.line("         |z| = {}", reach_text(reach(R, {-1, 0})));
  }
}

/// Spectral radius of a step on x'' = -w^2 x at omega = h w, with A as third unknown in units of h^-2.
double spectral_radius(const integrator::AlphaMethod& m, double omega) {
  // Unknowns (x1, h v1, h^2 a1, h^2 A1) from (x0, h v0, h^2 a0, h^2 A0).
  Eigen::Matrix4d left = Eigen::Matrix4d::Zero(), right = Eigen::Matrix4d::Zero();
  left.row(0) << 1, 0, 0, -m.beta;
  right.row(0) << 1, 1, 0, 0.5 - m.beta;
  left.row(1) << 0, 1, 0, -m.gamma;
  right.row(1) << 0, 1, 0, 1 - m.gamma;
  left.row(2) << omega * omega, 0, 1, 0;
  left.row(3) << 0, 0, -(1 - m.alpha_f), 1 - m.alpha_m;
  right.row(3) << 0, 0, m.alpha_f, -m.alpha_m;
  return math::general_eigenvalues(math::solve_regular(left, right)).cwiseAbs().maxCoeff();
}

void print_alpha_method(Text& out, const integrator::AlphaMethod& m) {
  out.line("\nwith the default options: beta = {:g}, gamma = {:g}, alpha_m = {:g}, alpha_f = {:g}, order {}", m.beta,
           m.gamma, m.alpha_m, m.alpha_f, m.order);
  out.line("spectral radius on x'' = -w^2 x");
  for (const double omega : {0.1, 1.0, 10.0, 100.0, 1e4})
    out.line("  h w = {:<6g} {:.6f}", omega, spectral_radius(m, omega));
}

}  // namespace

std::string method_text(const std::string& name) {
  const IntegratorEntry* plain = find_integrator(name);
  const IntegratorEntry* second = find_second_order_integrator(name);
  const DaeIntegratorEntry* dae = find_dae_integrator(name);
  if (plain == nullptr && second == nullptr && dae == nullptr)
    throw InputError("method: integrator '" + name + "' is not known; `hstar list` shows the known ones");
  Text out;
  if (plain != nullptr) {
    out.line("{}: {}\norder {}, {}\n{}", plain->name, plain->about, plain->order,
             plain->implicit ? "implicit" : "explicit", plain->source);
  } else if (second != nullptr) {
    out.line("{}: {}\norder {}\n{}", second->name, second->about, second->order, second->source);
  }
  if (dae != nullptr) {
    std::string forms;
    for (const auto& [solves, form] : {std::pair{dae->index3, "index3"}, {dae->ggl, "ggl"}, {dae->index1, "index1"}})
      if (solves) forms += forms.empty() ? form : std::string(", ") + form;
    out.line("{}: {}\nof constrained mechanisms: {}, order {}\n{}", dae->name, dae->about, forms, dae->order,
             dae->source);
  }

  const std::string known = plain != nullptr ? plain->name : name;
  const FlowOptions defaults;
  if (known == "ode23") print_tableau<integrator::Ode23>(out);
  if (known == "dopri5") print_tableau<integrator::Dopri5Tableau>(out);
  if (known == "dop853") print_tableau<integrator::Dop853>(out);
  if (known == "radau") {
    out.line("\nnodes c, matrix a (one stage a line, the last the weights)");
    out.numbers("c", integrator::radau_tableau().c);
    for (const auto& row : integrator::radau_tableau().a) out.numbers("a", row);
  }
  if (known == "forward_euler") print_tableau<integrator::ForwardEuler>(out);
  if (known == "rk4") print_tableau<integrator::Rk4>(out);
  if (known == "ode113") print_adams(out, *plain);
  if (known == "bdf" || known == "backward_euler") print_bdf(out, known == "bdf" ? 6 : 1);
  if (known == "newmark") print_alpha_method(out, integrator::newmark_method(defaults));
  if (known == "hht") print_alpha_method(out, integrator::hht_method(defaults));
  if (known == "generalized_alpha") print_alpha_method(out, integrator::generalized_alpha_method(defaults));
  if (known == "exact") out.line("\nof dop853, which steps where a mode is not linear (bdf where that is stiff):");
  if (plain != nullptr && known != "bdf" && known != "backward_euler" && known != "ode113")
    print_stability(out, *plain);
  return out.take();
}

}  // namespace hstar
