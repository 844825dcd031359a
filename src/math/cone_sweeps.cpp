// src/math/cone_sweeps.cpp: where Newton starts from, and starts again.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/cone_search.hpp"
#include "math/cone_split.hpp"

namespace hstar::math {
namespace {

using ConstRow = Eigen::Map<const Eigen::RowVectorXd>;
// Rows^3 times factorisations before a problem is given up: of starts that are known to help, and of those at random.
constexpr double most_sure_work = 8e9, most_work = 1e9;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void ConeSearch::reserve(int contacts, int units, int rows) {
  const std::size_t n = at(rows);
  if (mu.size() < at(units)) mu.resize(at(units));
  if (rho_.size() < at(units)) {
    rho_.resize(at(units));
  }
  path_.reserve(units, rows);
  static_cast<void>(contacts);
  if (f.size() >= n) return;
  for (auto* v : {&f, &c_, &scale_, &weight_, &phi_, &a_, &step_, &from_, &best_, &soft_, &slope_}) v->resize(n);
  pivot_.resize(n);
  g_.resize(n * n);
  jac_.resize(n * n);
  linear_.reserve(rows);
}

void ConeSearch::load(const ConeProblem& p, const double* guess) {
  p_ = &p;
  n_ = p.rows();
  cone_scales(p, scale_.data(), weight_.data());
  known_ = known_force_ = 0;
  for (int i = 0; i < n_; ++i) {
    const double s = scale_[at(i)];
    c_[at(i)] = p.c[at(i)] / s;
    known_ = std::max(known_, std::abs(c_[at(i)]));
    known_force_ = std::max(known_force_, std::abs(c_[at(i)]) / s * weight_[at(i)]);
    for (int j = 0; j < n_; ++j) g_[at(i * n_ + j)] = p.G[at(i * n_ + j)] / (s * scale_[at(j)]);
    f[at(i)] = guess != nullptr ? guess[i] * s : 0.0;
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const ConeUnit& u = p.unit[j];
    mu[j] = u.slides ? u.mu_kinetic : u.mu_static;
    double most = 0;
    for (int k = 0; k < u.directions; ++k) {
      double sum = 0;
      for (int l = 0; l < u.directions; ++l) sum += std::abs(g_[at((u.row + k) * n_ + u.row + l)]);
      most = std::max(most, sum);
    }
    rho_[j] = most > 0 ? 1 / most : 1;
  }
}

double ConeSearch::size() const {
  double largest = 1e-8 * known_;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(f[at(i)]));
  return largest;
}

double ConeSearch::comparable_force() const {
  double largest = std::max(1e-8 * known_force_, p_->force_scale);
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(f[at(i)]) / scale_[at(i)] * weight_[at(i)]);
  return largest;
}

double ConeSearch::force_size(int row) const { return comparable_force() / weight_[at(row)]; }

double ConeSearch::residual() {
  equations(f.data(), phi_.data());
  double worst = 0;
  for (int i = 0; i < n_; ++i) {
    const double off = std::abs(phi_[at(i)]) / scale_[at(i)] * weight_[at(i)];
    if (!(off <= worst)) worst = std::isnan(off) ? INFINITY : off;
  }
  // Beside forces that run away along what G does not feel, every law would hold to round-off.
  const double largest = std::min(comparable_force(), std::max(1e8 * known_force_, p_->force_scale));
  return largest > 0 ? worst / largest : worst;
}

bool ConeSearch::solved() {
  const double off = residual(), known = std::max(known_force_, p_->force_scale);
  return off <= enough || (!p_->spread && off <= near && off * comparable_force() <= near * known);
}

void ConeSearch::unscale(double* force, double* rate, double* size) const {
  const double largest = this->size();  // what any row's rate is made of, round-off at least
  for (int i = 0; i < n_; ++i) force[i] = f[at(i)] / scale_[at(i)];
  for (int i = 0; i < n_; ++i) {
    rate[i] = p_->c[at(i)];
    size[i] = std::max({p_->scale[at(i)], std::abs(rate[i]), largest * scale_[at(i)]});
    for (int j = 0; j < n_; ++j) {
      const double term = p_->G[at(i * n_ + j)] * force[j];
      rate[i] += term;
      size[i] += std::abs(term);
    }
  }
}

void ConeSearch::project_contact(int contact) {
  const int row = p_->contact[at(contact)].row;
  const double a = c_[at(row)] + ConstRow(g_.data() + row * n_, n_).dot(ConstRow(f.data(), n_));
  f[at(row)] = std::max(0.0, f[at(row)] - a);
}

void ConeSearch::project_unit(int unit) {
  const ConeUnit& u = p_->unit[at(unit)];
  const int row = u.row;
  const double s = scale_[at(row)], radius = mu[at(unit)] * normal(unit, f.data()) * s;
  if (u.slides) {
    const bool acts = u.normal != ConeUnit::Normal::contact || radius > 0 || f[at(p_->contact[at(u.contact)].row)] > 0;
    for (int k = 0; k < u.directions; ++k)
      f[at(row + k)] = (acts ? s * u.further[at(k)] : 0.0) - radius * u.direction[at(k)];
    return;
  }
  double y[3], sum = 0;
  for (int k = 0; k < u.directions; ++k) {
    const int i = row + k;
    y[k] = f[at(i)] - rho_[at(unit)] * (c_[at(i)] + ConstRow(g_.data() + i * n_, n_).dot(ConstRow(f.data(), n_)));
    sum += y[k] * y[k];
  }
  const double length = std::sqrt(sum), share = length > radius ? radius / length : 1;
  for (int k = 0; k < u.directions; ++k) f[at(row + k)] = share * y[k];
}

/// Sweeps of projections: contact by contact, unit by unit, with the limits of the forces as they are.
void ConeSearch::gauss_seidel(int sweeps) {
  const int contacts = static_cast<int>(p_->contact.size()), units = static_cast<int>(p_->unit.size());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int i = 0; i < contacts; ++i) project_contact(i);
    for (int j = 0; j < units; ++j) project_unit(j);
  }
}

void ConeSearch::take(const double* force) {
  for (int i = 0; i < n_; ++i) f[at(i)] = force[i] * scale_[at(i)];
}

/// Newton on the problem with G + e 1 in the place of G, e falling to zero: along what G does not feel, forces stay
/// bounded.
int ConeSearch::stiffen() {
  int steps = 0;
  for (double e = 0.3; e > 1e-6; e *= 0.2) {
    for (int i = 0; i < n_; ++i) g_[at(i * (n_ + 1))] += e;
    gauss_seidel(5);
    steps += newton(20);
    for (int i = 0; i < n_; ++i) g_[at(i * (n_ + 1))] = soft_[at(i)];
  }
  return steps;
}

/// Newton from f on the same equations with rates times rho: near a tie another rho takes the other side of it.
bool ConeSearch::newton_weighted(double rho, int most, int& steps) {
  const auto weigh = [&](double factor) {
    for (int i = 0; i < n_ * n_; ++i) g_[at(i)] *= factor;
    for (int i = 0; i < n_; ++i) c_[at(i)] *= factor;
  };
  weigh(rho);  // a power of two: no digit is lost
  steps += newton(most);
  weigh(1 / rho);
  return residual() <= enough;
}

/// The curve of cone_path.hpp, and Newton from where the holds may be known.
bool ConeSearch::follow_path(double size, double wide, int most, int& steps) {
  if (!path_.start(size, wide)) return false;
  for (const double beta : {1e-5, 1e-8, 1e-11, 1e-13, 4e-15}) {
    const int before = path_.steps();
    const bool arrived = path_.follow(beta, most);
    steps += path_.steps() - before;
    if (!arrived) {
      std::copy_n(path_.force().begin(), n_, f.begin());
      return false;
    }
    for (const double rho : {0x1p0, 0x1p4, 0x1p8, 0x1p12}) {
      std::copy_n(path_.force().begin(), n_, f.begin());
      if (newton_weighted(rho, 10, steps)) return true;
      if (beta > 1e-10) break;
    }
  }
  return false;
}

int ConeSearch::find(Effort effort) {
  hasty_ = effort == Effort::little || n_ > medium;
  int steps = 0;
  double least = INFINITY;
  const auto go = [&] {
    steps += newton(40);
    double reached = residual();
    if (reached > enough) {
      steps += leap(12);
      steps += newton(40);
      reached = residual();
    }
    if (reached < least) {
      least = reached;
      std::copy(f.begin(), f.begin() + n_, best_.begin());
    }
    return reached <= enough;
  };
  const auto sweep_and_go = [&](int sweeps) {
    gauss_seidel(sweeps);
    return go();
  };
  const auto clear = [&] { std::fill(f.begin(), f.begin() + n_, 0.0); };
  if (n_ <= small) {
    if (sweep_and_go(5) || sweep_and_go(20) || effort == Effort::little) return steps;
  } else {  // the path below costs less than many a vain step here
    gauss_seidel(5);
    steps += newton(12);
    if (residual() <= enough || effort == Effort::little) return steps;
  }
  const double cost = static_cast<double>(n_) * n_ * n_;
  const int sure = static_cast<int>(std::min(1e6, most_sure_work / cost));
  struct Way {
    double size, wide;
  };
  for (const Way& way : {Way{1, 0.5}, Way{1, 0.2}, Way{10, 0.3}}) {
    if (follow_path(way.size * known_, way.wide, std::min(250, sure - steps), steps) || go()) return steps;
    std::copy(best_.begin(), best_.begin() + n_, f.begin());
    if (solved() || steps >= sure) return steps;
  }
  for (int i = 0; i < n_; ++i) soft_[at(i)] = g_[at(i * (n_ + 1))];
  clear();
  steps += stiffen();
  if (go()) return steps;
  clear();
  if (sweep_and_go(100) || sweep_and_go(400)) return steps;
  // Starts spread about the best and about nothing, the same in every run (a linear congruential sequence, Knuth).
  std::uint64_t bits = 1;
  const auto random = [&] {  // in -1 .. 1
    bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
  };
  for (int from = 0; from < 200 && steps * cost < most_work; ++from) {
    std::copy(best_.begin(), best_.begin() + n_, f.begin());
    double spread = size();
    if (spread > 1e3 * known_ || from % 2 == 1) {  // has run away: from nothing
      clear();
      spread = std::exp2(from % 7) * known_;
    }
    for (int i = 0; i < n_; ++i) f[at(i)] += spread * random();
    if (from % 4 < 2) steps += stiffen();
    if (sweep_and_go(from % 4 < 2 ? 0 : from % 4 == 2 ? 5 : 50)) return steps;
  }
  std::copy(best_.begin(), best_.begin() + n_, f.begin());
  return steps;
}

}  // namespace hstar::math
