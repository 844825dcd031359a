// src/transition/slide_directions.cpp
#include "transition/slide_directions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense_eigen.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

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
  for (std::size_t i = 0; i < units.size(); ++i) {
    const SlideStart now = start(units[i]);
    for (std::size_t c = 0; c < most_directions; ++c)
      turn_[static_cast<long>(most_directions * i + c)] = now.beside[c] / load[i];
    worst = std::max(worst, now.across / load[i]);
  }
  return worst;
}

void SlideDirections::take(std::span<const int> units, const Eigen::VectorXd& directions) {
  for (std::size_t i = 0; i < units.size(); ++i)
    equations_.motion.reference(units[i]).turn(directions.data() + most_directions * i);
}

Eigen::VectorXd SlideDirections::directions(std::span<const int> units) const {
  Eigen::VectorXd all(static_cast<long>(most_directions * units.size()));
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto& d = equations_.motion.reference(units[i]).direction;
    std::copy(d.begin(), d.end(), all.data() + most_directions * i);
  }
  return all;
}

void SlideDirections::straighten(std::span<const int> units, std::span<const double> load, double t, const double* y,
                                 const Mode& mode) {
  // Exact for what is linear after as many turns as there are directions; twice that for what is not.
  const auto unknowns = static_cast<long>(most_directions * units.size());
  const long most_turns = 2 * unknowns;
  turn_.resize(unknowns);
  Eigen::MatrixXd moved(unknowns, most_turns), changed(unknowns, most_turns);
  Eigen::VectorXd best = directions(units), before = best, turn_before;
  double least = std::numeric_limits<double>::infinity();
  for (long turns = 0;; ++turns) {
    const double off = look(units, load);
    const Eigen::VectorXd here = directions(units);
    if (off < least) {
      least = off;
      best = here;
    }
    if (off <= tolerances::slide_round_off || turns == most_turns || !(off < tolerances::lost_way * least)) break;
    Eigen::VectorXd next = here + turn_;
    if (turns > 0) {
      const long n = turns;
      moved.col(n - 1) = here - before;
      changed.col(n - 1) = turn_ - turn_before;
      Eigen::MatrixXd unit = changed.leftCols(n);
      Eigen::VectorXd size = unit.colwise().norm().cwiseMax(std::numeric_limits<double>::min());
      unit.array().rowwise() /= size.transpose().array();
      const Eigen::VectorXd part = math::least_norm(unit, turn_, 0).cwiseQuotient(size);
      next -= moved.leftCols(n) * part + changed.leftCols(n) * part;
    }
    before = here;
    turn_before = turn_;
    take(units, next);
    equations_.evaluate(t, y);
    equations_.solve(mode);
  }
  take(units, best);
  equations_.evaluate(t, y);
  equations_.solve(mode);
}

}  // namespace hstar
