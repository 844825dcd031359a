// src/transition/impact/last_answers.cpp
#include "transition/impact/last_answers.hpp"

#include <algorithm>

namespace hstar {
namespace {
/// Sets that are known of a contact: one that chatters strikes with two to four in turn.
constexpr std::size_t most_sets = 8;
}  // namespace

bool LastAnswers::Set::is(const ElementNames& names) const {
  return std::ranges::equal(contacts, names.contacts) && std::ranges::equal(units, names.units);
}

const contact::Status* LastAnswers::find(int struck, const ElementNames& names) const {
  const auto at = static_cast<std::size_t>(struck);
  if (at >= by_contact_.size()) return nullptr;
  const std::vector<Set>& sets = by_contact_[at].last;
  const auto known = std::ranges::find_if(sets, [&](const Set& set) { return set.is(names); });
  return known == sets.end() ? nullptr : &known->status;
}

void LastAnswers::keep(int struck, const ElementNames& names, const contact::Status& status) {
  const auto at = static_cast<std::size_t>(struck);
  if (at >= by_contact_.size()) by_contact_.resize(at + 1);
  Sets& sets = by_contact_[at];
  const auto known = std::ranges::find_if(sets.last, [&](const Set& set) { return set.is(names); });
  if (known != sets.last.end()) {
    known->status = status;
    return;
  }
  if (sets.last.size() < most_sets) {
    sets.last.push_back(
        {{names.contacts.begin(), names.contacts.end()}, {names.units.begin(), names.units.end()}, status});
    return;
  }
  Set& set = sets.last[sets.oldest++ % most_sets];
  set.contacts.assign(names.contacts.begin(), names.contacts.end());
  set.units.assign(names.units.begin(), names.units.end());
  set.status = status;
}

}  // namespace hstar
