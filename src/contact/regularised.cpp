#include "contact/regularised.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/tolerances.hpp"
#include "math/dense.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Newton steps to the beginning and back to the path, and factorisations of one path.
constexpr int most_to_begin = 50, most_corrections = 8, most_steps = 800, refinements = 8;
/// Next length by the Newton steps that led back to the path, and after a step that did not come back.
constexpr std::array growth{2.5, 2.5, 2.0, 1.5, 1.0, 0.6};
constexpr double retreat = 0.4;

}  // namespace

void Regularised::reserve(int rows) {
  const std::size_t n = at(rows);
  if (f_.size() >= n) return;
  for (auto* v :
       {&f_, &a_, &at_ease_, &closed_, &closing_, &weight_, &F_, &ahead_, &from_, &row_, &force_, &rate_, &strain_})
    v->resize(n);
  for (auto* v : {&tangent_, &x_}) v->resize(n + 1);
  matrix_.resize((n + 1) * (n + 1));
  pivot_.resize(n + 1);
}

double Regularised::stiff(int row) const { return p_->g(row, row) + soft_ * p_->compliance[at(row)]; }

double Regularised::stiffest(const Unit& unit) const {
  double most = 0;
  for (int d = 0; d < unit.directions; ++d) most = std::max(most, stiff(unit.row + d));
  return most;
}

/// factor * (slope of the rate of `row`) into the slopes of an equation.
void Regularised::add_rate(int to, int row, double factor) {
  math::subtract_row(matrix_.data() + to * (n_ + 1), p_->G.data() + row * n_, -factor, n_);
  matrix_[at(to * (n_ + 1) + row)] += factor * soft_ * p_->compliance[at(row)];
}

void Regularised::contact_law(const Contact& one, double* F, bool slopes) {
  // f = [z]_+ with z = f - a / g, rounded: the positive root of f (f - z) = tau^2.
  const int i = one.row;
  const double g = stiff(i), z = f_[at(i)] - a_[at(i)] / g, rounding = smooth_ * size_ * size_ / g,
               root = std::sqrt(z * z + 4 * rounding), pushed = z > 0 ? (z + root) / 2 : 2 * rounding / (root - z);
  F[i] = f_[at(i)] - pushed;
  closed_[at(i)] = pushed / root;
  closing_[at(i)] = 2 * rounding / (root * root * root);
  if (!slopes) return;
  matrix_[at(i * (n_ + 1) + i)] -= closed_[at(i)];
  add_rate(i, i, closed_[at(i)] / g);
}

void Regularised::slide_law(const Unit& unit, double mu, double* F, bool slopes) {
  // What is viscous acts as long as the contact is closed.
  const double N = p_->normal(unit, f_.data(), row_.data());
  const int row = unit.normal == Unit::Normal::contact ? p_->contact[at(unit.contact)].row : -1;
  for (int d = 0; d < unit.directions; ++d) {
    const int i = unit.row + d;
    const double further = unit.further[at(d)];
    F[i] = f_[at(i)] + mu * N * unit.direction[at(d)] - (row < 0 ? 1 : closed_[at(row)]) * further;
    if (!slopes) continue;
    math::subtract_row(matrix_.data() + i * (n_ + 1), row_.data(), -mu * unit.direction[at(d)], n_);
    if (row < 0 || further == 0) continue;
    matrix_[at(i * (n_ + 1) + row)] -= further * closing_[at(row)];
    add_rate(i, row, further * closing_[at(row)] / stiff(row));
  }
}

void Regularised::stick_law(const Unit& unit, double mu, double* F, bool slopes) {
  // f = y min(1, t) with y = f - a / g and t = mu N / |y|, rounded: the minimum m has (1 - m) (t - m) = tau^2 t.
  const int k = unit.directions;
  const double limit = mu * p_->normal(unit, f_.data(), row_.data()), g = stiffest(unit);
  std::array<double, 3> y{};
  double square = smooth_ * size_ * size_ / g;
  for (int d = 0; d < k; ++d) {
    y[at(d)] = f_[at(unit.row + d)] - a_[at(unit.row + d)] / g;
    square += y[at(d)] * y[at(d)];
  }
  const double whole = std::sqrt(square), t = limit / whole, root = std::hypot(1 - t, 2 * std::sqrt(smooth_ * t)),
               sum = 1 + t + root, part = 2 * t / sum;
  for (int d = 0; d < k; ++d) F[unit.row + d] = f_[at(unit.row + d)] - part * y[at(d)];
  if (!slopes) return;
  const double turn = (t - 1 + 2 * smooth_) / root, by_t = 2 * (1 + root - t * turn) / (sum * sum);
  for (int d = 0; d < k; ++d) {
    const int i = unit.row + d;
    math::subtract_row(matrix_.data() + i * (n_ + 1), row_.data(), by_t * mu * y[at(d)] / whole, n_);
    for (int e = 0; e < k; ++e) {
      const double by_y = (d == e ? part : 0) - by_t * t * y[at(d)] * y[at(e)] / square;
      matrix_[at(i * (n_ + 1) + unit.row + e)] -= by_y;
      add_rate(i, unit.row + e, by_y / g);
    }
  }
}

double Regularised::equations(double lambda, double* F, bool slopes) {
  const Problem& p = *p_;
  soft_ = std::exp(-lambda) * unit_;
  smooth_ = std::exp(-lambda * power_);
  for (int i = 0; i < n_; ++i) {
    const double* g = p.G.data() + i * n_;
    double sum = p.c[at(i)] + soft_ * p.compliance[at(i)] * (f_[at(i)] - at_ease_[at(i)]);
    for (int j = 0; j < n_; ++j) sum += g[j] * f_[at(j)];
    a_[at(i)] = sum;
  }
  if (slopes) {
    std::fill(matrix_.begin(), matrix_.begin() + (n_ + 1) * (n_ + 1), 0.0);
    for (int i = 0; i < n_; ++i) matrix_[at(i * (n_ + 1) + i)] = 1;
  }
  for (const Contact& one : p.contact) contact_law(one, F, slopes);
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    if (p.unit[j].slides)
      slide_law(p.unit[j], mu_[j], F, slopes);
    else
      stick_law(p.unit[j], mu_[j], F, slopes);
  double sum = 0;
  for (int i = 0; i < n_; ++i) sum += stiff(i) * F[i] * F[i];
  return std::sqrt(sum / smooth_) / size_;
}

/// The equations here and, as the last row, no step along the tangent.
bool Regularised::factor() {
  // (By lambda along a difference: it only turns the tangent.)
  const double h = std::sqrt(std::numeric_limits<double>::epsilon());
  const int width = n_ + 1;
  equations(lambda_ + h, ahead_.data(), false);
  equations(lambda_, F_.data(), true);
  for (int i = 0; i < n_; ++i) matrix_[at(i * width + n_)] = (ahead_[at(i)] - F_[at(i)]) / h;
  for (int i = 0; i < n_; ++i) matrix_[at(n_ * width + i)] = weight_[at(i)] * tangent_[at(i)];
  matrix_[at(n_ * width + n_)] = tangent_[at(n_)];
  ++steps_;
  if (!math::lu(matrix_.data(), width, pivot_.data())) return false;
  sign_ = 1;
  for (int i = 0; i < width; ++i)
    if ((pivot_[at(i)] != i) != (matrix_[at(i * width + i)] < 0)) sign_ = -sign_;
  return true;
}

/// The tangent with the factors of the last point, on the way on.
bool Regularised::turn() {
  if (corrections_ == 0 && !factor()) return false;
  std::fill(x_.begin(), x_.begin() + n_, 0.0);
  x_[at(n_)] = 1;
  math::lu_solve(matrix_.data(), n_ + 1, pivot_.data(), x_.data());
  double square = x_[at(n_)] * x_[at(n_)];
  for (int i = 0; i < n_; ++i) square += weight_[at(i)] * x_[at(i)] * x_[at(i)];
  if (!std::isfinite(square) || square == 0) return false;
  if (onward_ == 0) onward_ = x_[at(n_)] > 0 ? sign_ : -sign_;
  const double one = (sign_ == onward_ ? 1 : -1) / std::sqrt(square);
  for (int i = 0; i <= n_; ++i) tangent_[at(i)] = one * x_[at(i)];
  return true;
}

bool Regularised::newton_step() {
  if (!factor()) return false;
  for (int i = 0; i < n_; ++i) x_[at(i)] = -F_[at(i)];
  x_[at(n_)] = 0;
  math::lu_solve(matrix_.data(), n_ + 1, pivot_.data(), x_.data());
  return true;
}

/// Corrections leave lambda as it is.
void Regularised::fix_lambda(double lambda) {
  lambda_ = lambda;
  std::fill(tangent_.begin(), tangent_.begin() + n_, 0.0);
  tangent_[at(n_)] = 1;
}

/// Back to the path across the tangent, by Newton steps that are not longer than `reach`.
bool Regularised::correct(int most, double reach) {
  for (corrections_ = 0;; ++corrections_) {
    const double off = equations(lambda_, F_.data(), false);
    if (off <= std::max(on_path, solved / std::sqrt(smooth_))) return true;
    if (corrections_ == most || !std::isfinite(off) || !newton_step()) return false;
    double square = x_[at(n_)] * x_[at(n_)];
    for (int i = 0; i < n_; ++i) square += weight_[at(i)] * x_[at(i)] * x_[at(i)];
    if (!(square <= reach * reach)) return false;
    for (int i = 0; i < n_; ++i) f_[at(i)] += x_[at(i)];
    lambda_ += x_[at(n_)];
  }
}

bool Regularised::begin(const Problem& p, const double* mu, double power) {
  p_ = &p;
  mu_ = mu;
  n_ = p.rows();
  reserve(n_);
  steps_ = onward_ = 0;
  power_ = power;
  length_ = 1;
  arrived_ = HUGE_VAL;
  double g = 0, c = 0;
  for (int i = 0; i < n_; ++i) {
    g += p.g(i, i);
    c += p.compliance[at(i)];
  }
  unit_ = g > 0 ? g / c : 1;
  fix_lambda(-std::log(first_compliance));
  soft_ = unit_;
  for (int i = 0; i < n_; ++i) weight_[at(i)] = stiff(i);
  // What asks for forces: contacts that approach, with the friction that they then have, and known forces. (Not the
  // rates of what slides: beside them slow approaches are nothing.)
  double sum = 0;
  const auto add = [&](double rate, double stiffness) { sum += rate * rate / stiffness; };
  const auto approach = [&](const Contact& one) { return std::max(0.0, -p.c[at(one.row)]); };
  for (const Contact& one : p.contact) add(approach(one), weight_[at(one.row)]);
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    double rate = 0;
    for (int d = 0; d < unit.directions; ++d) rate = std::hypot(rate, p.c[at(unit.row + d)]);
    const bool pressed = unit.normal == Unit::Normal::contact && !unit.slides;
    const double most = pressed ? mu[j] * approach(p.contact[at(unit.contact)]) : stiffest(unit) * p.known(unit);
    add(unit.slides ? most : std::min(rate, most), stiffest(unit));
  }
  size_ = sum > 0 ? std::sqrt(sum / n_) : 1;
  for (int i = 0; i < n_; ++i) weight_[at(i)] /= size_ * size_ * n_;
  soft_ = first_compliance * unit_;
  for (auto* v : {&f_, &at_ease_}) std::fill(v->begin(), v->begin() + n_, 0.0);
  for (const Contact& one : p.contact) f_[at(one.row)] = size_ / std::sqrt(stiff(one.row));
  return correct(most_to_begin, HUGE_VAL) && turn();
}

bool Regularised::follow(double eps) {
  const double goal = -std::log(eps), start = -std::log(first_compliance);
  while (lambda_ < goal) {
    const double here = lambda_;
    from_ = f_;
    for (;;) {
      for (int i = 0; i < n_; ++i) f_[at(i)] = from_[at(i)] + length_ * tangent_[at(i)];
      lambda_ = here + length_ * tangent_[at(n_)];
      if (correct(most_corrections, std::max(length_, on_path))) break;
      f_ = from_;
      lambda_ = here;
      length_ *= retreat;
      if (steps_ > most_steps || length_ < shortest_step) return false;
    }
    length_ *= growth[std::min<std::size_t>(at(corrections_), growth.size() - 1)];
    if (lambda_ < start - 1 || !turn()) return false;
  }
  arrive();
  return true;
}

bool Regularised::jump(double eps) {
  if (!Planar::states(*p_)) return false;
  if (!planar_.find(*p_, mu_, eps * unit_, f_.data())) return false;
  fix_lambda(-std::log(eps));
  onward_ = 0;
  length_ = 1;
  if (!correct(most_to_begin, HUGE_VAL) || !turn()) return false;
  arrive();
  return true;
}

bool Regularised::finish(double eps, bool at_ease) {
  fix_lambda(-std::log(eps));
  power_ = -std::log(u) / lambda_;
  f_ = force_;
  for (int step = 0; step < refinements; ++step) {
    if (at_ease) at_ease_ = f_;
    if (!newton_step()) return false;
    for (int i = 0; i < n_; ++i) f_[at(i)] += x_[at(i)];
  }
  arrive();
  return true;
}

void Regularised::arrive() {
  arrived_ = std::exp(-lambda_);
  force_ = f_;
  for (int i = 0; i < n_; ++i) {
    const double* g = p_->G.data() + i * n_;
    double sum = p_->c[at(i)];
    for (int j = 0; j < n_; ++j) sum += g[j] * f_[at(j)];
    rate_[at(i)] = sum;
    strain_[at(i)] = -sum / (arrived_ * unit_);
  }
}

}  // namespace hstar::contact
