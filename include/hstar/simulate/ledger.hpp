// include/hstar/simulate/ledger.hpp: numbers the events of a run, recognises a pile-up, and words the outcome.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "hstar/events/accumulation.hpp"
#include "hstar/hybrid.hpp"

namespace hstar {

/// Of a time: events closer than so many round-offs are at one instant. A time that a root was found at carries a few.
constexpr double one_instant = 16 * std::numeric_limits<double>::epsilon();

class Ledger final : public EventLog {
 public:
  Ledger(LoopObserver& observer, bool listening, HybridProcess& process, const LoopOptions& options);

  [[nodiscard]] bool wanted() const override { return wanted_; }
  [[nodiscard]] bool wants_words() const override { return wanted_ && observer_.wants_words(); }
  [[nodiscard]] bool wants_switches() const override { return wanted_ && observer_.wants_switches(); }
  void add(EventRecord record) override { tell(record); }
  /// The same; the record gets its number.
  void tell(EventRecord& record);
  void passive(const events::Root& root, Flow& flow);

  [[nodiscard]] std::size_t events() const { return events_; }
  [[nodiscard]] std::size_t counted() const { return counted_; }  ///< events that are not optional

  /// Call after each transition at t: true when more events than allowed came at one instant, or so close together for
  /// so long that no run could reach its end. `fired`: what led to it (not every transition is told).
  bool piles_up(double t, std::span<const events::Root> fired = {});
  [[nodiscard]] RunStatus pile_up_status() const;
  [[nodiscard]] std::string pile_up_message() const;

  [[nodiscard]] static RunStatus status_of(StepResult result);
  [[nodiscard]] static std::string explain(StepResult result, double t, const std::string& remark);
  [[nodiscard]] static std::string explain(events::LookStatus status, double t);
  [[nodiscard]] RunOutcome outcome(RunStatus status, double t, std::string message) const;

 private:
  /// The last events of a run, if as many were in a row and so close that the end is out of reach.
  struct Row {
    std::size_t events = 0;
    double begin = 0, end = 0;
    bool endless = false;
  };
  void follow_row(double t);

  LoopObserver& observer_;
  HybridProcess& process_;
  bool wanted_;
  std::size_t events_ = 0, counted_ = 0, at_instant_ = 0, most_at_instant_;
  double t_last_, t_end_;
  Row row_;
  events::Accumulation intervals_;
  std::vector<double> y_;
  std::string last_kind_, last_element_, last_guard_;
  double last_t_ = 0;
};

}  // namespace hstar
