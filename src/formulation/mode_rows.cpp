// src/formulation/mode_rows.cpp
#include "formulation/mode_rows.hpp"

#include <algorithm>

namespace hstar {
namespace {
/// The first row of a stuck unit: those of others come before.
int stuck_from(const std::vector<int>& stick_row, int count) {
  for (const int row : stick_row)
    if (row >= 0) count = std::min(count, row);
  return count;
}
}  // namespace

int ModeRows::most(const System& s) { return s.rows + static_cast<int>(s.contacts.size()) + s.sliding_rows(); }

ModeRows::ModeRows(const ElementMotion& motion, bool keeps_factors)
    : motion_(motion),
      factors_(motion.mass(), most(motion.system()), motion.system().columns, keeps_factors),
      rows_(static_cast<std::size_t>(most(motion.system()))),
      saddle_rows_(rows_.size()),
      contact_row_(motion.system().contacts.size(), -1),
      stick_row_(motion.system().frictions.size(), -1),
      islands_(motion.mass(), motion.system().columns),
      joint_islands_(islands_) {
  const System& s = motion.system();
  for (std::size_t i = 0; i < rows_.size(); ++i) saddle_rows_[i].J = rows_[i].J;
  closed_.reserve(s.contacts.size());
  stuck_.reserve(s.frictions.size());
  choice_.reserve(s.frictions.size() + s.contacts.size());
  acting_.contacts.reserve(s.contacts.size());
  acting_.units.reserve(s.frictions.size());
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    const Joint& joint = *s.joints[j];
    joint_islands_.join(joint.bodies());
    Row* row = rows_.data() + s.joint_row[j];
    for (int i = 0; i < joint.rows(); ++i) row[i].body = saddle_rows_[s.joint_row[j] + i].body = joint.bodies();
    if (!s.joint_constant[j]) {
      for (int i = 0; i < joint.rows(); ++i) saddle_rows_[s.joint_row[j] + i].moves = s.is_spatial();
      joints_.push_back(static_cast<int>(j));
      continue;
    }
    joint.rows_at(motion.kinematics(), row);
    std::for_each(row, row + joint.rows(), [&](Row& r) { s.clear_fixed(r); });
  }
  join_islands();
}

void ModeRows::choose(const Mode& mode) {
  // (Most choices are the last one, of hundreds of contacts.)
  const auto slides_alike = [](const FrictionMode& a, const FrictionMode& b) { return a.slide == b.slide; };
  if (count_ >= 0 && chosen_.closed == mode.closed &&
      std::equal(mode.friction.begin(), mode.friction.end(), chosen_.friction.begin(), chosen_.friction.end(),
                 slides_alike))
    return;
  const System& s = motion_.system();
  chosen_ = mode;
  bool same = count_ >= 0;
  int count = s.rows;
  const auto assign = [&](int& row, bool chosen, int rows) {
    const int value = chosen ? count : -1;
    if (chosen) count += rows;
    same &= row == value;
    row = value;
  };
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    assign(contact_row_[c], mode.closed[c] != 0, 1);
    if (contact_row_[c] < 0) continue;
    bool& without = saddle_rows_[contact_row_[c]].unloaded;
    same &= without == (mode.closed[c] == unloaded);
    without = mode.closed[c] == unloaded;
  }
  if (!same) {
    acting_.contacts.clear();
    for (int c = 0; c < static_cast<int>(contact_row_.size()); ++c)
      if (contact_row_[c] >= 0) acting_.contacts.push_back(c);
    join_islands();
    acting_.units.clear();
    for (int u = 0; u < static_cast<int>(s.frictions.size()); ++u)
      if (const int c = s.frictions[u].contact; c < 0 || contact_row_[c] >= 0) acting_.units.push_back(u);
  }
  // (What touches without force holds nothing by friction.)
  const auto is_loaded = [&](const FrictionUnit& unit) {
    return unit.contact < 0 || mode.closed[unit.contact] != unloaded;
  };
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    assign(stick_row_[u], mode.friction[u].slide == Slide::stick && is_loaded(s.frictions[u]),
           s.frictions[u].directions);
  if (same) return;
  count_ = count;
  closed_.clear();
  stuck_.clear();
  constant_ = joints_.empty();
  for (const int c : acting_.contacts) {
    const int row = contact_row_[c];
    saddle_rows_[row].body = s.contacts[c]->bodies();
    saddle_rows_[row].moves = !s.contact_constant[c] && s.is_spatial();
    if (s.contact_constant[c])
      rows_[row] = motion_.normal_row(c);
    else
      closed_.push_back(c);
  }
  for (int u = 0; u < static_cast<int>(stick_row_.size()); ++u) {
    if (stick_row_[u] < 0) continue;
    for (int i = 0; i < s.frictions[u].directions; ++i) {
      math::SaddleRow& row = saddle_rows_[stick_row_[u] + i];
      row = {s.bodies_of(s.frictions[u]), row.J, !s.frictions[u].velocity_is_linear && s.is_spatial()};
    }
    if (s.frictions[u].velocity_is_linear)
      motion_.tangent_rows(u, &rows_[stick_row_[u]]);
    else
      stuck_.push_back(u);
  }
  constant_ &= closed_.empty() && stuck_.empty();
  choice_.assign(stick_row_.begin(), stick_row_.end());
  for (const int row : contact_row_) choice_.push_back(row < 0 ? row : 2 * row + saddle_rows_[row].unloaded);
  factors_.choose(choice_, constant_);
}

void ModeRows::join_islands() {
  const System& s = motion_.system();
  islands_ = joint_islands_;
  for (const int c : acting_.contacts) islands_.join(s.contacts[c]->bodies());
  islands_.settle();
}

int ModeRows::find_redundant(double tolerance, double stick_tolerance) {
  return factors_.find_redundant(saddle_rows_.data(), count_, tolerance, stuck_from(stick_row_, count_),
                                 std::max(tolerance, stick_tolerance));
}

void ModeRows::settle() {
  if (!factors_.doubtful()) return;
  fill();
  find_redundant();
}

bool ModeRows::factor_here() {
  return factors_.factor_here(saddle_rows_.data(), count_, math::dependent_in_square, stuck_from(stick_row_, count_),
                              math::dependent_in_square);
}

void ModeRows::fill() {
  if (constant_) return;
  const System& s = motion_.system();
  const Kinematics& k = motion_.kinematics();
  for (const int j : joints_) {
    const Joint& joint = *s.joints[j];
    Row* row = rows_.data() + s.joint_row[j];
    joint.rows_at(k, row);
    for (int i = 0; i < joint.rows(); ++i) s.fold(k, row[i]);
  }
  for (const int c : closed_) rows_[contact_row_[c]] = motion_.normal_row(c);
  for (const int u : stuck_) motion_.tangent_rows(u, &rows_[stick_row_[u]]);
}

ModeRows::Range ModeRows::normal_rows(int unit) const {
  const System& s = motion_.system();
  const FrictionUnit& u = s.frictions[unit];
  if (u.joint < 0) return {contact_row_[u.contact], 1};
  return {s.joint_row[u.joint], s.joints[u.joint]->rows()};
}

double ModeRows::normal_force(int unit, int side, const double* lambda, double* derivative) const {
  const auto [first, count] = normal_rows(unit);
  const System& s = motion_.system();
  if (const int joint = s.frictions[unit].joint; joint >= 0)
    return s.joints[joint]->normal_force(lambda + first, side, derivative);
  derivative[0] = 1;
  return first < 0 ? 0.0 : lambda[first];  // an open contact has none
}

void ModeRows::positions(double* phi) const {
  const System& s = motion_.system();
  s.joint_positions(motion_.kinematics(), phi);
  std::fill(phi + s.rows, phi + count_, 0.0);
  for (const int c : acting_.contacts) phi[contact_row_[c]] = s.contacts[c]->gap(motion_.kinematics());
}

std::string ModeRows::name(int i) const {
  const System& s = motion_.system();
  if (i < s.rows) return s.row_name(i);
  for (std::size_t c = 0; c < contact_row_.size(); ++c)
    if (contact_row_[c] == i) return "contact \"" + s.contacts[c]->name + "\" (normal)";
  for (std::size_t u = 0; u < stick_row_.size(); ++u)
    if (const FrictionUnit& unit = s.frictions[u];
        stick_row_[u] >= 0 && i >= stick_row_[u] && i < stick_row_[u] + unit.directions)
      return (unit.joint >= 0 ? "joint \"" + s.joints[unit.joint]->name
                              : "contact \"" + s.contacts[unit.contact]->name) +
             "\" (stick)";
  return "row " + std::to_string(i);
}

}  // namespace hstar
