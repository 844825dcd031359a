// src/formulation/sliding_friction.cpp
#include "formulation/sliding_friction.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/tolerances.hpp"
#include "math/dense.hpp"

namespace hstar {

bool slide_force(const ElementMotion& motion, const Mode& mode, int unit, SlideForce& force) {
  const FrictionUnit& about = motion.system().frictions[unit];
  const FrictionMode& fm = mode.friction[unit];
  const bool slips = fm.slide == Slide::slip, viscous = about.law.viscous() > 0 && fm.slide != Slide::stick;
  if (!slips && !viscous) return false;
  if (about.contact >= 0 && !mode.closed[about.contact]) return false;
  force.row = motion.tangent_row(unit, force.direction.data());
  const double speed = motion.free_speed(force.row);
  force.known = viscous ? -about.law.viscous() * speed : 0.0;
  const Kinematics& k = motion.kinematics();
  const double mu = slips ? -fm.direction * about.mu_kinetic(fm.direction * speed, fm.piece, k) : 0.0;
  force.coefficient = about.normal_force ? 0.0 : mu * about.lever;
  if (about.normal_force) force.known += mu * about.given_normal(k);
  return true;
}

SlidingFriction::SlidingFriction(const System& system, const ModeRows& rows)
    : system_(system),
      rows_(rows),
      n_(system.slots()),
      m_(static_cast<std::size_t>(ModeRows::most(system))),
      first_(system.bodies.size(), -1),
      last_(system.bodies.size(), -1),
      regularity_(system.bodies.size(), 1.0),
      lambda_base_(m_),
      derivative_(std::max<std::size_t>(m_, 4)),
      zero_(m_, 0.0),
      load_(n_) {
  const std::size_t units = system.frictions.size();
  for (const FrictionUnit& unit : system.frictions) {
    const bool guide = unit.side_matters && system.joints[unit.joint]->normal_force_is_linear();
    const int side = guide ? system.joints[unit.joint]->side_row() : -1;
    guide_row_.push_back(side < 0 ? -1 : system.joint_row[unit.joint] + side);
  }
  sliding_.reserve(units);
  islands_.reserve(std::min(units, system.bodies.size()));
  residual_.resize(units);
  pivot_.resize(units);
  reserve(std::min<std::size_t>(units, 8));
}

bool SlidingFriction::skims(int unit) const {
  return std::any_of(sliding_.begin(), sliding_.end(), [&](const Slides& s) { return s.skims && s.unit == unit; });
}

void SlidingFriction::reserve(std::size_t units) {
  if (jacobian_.size() >= units * units) return;
  response_a_.resize(units * n_);
  asked_.resize(units * n_);
  response_lambda_.resize(units * m_);
  jacobian_.resize(units * units);
}

void SlidingFriction::link() {
  for (const int i : islands_) first_[i] = -1;
  islands_.clear();
  for (int k = 0; k < static_cast<int>(sliding_.size()); ++k) {
    Slides& s = sliding_[k];
    const int island = rows_.islands().of(s.row.body);
    if (first_[island] < 0) {
      islands_.push_back(island);
      first_[island] = k;
    } else {
      Slides& last = sliding_[last_[island]];
      last.next = k;
      s.number = last.number + 1;
    }
    last_[island] = k;
  }
}

void SlidingFriction::respond(RowSolver& solver, int most) {
  const bool own = &solver == &rows_;
  if (!own || factors_ != rows_.factor_version()) answered_ = 0;
  for (int number = 0; number < most; ++number) {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (const Slides& s : sliding_)
      if (s.number == number) s.row.add(1.0, load_.data(), system_.columns);
    double* asked = asked_.data() + number * n_;
    if (number < answered_ && std::equal(load_.begin(), load_.end(), asked)) continue;
    solver.solve(load_.data(), zero_.data(), response_a(number), response_lambda(number));
    std::copy(load_.begin(), load_.end(), asked);
  }
  answered_ = own ? std::max(answered_, most) : 0;
  factors_ = rows_.factor_version();
}

bool SlidingFriction::solve(const Mode& mode, RowSolver& solver, std::vector<double>& a, std::vector<double>& lambda) {
  std::copy(lambda.begin(), lambda.begin() + rows_.count(), lambda_base_.begin());
  link();
  int most = 0;
  for (const Slides& s : sliding_) most = std::max(most, s.number + 1);
  reserve(static_cast<std::size_t>(most));
  respond(solver, most);
  const bool found =
      std::all_of(islands_.begin(), islands_.end(), [&](int island) { return solve_island(island, mode, lambda); });
  if (!found) {
    std::copy(lambda_base_.begin(), lambda_base_.begin() + rows_.count(), lambda.begin());
    for (Slides& s : sliding_) s.tau = 0;
    return false;
  }

  const auto add = [&](int island, double& sum, const std::vector<double>& response, std::size_t length,
                       std::size_t i) {
    for (int k = first_[island]; k >= 0; k = sliding_[k].next)
      sum += response[sliding_[k].number * length + i] * sliding_[k].tau;
  };
  for (int i = 0; i < rows_.count(); ++i) {
    lambda[i] = lambda_base_[i];
    add(rows_.islands().of(rows_[i].body), lambda[i], response_lambda_, m_, i);
  }
  for (std::size_t i = 0; i < n_; ++i)
    add(std::max(rows_.islands().of(static_cast<int>(i) / system_.columns), 0), a[i], response_a_, n_, i);
  return true;
}

double SlidingFriction::regularity(int unit) const {
  return regularity_[rows_.islands().of(system_.bodies_of(system_.frictions[unit]))];
}

void SlidingFriction::set_regular(int unit) {
  regularity_[rows_.islands().of(system_.bodies_of(system_.frictions[unit]))] = 1;
}

bool SlidingFriction::solve_island(int island, const Mode& mode, std::vector<double>& lambda) {
  const auto each = [&](auto&& use) {
    for (int k = first_[island]; k >= 0; k = sliding_[k].next) use(sliding_[k]);
  };
  const auto count = static_cast<std::size_t>(sliding_[last_[island]].number + 1);
  Slides& alone = sliding_[first_[island]];
  const int alone_side = mode.friction[alone.unit].side;
  if (const int guide = guide_row_[alone.unit]; count == 1 && guide >= 0 && alone_side != 0) {
    // The commonest island: one guide.
    const double slope = 1.0 - alone.coefficient * alone_side * response_lambda_[guide];
    alone.tau = alone.coefficient * (alone_side * lambda_base_[guide]) / slope;
    return std::abs(slope) > formulation::pole;
  }
  constexpr int most = 40;
  for (int iteration = 0; iteration < most; ++iteration) {
    bool linear = true, skims = false;
    double scale = 0;
    each([&](const Slides& slides) {
      const int side = mode.friction[slides.unit].side, joint = system_.frictions[slides.unit].joint;
      const auto [first, rows] = rows_.normal_rows(slides.unit);
      for (int i = first; i < first + rows; ++i) {
        lambda[i] = lambda_base_[i];
        each([&](const Slides& other) { lambda[i] += response_lambda(other.number)[i] * other.tau; });
      }
      if (slides.skims) {
        skims = true;
        residual_[slides.number] = -lambda[first];
        scale = std::max(scale, std::abs(lambda_base_[first]));
        for (int l = 0; l < static_cast<int>(count); ++l)
          jacobian_[slides.number * count + l] = response_lambda(l)[first];
        return;
      }
      const double normal = rows_.normal_force(slides.unit, side, lambda.data(), derivative_.data());
      if (joint >= 0) linear &= system_.joints[joint]->normal_force_is_linear() && side != 0;
      residual_[slides.number] = slides.coefficient * normal - slides.tau;
      scale = std::max(scale, std::abs(slides.coefficient * normal));
      for (int l = 0; l < static_cast<int>(count); ++l) {
        double sum = slides.number == l ? 1.0 : 0.0;
        for (int r = 0; r < rows; ++r) sum -= slides.coefficient * derivative_[r] * response_lambda(l)[first + r];
        jacobian_[slides.number * count + l] = sum;
      }
    });
    double change = 0, determinant = 1;
    if (count == 1) {
      determinant = jacobian_[0];
      if (!(std::abs(jacobian_[0]) > formulation::pole)) return false;
      residual_[0] /= jacobian_[0];
    } else {
      if (!math::lu(jacobian_.data(), static_cast<int>(count), pivot_.data())) return false;
      for (std::size_t k = 0; k < count; ++k)
        determinant *= jacobian_[k * count + k] * (pivot_[k] == static_cast<int>(k) ? 1 : -1);
      math::lu_solve(jacobian_.data(), static_cast<int>(count), pivot_.data(), residual_.data());
    }
    each([&](Slides& slides) {
      slides.tau += residual_[slides.number];
      change = std::max(change, std::abs(residual_[slides.number]));
    });
    if (linear || change <= formulation::force_settled * (scale + change)) {
      regularity_[island] = skims ? 1 : determinant;
      return true;
    }
    if (iteration == most - 1 && change > formulation::force_found * scale) return false;
  }
  return true;
}

}  // namespace hstar
