// src/transition/impact/last_answers.hpp
//
// What the elements of impacts did last. Where contacts chatter, one strikes with a few sets of others in turn, and
// each set does what it did before: a guess for the next problem, which is judged by all laws like any other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "contact/problem.hpp"

namespace hstar {

/// What the contacts and units of a problem are called by whoever states it.
struct ElementNames {
  std::span<const int> contacts, units;
};

class LastAnswers {
 public:
  /// Of these elements, when `struck` approached fastest; null: not known, or forgotten. Until the next keep().
  [[nodiscard]] const contact::Status* find(int struck, const ElementNames& names) const;
  void keep(int struck, const ElementNames& names, const contact::Status& status);
  void forget() { by_contact_.clear(); }

 private:
  struct Set {
    std::vector<int> contacts, units;
    contact::Status status;
    [[nodiscard]] bool is(const ElementNames& names) const;
  };
  struct Sets {
    std::vector<Set> last;
    std::size_t oldest = 0;
  };
  std::vector<Sets> by_contact_;
};

}  // namespace hstar
