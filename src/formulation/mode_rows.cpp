// src/formulation/mode_rows.cpp: the rows of a mode - which ones, what they are at the evaluated state. Those that
// never change are filled when the equations are made.
#include <algorithm>

#include "formulation/linear_mode.hpp"
#include "formulation/mode_equations.hpp"

namespace hstar {

void ModeEquations::fill_constant_rows() {
  // Where the free bodies are makes no difference to them, except in the columns of fixed bodies, which nothing
  // multiplies.
  const System& s = *system_;
  const auto without_fixed = [&](Row& row) {
    for (std::size_t i = 0; i < 2; ++i)
      if (s.bodies[row.body[i]].fixed) std::fill(row.J[i], row.J[i] + s.columns, 0.0);
  };
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    const Joint& joint = *s.joints[j];
    Row* row = rows_.data() + s.joint_row[j];
    for (int i = 0; i < joint.rows(); ++i) {
      row[i].body = {joint.first.body, joint.second.body};
      saddle_rows_[s.joint_row[j] + i].body = row[i].body;
    }
    if (!s.joint_constant[j]) {
      varying_joints_.push_back(static_cast<int>(j));
      continue;
    }
    joint.rows_at(kin_, row);
    std::for_each(row, row + joint.rows(), without_fixed);
  }
  normal_row_.resize(s.contacts.size());
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!s.contact_constant[c]) continue;
    compute_normal_row(static_cast<int>(c), normal_row_[c]);
    without_fixed(normal_row_[c]);
  }
  tangent_row_.resize(s.frictions.size());
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    if (!s.frictions[u].velocity_is_linear) continue;
    compute_tangent_rows(static_cast<int>(u), &tangent_row_[u]);
    without_fixed(tangent_row_[u]);
  }
}

void ModeEquations::choose_rows(const Mode& mode) {
  const System& s = *system_;
  bool same = m_ >= 0;
  int m = s.rows;
  const auto assign = [&](int& row, bool chosen, int count = 1) {
    const int value = chosen ? m : -1;
    if (chosen) m += count;
    same &= row == value;
    row = value;
  };
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    assign(contact_row_[c], mode.closed[c] != 0);
    if (contact_row_[c] < 0) continue;
    bool& without = saddle_rows_[contact_row_[c]].unloaded;
    same &= without == (mode.closed[c] == unloaded);
    without = mode.closed[c] == unloaded;
  }
  if (!same) join_islands();
  // (What touches without force holds nothing by friction.)
  const auto is_loaded = [&](const FrictionUnit& unit) {
    return unit.contact < 0 || mode.closed[unit.contact] != unloaded;
  };
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    assign(stick_row_[u], mode.friction[u].slide == Slide::stick && is_loaded(s.frictions[u]),
           s.frictions[u].directions);
  if (same) return;
  m_ = m;
  closed_.clear();
  stuck_.clear();
  constant_ = varying_joints_.empty();
  const auto choose = [&](std::vector<int>& list, std::size_t element, int row, bool constant, const Row& fixed,
                          std::array<int, 2> body) {
    const auto at = static_cast<std::size_t>(row);
    saddle_rows_[at].body = body;
    saddle_rows_[at].moves = &list == &closed_ && !constant && s.is_spatial();
    saddle_rows_[at].unloaded &= &list == &closed_;
    if (constant) {
      rows_[at] = fixed;
    } else {
      constant_ = false;
      list.push_back(static_cast<int>(element));
    }
  };
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (contact_row_[c] >= 0)
      choose(closed_, c, contact_row_[c], s.contact_constant[c] != 0, normal_row_[c],
             {s.contacts[c]->first, s.contacts[c]->second});
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    if (stick_row_[u] < 0) continue;
    for (int i = 1; i < s.frictions[u].directions; ++i) {
      math::SaddleRow& row = saddle_rows_[stick_row_[u] + i];
      row = {bodies_of(s.frictions[u]), row.J};
    }
    choose(stuck_, u, stick_row_[u], s.frictions[u].velocity_is_linear, tangent_row_[u], bodies_of(s.frictions[u]));
  }
  choice_.assign(stick_row_.begin(), stick_row_.end());
  for (const int row : contact_row_) choice_.push_back(row < 0 ? row : 2 * row + saddle_rows_[row].unloaded);
  factors_.choose(choice_, constant_);
}

void ModeEquations::join_islands() {
  const System& s = *system_;
  islands_ = joint_islands_;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (contact_row_[c] >= 0) islands_.join(s.contacts[c]->first, s.contacts[c]->second);
  islands_.settle();
}

std::array<int, 2> ModeEquations::bodies_of(const FrictionUnit& unit) const {
  if (unit.joint >= 0) {
    const Joint& joint = *system_->joints[unit.joint];
    return {joint.first.body, joint.second.body};
  }
  const Contact& contact = *system_->contacts[unit.contact];
  return {contact.first, contact.second};
}

void ModeEquations::compute_tangent_rows(int unit, Row* rows) const {
  const FrictionUnit& u = system_->frictions[unit];
  for (int i = 0; i < u.directions; ++i) {
    rows[i] = Row{};
    rows[i].body = bodies_of(u);
  }
  if (u.joint >= 0) {
    system_->joints[u.joint]->tangents(kin_, rows);
  } else {
    const Contact& contact = *system_->contacts[u.contact];
    Row normal;
    normal.body = rows[0].body;
    if (u.part == FrictionPart::sliding)
      contact.all_rows_at(kin_, normal, rows);
    else
      contact.turning_rows_at(kin_, u.part == FrictionPart::spinning, rows);
  }
  for (int i = 0; i < u.directions; ++i) system_->fold(kin_, rows[i]);
}

void ModeEquations::compute_normal_row(int index, Row& row) const {
  const Contact& contact = *system_->contacts[index];
  Row tangent[2];
  row = Row{};
  row.body = tangent[0].body = tangent[1].body = {contact.first, contact.second};
  contact.all_rows_at(kin_, row, tangent);
  system_->fold(kin_, row);
}

void ModeEquations::normal_row(int contact, Row& row) const {
  const auto c = static_cast<std::size_t>(contact);
  if (system_->contact_constant[c])
    row = normal_row_[c];
  else
    compute_normal_row(contact, row);
}

double ModeEquations::free_speed(const Row& row) const {
  double sum = -row.nu;
  for (std::size_t i = 0; i < 2; ++i) {
    if (mass_[kin_.columns * row.body[i]] < 0) continue;  // prescribed: its motion is in nu
    sum += kin_.along(row.J[i], row.body[i]);
  }
  return sum;
}

void ModeEquations::positions(double* phi) const {
  system_->joint_positions(kin_, phi);
  std::fill(phi + system_->rows, phi + m_, 0.0);
  for (std::size_t c = 0; c < contact_row_.size(); ++c)
    if (contact_row_[c] >= 0) phi[contact_row_[c]] = system_->contacts[c]->gap(kin_);
}

void ModeEquations::momentum(double* p) const {
  for (std::size_t b = 0; b < system_->bodies.size(); ++b)
    for (int c = 0; c < kin_.columns; ++c) {
      const double mass = mass_[system_->slot(b, c)];
      p[system_->slot(b, c)] = mass > 0 ? mass * kin_.velocity(b, c) : 0.0;
    }
}

double ModeEquations::gap_velocity(int contact) const {
  Row row;
  normal_row(contact, row);
  return free_speed(row);
}

double ModeEquations::row_acceleration(const Row& row) const {
  double sum = -row.gamma;
  math::with_columns(kin_.columns, [&](auto c) {
    for (std::size_t i = 0; i < 2; ++i) sum += math::block_product<c>(row.J[i], a_.data() + c * row.body[i]);
  });
  return sum;
}

std::string ModeEquations::row_name(int i) const {
  if (i < system_->rows) return system_->row_name(i);
  for (std::size_t c = 0; c < contact_row_.size(); ++c)
    if (contact_row_[c] == i) return "contact \"" + system_->contacts[c]->name + "\" (normal)";
  for (std::size_t u = 0; u < stick_row_.size(); ++u)
    if (stick_row_[u] >= 0 && i >= stick_row_[u] && i < stick_row_[u] + system_->frictions[u].directions) {
      const FrictionUnit& unit = system_->frictions[u];
      return (unit.joint >= 0 ? "joint \"" + system_->joints[unit.joint]->name
                              : "contact \"" + system_->contacts[unit.contact]->name) +
             "\" (stick)";
    }
  return "row " + std::to_string(i);
}

void ModeEquations::fill_rows(const Mode&) {
  if (constant_) return;
  const System& s = *system_;
  for (const int j : varying_joints_) {
    const Joint& joint = *s.joints[j];
    Row* row = rows_.data() + s.joint_row[j];
    joint.rows_at(kin_, row);
    for (int i = 0; i < joint.rows(); ++i) s.fold(kin_, row[i]);
  }
  for (const int c : closed_) compute_normal_row(c, rows_[contact_row_[c]]);
  for (const int u : stuck_) compute_tangent_rows(u, &rows_[stick_row_[u]]);
}

}  // namespace hstar
