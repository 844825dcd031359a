// src/simulate/measurement.cpp
#include "simulate/measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "formulation/solved_signals.hpp"
#include "mechanism/spatial/coordinates.hpp"
#include "simulate/column_words.hpp"

namespace hstar {

Measurement::Measurement(MechanismProcess& process, bool multipliers) : process_(process) {
  const System& s = process.system();
  columns_ = s.state_names();
  units_ = s.state_units();
  // The columns of one element, or of the mechanism: those of `word` that it has.
  const auto add = [&](const std::string& element, std::size_t index, bool turns, auto has) {
    for (const ColumnEntry& word : column_words()) {
      if (!has(word.owner)) continue;
      const int room = word.kind == SignalKind::whole_contact                                             ? 8
                       : word.kind == SignalKind::joint_wrench || word.kind == SignalKind::contact_vector ? 6
                                                                                                          : 1;
      columns_.push_back(element + std::string(word.name));
      units_.emplace_back(turns && !word.turning_unit.empty() ? word.turning_unit : word.unit);
      signals_.push_back({word.kind, room * static_cast<int>(index) + word.component});
    }
  };
  using enum ColumnOwner;
  const bool spatial = s.is_spatial();
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    const bool rubs = s.joint_friction[j] >= 0;
    add(s.joints[j]->name + ".", j, rubs && s.frictions[s.joint_friction[j]].turns,
        [&](ColumnOwner o) { return o == (spatial ? spatial_joint : planar_joint) || (rubs && o == joint_friction); });
  }
  std::vector<char> in_whole(s.contacts.size());
  for (const WholeContact& whole : s.whole_contacts)
    std::fill_n(in_whole.begin() + static_cast<std::ptrdiff_t>(whole.first), whole.parts, 1);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (in_whole[c]) continue;
    const bool rubs = s.contact_friction[c] >= 0;
    add(s.contacts[c]->name + ".", c, false, [&](ColumnOwner o) {
      return o == contact || (spatial && o == spatial_contact) || (rubs && o == contact_friction) ||
             (spatial && rubs && o == spatial_contact_friction);
    });
  }
  for (std::size_t w = 0; w < s.whole_contacts.size(); ++w)
    add(s.whole_contacts[w].name + ".", w, false, [](ColumnOwner o) { return o == contact_as_whole; });
  add("", 0, false, [&](ColumnOwner o) { return (s.nq > 0 && o == mechanism) || (s.rows > 0 && o == constraints); });
  phi_.resize(static_cast<std::size_t>(s.rows));
  rows_.resize(static_cast<std::size_t>(s.rows));
  if (multipliers) {
    multipliers_ = s.rows;
    for (std::size_t j = 0; j < s.joints.size(); ++j)
      for (int i = 0; i < s.joints[j]->rows(); ++i) {
        columns_.push_back(s.joints[j]->name + ".lambda" + std::to_string(i + 1));
        units_.emplace_back("N or N m");
      }
  }
  for (std::size_t i = s.size(); i < columns_.size(); ++i) computed_.push_back(i - s.size());
  for (const Measure& m : s.measures) {
    columns_.push_back(m.name);
    units_.push_back(m.unit);
    measures_need_solve_ |= m.needs_solve;
  }
}

void Measurement::compute_only(const std::vector<std::string>& columns) {
  std::erase_if(computed_, [&](std::size_t i) {
    const std::string& name = columns_[process_.size() + i];
    return std::find(columns.begin(), columns.end(), name) == columns.end();
  });
}

double Measurement::drift(bool of_velocity) const {
  const System& s = process_.system();
  const Kinematics& k = process_.equations().motion.kinematics();
  double worst = 0;
  if (!of_velocity) {
    s.joint_positions(k, phi_.data());
    for (const double phi : phi_) worst = std::max(worst, std::abs(phi));
    return worst;
  }
  s.joint_rows(k, rows_.data());
  for (const Row& row : rows_) {
    double rate = -row.nu;
    for (std::size_t i = 0; i < 2; ++i) {
      if (s.bodies[row.body[i]].prescribed) continue;  // in nu
      rate += k.along(row.J[i], row.body[i]);
    }
    worst = std::max(worst, std::abs(rate));
  }
  return worst;
}

double Measurement::read(const SignalRef& ref, const SolvedSignals& signals) const {
  if (ref.kind == SignalKind::drift_position) return drift(false);
  if (ref.kind == SignalKind::drift_velocity) return drift(true);
  return signals.read(ref);
}

void Measurement::row(double t, std::span<const double> y, std::span<double> values) {
  const System& s = process_.system();
  std::copy(y.begin(), y.end(), values.begin());
  if (s.has_own_axes()) s.as_written(values.data());
  bool solved = false;
  if (!computed_.empty() || measures_need_solve_)
    solved = process_.solve_at(t, y.data());
  else if (!s.measures.empty() || !s.turns_counted.empty())
    process_.kinematics_at(t, y.data());
  follow_turns(s, process_.equations().motion.kinematics(), values.data());  // (angles are exact, their states are not)
  const SolvedSignals signals(process_.equations());
  const std::size_t others = signals_.size() + static_cast<std::size_t>(multipliers_);
  std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(y.size()), others, std::numeric_limits<double>::quiet_NaN());
  for (const std::size_t i : computed_) {
    if (!solved) break;
    values[y.size() + i] =
        i < signals_.size() ? read(signals_[i], signals) : process_.equations().multipliers()[i - signals_.size()];
  }
  std::size_t at = y.size() + others;
  for (const Measure& m : s.measures) values[at++] = value(m, solved);
}

double Measurement::value(const Measure& m, bool solved) const {
  if (m.needs_solve && !solved) return std::numeric_limits<double>::quiet_NaN();
  return SolvedSignals(process_.equations()).evaluate(m.value);
}

double Measurement::measure(std::size_t i, double t, std::span<const double> y) {
  const Measure& m = process_.system().measures[i];
  const bool solved = m.needs_solve && process_.solve_at(t, y.data());
  if (!m.needs_solve) process_.kinematics_at(t, y.data());
  return value(m, solved);
}

void Measurement::measures(double t, std::span<const double> y, std::span<double> values) {
  const std::vector<Measure>& all = process_.system().measures;
  const bool solved = measures_need_solve_ && process_.solve_at(t, y.data());
  if (!solved) process_.kinematics_at(t, y.data());
  for (std::size_t i = 0; i < all.size(); ++i) values[i] = value(all[i], solved);
}

}  // namespace hstar
