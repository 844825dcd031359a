// src/transition/ledger_lines.cpp
#include "transition/ledger_lines.hpp"

#include <algorithm>
#include <utility>

#include "mechanism/short_number.hpp"

namespace hstar {

LedgerLines::LedgerLines(ModeEquations& equations, const MechanismGuards& guards, const Mode& before, const Mode& now)
    : system_(equations.system()), equations_(equations), guards_(guards), before_(before), now_(now) {}

EventRecord LedgerLines::line(double t, const events::Root* root, std::string kind, std::string element,
                              std::span<const double> y_before, std::span<const double> y_after) const {
  EventRecord r;
  r.t = t;
  r.t_lo = root ? root->t_lo : t;
  r.t_hi = root ? root->t_hi : t;
  r.dt_error = root ? root->dt_error : 0.0;
  r.kind = std::move(kind);
  r.element = std::move(element);
  r.y_before.assign(y_before.begin(), y_before.end());
  r.y_after.assign(y_after.begin(), y_after.end());
  if (system_.has_own_axes()) {
    system_.as_written(r.y_before.data());
    system_.as_written(r.y_after.data());
  }
  return r;
}

EventRecord LedgerLines::line_in_mode(double t, const events::Root* root, std::string kind, std::string element,
                                      std::span<const double> y_before, std::span<const double> y_after) const {
  EventRecord r = line(t, root, std::move(kind), std::move(element), y_before, y_after);
  r.system_mode_before = r.system_mode_after = mode_text(system_, now_);
  return r;
}

std::string LedgerLines::element_mode(const Mode& mode, const WatchRef& ref) const {
  if (ref.what == Watch::user || ref.what == Watch::room || ref.what == Watch::regularity ||
      ref.what == Watch::branch || ref.what == Watch::branch_upper)
    return {};
  if (ref.what == Watch::gap || ref.what == Watch::normal_force || ref.what == Watch::range || ref.what == Watch::flush)
    return contact_mode_text(system_, mode, ref.index);
  const FrictionUnit& u = system_.frictions[ref.index];
  return u.contact >= 0 ? contact_mode_text(system_, mode, u.contact) : friction_mode_text(system_, mode, ref.index);
}

void LedgerLines::keep(EventRecord record, int contact) {
  record.system_mode_before = mode_text(system_, before_);
  kept_.push_back({std::move(record), contact});
}

int LedgerLines::last_contact() const {
  const auto of_contact = [](const Kept& kept) { return kept.contact >= 0; };
  const auto last = std::find_if(kept_.rbegin(), kept_.rend(), of_contact);
  return last == kept_.rend() ? -1 : last->contact;
}

void LedgerLines::keep_stops(double t, const Mode& shown, std::span<const double> y) {
  for (std::size_t u = 0; u < shown.friction.size(); ++u) {
    if (shown.friction[u].slide != Slide::slip || now_.friction[u].slide != Slide::stick) continue;
    const WatchRef ref{Watch::slide_stops, static_cast<int>(u)};
    EventRecord stop = line(t, nullptr, "stick", unit_name(system_, ref.index), y, y);
    stop.mode_before = element_mode(shown, ref);
    stop.mode_after = element_mode(now_, ref);
    keep(std::move(stop), -1);
  }
}

void LedgerLines::tell_modes() {
  for (auto& [record, contact] : kept_)
    if (record.mode_after.empty() && contact >= 0) record.mode_after = contact_mode_text(system_, now_, contact);
}

void LedgerLines::set_books(const EventBooks& books) {
  for (Kept& kept : kept_) kept.record.books = books;
}

std::string LedgerLines::left_by_impact() const {
  std::string text;
  const auto tell = [&](const std::string& element, const WatchRef& ref) {
    const std::string before = element_mode(before_, ref), after = element_mode(now_, ref);
    if (after == before) return;
    for (const auto& [record, contact] : kept_)
      if (record.element == element && (record.mode_after.empty() || record.mode_after == after)) return;
    text += (text.empty() ? "leaves " : ", ") + element + ": " + before + " -> " + after;
  };
  for (std::size_t u = 0; u < system_.frictions.size(); ++u)
    if (system_.frictions[u].joint >= 0)
      tell(unit_name(system_, static_cast<int>(u)), {Watch::slide_stops, static_cast<int>(u)});
  for (std::size_t c = 0; c < system_.contacts.size(); ++c)
    tell(system_.contacts[c]->name, {Watch::gap, static_cast<int>(c)});
  return text;
}

void LedgerLines::flush(std::span<const double> y, EventLog& log) {
  if (kept_.empty()) return;
  const std::string left = left_by_impact();
  tell_modes();
  EventRecord& last = kept_.back().record;
  last.y_after.assign(y.begin(), y.end());
  for (const std::string& more : {remark_, left})
    if (!more.empty()) last.note += (last.note.empty() ? "" : "; ") + more;
  for (auto& [record, contact] : kept_) {
    record.system_mode_after = mode_text(system_, now_);
    log.add(std::move(record));
  }
  kept_.clear();
}

bool LedgerLines::touches_by_another_part(std::size_t contact) const {
  const auto& contacts = system_.contacts;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (c != contact && now_.closed[c] && contacts[c]->group >= 0 && contacts[c]->group == contacts[contact]->group)
      return true;
  return false;
}

bool LedgerLines::is_told(const events::Root& root) const {
  const WatchRef ref = guards_.ref(root.guard);
  // A friction guard that touches its bound without crossing changes nothing and is not an event of the ledger.
  // The end of an edge on which a disc rolls comes to touch it, but the surfaces touch already.
  return ref.what == Watch::user ||
         (ref.what == Watch::gap && !touches_by_another_part(static_cast<std::size_t>(ref.index)));
}

void LedgerLines::tell_passive(const events::Root& root, std::span<const double> y, EventLog& log) const {
  const WatchRef ref = guards_.ref(root.guard);
  const bool user = ref.what == Watch::user;
  std::string kind = root.direction > 0 ? "guard_up" : "guard_down";
  if (user && !system_.guards[ref.index].spec.kind.empty()) kind = system_.guards[ref.index].spec.kind;
  if (root.direction == 0) kind = "graze";
  EventRecord r = line_in_mode(root.t, &root, std::move(kind),
                               user ? system_.guards[ref.index].spec.name : system_.contacts[ref.index]->name, y, y);
  r.optional = true;
  r.mode_before = r.mode_after = element_mode(now_, ref);
  log.add(std::move(r));
}

void LedgerLines::tell(const Changes& changes, EventLog& log) {
  const System& s = system_;
  const Mode &before = changes.before, &after = now_;
  const std::span<const events::Root> fired = changes.fired;
  const events::Root* root = nullptr;
  std::string kind, element;
  int unit = -1, contact = -1;
  const auto slide_kind = [&](std::size_t u) -> std::string {
    const FrictionMode &b = before.friction[u], &a = after.friction[u];
    if (b.slide == Slide::slip && a.slide == Slide::stick) return "stick";
    if (b.slide == Slide::stick && a.slide == Slide::slip) return "slip";
    // (A unit with several directions has no sign: it stopped and slides on.)
    if (b.slide == Slide::slip && a.slide == Slide::slip &&
        (a.direction != b.direction || changes.problem.units[u].reversed ||
         (s.frictions[u].directions > 1 && changes.problem.units[u].at_zero)))
      return "reversal";
    return {};
  };
  if (!changes.impact)
    for (const events::Root& r : fired) {
      const WatchRef ref = guards_.ref(r.guard);
      const auto i = static_cast<std::size_t>(ref.index);
      std::string word;
      switch (ref.what) {
        case Watch::slide_stops:
        case Watch::stick_upper:
        case Watch::stick_lower:
          word = slide_kind(i);
          break;
        case Watch::side:
          word = "normal_sign";
          break;
        case Watch::normal_force:
          word = after.closed[i] ? "" : "liftoff";
          break;
        case Watch::gap:
          word = after.closed[i] ? "touch" : s.contacts[i]->has_range() || changes.silent[i] ? "" : "graze";
          break;
        case Watch::range:
          word = !before.closed[i] != !after.closed[i] ? "vertex" : "";
          break;
        default:
          break;
      }
      // (Of several that fire together the first in the model: which is found first is round-off.)
      const bool normal = ref.what == Watch::normal_force || ref.what == Watch::gap || ref.what == Watch::range;
      if (word.empty() || (root && (normal != (contact >= 0) || ref.index >= (normal ? contact : unit)))) continue;
      root = &r;
      kind = word;
      (normal ? contact : unit) = ref.index;
      element = normal ? s.contacts[i]->name : unit_name(s, ref.index);
    }
  std::string also;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const std::string word = slide_kind(u);
    if (word.empty() || unit_name(s, static_cast<int>(u)) == element) continue;
    if (kind.empty() && !changes.impact) {  // the fired element stayed as it was, another changed
      kind = word;
      element = unit_name(s, static_cast<int>(u));
      unit = static_cast<int>(u);
      root = fired.empty() ? nullptr : &fired.front();
      continue;
    }
    also += (also.empty() ? "also " : ", ") + unit_name(s, static_cast<int>(u)) + ": " + word;
  }
  for (std::size_t c = 0; c < s.contacts.size() && kind != "vertex" && !changes.impact; ++c) {
    if (!before.closed[c] || after.closed[c] || s.contacts[c]->name == element) continue;
    if (kind.empty()) {  // no guard has told it: its surface has been moved away
      kind = "liftoff";
      element = s.contacts[c]->name;
      contact = static_cast<int>(c);
      root = fired.empty() ? nullptr : &fired.front();
      continue;
    }
    also += (also.empty() ? "also " : ", ") + s.contacts[c]->name + ": liftoff";
  }
  if (kind.empty()) return;
  const bool optional = kind == "normal_sign" || kind == "graze";
  if (!log.wants_words()) {
    EventRecord r;
    r.t = changes.t;
    r.kind = std::move(kind);
    r.element = std::move(element);
    r.optional = optional;
    log.add(std::move(r));
    return;
  }
  auto r = line(changes.t, root, kind, element, changes.y_before, changes.y_after);
  r.optional = optional;
  if (unit >= 0) {
    const WatchRef ref{Watch::slide_stops, unit};
    r.mode_before = element_mode(before, ref);
    r.mode_after = element_mode(after, ref);
    const auto speed = [&](std::span<const double> y) {
      equations_.motion.evaluate(changes.t, y.data());
      return equations_.motion.sliding(unit);
    };
    r.gap_velocity_before = speed(changes.y_before);
    r.gap_velocity_after = speed(changes.y_after);
  } else if (contact >= 0) {
    const WatchRef ref{Watch::gap, contact};
    r.mode_before = element_mode(before, ref);
    r.mode_after = element_mode(after, ref);
  }
  r.system_mode_before = mode_text(s, before);
  r.system_mode_after = mode_text(s, after);
  r.note = also;
  if (changes.choice.consistent > 1)
    r.note += (also.empty() ? "" : "; ") + std::to_string(changes.choice.consistent) +
              " consistent modes, the one with most sticking taken";
  if (changes.choice.undecided > 1)
    r.note += (r.note.empty() ? "" : "; ") + std::string("residual ") + short_number(changes.choice.residual);
  if (!remark_.empty()) r.note += (r.note.empty() ? "" : "; ") + remark_;
  log.add(std::move(r));
}

}  // namespace hstar
