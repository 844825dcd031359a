// src/contact/skim.hpp
//
// Contacts that only their viscous friction keeps on their surface. That friction is there while the contact is closed,
// whatever its load. Where it takes away more than the whole load, and the contact would be pressed again without it,
// neither "closed" nor "open" satisfies the laws: with N = 0 the contact then has the part of its viscous friction
// that leaves its normal acceleration zero. It is the limit of friction that begins with the load, c gamma_T for N >
// N_0 and c gamma_T N / N_0 below, for N_0 -> 0: a sliding mode of the discontinuous law (Filippov 1988).
#pragma once

#include <vector>

#include "contact/problem.hpp"
#include "contact/share.hpp"

namespace hstar::contact {

class Skim {
 public:
  explicit Skim(Solver& solver) : solver_(solver) {}

  /// Whether viscous friction acts at a contact of the problem.
  [[nodiscard]] static bool may(const Problem& p);
  /// For a problem that has no answer otherwise. Each contact takes part with all of its viscous friction where it
  /// presses then, with none where it is open without, else with the part between that leaves it neither load nor rate;
  /// one after the other until that holds for all. False: not found, or forces are redundant, which is not supported.
  /// Cost: some ten solutions a contact. Allocates.
  bool find(const Problem& p);
  /// The last one found, of the solver too. Contacts that skim are loaded in the status, and are no ties in the answer.
  [[nodiscard]] const Answer& answer() const { return answer_; }
  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] bool skims(int contact) const { return skims_[contact] != 0; }
  /// What it was an answer to: parts of viscous friction are among its known forces.
  [[nodiscard]] const Problem& problem() const { return trial_; }

 private:
  /// With viscous friction at its shares among the known forces. False: no answer.
  bool solve(const Problem& p);
  /// Its force, or less than zero by the force that would bring it back to its surface.
  [[nodiscard]] double presses(const Problem& p, int contact) const;
  bool find_share(const Problem& p, int contact);

  Solver& solver_;
  Answer answer_;
  Status status_;
  Problem trial_;
  std::vector<double> share_, known_;  ///< by contact; by row
  std::vector<char> skims_;            ///< by contact
  std::vector<int> dragged_;           ///< contacts with viscous friction
};

}  // namespace hstar::contact
