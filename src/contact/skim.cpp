// src/contact/skim.cpp
#include "contact/skim.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Of the search for one share, on a function that is linear between changes of statuses, and of rounds over contacts
/// that change each other's.
constexpr int most_steps = 60, most_rounds = 20;

bool is_dragged(const Unit& unit) {
  return unit.slides && unit.normal == Unit::Normal::contact && length(unit.further.data(), unit.directions) > 0;
}

}  // namespace

bool Skim::may(const Problem& p) { return std::any_of(p.unit.begin(), p.unit.end(), is_dragged); }

bool Skim::solve(const Problem& p) {
  trial_ = p;
  known_.assign(at(p.rows()), 0.0);
  for (Unit& unit : trial_.unit) {
    if (!is_dragged(unit)) continue;
    for (int d = 0; d < unit.directions; ++d) known_[at(unit.row + d)] = share_[at(unit.contact)] * unit.further[at(d)];
    unit.further = {};
  }
  for (int i = 0; i < p.rows(); ++i)
    for (int j = 0; j < p.rows(); ++j) trial_.c[at(i)] += p.g(i, j) * known_[at(j)];
  for (std::size_t i = 0; i < p.reaction_0.size(); ++i)
    for (std::size_t j = 0; j < known_.size(); ++j)
      trial_.reaction_0[i] += p.reaction[i * known_.size() + j] * known_[j];
  for (const int i : dragged_)  // (between the ends nothing is known to leave or to press)
    if (skims(i)) trial_.contact[at(i)].leaving = trial_.contact[at(i)].pressing = false;
  answer_ = solver_.solve(trial_);
  return answer_.found && answer_.exact && !answer_.redundant;
}

double Skim::presses(const Problem& p, int contact) const {
  const int row = p.contact[at(contact)].row;
  switch (solver_.status().contact[at(contact)]) {
    case Press::loaded:
      return solver_.force()[at(row)];
    case Press::touching:
      return -solver_.exchange().level().sink(row) / p.compliance[at(row)];
    case Press::open:
      break;
  }
  return -solver_.rate()[at(row)] / p.g(row, row);
}

bool Skim::find_share(const Problem& p, int contact) {
  double& share = share_[at(contact)];
  skims_[at(contact)] = 0;
  share = 1;
  if (!solve(p)) return false;
  if (solver_.status().contact[at(contact)] == Press::loaded) return true;
  double high = 1, off = std::min(presses(p, contact), 0.0);
  share = 0;
  if (!solve(p)) return false;
  if (solver_.status().contact[at(contact)] != Press::loaded) return true;
  double low = 0, pressed = presses(p, contact);
  // The load falls through zero between no viscous friction and all of it (regula falsi, the Illinois way).
  skims_[at(contact)] = 1;
  for (int step = 0, kept = 0; step < most_steps; ++step) {
    share = low + (high - low) * (pressed / (pressed - off));
    if (!solve(p)) return false;
    const double now = presses(p, contact);
    if (std::abs(now) <= round_off * std::max(p.force_scale, std::abs(pressed))) return true;
    const bool above = now > 0;
    (above ? low : high) = share;
    (above ? pressed : off) = now;
    if (kept == (above ? 1 : -1)) (above ? off : pressed) /= 2;
    kept = above ? 1 : -1;
  }
  return false;
}

bool Skim::find(const Problem& p) {
  share_.assign(p.contact.size(), 1.0);
  skims_.assign(p.contact.size(), 0);
  dragged_.clear();
  for (const Unit& unit : p.unit)
    if (is_dragged(unit)) dragged_.push_back(unit.contact);
  for (int round = 0; round < most_rounds; ++round) {
    bool changed = false;
    for (const int contact : dragged_) {
      const double before = share_[at(contact)];
      if (!find_share(p, contact)) return false;
      changed |= std::abs(share_[at(contact)] - before) > round_off;
    }
    if (changed && dragged_.size() > 1) continue;
    status_ = solver_.status();
    for (const int contact : dragged_) {
      if (!skims(contact)) continue;
      answer_.ties -= solver_.contact_is_tied(trial_, contact);
      status_.contact[at(contact)] = Press::loaded;
    }
    return true;
  }
  return false;
}

}  // namespace hstar::contact
