// src/simulate/ledger.cpp
#include "hstar/simulate/ledger.hpp"

#include <cmath>
#include <limits>

#include "hstar/stop.hpp"
#include "mechanism/short_number.hpp"

namespace hstar {
namespace {
std::string number(double x) { return short_number(x, 12); }

/// No run gets through so many events: at a microsecond each they take hours, and their ledger fills any disk.
constexpr double most_in_a_run = 1e9;
/// Events by which their rate is measured, in those allowed at one instant: far longer than an accumulation, which
/// falls below the resolution of time after a few hundred.
constexpr std::size_t row_of_instants = 100;
/// And so close together that time itself has fewer than this many steps of its round-off between them: a machine that
/// runs fast for long is none of these.
constexpr double few_round_offs = 0x1p20;
}  // namespace

Ledger::Ledger(LoopObserver& observer, bool listening, HybridProcess& process, const LoopOptions& options)
    : observer_(observer),
      process_(process),
      // Counting to stop_after_events needs the records even when nobody looks at them.
      wanted_((listening && observer.wants_events()) || options.stop_after_events != 0),
      most_at_instant_(options.max_events_per_instant),
      t_last_(-std::numeric_limits<double>::infinity()),
      t_end_(options.flow.t_end),
      y_(process.size()) {}

void Ledger::tell(EventRecord& record) {
  record.index = ++events_;
  counted_ += !record.optional;
  last_kind_ = record.kind;
  last_element_ = record.element;
  last_t_ = record.t;
  observer_.event(record);
}

void Ledger::passive(const events::Root& root, Flow& flow) {
  if (!wanted_) return;
  flow.at(std::clamp(root.t, flow.t0(), flow.t1()), y_);
  process_.passive(root, y_, *this);
}

bool Ledger::piles_up(double t, std::span<const events::Root> fired) {
  const double gap = t - t_last_;
  const double resolution = one_instant * std::abs(t);
  at_instant_ = gap <= resolution ? at_instant_ + 1 : 1;
  if (gap > resolution && std::isfinite(gap)) intervals_.add(t, gap);
  t_last_ = t;
  follow_row(t);
  if (at_instant_ <= most_at_instant_ && !row_.endless) return false;
  if (!fired.empty()) last_guard_ = process_.info(fired.front().guard).name;
  return true;
}

void Ledger::follow_row(double t) {
  if (row_.events == 0) row_.begin = t;
  if (row_.events++ < row_of_instants * most_at_instant_) return;
  const auto events = static_cast<double>(row_.events - 1);
  row_.end = t;
  const double each = (t - row_.begin) / events;
  row_.endless =
      t_end_ - t > most_in_a_run * each && each < few_round_offs * std::numeric_limits<double>::epsilon() * std::abs(t);
  row_.events = 0;
}

RunStatus Ledger::pile_up_status() const {
  return intervals_.limit().recognised ? RunStatus::accumulation : RunStatus::event_pile_up;
}

std::string Ledger::pile_up_message() const {
  const auto limit = intervals_.limit();
  if (limit.recognised)
    return "events of \"" + last_element_ + "\" accumulate at t = " + number(limit.t_limit) + " s (interval ratio " +
           number(limit.ratio) + "): the model does not say how the motion goes on after infinitely many events; " +
           "give the guard `terminal = true`, or model the contact with bodies";
  if (row_.endless)
    return std::to_string(row_of_instants * most_at_instant_) + " events in a row, the last of \"" + last_element_ +
           "\", have taken " + number(row_.end - row_.begin) + " s up to t = " + number(row_.end) +
           " s: at that rate more than " + number(most_in_a_run) +
           " come before the end (a reset that hardly leaves its guard?)";
  return "more than " + std::to_string(most_at_instant_) + " events of \"" +
         (last_guard_.empty() ? last_element_ : last_guard_) + "\" at t = " + number(t_last_) +
         " s without time passing; two modes switch into each other (a reset that does not leave its guard?)";
}

RunStatus Ledger::status_of(StepResult result) {
  return result == StepResult::not_finite ? RunStatus::not_finite : RunStatus::step_underflow;
}

std::string Ledger::explain(StepResult result, double t, const std::string& remark) {
  return "the step from t = " + number(t) + " s failed: " + std::string(describe(result)) +
         (remark.empty() ? "" : " There " + remark + ".");
}

std::string Ledger::explain(events::LookStatus status, double t) {
  return "on the step from t = " + number(t) + " s " +
         (status == events::LookStatus::guards_failed
              ? "a guard cannot be evaluated (NaN, infinity or a singular system)"
              : "a guard changes too irregularly to tell its zeros; a smaller max_step may help");
}

RunOutcome Ledger::outcome(RunStatus status, double t, std::string message) const {
  RunOutcome outcome;
  outcome.status = status;
  outcome.t = t;
  outcome.mode = process_.mode_text();
  if (!last_kind_.empty())
    outcome.last_event = last_kind_ + " of " + last_element_ + " at t = " + number(last_t_) + " s";
  outcome.message = std::move(message);
  // What gave up because it was asked to is no failure of its own, and no success: rows may be missing.
  if (stop_requested()) {
    outcome.status = RunStatus::interrupted;
    outcome.message = "stopped on request";
  }
  return outcome;
}

}  // namespace hstar
