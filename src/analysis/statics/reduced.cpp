// src/analysis/statics/reduced.cpp
#include "analysis/statics/reduced.hpp"

#include <algorithm>

#include "analysis/statics/relax.hpp"
#include "analysis/statics/tolerances.hpp"
#include "math/dense_eigen.hpp"
#include "math/tolerances.hpp"

namespace hstar {
namespace {
using Matrix = Eigen::MatrixXd;

bool is_symmetric(const Matrix& a) { return (a - a.transpose()).norm() <= statics::same_matrix * a.norm(); }
}  // namespace

ReducedSystem reduce(ForceBalance& m, const Eigen::VectorXd& lambda) {
  const Tangent at = tangent(m, {});
  m.evaluate(lambda);
  const ForceBalance::Slopes d = m.slopes();
  const auto size = m.size().asDiagonal();
  ReducedSystem out;
  out.basis = size * at.Z;
  const Matrix left = at.Y.transpose() * size;
  out.M = math::product(left * m.mass().asDiagonal(), out.basis);
  out.C = math::product(-math::product(left, d.force_v), out.basis);
  out.K = math::product(-math::product(left, d.force_q), out.basis);
  out.S = math::product(left, d.force_s);
  out.R_x = math::product(d.rate_q, out.basis);
  out.R_v = math::product(d.rate_v, out.basis);
  out.R_s = d.rate_s;
  out.no_stiffness =
      out.M.rows() == 0 ? 0 : statics::stiffness_round_off * d.stiffness_size / std::max(out.M.norm(), math::vanishes);
  out.symmetric = at.symmetric && written_states(m.system()) == 0 && out.C.norm() == 0 && is_symmetric(out.K);
  if (out.symmetric) {
    out.M = (0.5 * (out.M + out.M.transpose())).eval();
    out.K = (0.5 * (out.K + out.K.transpose())).eval();
  }
  return out;
}

Eigen::VectorXcd stiffness_spectrum(const ReducedSystem& r, bool& by_mass) {
  by_mass = true;
  const long d = r.K.rows();
  if (d == 0) return {};
  Matrix M = r.M;
  if (math::kernel(M).cols() > 0) {
    by_mass = false;
    M.setIdentity();
  }
  Eigen::VectorXcd k;
  if (is_symmetric(r.K) && is_symmetric(M)) {
    k = math::symmetric_eigenvalues(r.K, M);
  } else {
    k = math::general_eigenvalues(math::solve_regular(M, r.K));
  }
  std::sort(k.begin(), k.end(), [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  });
  return k;
}

}  // namespace hstar
