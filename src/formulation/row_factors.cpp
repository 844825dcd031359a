// src/formulation/row_factors.cpp
#include "formulation/row_factors.hpp"

#include <algorithm>
#include <utility>

namespace hstar {
namespace {

constexpr std::size_t most_kept =
    8;  ///< a stuck and a sliding mode each, and what is asked between them, of a few units

}  // namespace

RowFactors::RowFactors(std::vector<double> mass, int most_rows, int columns, bool keeps)
    : mass_(std::move(mass)), most_rows_(most_rows), columns_(columns), keeps_(keeps) {
  make(moving_);
  before_.resize(static_cast<std::size_t>(most_rows));
  if (keeps_) kept_.reserve(most_kept);
}

void RowFactors::make(Place& place) const {
  place.solver = std::make_unique<math::SaddleSolver>(mass_, most_rows_, columns_);
}

void RowFactors::choose(const std::vector<int>& choice, bool constant) {
  constant_ = constant;
  ++version_;
  moving_.judged = moving_.factored = false;
  judgement_here_ = 0;
  doubtful_ = false;
  now_ = &moving_;
  if (!constant_ || !keeps_) return;
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Place& p) { return p.choice == choice; });
  if (known != kept_.end()) {
    now_ = &*known;
    return;
  }
  if (kept_.size() < most_kept) {
    make(kept_.emplace_back());
    now_ = &kept_.back();
  } else {
    now_ = &kept_[next_];
    next_ = (next_ + 1) % most_kept;
  }
  now_->choice = choice;
  now_->judged = now_->factored = false;
}

int RowFactors::find_redundant(const math::SaddleRow* rows, int m, double tolerance, int loose_from, double loose) {
  Place& p = *now_;
  if (p.judged && p.judgements == p.solver->judgements() && p.tolerance == tolerance && p.loose == loose)
    return p.solver->redundant_count();
  p.factored = false;
  doubtful_ = false;
  const int count = p.solver->find_redundant(rows, m, tolerance, loose_from, loose);
  p.judged = constant_;
  p.judgements = p.solver->judgements();
  p.tolerance = tolerance;
  p.loose = loose;
  return count;
}

bool RowFactors::factor(const math::SaddleRow* rows, int m) {
  Place& p = *now_;
  if (judgement_here_ != 0 && judgement_here_ == p.solver->judgements()) p.solver->take_redundant(before_.data(), m);
  judgement_here_ = 0;
  if (p.factored && p.judgements == p.solver->judgements() && p.factorisations == p.solver->factorisations())
    return true;
  ++version_;
  const bool ok = p.solver->factor(rows, m);
  p.factored = ok && constant_;
  p.judgements = p.solver->judgements();
  p.factorisations = p.solver->factorisations();
  return ok;
}

bool RowFactors::factor_here(const math::SaddleRow* rows, int m, double tolerance, int loose_from, double loose) {
  math::SaddleSolver& solver = *now_->solver;
  for (int i = 0; i < m; ++i)
    before_[static_cast<std::size_t>(i)] = solver.redundant_count() > 0 && solver.is_redundant(i) ? 1 : 0;
  find_redundant(rows, m, tolerance, loose_from, loose);
  doubtful_ = true;
  const bool ok = factor(rows, m);
  judgement_here_ = solver.judgements();
  return ok;
}

}  // namespace hstar
