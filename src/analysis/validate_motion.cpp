// src/analysis/validate_motion.cpp
//
// One problem of schema "truth-1": the model is run at each tolerance of accept.toml, its events are
// matched with the reference's, and event times and states are scored against what the tolerance allows.
//
// The general rule of what is allowed, with s = max(1, the file's time_sensitivity):
//   rtol >  1e-12: 100 rtol s,   rtol <= 1e-12: 1e-10 s      [seconds; states: times the state's scale]
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "analysis/validation.hpp"

namespace hstar::validation {
namespace {

constexpr double tightest = 1e-12;
constexpr double usual_window = 1e-4, widest_window = 0.1;  // [s]

double allowed_error(double rtol, double sensitivity) {
  return (rtol <= tightest ? 1e-10 : 100.0 * rtol) * std::max(1.0, sensitivity);
}

/// A reference that stops at its last event says nothing about later ones.
bool ends_at_event(const ReferenceFile& reference) {
  return !reference.events.empty() && reference.t_final - reference.events.back().t <= 0.0L;
}

/// One run and everything said about it.
struct Score {
  EventMatch match;
  double allowed_dt = 0.0, allowed_state = 0.0;
  double state_error = 0.0;  ///< largest error of a state, relative to its scale
  double result_error = 0.0;
  std::string state_place;         ///< where the largest state error is
  std::vector<std::string> wrong;  ///< what falls short, in words
  std::vector<std::string> notes;  ///< what is worth saying although it passes
};

class MotionRun {
 public:
  MotionRun(const Problem& problem, const ReferenceFile& reference, const AcceptFile& accept, const AcceptRun& run)
      : reference_(reference), accept_(accept), run_(run), path_(problem.folder + "/accept.toml") {
    const double usual = allowed_error(run.rtol, sensitivity(problem));
    score_.allowed_dt = run.time_tolerance > 0.0 ? run.time_tolerance : usual;
    score_.allowed_state = run.state_tolerance > 0.0 ? run.state_tolerance : usual;
    rules_.window = std::clamp(score_.allowed_dt, usual_window, widest_window);
    rules_.alias = accept.kinds;
    model_ = read_model(problem.folder + "/model.toml", overrides(problem));
  }

  Score take() {
    ScaleSink sink(accept_.states, model_, path_);
    result_ = hstar::run(model_, &sink);
    scale_ = sink.scale();
    judge_outcome();
    judge_events();
    judge_states();
    judge_results();
    return std::move(score_);
  }
  [[nodiscard]] const RunResult& result() const { return result_; }

 private:
  std::vector<Override> parameters() const {
    std::vector<Override> out;
    for (const auto& [name, text] : reference_.parameters) out.push_back({"parameters." + name, text});
    return out;
  }

  /// The reference's own; accept.toml may derive it where the reference gives none.
  double sensitivity(const Problem& problem) const {
    if (reference_.time_sensitivity > 0.0 || accept_.time_sensitivity.empty()) return reference_.time_sensitivity;
    const ModelSpec model = read_model(problem.folder + "/model.toml", parameters());
    const FormulaSet formula({{"time_sensitivity", accept_.time_sensitivity}}, model.parameters, {}, path_);
    return formula.values(0.0, {}).front();
  }

  /// The model runs with the reference's own parameters, to the reference's end.
  std::vector<Override> overrides(const Problem& problem) const {
    std::vector<Override> out = parameters();
    out.push_back({"simulation.rtol", fmt::format("{:.17g}", run_.rtol)});
    out.push_back({"simulation.integrator", run_.integrator});
    if (!run_.formulation.empty()) out.push_back({"simulation.formulation", run_.formulation});
    double end = static_cast<double>(reference_.t_end);
    std::size_t stop = 0;
    if (ends_at_event(reference_)) {
      // The model's own end may lie far behind; what comes after the reference's last event is not judged.
      end = std::max(end + 2.0 * rules_.window, read_model(problem.folder + "/model.toml", out).simulation.end);
      const auto optional = [](const ReferenceEvent& e) { return e.optional; };
      const auto& events = reference_.events;
      if (std::none_of(events.begin(), events.end(), optional)) stop = events.size();
    }
    out.push_back({"simulation.end", fmt::format("{:.17g}", end)});
    out.push_back({"simulation.stop_after_events", std::to_string(stop)});
    return out;
  }

  void judge_outcome() {
    // A run that ends by itself at the reference's last event has come as far as the reference.
    const bool at_last_event = ends_at_event(reference_) && result_.outcome.status == RunStatus::no_consistent_mode &&
                               !result_.events.empty() && result_.events.back().kind == reference_.events.back().kind;
    if (!result_.outcome.success() && !at_last_event)
      score_.wrong.push_back(fmt::format("the run ended at t = {:.10g} with {}: {}", result_.outcome.t,
                                         name(result_.outcome.status), result_.outcome.message));
  }

  std::string place(const std::string& element) const {
    if (accept_.where.empty()) return {};
    const auto found = accept_.where.find(element);
    return found != accept_.where.end() ? found->second : element;
  }

  void judge_events() {
    std::vector<ComputedEvent> computed;
    for (const EventRecord& e : result_.events) computed.push_back({e.t, e.kind, place(e.element)});
    score_.match = match_events(reference_.events, reference_.allowed, reference_.t_end, computed, rules_);
    const EventMatch& m = score_.match;
    for (const std::size_t i : m.missing) {
      const ReferenceEvent& e = reference_.events[i];
      const std::string text =
          fmt::format("missing: #{} {} {} at t = {:.15g}", e.index, e.kind, e.where, static_cast<double>(e.t));
      (admitted_missing(e) ? score_.notes : score_.wrong).push_back(text);
    }
    for (const std::size_t j : m.extra) {
      const EventRecord& e = result_.events[j];
      const std::string text = fmt::format("extra: {} of {} at t = {:.15g} {}", e.kind, e.element, e.t, e.note);
      (admitted_extra(e) ? score_.notes : score_.wrong).push_back(text);
    }
    if (m.worst_dt > score_.allowed_dt)
      score_.wrong.push_back(
          fmt::format("event #{} is off by {:.2e} s, allowed {:.2e} s", m.worst_index, m.worst_dt, score_.allowed_dt));
  }

  /// A graze in the ledger says "touched here, cannot decide": it admits a lost crossing beside it.
  bool admitted_missing(const ReferenceEvent& e) const {
    return run_.undecided && std::any_of(result_.events.begin(), result_.events.end(), [&](const EventRecord& r) {
             return r.kind == "graze" &&
                    std::abs(static_cast<long double>(r.t) - e.t) <= static_cast<long double>(rules_.window);
           });
  }
  bool admitted_extra(const EventRecord& e) const { return run_.undecided && e.kind == "graze"; }

  void judge_states() {
    const FormulaSet states(accept_.states, model_.parameters, result_.state_names, path_);
    // The order of accept.toml is free; the reference's is the order of its state_names.
    std::vector<std::size_t> order;
    for (const std::string& wanted : reference_.state_names) {
      std::size_t i = 0;
      while (i < states.size() && states.name(i) != wanted) ++i;
      if (i == states.size())
        throw InputError(Location{path_, 0, 0},
                         fmt::format("[states] lacks '{}'; say which model quantity it is", wanted));
      order.push_back(i);
    }
    for (std::size_t k = 0; k < order.size(); ++k) widen_scale(order[k], k);
    for (const EventMatch::Pair& p : score_.match.pairs) {
      const ReferenceEvent& e = reference_.events[p.reference];
      const EventRecord& r = result_.events[p.computed];
      if (e.optional) continue;
      const std::string at = fmt::format("event #{}", e.index);
      // The state before an accumulation point is a limit nobody reaches; the state after it counts.
      if (e.kind != "zeno") compare(states, order, r.t, r.y_before, e.before, at + ", before");
      compare(states, order, r.t, r.y_after, e.after, at + ", after");
    }
    if (!ends_at_event(reference_) && result_.outcome.success())
      compare(states, order, result_.outcome.t, result_.y_end, reference_.final_state, "the end");
    if (score_.state_error > score_.allowed_state)
      score_.wrong.push_back(fmt::format("state off by {:.2e} of its scale at {}, allowed {:.2e}", score_.state_error,
                                         score_.state_place, score_.allowed_state));
  }

  /// Scale of state i: its largest value in the reference or on our trajectory.
  void widen_scale(std::size_t i, std::size_t k) {
    if (scale_.size() <= i) scale_.resize(i + 1, 0.0);
    const auto use = [&](const std::vector<double>& state) {
      if (k < state.size()) scale_[i] = std::max(scale_[i], std::abs(state[k]));
    };
    use(reference_.initial);
    use(reference_.final_state);
    for (const ReferenceEvent& e : reference_.events) {
      use(e.before);
      use(e.after);
    }
  }

  void compare(const FormulaSet& states, const std::vector<std::size_t>& order, double t, const std::vector<double>& y,
               const std::vector<double>& wanted, const std::string& where) {
    if (wanted.empty() || y.size() != result_.state_names.size()) {
      if (!wanted.empty()) score_.wrong.push_back("no state recorded at " + where);
      return;
    }
    const std::vector<double> ours = states.values(t, y);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const double difference = std::abs(ours[order[k]] - wanted[k]), scale = scale_[order[k]];
      const double error = difference == 0.0 ? 0.0 : difference / scale;
      if (error > score_.state_error || std::isnan(error)) {
        score_.state_error = std::isnan(error) ? HUGE_VAL : error;
        score_.state_place = fmt::format("{} ({})", where, reference_.state_names[k]);
      }
    }
  }

  void judge_results() {
    if (accept_.results.empty()) return;
    const ExtremeColumns extremes = extreme_columns(result_);
    const FormulaSet set(accept_.results, model_.parameters, extremes.names, path_);
    const std::vector<double> ours = set.values(result_.outcome.t, extremes.values);
    for (std::size_t i = 0; i < set.size(); ++i) {
      const auto wanted = reference_.results.find(set.name(i));
      if (wanted == reference_.results.end())
        throw InputError(Location{path_, 0, 0},
                         fmt::format("[results]: the reference has no number '{}'", set.name(i)));
      const double error = std::abs(ours[i] - wanted->second) / std::max(std::abs(wanted->second), 1e-300);
      score_.result_error = std::max(score_.result_error, error);
      const std::string text = fmt::format("{} = {:.17g}, reference {:.17g}, relative error {:.1e}", set.name(i),
                                           ours[i], wanted->second, error);
      (error <= score_.allowed_state ? score_.notes : score_.wrong).push_back(text);
    }
  }

  const ReferenceFile& reference_;
  const AcceptFile& accept_;
  AcceptRun run_;
  std::string path_;
  MatchRules rules_;
  ModelSpec model_;
  RunResult result_;
  std::vector<double> scale_;
  Score score_;
};

void print_details(const ReferenceFile& reference, const Score& score, bool everything, std::ostream& out) {
  constexpr std::size_t enough = 12;
  for (std::size_t i = 0; i < score.wrong.size(); ++i) {
    if (i == enough && !everything) {
      out << fmt::format("    ... and {} more\n", score.wrong.size() - enough);
      break;
    }
    out << "    " << score.wrong[i] << '\n';
  }
  if (!everything) return;
  for (const std::string& note : score.notes) out << "    " << note << '\n';
  for (const EventMatch::Pair& p : score.match.pairs) {
    const ReferenceEvent& e = reference.events[p.reference];
    out << fmt::format("    #{:<4} {:10} {:10} t = {:<22.17g} dt = {:+.2e} s\n", e.index, e.kind, e.where,
                       static_cast<double>(e.t), p.dt);
  }
}

}  // namespace

void print_motion_header(std::ostream& out) {
  out << fmt::format("{:26} {:>6} {:12} {:>7} {:>7} {:>5} {:>8} {:>8} {:>6} {:>9} {:>8} {:>6}  {}\n", "problem", "rtol",
                     "method", "events", "missing", "extra", "|dt| s", "allowed", "digits", "state err", "allowed",
                     "digits", "verdict");
}

void validate_motion(const Problem& problem, const ReferenceFile& reference, const AcceptFile& accept, bool details,
                     std::ostream& out, Verdict& verdict) {
  for (const AcceptRun& run : accept.runs) {
    Score score;
    try {
      score = MotionRun(problem, reference, accept, run).take();
    } catch (const InputError& error) {
      score.wrong.emplace_back(error.what());
    }
    const EventMatch& m = score.match;
    const bool pass = score.wrong.empty();
    const bool undecided = pass && !m.complete();
    const char* word = undecided ? "PASS (graze)" : pass ? "PASS" : accept.bonus ? "short (bonus)" : "FAIL";
    out << fmt::format("{:26} {:6.0e} {:12} {:>7} {:7} {:5} {:8.1e} {:8.1e} {:>6} {:9.1e} {:8.1e} {:6.1f}  {}\n",
                       problem.name, run.rtol, run.integrator + (run.formulation.empty() ? "" : " " + run.formulation),
                       fmt::format("{}/{}", m.pairs.size(), reference.events.size() - m.optional_left_out),
                       m.missing.size(), m.extra.size(), m.worst_dt, score.allowed_dt,
                       m.worst_index == 0 ? "-" : fmt::format("{:.1f}", digits(m.worst_dt)), score.state_error,
                       score.allowed_state, digits(score.state_error), word);
    if (!pass || details) print_details(reference, score, details, out);
    verdict.add(pass, accept.bonus);
    out.flush();
  }
}

}  // namespace hstar::validation
