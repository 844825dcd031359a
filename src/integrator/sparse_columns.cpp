// src/integrator/sparse_columns.cpp
#include "integrator/sparse_columns.hpp"

namespace hstar::integrator {
namespace {

/// Counting sort by `key` in 0..n-1, which keeps the order of equals.
void deal(const DaeEntries& from, DaeEntries& to, int n, int DaeEntry::*key, std::vector<std::size_t>& place) {
  place.assign(static_cast<std::size_t>(n) + 1, 0);
  for (const DaeEntry& e : from) ++place[static_cast<std::size_t>(e.*key) + 1];
  for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
  to.resize(from.size());
  for (const DaeEntry& e : from) to[place[e.*key]++] = e;
}

}  // namespace

void SparseColumns::clear(int n) {
  if (n != n_) {
    n_ = n;
    changed_ = true;
    start_.assign(static_cast<std::size_t>(n) + 1, 0);
    row_.clear();
    column_of_.clear();
    value_.clear();
    trail_.clear();
  }
  std::fill(value_.begin(), value_.end(), 0.0);
  new_.clear();
  next_ = 0;
}

void SparseColumns::add_elsewhere(const DaeEntry& entry) {
  const auto column = static_cast<std::size_t>(entry.column);
  const auto begin = row_.begin() + start_[column], end = row_.begin() + start_[column + 1];
  const auto found = std::lower_bound(begin, end, entry.row);
  if (found == end || *found != entry.row) {
    new_.push_back(entry);
  } else {
    const auto p = static_cast<int>(found - row_.begin());
    value_[p] += entry.value;
    if (next_ < trail_.size())
      trail_[next_] = p;
    else
      trail_.push_back(p);
    ++next_;
  }
}

bool SparseColumns::finish() {
  const bool changed = changed_ || !new_.empty();
  changed_ = false;
  if (new_.empty()) return changed;
  const std::size_t added = next_ + new_.size();
  for (std::size_t p = 0; p < row_.size(); ++p) new_.push_back({row_[p], column_of_[p], value_[p]});
  deal(new_, dealt_, n_, &DaeEntry::row, place_);
  deal(dealt_, new_, n_, &DaeEntry::column, place_);
  row_.clear();
  column_of_.clear();
  value_.clear();
  std::fill(start_.begin(), start_.end(), 0);
  for (const DaeEntry& e : new_) {
    if (!row_.empty() && row_.back() == e.row && column_of_.back() == e.column) {
      value_.back() += e.value;
    } else {
      row_.push_back(e.row);
      column_of_.push_back(e.column);
      value_.push_back(e.value);
      ++start_[static_cast<std::size_t>(e.column) + 1];
    }
  }
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  trail_.clear();
  trail_.reserve(added);
  return true;
}

}  // namespace hstar::integrator
