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
  const int count = p.solver->find_redundant(rows, m, tolerance, loose_from, loose);
  p.judged = constant_;
  p.judgements = p.solver->judgements();
  p.tolerance = tolerance;
  p.loose = loose;
  return count;
}

bool RowFactors::factor(const math::SaddleRow* rows, int m) {
  Place& p = *now_;
  if (judgement_here_ != 0) {
    const bool others = judgement_here_ != p.solver->judgements();
    if (!others) find_redundant(rows, m, tolerance_here_, loose_from_here_, loose_here_);
    judgement_here_ = others || is_as_before(m) ? 0 : p.solver->judgements();
  }
  if (p.factored && p.judgements == p.solver->judgements() && p.factorisations == p.solver->factorisations())
    return true;
  ++version_;
  const bool ok = p.solver->factor(rows, m);
  p.factored = ok && constant_;
  p.judgements = p.solver->judgements();
  p.factorisations = p.solver->factorisations();
  return ok;
}

bool RowFactors::is_as_before(int m) const {
  for (int i = 0; i < m; ++i)
    if (is_redundant(i) != (before_[static_cast<std::size_t>(i)] != 0)) return false;
  return true;
}

bool RowFactors::factor_here(const math::SaddleRow* rows, int m, double tolerance, int loose_from, double loose) {
  if (judgement_here_ == 0)
    for (int i = 0; i < m; ++i) before_[static_cast<std::size_t>(i)] = is_redundant(i) ? 1 : 0;
  tolerance_here_ = tolerance;
  loose_from_here_ = loose_from;
  loose_here_ = loose;
  judgement_here_ = 0;
  find_redundant(rows, m, tolerance, loose_from, loose);
  const bool ok = factor(rows, m);
  judgement_here_ = now_->solver->judgements();
  return ok;
}

}  // namespace hstar
