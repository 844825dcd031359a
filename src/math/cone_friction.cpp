// src/math/cone_friction.cpp
#include "math/cone_friction.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hstar::math {
namespace {

constexpr int most_rows = 3 * most_cones;
constexpr double enough = 1e-12;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_rows, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_rows, most_rows>;
using Vector2 = Eigen::Vector2d;

/// The problem with one coefficient a contact.
class Search {
 public:
  explicit Search(const ConeProblem& p)
      : p_(p),
        G_(Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(p.G.data(), 3 * p.count, 3 * p.count)),
        c_(Eigen::Map<const Eigen::VectorXd>(p.c.data(), 3 * p.count)),
        f(Vector::Zero(3 * p.count)) {
    for (int i = 0; i < p.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      mu[at] = p.cone[at].slides ? p.cone[at].mu_kinetic : p.cone[at].mu_static;
      const double size = G_.block<3, 3>(3 * i, 3 * i).diagonal().maxCoeff();
      rho_[at] = size > 0 ? 1 / size : 1;
      known_ = std::max(known_, rho_[at] * c_.segment<3>(3 * i).lpNorm<Eigen::Infinity>());
    }
  }

  std::array<double, most_cones> mu{};

  [[nodiscard]] Vector rates() const { return c_ + G_ * f; }
  /// Of the forces; where there are (next to) none, of what the rates without forces ask for.
  [[nodiscard]] double force_scale() const { return std::max(1e-8 * known_, f.lpNorm<Eigen::Infinity>()); }

  /// Alart & Curnier's equations at f, forces; zero at a solution.
  Vector equations() const { return equations(f, rates()); }
  [[nodiscard]] double residual() const {
    const double scale = force_scale();
    return scale > 0 ? equations().lpNorm<Eigen::Infinity>() / scale : 0;
  }

  /// Sweeps of projections on the cones, contact by contact.
  void gauss_seidel(int sweeps) {
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (int i = 0; i < p_.count; ++i)
        for (int local = 0; local < 4; ++local) {
          const Eigen::Vector3d a = c_.segment<3>(3 * i) + G_.middleRows<3>(3 * i) * f;
          f.segment<3>(3 * i) = projected(i, f.segment<3>(3 * i), a);
        }
  }

  /// Newton with line search until no step makes the residual smaller; the number of steps.
  int newton(int most) {
    Vector phi = equations();
    double merit = phi.norm();
    int stalled = 0, step = 0;
    while (step < most && merit > 1e-17 * force_scale() && stalled < 3) {
      const Vector direction = newton_direction(phi);
      if (!direction.allFinite()) break;
      ++step;
      const Vector from = f;
      double length = 1, best = merit, best_length = 0;
      for (int halving = 0; halving < 12; ++halving, length *= 0.5) {
        f = from + length * direction;
        const double reached = equations().norm();
        if (reached < best) {
          best = reached;
          best_length = length;
          if (reached < (1 - 0.3 * length) * merit) break;
        } else if (best_length > 0) {
          break;
        }
      }
      f = from + best_length * direction;
      if (best_length == 0) break;
      phi = equations();
      stalled = phi.norm() > 0.9 * merit ? stalled + 1 : 0;
      merit = phi.norm();
    }
    return step;
  }

  /// Full steps, up or down: they leave corners of the equations where every shorter step is uphill. Keeps the best.
  int leap(int most) {
    Vector best = f;
    double least = equations().norm();
    for (int step = 0; step < most; ++step) {
      const Vector direction = newton_direction(equations());
      if (!direction.allFinite()) break;
      f += direction;
      const double reached = equations().norm();
      if (!(reached < 1e6 * force_scale())) break;
      if (reached < least) {
        least = reached;
        best = f;
      }
    }
    f = best;
    return most;
  }

 private:
  /// f - rho (a_N + mu |a_T|, a_T), projected on the cone |f_T| <= mu f_N.
  [[nodiscard]] Eigen::Vector3d projected(int i, const Eigen::Vector3d& now, const Eigen::Vector3d& a) const {
    const auto at = static_cast<std::size_t>(i);
    const Cone& cone = p_.cone[at];
    const double m = mu[at], rho = 0.7 * rho_[at];
    Eigen::Vector3d out;
    if (cone.slides) {
      out[0] = std::max(0.0, now[0] - rho * a[0]);
      out.tail<2>() = -m * out[0] * Vector2(cone.direction[0], cone.direction[1]);
      return out;
    }
    const double n = now[0] - rho * (a[0] + m * a.tail<2>().norm());
    const Vector2 t = now.tail<2>() - rho * a.tail<2>();
    const double size = t.norm();
    if (size <= m * n) {
      out << n, t;
    } else if (m * size <= -n) {
      out.setZero();
    } else {
      out[0] = (n + m * size) / (1 + m * m);
      out.tail<2>() = m * out[0] / size * t;
    }
    return out;
  }

  /// The shortest step that solves the linearised equations as well as can be.
  [[nodiscard]] Vector newton_direction(const Vector& phi) const { return -shortest_solution(jacobian(), phi); }

  /// Complete orthogonal decomposition (Golub & Van Loan 2013, sec. 5.4.7); Eigen's own takes heap memory.
  static Vector shortest_solution(const Matrix& J, const Vector& right) {
    const Eigen::ColPivHouseholderQR<Matrix> qr(J);
    const Eigen::Index n = J.cols(), rank = qr.rank();
    Vector y = right;
    y.applyOnTheLeft(qr.householderQ().adjoint());
    Vector x = Vector::Zero(n);
    if (rank == n) {
      x = qr.matrixR().triangularView<Eigen::Upper>().solve(y);
    } else if (rank > 0) {
      const Matrix R = qr.matrixR().topRows(rank).triangularView<Eigen::Upper>();
      const Eigen::HouseholderQR<Matrix> lq(R.transpose());
      const Matrix L = lq.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
      x.head(rank) = L.transpose().triangularView<Eigen::Lower>().solve(y.head(rank));
      x.applyOnTheLeft(lq.householderQ());
    }
    return qr.colsPermutation() * x;
  }

  [[nodiscard]] Vector equations(const Vector& force, const Vector& a) const {
    Vector phi(3 * p_.count);
    for (int i = 0; i < p_.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double rho = rho_[at], pressed = std::max(0.0, force[3 * i] - rho * a[3 * i]);
      phi[3 * i] = force[3 * i] - pressed;
      const Vector2 t = force.segment<2>(3 * i + 1);
      Vector2 held = Vector2::Zero();
      if (p_.cone[at].slides) {
        held = -mu[at] * pressed * Vector2(p_.cone[at].direction[0], p_.cone[at].direction[1]);
      } else {
        const Vector2 y = t - rho * a.segment<2>(3 * i + 1);
        const double size = y.norm(), radius = mu[at] * pressed;
        held = size <= radius ? y : Vector2(radius / size * y);
      }
      phi.segment<2>(3 * i + 1) = t - held;
    }
    return phi;
  }

  /// One element of the generalised derivative of equations() at f.
  [[nodiscard]] Matrix jacobian() const {
    const Vector a = rates();
    const int n = 3 * p_.count;
    Matrix J = Matrix::Identity(n, n);
    for (int i = 0; i < p_.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double rho = rho_[at], x = f[3 * i] - rho * a[3 * i], m = mu[at];
      if (!(x > 0)) continue;  // open: f = 0
      J.row(3 * i) = rho * G_.row(3 * i);
      // d(pressed) = e_N - rho G_N.
      Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, most_rows> pressed = -rho * G_.row(3 * i);
      pressed[3 * i] += 1;
      if (p_.cone[at].slides) {
        for (int k = 0; k < 2; ++k)
          J.row(3 * i + 1 + k) += m * p_.cone[at].direction[static_cast<std::size_t>(k)] * pressed;
        continue;
      }
      const Vector2 y = f.segment<2>(3 * i + 1) - rho * a.segment<2>(3 * i + 1);
      const double size = y.norm(), radius = m * x;
      if (size <= radius) {
        J.middleRows<2>(3 * i + 1) = rho * G_.middleRows<2>(3 * i + 1);
        continue;
      }
      const Vector2 u = y / size;
      const Eigen::Matrix2d turn = radius / size * (Eigen::Matrix2d::Identity() - u * u.transpose());
      Eigen::Matrix<double, 2, Eigen::Dynamic, 0, 2, most_rows> dy = -rho * G_.middleRows<2>(3 * i + 1);
      dy.middleCols<2>(3 * i + 1) += Eigen::Matrix2d::Identity();
      J.middleRows<2>(3 * i + 1) -= turn * dy + m * u * pressed;
    }
    return J;
  }

  const ConeProblem& p_;
  Matrix G_;
  Vector c_;
  std::array<double, most_cones> rho_{};
  double known_ = 0;  ///< size of the forces that the rates without forces ask for

 public:
  Vector f;
};

/// Gauss-Seidel and Newton in turn, from f as it is, then from other starts.
int find(Search& search) {
  int steps = 0;
  const auto go = [&](int sweeps) {
    search.gauss_seidel(sweeps);
    steps += search.newton(40);
    if (search.residual() > enough) {
      steps += search.leap(12);
      steps += search.newton(40);
    }
    return search.residual() <= enough;
  };
  const Vector start = search.f;
  Vector best = start;
  double least = INFINITY;
  const auto keep = [&] {
    const double residual = search.residual();
    if (residual < least) {
      least = residual;
      best = search.f;
    }
  };
  for (const int sweeps : {5, 20, 100, 400}) {
    if (go(sweeps)) return steps;
    keep();
    if (sweeps == 20) search.f.setZero();
  }
  // Newton may have left a good region: long sweeps alone, from zero and from the start; then starts spread about the
  // best, the same in every run (a linear congruential sequence, Knuth).
  for (const int from : {0, 1}) {
    search.f = from == 0 ? Vector(Vector::Zero(start.size())) : start;
    if (go(4000)) return steps;
    keep();
  }
  std::uint64_t bits = 1;
  for (int from = 0; from < 24; ++from) {
    search.f = best;
    for (auto& x : search.f) {
      bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
      x += search.force_scale() * (static_cast<double>(bits >> 11) * 0x1p-52 - 1);
    }
    if (go(50)) return steps;
    keep();
  }
  search.f = best;
  return steps;
}

}  // namespace

ConeAnswer solve_cones(const ConeProblem& problem, const double* guess) {
  Search search(problem);
  const auto k = static_cast<std::size_t>(problem.count);
  if (guess != nullptr) search.f = Eigen::Map<const Eigen::VectorXd>(guess, 3 * problem.count);
  ConeAnswer answer;
  // Contacts that begin to slide carry mu_kinetic; the others may use all of mu_static. Each round at least one more.
  std::array<bool, most_cones> kinetic{};
  for (std::size_t round = 0; round <= k; ++round) {
    answer.newton_steps += find(search);
    answer.residual = search.residual();
    answer.found = answer.residual <= enough;
    const Vector a = search.rates();
    const double scale = search.force_scale();
    bool again = false;
    for (std::size_t i = 0; i < k; ++i) {
      const Cone& cone = problem.cone[i];
      const auto row = static_cast<Eigen::Index>(3 * i);
      answer.direction[i] = cone.direction;
      if (!(search.f[row] > 1e-13 * scale)) {
        answer.hold[i] = ConeHold::open;
        continue;
      }
      if (cone.slides) {
        answer.hold[i] = ConeHold::slip;
        continue;
      }
      // The force is at the bound and the contact moves: more than round-off of the terms of a_T.
      const double size = problem.G[(3 * i + 1) * (3 * k) + 3 * i + 1] * scale;
      const bool moves = a.segment<2>(row + 1).norm() > 1e-10 * size;
      answer.hold[i] = moves ? ConeHold::slip : ConeHold::stick;
      if (moves) {
        const Vector2 d = a.segment<2>(row + 1).normalized();
        answer.direction[i] = {d[0], d[1]};
        if (!kinetic[i] && cone.mu_kinetic < cone.mu_static) {
          kinetic[i] = again = true;
          search.mu[i] = cone.mu_kinetic;
        }
      }
    }
    if (!again || !answer.found) break;
  }
  const Vector a = search.rates();
  std::copy(search.f.begin(), search.f.end(), answer.f.begin());
  std::copy(a.begin(), a.end(), answer.a.begin());
  return answer;
}

}  // namespace hstar::math
