// src/transition/slide_directions.cpp
#include "transition/slide_directions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "transition/tolerances.hpp"

namespace hstar {

namespace {
/// What is linear ends after as many turns as there are directions: here those of eight feet in the plane.
constexpr int most_turns = 16;
}  // namespace

SlideDirections::SlideDirections(ModeEquations& equations) : equations_(equations) {
  // Room for all units that turn: no heap memory afterwards.
  std::size_t n = 0;
  for (const FrictionUnit& unit : equations.system().frictions) n += unit.directions > 1 ? most_directions : 0;
  for (Numbers* numbers : {&turn_, &turn_before_, &here_, &before_, &best_}) numbers->reserve(n);
  moved_.reserve(n * most_turns);
  changed_.reserve(n * most_turns);
}

SlideStart SlideDirections::start(int unit) const {
  const TangentRows rows = equations_.motion.tangents(unit);
  const auto& d = equations_.motion.reference(unit).direction;
  const auto k = static_cast<std::size_t>(equations_.system().frictions[unit].directions);
  SlideStart start;
  for (std::size_t i = 0; i < k; ++i) {
    start.beside[i] = rows[i].rate(equations_.acceleration().data(), equations_.system().columns);
    start.along += start.beside[i] * d[i];
  }
  for (std::size_t i = 0; i < k; ++i) {
    start.beside[i] -= start.along * d[i];
    start.across = std::hypot(start.across, start.beside[i]);
  }
  return start;
}

double SlideDirections::look(std::span<const int> units, std::span<const double> load) {
  double worst = 0;
  turn_.resize(most_directions * units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    const SlideStart now = start(units[i]);
    for (std::size_t c = 0; c < most_directions; ++c) turn_[most_directions * i + c] = now.beside[c] / load[i];
    worst = std::max(worst, now.across / load[i]);
  }
  return worst;
}

void SlideDirections::take(std::span<const int> units, const Numbers& directions) {
  for (std::size_t i = 0; i < units.size(); ++i)
    equations_.motion.reference(units[i]).turn(directions.data() + most_directions * i);
}

void SlideDirections::read(std::span<const int> units, Numbers& directions) const {
  directions.resize(most_directions * units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto& d = equations_.motion.reference(units[i]).direction;
    std::copy(d.begin(), d.end(), directions.begin() + static_cast<std::ptrdiff_t>(most_directions * i));
  }
}

void SlideDirections::remember() {
  const std::size_t n = turn_.size(), last = changed_.size();
  for (std::size_t i = 0; i < n; ++i) {
    moved_.push_back(here_[i] - before_[i]);
    changed_.push_back(turn_[i] - turn_before_[i]);
  }
  double* const moved = moved_.data() + last;
  double* const changed = changed_.data() + last;
  const double whole = std::sqrt(std::inner_product(changed, changed + n, changed, 0.0));
  for (std::size_t k = 0; k < last; k += n) {
    const double part = std::inner_product(changed, changed + n, changed_.data() + k, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      changed[i] -= part * changed_[k + i];
      moved[i] -= part * moved_[k + i];
    }
  }
  const double size = std::sqrt(std::inner_product(changed, changed + n, changed, 0.0));
  if (!(size > tolerances::slide_round_off * whole)) {
    moved_.resize(last);
    changed_.resize(last);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    changed[i] /= size;
    moved[i] /= size;
  }
}

void SlideDirections::straighten(std::span<const int> units, std::span<const double> load, double t, const double* y,
                                 const Mode& mode) {
  if (units.empty()) return;
  moved_.clear();
  changed_.clear();
  read(units, best_);
  double least = std::numeric_limits<double>::infinity();
  for (int turns = 0;; ++turns) {
    const double off = look(units, load);
    read(units, here_);
    if (turns > 0) remember();
    if (off < least) {
      least = off;
      best_ = here_;
    }
    if (off <= tolerances::slide_round_off || turns == most_turns || !(off < tolerances::lost_way * least)) break;
    before_ = here_;
    turn_before_ = turn_;
    const std::size_t n = turn_.size();
    for (std::size_t i = 0; i < n; ++i) here_[i] += turn_[i];
    for (std::size_t k = 0; k < changed_.size(); k += n) {
      const double part = std::inner_product(turn_.begin(), turn_.end(), changed_.data() + k, 0.0);
      for (std::size_t i = 0; i < n; ++i) here_[i] -= part * (moved_[k + i] + changed_[k + i]);
    }
    take(units, here_);
    equations_.evaluate(t, y);
    equations_.solve(mode);
  }
  if (best_ == here_) return;
  take(units, best_);
  equations_.evaluate(t, y);
  equations_.solve(mode);
}

}  // namespace hstar
