// src/formulation/problem_rows.cpp
#include "formulation/problem_rows.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/tolerances.hpp"

namespace hstar {
namespace {

/// The normal force of a joint's unit as weighted lengths of linear functions of its multipliers: how many.
int normal_parts(const System& s, const FrictionUnit& unit, NormalPart* parts) {
  const Joint& joint = *s.joints[unit.joint];
  const int count = joint.normal_parts(parts);
  if (count > 0 || joint.side_row() < 0) return count;
  parts[0] = NormalPart{};
  parts[0].size = 1;
  parts[0].by_lambda[0][joint.side_row()] = 1;
  return 1;
}

/// use(part, reaction): the reactions in those parts, one after the other, to the multipliers `lambda` of all joints;
/// what is no more than `round_off` is zero.
template <class Use>
void each_reaction(const System& s, const FrictionUnit& unit, const double* lambda, double round_off, Use&& use) {
  NormalPart parts[most_parts];
  const int count = normal_parts(s, unit, parts);
  for (int i = 0; i < count; ++i)
    for (int r = 0; r < parts[i].size; ++r) {
      double sum = 0;
      for (int l = 0; l < s.joints[unit.joint]->rows(); ++l)
        sum += parts[i].by_lambda[r][l] * lambda[s.joint_row[unit.joint] + l];
      use(parts[i], r, std::abs(sum) > round_off ? sum : 0.0);
    }
}

/// [N per N, or per N m]: a reaction to a unit force along a row (of a moment if the row turns) is no more than
/// round-off.
double round_off_of_reactions(const System& s, const Row& row) {
  double force = 0, moment = 0;
  for (const auto& J : row.J)
    for (int c = 0; c < s.columns; ++c) {
      double& size = s.turns(c) ? moment : force;
      size = std::max(size, std::abs(J[c]));
    }
  return formulation::reaction_round_off * std::max(force, moment / s.length);
}

/// J M^-1 J^T: how the row answers a unit force along it if no other row is held.
double free_response(const ModeEquations& equations, const Row& row) {
  const int columns = equations.system().columns;
  double sum = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (int c = 0; c < columns; ++c)
      if (const double mass = equations.motion.mass()[columns * row.body[i] + c]; mass > 0)
        sum += row.J[i][c] * row.J[i][c] / mass;
  return sum;
}

}  // namespace

ProblemRows::ProblemRows(ModeEquations& equations) : equations_(equations) {
  const System& s = equations.system();
  rows_.reserve(2 * (s.contacts.size() + s.frictions.size()) + s.sliding_rows());
  load_.resize(s.slots());
  moves_.resize(s.bodies.size());
  zero_.assign(s.rows + s.sliding_rows() + s.contacts.size(), 0.0);
  lambda_.resize(zero_.size());
}

void ProblemRows::clear() {
  islands_.clear();
  rows_.clear();
  units_.clear();
}

void ProblemRows::begin(contact::Problem& problem) {
  problem.resize(0, 0, 0);
  islands_.push_back({&problem, rows_.size(), units_.size(), 0});
}

void ProblemRows::add(const Row& row, double c, double scale, double compliance) {
  contact::Problem& p = *islands_.back().problem;
  p.c.push_back(c);
  p.scale.push_back(scale);
  p.alone.push_back(free_response(equations_, row));
  p.compliance.push_back(compliance);
  rows_.push_back(row);
}

void ProblemRows::read_reactions(const FrictionUnit& unit, const double* lambda, contact::Unit& out) {
  contact::Problem& p = *islands_.back().problem;
  out.normal = contact::Unit::Normal::parts;
  out.part = static_cast<int>(p.part.size());
  each_reaction(equations_.system(), unit, lambda, 0, [&](const NormalPart& part, int index, double reaction) {
    if (index == 0) p.part.push_back({part.weight, part.size, static_cast<int>(p.reaction_0.size())});
    p.reaction_0.push_back(reaction);
  });
  out.parts = static_cast<int>(p.part.size()) - out.part;
  units_.push_back(&unit);
  ++islands_.back().units;
}

void ProblemRows::respond(bool keep) {
  const System& s = equations_.system();
  int most = 0;
  for (const Island& island : islands_) {
    contact::Problem& p = *island.problem;
    p.G.assign(p.c.size() * p.c.size(), 0.0);
    p.reaction.assign(p.reaction_0.size() * p.c.size(), 0.0);
    most = std::max(most, p.rows());
  }
  response_.resize((keep ? most : 1) * load_.size());
  for (int k = 0; k < most; ++k) {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (std::size_t i = 0; i < islands_.size(); ++i)
      if (k < islands_[i].problem->rows()) row(i, k).add(1.0, load_.data(), s.columns);
    double* const response = response_.data() + (keep ? k : 0) * load_.size();
    equations_.rows.saddle().solve(load_.data(), zero_.data(), response, lambda_.data());
    for (std::size_t b = 0; b < moves_.size(); ++b) {
      const double* own = response + b * static_cast<std::size_t>(s.columns);
      moves_[b] = std::any_of(own, own + s.columns, [](double v) { return v != 0; });
    }
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      contact::Problem& p = *islands_[i].problem;
      const int n = p.rows();
      if (k >= n) continue;
      for (int r = 0; r < n; ++r)
        if (const Row& to = row(i, r); moves_[to.body[0]] || moves_[to.body[1]])
          p.G[r * n + k] = to.times(response, s.columns);
      const double round_off = round_off_of_reactions(s, row(i, k));
      int reaction = 0;
      for (std::size_t u = islands_[i].first_unit; u < islands_[i].first_unit + islands_[i].units; ++u)
        each_reaction(s, *units_[u], lambda_.data(), round_off,
                      [&](const NormalPart&, int, double by) { p.reaction[reaction++ * n + k] = by; });
    }
  }
}

}  // namespace hstar
