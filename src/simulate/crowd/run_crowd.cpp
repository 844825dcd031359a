// src/simulate/crowd/run_crowd.cpp
#include "simulate/crowd/run_crowd.hpp"

#include <utility>

#include "hstar/profile.hpp"
#include "hstar/simulate/ledger.hpp"
#include "hstar/stop.hpp"
#include "mechanism/short_number.hpp"
#include "simulate/crowd/balance.hpp"
#include "simulate/crowd/cluster_impact.hpp"
#include "simulate/crowd/crowd_flow.hpp"
#include "transition/books.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

using namespace crowd;

class CrowdRun {
 public:
  CrowdRun(const ModelCrowd& model, MechanismProcess& bodies, std::span<double> y, const LoopOptions& options,
           bool energy_error, LoopObserver* observer, RunCounters& counters)
      : model_(model),
        bodies_(bodies),
        options_(options),
        energy_error_(energy_error),
        watch_(observer ? *observer : nobody_),
        observed_(observer != nullptr),
        counters_(counters),
        ledger_(watch_, observed_, bodies, options),
        crowd_(model.crowd(), options.t_start, options.max_events_per_instant),
        flow_(crowd_, bodies.system()),
        balance_(crowd_, options.t_start),
        y_(y),
        t_(options.t_start) {}

  RunOutcome run() {
    const Settled settled = bodies_.start(t_, y_, ledger_);  // (of no contact: their rows are read from it)
    if (settled.then == Settled::Then::fail) return end(settled.status, settled.message);
    if (observed_) watch_.segment_begin(t_, y_);
    if (const auto halt = crowd_.look_at_start()) return ends_by(*halt);
    while (const auto due = crowd_.next(options_.flow.t_end)) {
      if (observed_ && watch_.stop_requested()) return end(RunStatus::interrupted, "stopped on request");
      go_to(due->t);
      ++counters_.transitions;
      const bool goes_on = crowd_.strike(*due, done_);
      if (!goes_on && crowd_.halt()->why == Halt::Why::cluster) {
        if (std::optional<RunOutcome> ended = strike_together(*due)) return *std::move(ended);
        continue;
      }
      if (!goes_on && !crowd_.halt()->after_impact()) return ends_by(*crowd_.halt());
      if (goes_on || !done_.grazes()) tell(*due);
      balance_.add(*due, done_);
      if (std::string open = Books::complaint(done_.books); !open.empty())
        return end(RunStatus::unbalanced_event, "the books of the impact of \"" + name(*due) +
                                                    "\" at t = " + short_number(t_, 12) + " s do not close: " + open);
      if (done_.gain > 0 && energy_error_)
        return end(RunStatus::no_consistent_mode, "at t = " + short_number(t_) + " s the impact law gains " +
                                                      short_number(done_.gain, 3) +
                                                      " J of energy, and impact_energy = \"error\"");
      if (!goes_on) return ends_by(*crowd_.halt());
      if (has_told_all()) return ends_as_asked();
    }
    if (stop_requested()) return end(RunStatus::interrupted, "stopped on request");
    go_to(options_.flow.t_end);
    return end(RunStatus::reached_end, "");
  }

  [[nodiscard]] std::string told() const { return balance_.told(crowd_, t_); }

 private:
  void go_to(double t) {
    if (observed_ && t > t_) {
      flow_.set(t_, t);
      watch_.step(flow_, t);
    }
    t_ = std::max(t_, t);
  }

  RunOutcome end(RunStatus status, std::string message) {
    flow_.write(t_, y_);
    if (observed_) watch_.segment_end(t_, y_);
    counters_.flow = flow_.counters();
    counters_.flow.restarts = counters_.transitions + 1;
    counters_.events = ledger_.events();
    RunOutcome outcome = ledger_.outcome(status, t_, std::move(message));
    outcome.mode = "open";
    return outcome;
  }

  [[nodiscard]] std::string name(const Due& due) const {
    return due.wall ? model_.name_of_wall(due.wall->contact) : model_.name_of_pair(due.first, due.second);
  }

  /// Several contacts at one instant, by the mechanism that they are. None: the run goes on.
  std::optional<RunOutcome> strike_together(const Due& due) {
    const Halt halt = *crowd_.halt();
    const std::optional<Cluster> cluster = crowd_.cluster(due);
    if (!cluster) return ends_by(*crowd_.halt());
    ClusterImpact impact = strike_cluster(model_, crowd_.discs(), *cluster);
    if (impact.settled.then == Settled::Then::fail) return end(impact.settled.status, impact.settled.message);
    if (ledger_.wanted())
      for (EventRecord& line : impact.events) ledger_.tell(line);
    balance_.add(impact.loss, impact.from_walls);
    const bool goes_on = crowd_.go_on(*cluster, impact.after);
    if (!impact.stays.empty()) return ends_by({Halt::Why::rests, halt.disc, halt.other, halt.contact, {}});
    if (!goes_on) return ends_by(*crowd_.halt());
    if (has_told_all()) return ends_as_asked();
    return std::nullopt;
  }

  [[nodiscard]] bool has_told_all() const {
    return options_.stop_after_events != 0 && ledger_.counted() >= options_.stop_after_events;
  }
  RunOutcome ends_as_asked() {
    return end(RunStatus::stopped_after_events,
               "stopped after " + std::to_string(ledger_.counted()) + " events as asked");
  }

  void tell(const Due& due) {
    if (!ledger_.wanted()) return;
    EventRecord& r = record_;
    r.t = r.t_lo = r.t_hi = due.t;
    r.kind = done_.grazes() ? "graze" : "impact";
    r.optional = done_.grazes();
    r.element = name(due);
    if (ledger_.wants_words()) {
      r.dt_error = done_.time_error;
      r.t_lo = due.t - r.dt_error;
      r.t_hi = due.t + r.dt_error;
      r.mode_before = r.mode_after = r.system_mode_before = r.system_mode_after = "open";
      r.gap_velocity_before = done_.before[0];
      r.gap_velocity_after = done_.after[0];
      r.impulse_n = done_.normal;
      r.impulse_t = done_.tangential;
      r.energy_loss = done_.loss;
      r.books = done_.books;
      r.note.clear();
      if (model_.crowd().laws[due.law].rubs && !done_.grazes())
        r.note = done_.sticks ? "sticks during impact" : "slips during impact";
      if (done_.gain > 0)
        r.note += std::string(r.note.empty() ? "" : "; ") + "gains energy: the law creates " +
                  short_number(done_.gain, 3) + " J";
    }
    ledger_.tell(r);
  }

  [[nodiscard]] std::string where(const Halt& halt) const {
    const std::string& disc = model_.body(halt.disc).name;
    const std::string contact = halt.other >= 0     ? model_.name_of_pair(halt.disc, halt.other)
                                : halt.contact >= 0 ? model_.name_of_wall(halt.contact)
                                                    : std::string();
    return (contact.empty() ? "" : "contact \"" + contact + "\" of ") + "body \"" + disc +
           "\" at t = " + short_number(t_, 12) + " s";
  }

  RunOutcome ends_by(const Halt& halt) {
    const std::string place = where(halt);
    // (Who comes to rest on others is followed where contacts are written out.)
    static constexpr const char* remedy =
        "; a crowd goes on only while bodies fly: `islands = false` in [simulation] follows "
        "what "
        "stays in contact, for up to 1e6 pairs";
    switch (halt.why) {
      case Halt::Why::overlap:
        return end(RunStatus::penetration, place + ": its bodies are inside each other");
      case Halt::Why::rests:
        return end(RunStatus::accumulation, place + ": it does not part again: the body comes to rest" + remedy);
      case Halt::Why::accumulates:
        return end(RunStatus::accumulation, place + ": more than " + std::to_string(options_.max_events_per_instant) +
                                                " impacts at one instant: they accumulate" + remedy);
      case Halt::Why::cluster:  // (strike_together)
      case Halt::Why::no_answer:
        break;
    }
    return end(RunStatus::no_consistent_mode, place + ": its impact_law: " + halt.text);
  }

  const ModelCrowd& model_;
  MechanismProcess& bodies_;
  const LoopOptions& options_;
  bool energy_error_;
  LoopObserver nobody_;
  LoopObserver& watch_;
  bool observed_;
  RunCounters& counters_;
  Ledger ledger_;
  Crowd crowd_;
  CrowdFlow flow_;
  RunBalance balance_;
  std::span<double> y_;
  double t_;
  Struck done_;
  EventRecord record_;
};

}  // namespace

std::unique_ptr<ModelCrowd> crowd_to_run(const ModelSpec& model, std::string& why) {
  if (model.pairs.empty()) return nullptr;
  std::unique_ptr<ModelCrowd> crowd = ModelCrowd::read(model, why);
  if (!crowd || !crowd->comes_to_rest()) return crowd;
  // What lies is followed where all contacts are written out, if they can be.
  double all = 0;
  for (const PairsSpec& pairs : model.pairs) all += pairs.number();
  if (all <= most_contacts_of_pairs) return nullptr;
  return crowd;
}

RunOutcome run_crowd(const ModelCrowd& model, MechanismProcess& bodies, std::span<double> y, const LoopOptions& options,
                     bool energy_error, LoopObserver* observer, RunCounters& counters,
                     std::vector<std::string>& notices) {
  const StopScope scope([observer] { return observer != nullptr && observer->stop_requested(); });
  if (ProfileScope::wanted() != nullptr) notices.emplace_back("--profile tells nothing of a crowd");
  CrowdRun run(model, bodies, y, options, energy_error, observer, counters);
  RunOutcome outcome = run.run();
  notices.push_back(run.told());
  return outcome;
}

}  // namespace hstar
