// src/contact/two_level.cpp
//
// Every row i of the problem is L_i = J_i in the basis of the pivots of H (pivoted_rows.hpp). Unknowns are xi in that
// basis and the forces of what slides or creeps; f_H = C_H^-1 L xi.
#include "contact/two_level.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/tolerances.hpp"
#include "math/dense.hpp"
#include "math/tolerances.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Newton steps for directions and norms; with linear laws the second and third are iterative refinement. Where a mode
/// is moved, they go on while J xi grows: towards the load at which all that creeps slides it does so by 5/8 a step, to
/// fastest_creep in 58.
constexpr int most_steps = 16, refinements = 3, most_steps_to_load = 64;

/// Its normal force depends on other forces, and not linearly.
bool reacts(const Problem& p, const Unit& unit) {
  return unit.normal == Unit::Normal::parts &&
         std::any_of(p.reaction.begin(), p.reaction.end(), [](double by) { return by != 0; });
}

/// Largest G_ii of its rows.
double answer(const Problem& p, const Sliding& s) {
  double largest = 0;
  for (int d = 0; d < p.unit[at(s.unit)].directions; ++d) largest = std::max(largest, p.g(s.row + d, s.row + d));
  return largest;
}

/// Of the first n; infinity where lengths of such are not finite.
double largest(const std::vector<double>& x, int n) {
  double most = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    most = std::max(most, std::abs(x[at(i)]));
    squares += x[at(i)] * x[at(i)];
  }
  return std::isfinite(squares) ? most : HUGE_VAL;
}

}  // namespace

void TwoLevel::reserve(int rows) {
  const std::size_t n = at(rows);
  if (sink_.size() >= n) return;
  GivenForces::reserve(rows);
  laws_.reserve(rows);
  for (auto* v : {&sink_, &slope_, &strain_}) v->resize(n);
  for (auto* v : {&x_, &x_before_, &step_, &row_scale_, &column_scale_}) v->resize(2 * n);
  rows_.reserve(rows);
  jac_.resize(4 * n * n);
  pivot_.resize(2 * n);
  held_.reserve(n);
  creeping_.reserve(n);
  sliding_.reserve(n);
  groups_.reserve(rows);
}

void TwoLevel::list_rows(const Problem& p, const Status& status) {
  held_.clear();
  creeping_.clear();
  sliding_.clear();
  curved_ = false;
  for (std::size_t i = 0; i < p.contact.size(); ++i)
    if (status.contact[i] == Press::loaded) held_.push_back(p.contact[i].row);
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    const Hold hold = status.unit[j].hold;
    if (hold == Hold::none) continue;
    if (hold == Hold::held) {
      for (int d = 0; d < unit.directions; ++d) held_.push_back(unit.row + d);
      continue;
    }
    for (int d = 0; d < unit.directions && hold == Hold::creeping; ++d) creeping_.push_back(unit.row + d);
    const bool turns = unit.directions > 1 && !unit.slides;
    curved_ |= turns || unit.normal == Unit::Normal::parts;
    sliding_.push_back({static_cast<int>(j), unit.row, 0, turns});
  }
}

bool TwoLevel::free_to_slip(const Problem& p, Status& status) {
  if (creeping_.empty()) return false;
  groups_.find(p, rows_, sliding_, status);
  bool any = false;
  for (std::size_t i = 0; i < sliding_.size(); ++i) {
    Hold& hold = status.unit[at(sliding_[i].unit)].hold;
    if (hold != Hold::creeping || groups_.is_tied(i)) continue;
    hold = Hold::slip;
    any = true;
  }
  return any;
}

bool TwoLevel::shares(int row) {
  const std::vector<int>& pivots = rows_.pivots();
  const auto place = std::find(pivots.begin(), pivots.end(), row);
  if (place == pivots.end()) return true;
  for (const std::vector<int>* rows : {&held_, &creeping_})
    for (const int q : *rows) {
      if (rows_.is_pivot(q)) continue;
      const double part = rows_.combination(q)[place - pivots.begin()];
      if (std::abs(part) * std::sqrt(p_->g(row, row)) > clear * std::sqrt(p_->g(q, q))) return true;
    }
  return false;
}

void TwoLevel::spread(const Problem& p) {
  std::fill(f_.begin(), f_.begin() + n_, 0.0);
  for (const int i : held_) {
    const double* row = rows_.row(i);
    double sum = 0;
    for (int k = 0; k < rows_.rank(); ++k) sum += row[k] * x_[at(k)];
    f_[at(i)] = sum / p.compliance[at(i)];
  }
  for (const Sliding& s : sliding_)
    for (int d = 0; d < p.unit[at(s.unit)].directions; ++d) f_[at(s.row + d)] = x_[at(s.first + d)];
  find_rates(p);
  find_sinks(p);
}

void TwoLevel::find_sinks(const Problem& p) {
  sink_size_ = 0;
  for (int i = 0; i < n_; ++i) {
    const double* row = rows_.row(i);
    double sum = p.compliance[at(i)] * f_[at(i)], size = std::abs(sum);
    for (int k = 0; k < rows_.rank(); ++k) {
      sum -= row[k] * x_[at(k)];
      size += std::abs(row[k] * x_[at(k)]);
    }
    strain_[at(i)] = p.compliance[at(i)] * f_[at(i)] - sum;
    sink_[at(i)] = sum;
    sink_size_ = std::max(sink_size_, size);
  }
}

/// f_T - a_T / g, or f_T - s_T / C: what the projection onto the cone makes the force of. It is well above round-off
/// where a_T or s_T is not.
double TwoLevel::pushed(const Problem& p, const Sliding& s, Hold hold, Direction3& y) const {
  const double g = answer(p, s);
  double size = 0;
  for (int d = 0; d < p.unit[at(s.unit)].directions; ++d) {
    const auto row = at(s.row + d);
    y[at(d)] = hold == Hold::slip ? f_[row] - (g > 0 ? rate()[row] / g : rate()[row])
                                  : f_[row] - sink_[row] / p.compliance[row];
    size = std::hypot(size, y[at(d)]);
  }
  return size;
}

double TwoLevel::load(const Problem& p, const Unit& unit) const {
  return unit.normal == Unit::Normal::contact ? f_[at(p.contact[at(unit.contact)].row)] : p.normal(unit, f_.data());
}

double TwoLevel::residual(const Problem& p, Status& status, const double* mu, bool directions) {
  double off = 0;
  const double change = reached * largest_change();
  for (int k = 0; k < rows_.rank(); ++k) {
    const int row = rows_.pivots()[at(k)];
    step_[at(k)] = -rate()[row];
    off = std::max(off, std::abs(rate()[row]) / std::max(size(row), change * std::sqrt(p.g(row, row))));
  }
  rows_.lower(step_.data());
  for (const Sliding& s : sliding_) {
    const Unit& unit = p.unit[at(s.unit)];
    UnitStatus& now = status.unit[at(s.unit)];
    const double N = load(p, unit);
    if (s.turns && directions) {
      Direction3 y;
      const double size = pushed(p, s, now.hold, y);
      for (int d = 0; d < unit.directions && size > 0; ++d) now.direction[at(d)] = -y[at(d)] / size;
    }
    for (int d = 0; d < unit.directions; ++d) {
      const double excess =
          f_[at(s.row + d)] + mu[s.unit] * N * now.direction[at(d)] - (unit.slides ? unit.further[at(d)] : 0.0);
      step_[at(s.first + d)] = -excess;
      if (excess != 0) off = std::max(off, std::abs(excess) / std::max(force_size(s.row + d), std::abs(excess)));
    }
  }
  return off;
}

void TwoLevel::jacobian(const Problem& p, Status& status, const double* mu, bool directions) {
  const int m = unknowns_;
  std::fill(jac_.begin(), jac_.begin() + m * m, 0.0);
  const auto J = [&](int i, int j) -> double& { return jac_[at(i * m + j)]; };
  for (const int i : held_) {
    const double* row = rows_.row(i);
    const double stiff = 1 / p.compliance[at(i)];
    for (int k = 0; k < rows_.rank(); ++k)
      for (int l = 0; l < rows_.rank(); ++l) J(k, l) += stiff * row[k] * row[l];
  }
  // factor * (df_row) into row `to`.
  const auto add_force = [&](int to, int row, double factor) {
    if (factor == 0) return;
    const double* own = rows_.row(row);
    for (int k = 0; k < rows_.rank(); ++k) J(to, k) += factor / p.compliance[at(row)] * own[k];
  };
  const auto add_all = [&](int to, const double* by, double factor) {  // factor * by . df
    if (factor == 0) return;
    for (const int i : held_) add_force(to, i, factor * by[i]);
    for (const Sliding& s : sliding_)
      for (int d = 0; d < p.unit[at(s.unit)].directions; ++d) J(to, s.first + d) += factor * by[s.row + d];
  };
  for (const Sliding& s : sliding_) {
    const Unit& unit = p.unit[at(s.unit)];
    const UnitStatus& now = status.unit[at(s.unit)];
    const int k = unit.directions;
    for (int d = 0; d < k; ++d) {
      const double* own = rows_.row(s.row + d);
      for (int l = 0; l < rows_.rank(); ++l) J(l, s.first + d) += own[l];
      J(s.first + d, s.first + d) += 1;
    }
    const double N = load(p, unit);
    if (unit.normal == Unit::Normal::contact) {
      const int row = p.contact[at(unit.contact)].row;
      for (int d = 0; d < k; ++d) add_force(s.first + d, row, mu[s.unit] * now.direction[at(d)]);
    } else {
      p.normal(unit, f_.data(), slope_.data());
      for (int d = 0; d < k; ++d) add_all(s.first + d, slope_.data(), mu[s.unit] * now.direction[at(d)]);
    }
    if (!s.turns || !directions) continue;
    Direction3 y;
    const double size = pushed(p, s, now.hold, y);
    if (!(size > 0)) continue;
    // Where a mode is moved: near the load at which all that creeps slips, y = J xi / C grows beyond bounds and f_T +
    // mu N y / |y| changes like 1 / |y|, of which Newton's method finds half in a step. Times |y| it is as good as
    // linear.
    for (int d = 0; d < k && keeps_ && now.hold == Hold::creeping; ++d) {
      const double excess = f_[at(s.row + d)] + mu[s.unit] * N * now.direction[at(d)];
      for (int e = 0; e < k; ++e) {
        const double* own = rows_.row(s.row + e);
        const double by = -excess / size * now.direction[at(e)] / p.compliance[at(s.row + e)];
        for (int l = 0; l < rows_.rank(); ++l) J(s.first + d, l) += by * own[l];
      }
    }
    for (int d = 0; d < k; ++d)
      for (int e = 0; e < k; ++e) {
        const double turn = -mu[s.unit] * N / size * ((d == e ? 1 : 0) - now.direction[at(d)] * now.direction[at(e)]);
        J(s.first + d, s.first + e) += turn;
        if (now.hold == Hold::slip) {
          add_all(s.first + d, p.G.data() + (s.row + e) * n_, -turn / answer(p, s));
        } else {
          J(s.first + d, s.first + e) -= turn;
          const double* own = rows_.row(s.row + e);
          for (int l = 0; l < rows_.rank(); ++l) J(s.first + d, l) += turn / p.compliance[at(s.row + e)] * own[l];
        }
      }
  }
}

bool TwoLevel::eliminate() {
  const int m = unknowns_;
  for (int i = 0; i < m; ++i) {
    double largest = 0;
    for (int j = 0; j < m; ++j) largest = std::max(largest, std::abs(jac_[at(i * m + j)]));
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    row_scale_[at(i)] = 1 / largest;
    for (int j = 0; j < m; ++j) jac_[at(i * m + j)] *= row_scale_[at(i)];
  }
  std::fill(column_scale_.begin(), column_scale_.begin() + m, 0.0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) column_scale_[at(j)] = std::max(column_scale_[at(j)], std::abs(jac_[at(i * m + j)]));
  for (int j = 0; j < m; ++j) {
    if (!(column_scale_[at(j)] > 0)) return false;
    column_scale_[at(j)] = 1 / column_scale_[at(j)];
  }
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) jac_[at(i * m + j)] *= column_scale_[at(j)];
  if (!math::lu(jac_.data(), m, pivot_.data())) return false;
  double smallest = 1;
  for (int i = 0; i < m; ++i) smallest = std::min(smallest, std::abs(jac_[at(i * m + i)]));
  return smallest > m * u;
}

void TwoLevel::substitute() {
  const int m = unknowns_;
  for (int i = 0; i < m; ++i) step_[at(i)] *= row_scale_[at(i)];
  math::lu_solve(jac_.data(), m, pivot_.data(), step_.data());
  for (int i = 0; i < m; ++i) step_[at(i)] *= column_scale_[at(i)];
}

void TwoLevel::guess(const Problem& p, const double* force, const double* strain) {
  reserve(p.rows());
  std::copy(force, force + p.rows(), f_.begin());
  std::copy(strain, strain + p.rows(), strain_.begin());
  guessed_ = true;
  due_ = false;
}

bool TwoLevel::divide(const Problem& p, const Status& status, const double* mu) {
  if (n_ != 1 || unknowns_ != 1) return false;
  if (sliding_.empty()) {
    x_[0] = -p.c[0] / p.g(0, 0) * p.compliance[0] / rows_.row(0)[0];
    return true;
  }
  const Unit& unit = p.unit[at(sliding_[0].unit)];
  const UnitStatus& now = status.unit[at(sliding_[0].unit)];
  const bool alone = std::all_of(p.reaction.begin(), p.reaction.end(), [](double by) { return by == 0; });
  if (now.hold != Hold::slip || unit.normal == Unit::Normal::contact || !alone) return false;
  f_[0] = 0;
  x_[0] = (unit.slides ? unit.further[0] : 0.0) - mu[sliding_[0].unit] * p.normal(unit, f_.data()) * now.direction[0];
  return true;
}

bool TwoLevel::begin(const Problem& p) {
  reserve(p.rows());
  // (One row alone is a division in any case.)
  independent_ = p.rows() > 1 && laws_.begin(p);
  due_ = false;
  return independent_;
}

bool TwoLevel::solve_linear(const Problem& p, const Status& status, const double* mu) {
  list_rows(p, status);
  for (const Sliding& s : sliding_)
    if (s.turns || reacts(p, p.unit[at(s.unit)])) return false;
  p_ = &p;
  n_ = p.rows();
  guessed_ = false;
  if (!laws_.factor(p, held_, sliding_, status, mu, f_.data())) return false;
  find_rates(p);
  for (int count = 0; count < refinements; ++count) {
    laws_.step(held_, rate(), f_.data());
    find_rates(p);
    if (off(held_) <= of_products(n_)) return tells(p);
  }
  return false;
}

void TwoLevel::settle() {
  if (!due_) return;
  due_ = false;
  rows_.factor(*p_, held_, creeping_);
  for (int k = 0; k < rows_.rank(); ++k) {
    const auto row = at(rows_.pivots()[at(k)]);
    x_[at(k)] = p_->compliance[row] * f_[row];
  }
  rows_.lower(x_.data());
  find_sinks(*p_);
}

bool TwoLevel::solve(const Problem& p, Status& status, const double* mu) {
  // What creeps is at rest by others, and begins with the last solution.
  const auto creeps = [](const UnitStatus& unit) { return unit.hold == Hold::creeping; };
  const bool any_creeps = std::any_of(status.unit.begin(), status.unit.end(), creeps);
  if (any_creeps) settle();
  linear_ = due_ = independent_ && !any_creeps && solve_linear(p, status, mu);
  if (linear_) return true;
  if (solve_once(p, status, mu)) return true;
  // What creeps together and is held by nothing else slips together.
  bool any = false;
  for (const Sliding& s : sliding_) {
    UnitStatus& now = status.unit[at(s.unit)];
    if (now.hold != Hold::creeping) continue;
    bool alone = false;
    for (int d = 0; d < p.unit[at(s.unit)].directions; ++d) {
      double own = 0;
      for (int k = rows_.held_rank(); k < rows_.rank(); ++k) own += std::pow(rows_.row(s.row + d)[k], 2);
      alone |= own > PivotedRows::no_pivot(p, s.row + d);
    }
    if (!alone) continue;
    now.hold = Hold::slip;
    any = true;
  }
  return any && solve_once(p, status, mu);
}

bool TwoLevel::solve_once(const Problem& p, Status& status, const double* mu) {
  p_ = &p;
  n_ = p.rows();
  reserve(n_);
  do {
    list_rows(p, status);
    rows_.factor(p, held_, creeping_);
  } while (free_to_slip(p, status));
  unknowns_ = rows_.rank();
  for (Sliding& s : sliding_) {
    s.first = unknowns_;
    unknowns_ += p.unit[at(s.unit)].directions;
  }
  // Directions in the status give the first forces; those of creeping come with the forces and J xi before.
  const bool warm = curved_ && guessed_;
  const bool turning = warm || std::any_of(sliding_.begin(), sliding_.end(), [&](const Sliding& s) {
                         return s.turns && status.unit[at(s.unit)].hold == Hold::creeping;
                       });
  std::fill(x_.begin(), x_.begin() + unknowns_, 0.0);
  if (turning) {
    for (int k = 0; k < rows_.rank(); ++k) x_[at(k)] = strain_[at(rows_.pivots()[at(k)])];
    rows_.lower(x_.data());
    for (const Sliding& s : sliding_) {
      const Unit& unit = p.unit[at(s.unit)];
      const double N = load(p, unit);
      for (int d = 0; d < unit.directions; ++d)
        x_[at(s.first + d)] = warm ? f_[at(s.row + d)] : -mu[s.unit] * N * status.unit[at(s.unit)].direction[at(d)];
    }
  }
  guessed_ = false;
  if (!std::isfinite(largest(x_, unknowns_))) return false;
  const bool divided = divide(p, status, mu);
  spread(p);
  if (unknowns_ == 0) return true;
  // (Where what slips from rest has no rate yet its direction is open, and the next step may leave the answer.)
  const bool starts = keeps_ && std::any_of(sliding_.begin(), sliding_.end(), [&](const Sliding& s) {
                        return s.turns && status.unit[at(s.unit)].hold == Hold::slip;
                      });
  double last = HUGE_VAL, largest_x = 0, last_x = 0;
  for (int count = 0; !divided; ++count) {
    const double off = residual(p, status, mu, count > 0 || turning);
    // Linear laws: refined twice. Others: until round-off does not become smaller any more.
    if (curved_ && off <= round_off && !(off < 0.5 * last)) break;
    if (starts && last <= dependent(n_) && off > last) {
      std::copy(x_before_.begin(), x_before_.begin() + unknowns_, x_.begin());
      spread(p);
      residual(p, status, mu, true);
      break;
    }
    if (!curved_ && count == refinements) {
      if (off > round_off) return false;
      break;
    }
    if (off == 0 || ((!curved_ || starts) && count > 1 && off <= last_digit)) break;
    if (count > 0 && count % most_steps == 0) {
      const bool grows = keeps_ && largest_x > 2 * std::exchange(last_x, largest_x);
      if (!grows || count == most_steps_to_load) return off <= round_off;
    }
    last = off;
    if (count == 0 || curved_) {
      jacobian(p, status, mu, count > 0 || turning);
      if (!eliminate()) return starts && off <= dependent(n_);
    }
    if (starts) std::copy(x_.begin(), x_.begin() + unknowns_, x_before_.begin());
    substitute();
    for (int i = 0; i < unknowns_; ++i) x_[at(i)] += step_[at(i)];
    largest_x = largest(x_, unknowns_);
    if (!std::isfinite(largest_x)) return false;
    if (count == 0) last_x = largest_x;
    spread(p);
  }
  if (!tells(p)) return false;
  // What creeps faster than that slips.
  double largest = 0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, p.compliance[at(i)] * std::abs(f_[at(i)]));
  if (sliding_.empty() || largest == 0) return true;
  return sink_size_ <= fastest_creep * largest;
}

}  // namespace hstar::contact
