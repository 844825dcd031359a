// src/record/round_off.cpp
#include "record/round_off.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace hstar::record {
RoundOff::Unit RoundOff::unit_named(const std::string& unit) {
  constexpr std::array<std::pair<std::string_view, Unit>, other> names{
      {{"m", metre}, {"rad", radian}, {"m/s", speed}, {"rad/s", spin}, {"N", newton}, {"N m", torque}, {"J", joule}}};
  for (const auto& [name, known] : names)
    if (unit == name) return known;
  return other;
}

RoundOff::RoundOff(std::span<const std::string> units) {
  for (const std::string& unit : units) {
    const Unit known = unit_named(unit);
    const bool shared = known == other && !unit.empty() && unit != "1";
    columns_.push_back({known});
    other_.push_back(shared ? &others_[unit] : nullptr);
  }
}

void RoundOff::see(double t, std::span<const double> values) {
  if (!std::exchange(begun_, true)) t_first_ = t;
  t_last_ = t;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const double value = std::abs(values[i]);
    if (!std::isfinite(value)) continue;
    Column& column = columns_[i];
    column.largest = std::max(column.largest, value);
    if (column.unit != other) largest_[column.unit] = std::max(largest_[column.unit], value);
    if (other_[i] != nullptr) *other_[i] = std::max(*other_[i], value);
  }
}

double RoundOff::size(Unit unit) const {
  const double duration = t_last_ - t_first_;
  const auto over = [](double a, double b) { return b > 0 ? a / b : 0.0; };
  switch (unit) {
    case radian:  // angles are computed with sines and cosines, numbers of size 1
      return std::max(1.0, largest_[radian]);
    case metre:
      return std::max(largest_[metre], fall_);
    case speed:
      return std::max({largest_[speed], over(largest_[metre], duration), fall_speed_});
    case spin:
      return std::max({largest_[spin], over(largest_[speed], largest_[metre]), over(1.0, duration)});
    case newton:
      return std::max(largest_[newton], load_);
    case torque:
    case joule:
      return std::max(largest_[unit], size(newton) * size(metre));
    default:
      return largest_[unit];
  }
}

double RoundOff::size_of(std::size_t column) const {
  const Column& c = columns_[column];
  if (c.unit != other) return size(c.unit);
  return other_[column] != nullptr ? *other_[column] : c.largest;
}

double RoundOff::of_unit(const std::string& unit) const {
  const Unit known = unit_named(unit);
  if (known != other) return relative * size(known);
  const auto found = others_.find(unit);
  return found == others_.end() ? 0.0 : relative * found->second;
}

RunResult without_round_off(const RunResult& result) {
  RunResult out = result;
  if (result.columns.empty()) return out;
  RoundOff round_off(std::span(result.units).subspan(1));
  for (const auto& row : result.rows) round_off.see(row[0], std::span(row).subspan(1));
  std::vector<double> bounds;
  for (std::size_t i = 0; i + 1 < result.columns.size(); ++i) bounds.push_back(round_off.of(i));
  const auto drop = [](double& value, double bound) {
    if (std::abs(value) <= bound) value = 0;
  };
  for (auto& row : out.rows)
    for (std::size_t i = 0; i < bounds.size(); ++i) drop(row[i + 1], bounds[i]);
  for (std::size_t i = 0; i < std::min({bounds.size(), out.y_end.size(), out.state_names.size()}); ++i)
    drop(out.y_end[i], bounds[i]);  // the states are the first columns

  double impulse = 0;
  for (const EventRecord& e : result.events)
    impulse = std::max({impulse, std::abs(e.impulse_n), std::abs(e.impulse_t)});
  const double velocity = std::max(round_off.of_unit("m/s"), round_off.of_unit("rad/s"));
  for (EventRecord& e : out.events) {
    for (double* v : {&e.gap_velocity_before, &e.gap_velocity_after}) drop(*v, velocity);
    for (double* v : {&e.impulse_n, &e.impulse_t}) drop(*v, RoundOff::relative * impulse);
    drop(e.energy_loss, round_off.of_unit("J"));
  }
  return out;
}

}  // namespace hstar::record
