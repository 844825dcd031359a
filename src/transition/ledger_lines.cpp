// src/transition/ledger_lines.cpp: what the ledger is told: guards that change nothing, and all that changed at an
// instant.
#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"

namespace hstar {

bool MechanismProcess::touches_by_another_part(std::size_t contact) const {
  const auto& contacts = system_->contacts;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (c != contact && mode_.closed[c] && contacts[c]->group >= 0 && contacts[c]->group == contacts[contact]->group)
      return true;
  return false;
}

void MechanismProcess::passive(const events::Root& root, std::span<const double> y, EventLog& log) {
  if (!log.wanted()) return;
  const WatchRef ref = guards_.ref(root.guard);
  const bool user = ref.what == Watch::user;
  const std::string kind = root.direction == 0 ? "graze"
                           : user && !system_->guards[ref.index].spec.kind.empty()
                               ? system_->guards[ref.index].spec.kind
                           : root.direction > 0 ? "guard_up"
                                                : "guard_down";
  // A friction guard that touches its bound without crossing changes nothing and is not an event of the ledger.
  if (!user && ref.what != Watch::gap) return;
  if (!user) {
    // The end of an edge on which a disc rolls comes to touch it, but the surfaces touch already; or the bodies come to
    // lie beside each other.
    equations_.evaluate_kinematics(root.t, y.data());
    const auto contact = static_cast<std::size_t>(ref.index);
    if (touches_by_another_part(contact) || !can_strike(contact)) return;
  }
  auto r = record(root.t, &root, kind, user ? system_->guards[ref.index].spec.name : system_->contacts[ref.index]->name,
                  y, y);
  r.optional = true;
  r.mode_before = r.mode_after = element_mode(mode_, ref);
  r.system_mode_before = r.system_mode_after = mode_text();
  log.add(std::move(r));
}

void MechanismProcess::log_changes(double t, std::span<const events::Root> fired, const Mode& before,
                                   std::span<const double> y_before, std::span<const double> y_after, int consistent,
                                   EventLog& log) {
  // Everything that changes at one instant is one event: of the element whose guard fired, the others
  // are named in the note. An impact has its own record already.
  const System& s = *system_;
  const Mode& after = mode_;
  const events::Root* root = nullptr;
  std::string kind, element;
  int unit = -1, contact = -1;
  const auto slide_kind = [&](std::size_t u) -> std::string {
    const FrictionMode &b = before.friction[u], &a = after.friction[u];
    if (b.slide == Slide::slip && a.slide == Slide::stick) return "stick";
    if (b.slide == Slide::stick && a.slide == Slide::slip) return "slip";
    // (A unit with several directions has no sign: it stopped and slides on.)
    if (b.slide == Slide::slip && a.slide == Slide::slip &&
        (a.direction != b.direction || (s.frictions[u].directions > 1 && problem_.units[u].at_zero)))
      return "reversal";
    return {};
  };
  if (!impact_recorded_)
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
          word = after.closed[i] ? "touch" : ranged_[i] || unsettled_[i] ? "" : "graze";
          break;
        case Watch::range:
          word = !before.closed[i] != !after.closed[i] ? "vertex" : "";
          break;
        default:
          break;
      }
      if (word.empty()) continue;
      root = &r;
      kind = word;
      const bool normal = ref.what == Watch::normal_force || ref.what == Watch::gap || ref.what == Watch::range;
      (normal ? contact : unit) = ref.index;
      element = normal ? s.contacts[i]->name : unit_name(s, ref.index);
      break;
    }
  std::string also;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const std::string word = slide_kind(u);
    if (word.empty() || unit_name(s, static_cast<int>(u)) == element) continue;
    if (kind.empty() && !impact_recorded_) {  // the fired element stayed as it was, another changed
      kind = word;
      element = unit_name(s, static_cast<int>(u));
      unit = static_cast<int>(u);
      root = fired.empty() ? nullptr : &fired.front();
      continue;
    }
    also += (also.empty() ? "also " : ", ") + unit_name(s, static_cast<int>(u)) + ": " + word;
  }
  for (std::size_t c = 0; c < s.contacts.size() && kind != "vertex" && !impact_recorded_; ++c) {
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
  auto r = record(t, root, kind, element, y_before, y_after);
  r.optional = kind == "normal_sign" || kind == "graze";
  if (unit >= 0) {
    const WatchRef ref{Watch::slide_stops, unit};
    r.mode_before = element_mode(before, ref);
    r.mode_after = element_mode(after, ref);
    const auto speed = [&](std::span<const double> y) {
      equations_.evaluate_kinematics(t, y.data());
      const bool several = s.frictions[unit].directions > 1;
      return several ? equations_.slide_speed(unit) : equations_.slide_velocity(unit);
    };
    r.gap_velocity_before = speed(y_before);
    r.gap_velocity_after = speed(y_after);
  } else if (contact >= 0) {
    const WatchRef ref{Watch::gap, contact};
    r.mode_before = element_mode(before, ref);
    r.mode_after = element_mode(after, ref);
  }
  r.system_mode_before = hstar::mode_text(s, before);
  r.system_mode_after = mode_text();
  r.note = also;
  if (consistent > 1)
    r.note +=
        (also.empty() ? "" : "; ") + std::to_string(consistent) + " consistent modes, the one with most sticking taken";
  if (undecided_ > 1) r.note += (r.note.empty() ? "" : "; ") + std::string("residual ") + short_number(residual_);
  if (!remark_.empty()) r.note += (r.note.empty() ? "" : "; ") + remark_;
  log.add(std::move(r));
}

}  // namespace hstar
