// src/contact/creep_groups.cpp
#include "contact/creep_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/tolerances.hpp"

namespace hstar::contact {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void CreepGroups::reserve(int rows) {
  part_.reserve(at(rows) * at(rows));
  tied_.reserve(at(rows));
}

void CreepGroups::find(const Problem& p, PivotedRows& rows, const std::vector<Sliding>& sliding, const Status& status) {
  rank_ = at(rows.rank());
  part_.assign(sliding.size() * rank_, 0);
  tied_.assign(rank_, 0);
  std::fill(tied_.begin(), tied_.begin() + rows.held_rank(), 1);
  for (std::size_t i = 0; i < sliding.size(); ++i) {
    const int unit = sliding[i].unit;
    for (int d = 0; status.unit[at(unit)].hold == Hold::creeping && d < p.unit[at(unit)].directions; ++d)
      find_parts(p, rows, sliding[i].row + d, part_.data() + i * rank_);
  }
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < sliding.size(); ++i) {
      if (!is_tied(i)) continue;
      for (std::size_t k = 0; k < rank_; ++k) {
        more |= part_[i * rank_ + k] > tied_[k];
        tied_[k] |= part_[i * rank_ + k];
      }
    }
  }
}

bool CreepGroups::is_tied(std::size_t unit) const {
  const auto part = part_.begin() + static_cast<std::ptrdiff_t>(unit * rank_);
  return std::inner_product(tied_.begin(), tied_.end(), part, 0) > 0;
}

void CreepGroups::find_parts(const Problem& p, PivotedRows& rows, int row, char* part) const {
  const std::vector<int>& pivots = rows.pivots();
  if (const auto place = std::find(pivots.begin(), pivots.end(), row); place != pivots.end()) {
    part[place - pivots.begin()] = 1;
    return;
  }
  const double* x = rows.combination(row);
  for (std::size_t k = 0; k < rank_; ++k)
    part[k] |= std::abs(x[k]) * std::sqrt(p.g(pivots[k], pivots[k])) > clear * std::sqrt(p.g(row, row));
}

}  // namespace hstar::contact
