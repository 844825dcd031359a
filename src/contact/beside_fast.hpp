// src/contact/beside_fast.hpp
//
// A contact problem beside fast slides: what slides so much faster than anything is pressed (tolerances.hpp, `fast`)
// slides on in its direction, whatever the forces are. Without its rate, which hides theirs, they are found to their
// own digits.
#pragma once

#include "contact/problem.hpp"

namespace hstar::contact {

class BesideFast {
 public:
  /// False: nothing is that fast. Allocates only beyond the largest problem so far.
  bool state(const Problem& p);
  [[nodiscard]] const Problem& problem() const { return problem_; }

 private:
  Problem problem_;
};

}  // namespace hstar::contact
