// src/simulate/kept.cpp
#include "simulate/kept.hpp"

#include <algorithm>
#include <iterator>

namespace hstar {

void Kept::row(double t, std::span<const double> values) {
  ++run_.rows;
  if (t != last_t_ && run_.rows > 1) ++item_;
  last_t_ = t;
  last_row_.assign(1, t);
  last_row_.insert(last_row_.end(), values.begin(), values.end());
  if (item_ % stride_ != 0) return;
  std::vector<std::vector<double>>& rows = run_.result.rows;
  rows.push_back(std::move(last_row_));
  last_row_.clear();
  // A row that belongs to a jump waits for its other half.
  if (rows.size() > limits_.numbers / (values.size() + 1) && rows.size() > 4) thin();
}

void Kept::thin() {
  stride_ *= 2;
  std::vector<std::vector<double>>& rows = run_.result.rows;
  std::vector<double> last = rows.back();
  std::size_t item = 0;
  double before = rows.front().front();
  std::erase_if(rows, [&](const std::vector<double>& row) {
    if (row.front() != before) ++item;
    before = row.front();
    return item % 2 != 0;
  });
  if (item % 2 != 0) last_row_ = std::move(last);
}

void Kept::event(const EventRecord& event) {
  ++run_.events;
  run_.tally.add(event);
  std::vector<EventRecord>& first = run_.result.events;
  if (first.size() < limits_.events / 2) {
    first.push_back(event);
    return;
  }
  last_events_.push_back(event);
  if (last_events_.size() > limits_.events - limits_.events / 2) last_events_.pop_front();
}

void Kept::finish() {
  RunResult& result = run_.result;
  if (!last_row_.empty()) result.rows.push_back(std::move(last_row_));
  std::move(last_events_.begin(), last_events_.end(), std::back_inserter(result.events));
  if (result.events.size() < run_.events)
    result.notices.push_back("the report shows the first and the last " + std::to_string(limits_.events / 2) + " of " +
                             std::to_string(run_.events) + " events; events.csv and run.h5 have all");
  if (result.rows.size() < run_.rows)
    result.notices.push_back("of " + std::to_string(run_.rows) + " rows " + std::to_string(result.rows.size()) +
                             " stay in memory, for --plot; trajectory.csv and run.h5 have all");
}

}  // namespace hstar
