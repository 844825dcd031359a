// src/analysis/statics/rest.cpp
#include "analysis/statics/rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hstar/elimination.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
constexpr double touches = 1e-6;  ///< of the model's length: estimates have few digits
std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool is_named(const std::string& element, const std::string& name) {
  return element == name || element.starts_with(name + ".");
}

}  // namespace

Rest::Rest(std::shared_ptr<const System> system, double t, RestOptions options, const std::vector<double>& estimate)
    : m_(std::move(system), t), options_(std::move(options)), at_rest_(m_.system().frictions.size(), 0) {
  if (!estimate.empty()) m_.y = estimate;
  m_.stop();
  const Vector weight = Vector::Ones(m_.freedoms());
  const ClosedPositions joints = close_positions(m_, {}, weight);
  if (!joints.closed)
    throw InputError("the mechanism cannot be assembled from the given positions; see hstar assemble");
  close_touching();
  decide_sliding();
}

void Rest::close_touching() {
  const System& s = m_.system();
  for (const std::string& name : options_.touching)
    if (std::none_of(s.contacts.begin(), s.contacts.end(), [&](const auto& c) { return is_named(c->name, name); }))
      throw InputError("there is no contact '" + name + "' to be closed");
  m_.evaluate(Vector::Zero(m_.rows()));
  bool any = false;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const Contact& contact = *s.contacts[c];
    const int i = static_cast<int>(c);
    const bool wanted = std::any_of(options_.touching.begin(), options_.touching.end(),
                                    [&](const std::string& name) { return is_named(contact.name, name); });
    const double gap = m_.gap(i);
    if (!wanted && !m_.in_range(i)) continue;
    if (!wanted && gap < -touches * s.length)
      throw InputError(contact.where, fmt::format("contact \"{}\": initial gap is {:.6g} m, it must be >= 0; move the "
                                                  "bodies apart, or close it with --touching {}",
                                                  contact.name, gap, contact.name));
    if (!wanted && gap > touches * s.length) continue;
    m_.mode.closed[c] = 1;
    any = true;
  }
  if (!any) return;
  m_.choose_rows();
  const ClosedPositions closed = close_positions(m_, {}, Vector::Ones(m_.freedoms()));
  if (closed.closed) return;
  int worst = 0;
  closed.gaps.cwiseAbs().maxCoeff(&worst);
  throw InputError(fmt::format("joints and contacts cannot be closed together: {} stays {:.6g} m apart",
                               m_.row_name(worst), closed.gaps[worst]));
}

void Rest::decide_sliding() {
  const System& s = m_.system();
  m_.evaluate(Vector::Zero(m_.rows()));
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    FrictionMode& mode = m_.mode.friction[u];
    mode = FrictionMode{};
    at_rest_[u] = 0;
    if (!unit.law.dry() || (unit.contact >= 0 && !m_.mode.closed[at(unit.contact)])) continue;
    // The other side may move: a belt. Then the unit slides at that speed.
    const double speed = m_.slide_velocity(static_cast<int>(u));
    if (std::abs(speed) > 1e-12 * s.length) {
      mode.slide = Slide::slip;
      mode.direction = speed > 0 ? 1 : -1;
      mode.piece = static_cast<short>(unit.law.piece_of(std::abs(speed), 1));
    } else {
      at_rest_[u] = options_.friction && unit.law.mu_static() > 0;
    }
  }
  m_.choose_rows();
}

void Rest::let_stick(bool stick) {
  for (std::size_t u = 0; u < at_rest_.size(); ++u)
    if (at_rest_[u]) m_.mode.friction[u].slide = stick ? Slide::stick : Slide::none;
  m_.choose_rows();
}

bool Rest::any_can_stick() const {
  return std::any_of(at_rest_.begin(), at_rest_.end(), [](char c) { return c != 0; });
}

bool Rest::settle_here() {
  let_stick(true);
  const Relaxed relaxed = relax(m_, {}, {options_.nearest});
  why_ = relaxed.why;
  forces_.emplace(m_, Vector::Zero(m_.freedoms()));
  return relaxed.found && forces_->admissible();
}

bool Rest::settle_along(std::span<const HeldCoordinate> held) {
  let_stick(false);
  const ClosedPositions closed = close_positions(m_, held, Vector::Ones(m_.freedoms()));
  if (!closed.closed) {
    why_ = "the mechanism's reach ends";
    return false;
  }
  const Relaxed relaxed = relax(m_, held, {options_.nearest});
  if (!relaxed.found) {
    why_ = relaxed.why;
    return false;
  }
  m_.evaluate(Vector::Zero(m_.rows()));
  const System& s = m_.system();
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const int i = static_cast<int>(c);
    if (m_.mode.closed[c] && !m_.in_range(i)) {
      why_ = "contact \"" + s.contacts[c]->name + "\" comes to the end of its edge";
      return false;
    }
    if (!m_.mode.closed[c] && m_.in_range(i) && m_.gap(i) < -touches * s.length) {
      why_ = "contact \"" + s.contacts[c]->name + "\" closes";
      return false;
    }
  }
  let_stick(true);
  forces_.emplace(m_, Vector::Zero(m_.freedoms()));
  why_ = forces_->admissible() ? "" : tightest();
  return true;
}

double Rest::margin() const {
  return forces_->balanced() ? forces_->slack() : std::min(forces_->slack(), -forces_->imbalance());
}

std::string Rest::tightest() const {
  if (!forces_->balanced()) return "the forces are not balanced";
  const System& s = m_.system();
  const Vector& lambda = forces_->lambda();
  const double size = lambda.size() > 0 ? lambda.lpNorm<Eigen::Infinity>() : 0.0;
  // All within a part in a million of the limit give way together.
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  for (std::size_t u = 0; u < at_rest_.size(); ++u) {
    const int unit = static_cast<int>(u), row = m_.stick_row(unit);
    if (row < 0) continue;
    const double limit = forces_->limit(unit, lambda);
    if (std::abs(lambda[row]) >= limit - 1e-6 * (limit + 1e-6 * size)) add(m_.unit_name(unit) + " slips");
  }
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (const int row = m_.contact_row(static_cast<int>(c)); row >= 0 && lambda[row] <= 1e-9 * size)
      add(s.contacts[c]->name + " opens");
  return text.empty() ? "friction gives way" : text;
}

/// Closed contacts that pull are opened (the one that pulls most), open ones that are penetrated closed.
bool Rest::contacts_agree(bool& changed) {
  const System& s = m_.system();
  changed = false;
  int pulls = -1;
  double most = 1e-11;
  const Tangent here = tangent(m_, {});
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const int i = static_cast<int>(c), row = m_.contact_row(i);
    if (row >= 0) {
      if (-here.lambda[row] * m_.system().length > most * here.force_size) {
        most = -here.lambda[row] * m_.system().length / here.force_size;
        pulls = i;
      }
    } else if (m_.in_range(i) && m_.gap(i) < -1e-10 * s.length) {
      m_.mode.closed[c] = 1;
      changed = true;
    }
  }
  if (!changed && pulls >= 0) {
    m_.mode.closed[at(pulls)] = 0;
    changed = true;
  }
  if (!changed) return true;
  m_.choose_rows();
  return close_positions(m_, {}, Vector::Ones(m_.freedoms())).closed;
}

bool Rest::without_friction() {
  let_stick(false);
  for (int change = 0; change < 30; ++change) {
    const Relaxed relaxed = relax(m_, {}, {options_.nearest});
    bool changed = false;
    // Where nothing was found a contact that is left open may be what is missing.
    if (!contacts_agree(changed)) break;
    if (!changed) {
      why_ = relaxed.why;
      return relaxed.found;
    }
    decide_sliding();
    let_stick(false);
  }
  why_ = "contacts open and close without end; no equilibrium was found";
  return false;
}

bool Rest::find() {
  const std::vector<double> start = m_.y;
  const Mode mode = m_.mode;
  const bool friction = any_can_stick();
  std::string slips;
  if (friction) {
    if (settle_here()) {
      held_ = true;
      return true;
    }
    slips = forces_->balanced() ? tightest() : "";
    m_.y = start;
    m_.mode = mode;
    m_.choose_rows();
  }
  if (!without_friction()) {
    const std::string why = why_;
    if (friction)
      why_ = (slips.empty() ? "it does not stay where it is" : "where it is, " + slips) + "; without friction: " + why;
    return false;
  }
  let_stick(true);
  forces_.emplace(m_, Vector::Zero(m_.freedoms()));
  if (!forces_->admissible()) why_ = "no admissible forces: " + tightest();
  return forces_->admissible();
}

std::vector<int> Rest::held_coordinates(int first) {
  if (m_.coordinates() != m_.freedoms())  // in space: the one asked for only
    return first >= 0 ? std::vector<int>{first} : std::vector<int>{};
  // Rows of joints and contacts, then the coordinate asked for, then the directions in which friction acts.
  let_stick(false);
  m_.evaluate(Vector::Zero(m_.rows()));
  const Matrix G = m_.jacobian() * m_.size().asDiagonal();
  let_stick(true);
  m_.evaluate(Vector::Zero(m_.rows()));
  const Matrix all = m_.jacobian() * m_.size().asDiagonal();
  const long n = m_.freedoms(), stuck = all.rows() - G.rows();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(all.rows() + 1, n);
  rows << G, Matrix::Zero(1, n), all.bottomRows(stuck);
  if (first >= 0) rows.row(G.rows()) = m_.coordinate_row(first) * m_.size().asDiagonal();
  for (long i = 0; i < rows.rows(); ++i)
    if (const double norm = rows.row(i).norm(); norm > 0) rows.row(i) /= norm;
  Elimination joints, held;
  const auto count = [](long i) { return static_cast<std::size_t>(i); };
  const auto eliminate = [&](Elimination& e, long height, long leading) {
    e.factor({rows.data(), count(height * n)}, count(height), count(n),
             {.tolerance = 1e-9, .leading_rows = count(leading)});
  };
  eliminate(joints, G.rows() + 1, G.rows() + 1);
  Matrix before = rows.topRows(G.rows());
  Elimination without;
  rows.row(G.rows()).setZero();
  eliminate(without, rows.rows(), G.rows());
  std::vector<int> out;
  const auto held_count = without.rank() - without.leading_rank();
  if (first < 0) {
    for (std::size_t i = without.leading_rank(); i < without.rank(); ++i) out.push_back(without.column_order()[i]);
    std::sort(out.begin(), out.end());
    return out;
  }
  if (joints.rank() == without.leading_rank()) return out;  // joints fix it already
  // The one asked for, then coordinates that stay independent of it and of the constraints.
  std::vector<int> candidates;
  for (std::size_t i = without.leading_rank(); i < without.rank(); ++i) candidates.push_back(without.column_order()[i]);
  out.push_back(first);
  for (const int c : candidates) {
    if (out.size() == held_count) break;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> trial(
        before.rows() + static_cast<long>(out.size()) + 1, n);
    trial.topRows(before.rows()) = before;
    long row = before.rows();
    for (const int o : out) trial.row(row++) = m_.coordinate_row(o);
    trial.row(row) = m_.coordinate_row(c);
    Elimination e;
    e.factor({trial.data(), count(trial.size())}, count(trial.rows()), count(n), {.tolerance = 1e-9});
    if (e.rank() == without.leading_rank() + out.size() + 1) out.push_back(c);
  }
  return out;
}

}  // namespace hstar
