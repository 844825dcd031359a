// src/formulation/mode_friction.cpp: sliding friction whose normal force is a reaction.
//
// lambda and a are affine in the sliding forces tau; Newton on tau_k = c_k N_k(lambda(tau)), which ends in one
// step where N is linear (contacts, guides) and is quadratic for pins. Islands do not touch each other: the k-th
// sliding units of all islands share one solve for their responses, and each island has a Newton iteration of its
// own. Cost and memory grow with the number of units in the largest island, not with that of the mechanism.
#include <algorithm>
#include <cmath>

#include "formulation/mode_equations.hpp"
#include "formulation/tolerances.hpp"
#include "math/dense.hpp"

namespace hstar {

void ModeEquations::reserve_friction(std::size_t units) {
  if (tau_.size() < sliding_.capacity()) {
    tau_.resize(sliding_.capacity());
    residual_.resize(tau_.size());
    pivot_.resize(tau_.size());
  }
  if (jacobian_.size() >= units * units) return;
  response_a_.resize(units * a_.size());
  response_lambda_.resize(units * lambda_.size());
  jacobian_.resize(units * units);
}

void ModeEquations::link_sliding() {
  for (const int i : sliding_islands_) first_sliding_[i] = -1;
  sliding_islands_.clear();
  for (std::size_t k = 0; k < sliding_.size(); ++k) {
    Sliding& s = sliding_[k];
    const int first = islands_.of(s.row.body[0]), second = islands_.of(s.row.body[1]);
    const int island = std::max({first, second, 0});  // 0, the ground, stands for those without freedom
    const auto i = static_cast<std::size_t>(island);
    s.next = -1;
    s.number = 0;
    if (first_sliding_[i] < 0) {
      sliding_islands_.push_back(island);
      first_sliding_[i] = static_cast<int>(k);
    } else {
      Sliding& last = sliding_[last_sliding_[i]];
      last.next = static_cast<int>(k);
      s.number = last.number + 1;
    }
    last_sliding_[i] = static_cast<int>(k);
  }
}

bool ModeEquations::solve_friction(const Mode& mode) {
  const auto n = a_.size(), m = static_cast<std::size_t>(m_), stride = lambda_.size();
  const auto width = static_cast<std::size_t>(system_->columns);
  std::copy(a_.begin(), a_.end(), a_base_.begin());
  std::copy(lambda_.begin(), lambda_.begin() + m_, lambda_base_.begin());
  link_sliding();
  int most = 0;
  for (const Sliding& s : sliding_) most = std::max(most, s.number + 1);
  reserve_friction(static_cast<std::size_t>(most));
  for (int number = 0; number < most; ++number) {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (const Sliding& s : sliding_) {
      if (s.number != number) continue;
      add_row(s.row, 1.0, load_.data());
    }
    const auto at = static_cast<std::size_t>(number);
    solve_rows(load_.data(), zero_.data(), response_a_.data() + at * n, response_lambda_.data() + at * stride);
  }
  for (const int island : sliding_islands_)
    if (!solve_friction_of(island, mode)) return false;

  const auto add = [&](int island, double& sum, const std::vector<double>& response, std::size_t length,
                       std::size_t i) {
    for (int k = first_sliding_[island]; k >= 0; k = sliding_[k].next)
      sum += response[static_cast<std::size_t>(sliding_[k].number) * length + i] * tau_[k];
  };
  for (std::size_t i = 0; i < m; ++i) {
    double sum = lambda_base_[i];
    const auto& body = rows_[i].body;
    add(std::max({islands_.of(body[0]), islands_.of(body[1]), 0}), sum, response_lambda_, stride, i);
    lambda_[i] = sum;
  }
  for (std::size_t i = 0; i < n; ++i) {
    double sum = a_base_[i];
    add(std::max(islands_.of(static_cast<int>(i / width)), 0), sum, response_a_, n, i);
    a_[i] = sum;
  }
  for (std::size_t k = 0; k < sliding_.size(); ++k) friction_[sliding_[k].unit] += tau_[k];
  return true;
}

double ModeEquations::regularity(int unit) const {
  const FrictionUnit& u = system_->frictions[unit];
  const int first = u.contact >= 0 ? system_->contacts[u.contact]->first : system_->joints[u.joint]->first.body,
            second = u.contact >= 0 ? system_->contacts[u.contact]->second : system_->joints[u.joint]->second.body;
  return island_regularity_[std::max({islands_.of(first), islands_.of(second), 0})];
}

bool ModeEquations::solve_friction_of(int island, const Mode& mode) {
  const System& s = *system_;
  const auto stride = lambda_.size();
  const int first = first_sliding_[island];
  const auto count = static_cast<std::size_t>(sliding_[last_sliding_[island]].number + 1);
  const auto each = [&](auto&& use) {
    for (int k = first; k >= 0; k = sliding_[k].next) use(sliding_[k], tau_[k]);
  };
  const Sliding& alone = sliding_[first];
  const int alone_side = mode.friction[alone.unit].side;
  if (const int guide = guide_row_[alone.unit]; count == 1 && guide >= 0 && alone_side != 0) {
    // The commonest island: one guide.
    const auto row = static_cast<std::size_t>(guide);
    const double slope = 1.0 - alone.coefficient * alone_side * response_lambda_[row];
    tau_[first] = alone.coefficient * (alone_side * lambda_base_[row]) / slope;
    return std::abs(slope) > formulation::pole;
  }
  each([](const Sliding&, double& tau) { tau = 0; });
  for (int iteration = 0; iteration < 40; ++iteration) {
    bool linear = true;
    double scale = 0;
    each([&](const Sliding& slides, double tau) {
      const FrictionUnit& unit = s.frictions[slides.unit];
      const auto k = static_cast<std::size_t>(slides.number);
      int row = 0, rows = 1;
      double normal;
      if (unit.joint >= 0) {
        row = s.joint_row[unit.joint];
        rows = s.joints[unit.joint]->rows();
      } else {
        row = contact_row_[unit.contact];
      }
      for (int r = row; r < row + rows; ++r) {
        const auto i = static_cast<std::size_t>(r);
        double sum = lambda_base_[i];
        each([&](const Sliding& other, double other_tau) {
          sum += response_lambda_[static_cast<std::size_t>(other.number) * stride + i] * other_tau;
        });
        lambda_[i] = sum;
      }
      if (unit.joint >= 0) {
        const Joint& joint = *s.joints[unit.joint];
        const int side = mode.friction[slides.unit].side;
        normal = joint.normal_force(lambda_.data() + row, side, derivative_.data());
        linear &= joint.normal_force_is_linear() && side != 0;
      } else {
        normal = lambda_[row];
        derivative_[0] = 1;
      }
      residual_[k] = slides.coefficient * normal - tau;
      scale = std::max(scale, std::abs(slides.coefficient * normal));
      for (std::size_t l = 0; l < count; ++l) {
        double sum = k == l ? 1.0 : 0.0;
        for (int r = 0; r < rows; ++r)
          sum -= slides.coefficient * derivative_[r] * response_lambda_[l * stride + static_cast<std::size_t>(row + r)];
        jacobian_[k * count + l] = sum;
      }
    });
    double change = 0, determinant = 1;
    if (count == 1) {
      determinant = jacobian_[0];
      if (!(std::abs(jacobian_[0]) > formulation::pole)) return false;
      residual_[0] /= jacobian_[0];
    } else {
      if (!math::lu(jacobian_.data(), static_cast<int>(count), pivot_.data())) return false;
      determinant = 1;
      for (std::size_t k = 0; k < count; ++k)
        determinant *= jacobian_[k * count + k] * (pivot_[k] == static_cast<int>(k) ? 1 : -1);
      math::lu_solve(jacobian_.data(), static_cast<int>(count), pivot_.data(), residual_.data());
    }
    each([&](const Sliding& slides, double& tau) {
      tau += residual_[slides.number];
      change = std::max(change, std::abs(residual_[slides.number]));
    });
    if (linear || change <= formulation::force_settled * (scale + change)) {
      island_regularity_[island] = determinant;
      return true;
    }
    if (iteration == 39 && change > formulation::force_found * scale) return false;
  }
  return true;
}

}  // namespace hstar
