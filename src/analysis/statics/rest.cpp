// src/analysis/statics/rest.cpp
#include "analysis/statics/rest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "analysis/statics/tolerances.hpp"
#include "math/dense_eigen.hpp"
#include "mechanism/joint_stops.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using statics::touches;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string gives_way(FrictionPart part) {
  return part == FrictionPart::rolling ? " rolls" : part == FrictionPart::spinning ? " spins" : " slips";
}

bool is_named(const std::string& element, const std::string& name) {
  return element == name || element.starts_with(name + ".");
}

const Contact& contact_of(const ForceBalance& m, int contact) { return *m.system().contacts[at(contact)]; }
bool has_range(const ForceBalance& m, int contact) { return contact_of(m, contact).has_range(); }
/// As it is watched while the contact is open.
double open_gap(const ForceBalance& m, int contact) {
  return contact_of(m, contact).open_gap(m.equations().motion.kinematics());
}
/// The contact lies on its stretch of the boundary.
bool in_range(const ForceBalance& m, int contact) {
  const Contact& c = contact_of(m, contact);
  return !c.has_range() || c.range(m.equations().motion.kinematics()) >= -statics::end_of_range * m.system().length;
}

/// Touching faces of convex bodies have a plane between them, in the plane a line. At the end of its stretch a contact
/// can have no gap without it: sides of two boxes on each other that are flush.
bool lies_between(ForceBalance& m, std::size_t contact) {
  const System& s = m.system();
  if (!has_range(m, static_cast<int>(contact))) return true;
  const auto normal = [&](std::size_t c) {
    const Row row = m.equations().motion.normal_row(static_cast<int>(c));
    // Parts of one contact name their bodies in either order.
    const double sign = s.contacts[c]->first < s.contacts[c]->second ? 1 : -1;
    return sign * Vec3{row.J[1][0], row.J[1][1], s.is_spatial() ? row.J[1][2] : 0.0};
  };
  const Vec3 n = normal(contact);
  for (std::size_t o = 0; o < s.contacts.size(); ++o)
    if (s.contacts[o]->group == s.contacts[contact]->group && o != contact &&
        dot(n, normal(o)) > 1 - statics::same_normal && in_range(m, static_cast<int>(o)) &&
        open_gap(m, static_cast<int>(o)) < -touches * s.length)
      return false;
  return true;
}

}  // namespace

Rest::Rest(std::shared_ptr<const System> system, double t, RestOptions options, const std::vector<double>& estimate)
    : m_(std::move(system), t), options_(std::move(options)), at_rest_(m_.system().frictions.size(), 0) {
  if (!estimate.empty()) m_.y = estimate;
  std::fill_n(m_.y.begin() + m_.system().nq, m_.system().nv, 0.0);
  const Vector weight = Vector::Ones(m_.system().nv);
  const ClosedPositions joints = close_positions(m_, {}, weight);
  if (!joints.closed)
    throw InputError("the mechanism cannot be assembled from the given positions; see hstar assemble");
  for (const auto& joint : m_.system().joints)
    if (joint->turned_over(m_.equations().motion.kinematics()))
      throw InputError(joint->where, "joint \"" + joint->name +
                                         "\" closes only with its axis turned over; turn the estimates of its bodies");
  close_touching();
  decide_sliding();
}

void Rest::look_ahead() {
  m_.evaluate(Vector::Zero(m_.rows()));
  ahead_.resize(m_.system().contacts.size());
  for (std::size_t c = 0; c < ahead_.size(); ++c) {
    const int i = static_cast<int>(c);
    ahead_[c] = m_.mode.closed[c] || !has_range(m_, i) || open_gap(m_, i) >= -touches * m_.system().length;
  }
}

bool Rest::penetrated(int contact, double tolerance) const {
  return ahead_[at(contact)] && in_range(m_, contact) && open_gap(m_, contact) < -tolerance;
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
    const double gap = open_gap(m_, i);
    if (!wanted && (!in_range(m_, i) || (has_range(m_, i) && gap < -touches * s.length))) continue;
    if (!wanted && gap < -touches * s.length)
      throw InputError(contact.where,
                       fmt::format("{}, or close it with --touching {}", start_refusal(contact, gap), contact.name));
    if (!wanted && (gap > touches * s.length || !lies_between(m_, c))) continue;
    m_.mode.closed[c] = 1;
    any = true;
  }
  if (!any) return;
  m_.choose_rows();
  const ClosedPositions closed = close_positions(m_, {}, Vector::Ones(m_.system().nv));
  if (closed.closed) return;
  int worst = 0;
  closed.gaps.cwiseAbs().maxCoeff(&worst);
  throw InputError(fmt::format("joints and contacts cannot be closed together: {} stays {:.6g} m apart",
                               m_.equations().rows.name(worst), closed.gaps[worst]));
}

void Rest::decide_sliding() {
  const System& s = m_.system();
  m_.choose_rows();  // contacts may have opened or closed since
  m_.evaluate(Vector::Zero(m_.rows()));
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    FrictionMode& mode = m_.mode.friction[u];
    mode = FrictionMode{};
    at_rest_[u] = 0;
    if (!unit.law.dry() || (unit.contact >= 0 && !m_.mode.closed[at(unit.contact)])) continue;
    // The other side may move: a belt. Then the unit slides at that speed.
    const Vector speed = m_.slide_velocity(static_cast<int>(u));
    if (speed.norm() > statics::moves * s.length) {
      mode = m_.sliding(static_cast<int>(u), speed, speed.norm(), 0);
    } else {
      at_rest_[u] = options_.friction && unit.mu_static(m_.equations().motion.kinematics()) > 0;
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
  forces_.emplace(m_.admissible_forces());
  return relaxed.found && forces_->admissible();
}

bool Rest::settle_along(std::span<const HeldCoordinate> held) {
  let_stick(false);
  look_ahead();
  const ClosedPositions closed = close_positions(m_, held, Vector::Ones(m_.system().nv));
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
    if (m_.mode.closed[c] && !in_range(m_, i)) {
      why_ = "contact \"" + s.contacts[c]->name + "\" comes to the end of its edge";
      return false;
    }
    if (!m_.mode.closed[c] && penetrated(i, touches * s.length)) {
      why_ = "contact \"" + s.contacts[c]->name + "\" closes";
      return false;
    }
  }
  let_stick(true);
  forces_.emplace(m_.admissible_forces());
  why_ = forces_->admissible() ? "" : tightest();
  return true;
}

const Vector& Rest::lambda() {
  if (lambda_) return *lambda_;
  lambda_ = m_.forces_of_run();
  if (!lambda_) {
    lambda_ = forces_->lambda();
    notices.emplace_back(
        "other forces than those of equally stiff contacts hold it: a run that begins here does not stay at rest");
  }
  return *lambda_;
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
    const int unit = static_cast<int>(u);
    if (m_.equations().rows.of_stuck(unit) < 0) continue;
    const double limit = forces_->limit(unit, lambda);
    if (lambda.segment(m_.equations().rows.of_stuck(unit), s.frictions[u].directions).norm() >=
        limit - statics::at_limit * (limit + statics::at_limit * size))
      add(m_.unit_name(unit) + gives_way(s.frictions[u].part));
  }
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (const int row = m_.equations().rows.of_contact(static_cast<int>(c));
        row >= 0 && lambda[row] <= statics::without_force * size)
      add(s.contacts[c]->name + " opens");
  return text.empty() ? "friction gives way" : text;
}

/// Closed contacts that pull are opened (the one that pulls most), open ones that are penetrated closed.
bool Rest::contacts_agree(bool& changed) {
  const System& s = m_.system();
  changed = false;
  int pulls = -1;
  double most = statics::pulls;
  const Tangent here = tangent(m_, {});
  // Of redundant contacts the least-norm split may pull where another one does not.
  const bool presses = m_.admissible_forces().admissible();
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const int i = static_cast<int>(c), row = m_.equations().rows.of_contact(i);
    if (row >= 0) {
      if (!presses && -here.lambda[row] * m_.system().length > most * here.force_size) {
        most = -here.lambda[row] * m_.system().length / here.force_size;
        pulls = i;
      }
    } else if (penetrated(i, statics::penetrated * s.length)) {
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
  return close_positions(m_, {}, Vector::Ones(m_.system().nv)).closed;
}

bool Rest::without_friction() {
  let_stick(false);
  look_ahead();
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

/// With one freedom that friction alone holds: the nearest stretch along it where friction can hold it, and of that the
/// position furthest inside the cones.
bool Rest::along_one_coordinate(Stretch& stretch) {
  const std::vector<int> held = held_coordinates(-1);
  if (held.size() != 1) return false;
  const int i = held.front();
  const bool angle = m_.coordinates().unit(i) == "rad";
  const double start = m_.coordinate(i), step = angle ? 0.02 : 0.01 * m_.system().length;
  std::vector<double> way[2] = {m_.y, m_.y}, best;
  bool goes_on[2] = {true, true};
  double most = -1;
  for (int count = 1; count <= 160 && (goes_on[0] || goes_on[1]); ++count)
    for (const int side : {0, 1}) {
      if (!goes_on[side]) continue;
      const double value = start + (side == 0 ? count : -count) * step;
      m_.y = way[side];
      const HeldCoordinate at{i, value};
      const bool exists = settle_along({&at, 1}), holds = exists && forces_->admissible();
      way[side] = m_.y;
      goes_on[side] = exists && (holds || best.empty());
      if (!holds) continue;
      if (best.empty()) stretch = {i, value - step, value + step};
      goes_on[1 - side] = false;
      stretch.least = std::min(stretch.least, value - step);
      stretch.largest = std::max(stretch.largest, value + step);
      if (margin() <= most) continue;
      most = margin();
      best = m_.y;
    }
  if (best.empty()) return false;
  m_.y = best;
  let_stick(true);
  forces_.emplace(m_.admissible_forces());
  return forces_->admissible();
}

std::string Rest::nearly_touching() {
  const System& s = m_.system();
  std::string text;
  m_.evaluate(Vector::Zero(m_.rows()));
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const double gap = open_gap(m_, static_cast<int>(c));
    const bool behind = has_range(m_, static_cast<int>(c)) && gap < -touches * s.length;
    if (m_.mode.closed[c] || behind || !in_range(m_, static_cast<int>(c)) || gap > 2 * s.length) continue;
    text += fmt::format("; contact \"{0}\" is open by {1:.3g} m in the estimate: --touching {0} closes it",
                        s.contacts[c]->name, gap);
  }
  return text;
}

bool Rest::find() {
  const std::vector<double> start = m_.y;
  const Mode mode = m_.mode;
  const bool friction = any_can_stick();
  const std::string hint = nearly_touching();
  const auto back = [&] {
    m_.y = start;
    m_.mode = mode;
    decide_sliding();
  };
  std::string slips;
  if (friction) {
    if (settle_here()) {
      held_ = true;
      return true;
    }
    slips = forces_->balanced() ? tightest() : "";
    back();
  }
  bool balances = without_friction();
  if (balances) {
    let_stick(true);
    forces_.emplace(m_.admissible_forces());
    balances = forces_->admissible();
    if (!balances) why_ = "no admissible forces: " + tightest();
  }
  const std::string why = why_ + hint;
  if (!friction) {
    why_ = why;
    return balances;
  }
  // Where friction holds one freedom, a balance without it counts only on the stretch that is nearest.
  const std::vector<double> balanced = m_.y;
  const Mode balanced_mode = m_.mode;
  back();
  Stretch stretch;
  const bool stands = along_one_coordinate(stretch);
  const std::vector<double> standing = m_.y;
  m_.y = balanced;
  const double there = stands ? m_.coordinate(stretch.coordinate) : 0;
  if (balances && (!stands || (stretch.least <= there && there <= stretch.largest))) {
    m_.mode = balanced_mode;
    decide_sliding();
    let_stick(true);
    forces_.emplace(m_.admissible_forces());
    return true;
  }
  m_.y = standing;
  if (stands) {
    notices.push_back("the estimate slips; this is a state of rest near to it along " +
                      m_.coordinates().name(stretch.coordinate));
    return true;
  }
  back();
  why_ = (slips.empty() ? "it does not stay where it is" : "where it is, " + slips) + "; without friction: " + why;
  return false;
}

std::vector<int> Rest::held_coordinates(int first) {
  let_stick(false);
  m_.evaluate(Vector::Zero(m_.rows()));
  const int rows = m_.rows();
  const Matrix free = m_.size().asDiagonal() * math::null_space(m_.jacobian() * m_.size().asDiagonal());
  let_stick(true);
  m_.evaluate(Vector::Zero(m_.rows()));
  // Directions of friction in what the joints leave free, and of the coordinates chosen: orthonormal, by column.
  const auto extend = [](Matrix& basis, const Vector& x, double least) {
    const Vector part = x.normalized() - basis * (basis.transpose() * x.normalized());
    if (x.norm() == 0 || !(part.norm() > least)) return false;
    basis.conservativeResize(x.size(), basis.cols() + 1);
    basis.rightCols(1) = part.normalized();
    return true;
  };
  const Matrix sliding = math::product(m_.jacobian().bottomRows(m_.rows() - rows), free);
  Matrix held(free.cols(), 0), chosen(free.cols(), 0);
  for (long i = 0; i < sliding.rows(); ++i) extend(held, sliding.row(i).transpose(), math::dependent_row);
  std::vector<int> out;
  const auto choose = [&](int i, bool only_what_friction_fixes) {
    if (static_cast<long>(out.size()) >= held.cols() || std::find(out.begin(), out.end(), i) != out.end()) return;
    const Vector x = (m_.coordinate_row(i) * free).transpose();
    if (!(x.norm() > math::dependent_row)) return;
    Matrix trial = held;
    if (only_what_friction_fixes && extend(trial, x, statics::felt)) return;
    if (extend(chosen, x, statics::felt)) out.push_back(i);
  };
  if (first >= 0) {
    choose(first, false);
    if (out.empty()) return out;  // joints fix it already
  }
  // Those of joints, then those of bodies. An Euler parameter near its largest value hardly feels a turn, nor a
  // ladder's x that it tips: those that feel most come first, in space after the displacements.
  const System& s = m_.system();
  enum Kind { of_joint, displacement_in_space, by_what_is_felt };
  std::vector<std::tuple<Kind, double, int>> order;
  for (int i = 0; i < m_.coordinates().count(); ++i) {
    const bool moves = m_.coordinates().unit(i) == "m";
    const Kind kind = i >= s.nq ? of_joint : s.is_spatial() && moves ? displacement_in_space : by_what_is_felt;
    const double felt = (m_.coordinate_row(i) * free).norm() / (moves ? s.length : 1.0);
    order.emplace_back(kind, kind == by_what_is_felt ? -std::round(1e3 * felt) : 0.0, i);
  }
  std::sort(order.begin(), order.end());
  for (const bool fixed : {true, false})
    for (const auto& [kind, felt, i] : order) choose(i, fixed);
  return out;
}

}  // namespace hstar
