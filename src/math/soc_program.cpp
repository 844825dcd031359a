// src/math/soc_program.cpp
#include "math/soc_program.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/soc.hpp"
#include "math/tolerances.hpp"

namespace hstar::math {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// The iterate: s = h + A x and y inside the cones, and the scaling W y = W^-1 s = lambda between them.
class Path {
 public:
  Path(const SocProgram& p, const Vector& inside)
      : p_(p), x_(inside), s_(p.h + p.A * inside), y_(s_.size()), lambda_(s_.size()), w_(s_.size()) {
    eta_.resize(p.size.size());
    each([&](int, int first, int n) {
      const double det = soc::determinant(s_.data() + first, n);
      y_.segment(first, n) = -s_.segment(first, n) / det;
      y_[first] = s_[first] / det;
    });
    const double size = (p.A.transpose() * y_).norm();
    if (size > 0) y_ *= std::max(p.c.norm(), least_goal) / size;
  }

  [[nodiscard]] const Vector& x() const { return x_; }
  [[nodiscard]] double gap() const { return s_.dot(y_); }
  [[nodiscard]] double dual_residual() const { return dual().lpNorm<Eigen::Infinity>(); }

  /// One step; false: none is possible any more.
  bool step() {
    if (!scale()) return false;
    Matrix B = p_.A;
    for (long j = 0; j < B.cols(); ++j) unscale(B.col(j).data());
    const Eigen::HouseholderQR<Matrix> qr(B);
    const Vector off = dual();
    Vector q = -lambda_;
    const auto direction = [&](double share) {
      // B^T B dx = B^T q - share off,   W dy = q - B dx
      const long n = B.cols();
      const auto R = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
      Vector turned = q;
      turned.applyOnTheLeft(qr.householderQ().transpose());
      const Vector right = turned.head(n) - R.transpose().solve(share * off);
      dx_ = R.solve(right);
      ds_scaled_ = B * dx_;
      dy_scaled_ = q - ds_scaled_;
    };
    direction(1);
    const double affine = std::min(1.0, longest());
    const double centre = std::pow(1 - affine, 3);
    aim(centre * gap() / static_cast<double>(p_.size.size()), q);
    direction(1 - centre);
    if (!dx_.allFinite() || !dy_scaled_.allFinite()) return false;
    const double step = std::min(1.0, (affine > 0.99 ? 0.999 : 0.98) * longest());
    if (!(step > shortest_share)) return false;
    Vector dy = dy_scaled_;
    each([&](int k, int first, int n) {
      soc::unscaled(w_.data() + first, eta_[k], dy_scaled_.data() + first, dy.data() + first, n);
    });
    x_ += step * dx_;
    s_ += step * (p_.A * dx_);
    y_ += step * dy;
    return true;
  }

 private:
  template <class Act>
  void each(Act act) const {
    int first = 0;
    for (std::size_t k = 0; k < p_.size.size(); ++k) {
      act(static_cast<int>(k), first, p_.size[k]);
      first += p_.size[k];
    }
  }
  /// -c - A^T y, zero for a dual point.
  [[nodiscard]] Vector dual() const { return -p_.c - p_.A.transpose() * y_; }

  bool scale() {
    bool good = true;
    each([&](int k, int first, int n) {
      const auto i = static_cast<std::size_t>(k);
      good = good && soc::scaling(s_.data() + first, y_.data() + first, n, w_.data() + first, eta_[i]);
      if (good) soc::scaled(w_.data() + first, eta_[i], y_.data() + first, lambda_.data() + first, n);
    });
    return good;
  }
  void unscale(double* column) const {
    Vector out(s_.size());
    each([&](int k, int first, int n) {
      soc::unscaled(w_.data() + first, eta_[k], column + first, out.data() + first, n);
    });
    std::copy(out.begin(), out.end(), column);
  }
  /// Right side that aims at lambda o lambda = centre e, with what the last direction left of second order.
  void aim(double centre, Vector& q) const {
    Vector r(s_.size());
    each([&](int, int first, int n) {
      const double *l = lambda_.data() + first, *u = dy_scaled_.data() + first, *v = ds_scaled_.data() + first;
      r[first] = centre - soc::dot(l, l, n) - soc::dot(u, v, n);
      for (int i = 1; i < n; ++i) r[first + i] = -2 * l[0] * l[i] - u[0] * v[i] - v[0] * u[i];
      soc::divide(l, r.data() + first, q.data() + first, n);
    });
  }
  /// Longest step inside: in the scaled space both points are lambda.
  [[nodiscard]] double longest() const {
    double most = std::numeric_limits<double>::infinity();
    each([&](int, int first, int n) {
      most = std::min({most, soc::reach(lambda_.data() + first, ds_scaled_.data() + first, n),
                       soc::reach(lambda_.data() + first, dy_scaled_.data() + first, n)});
    });
    return most;
  }

  const SocProgram& p_;
  Vector x_, s_, y_, lambda_, w_, dx_, ds_scaled_, dy_scaled_;
  std::vector<double> eta_;
};

}  // namespace

SocSolution maximise(const SocProgram& p, const Vector& inside) {
  SocSolution out;
  Path path(p, inside);
  double before = std::numeric_limits<double>::infinity();
  for (; out.steps < 100 && p.c.dot(path.x()) <= beyond_bounds; ++out.steps) {
    const double gap = path.gap(), off = path.dual_residual();
    // In the last digits the dual point suffers first. (Where the best points have no bound, further steps lead along
    // them to where round-off is the goal.)
    out.bounded |= gap < near_optimum && off < near_optimum;
    if (out.bounded && (gap < no_gap || off > near_optimum || !(gap < before))) break;
    before = gap;
    if (!path.step()) break;
  }
  out.gap = path.gap();
  out.x = path.x();
  return out;
}

double least_slack(const SocProgram& p, const Vector& x) {
  const Vector s = p.h + p.A * x;
  double least = std::numeric_limits<double>::infinity();
  int first = 0;
  for (const int n : p.size) {
    least = std::min(least, s[first] - soc::tail(s.data() + first, n));
    first += n;
  }
  return least;
}

}  // namespace hstar::math
