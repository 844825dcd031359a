// src/formulation/contact_shares.hpp
//
// Forces of contacts that depend on each other while a mode lasts: those of equally stiff contacts. They come from the
// reduction and the two levels that decide the mode (contact/share.hpp), for the statuses that the mode names: deciding
// and moving cannot disagree. Cost: one more factorisation of the joints' rows, and the cube of an island's rows.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "contact/share.hpp"
#include "contact/two_level.hpp"
#include "formulation/contact_reduction.hpp"
#include "formulation/mode_equations.hpp"

namespace hstar {

class ContactShares {
 public:
  explicit ContactShares(const std::shared_ptr<const System>& system);

  /// At the last evaluated state of `of`, in the islands in which of the chosen rows of contacts and stuck units some
  /// depend on others. False: the statuses of the mode have no forces here.
  bool find(const ModeEquations& of, const Mode& mode) { return !ask(of, mode) || solve(of, mode); }
  /// There are such islands.
  [[nodiscard]] bool any() const { return any_; }

  struct OfContact {
    bool asked = false;
    double normal = 0;  ///< lambda_N
    double margin = 0;  ///< [N] loaded: lambda_N; touching: how far it is from being pressed
  };
  struct OfUnit {
    bool asked = false, creeps = false;
    bool beyond = false;                          ///< it slides at this load, though the mode holds it
    std::array<double, most_directions> force{};  ///< lambda_T; of one that slides: along its direction
    double known = 0;                             ///< of one that slides: what of it is not dry
    double holds_again = 0;                       ///< [N] creeping: how far from being held by itself
    double slips = 0;                             ///< [N] creeping: how far from sliding; negative beyond
  };
  [[nodiscard]] const OfContact& contact(int c) const { return contacts_[c]; }
  [[nodiscard]] const OfUnit& unit(int u) const { return units_[u]; }
  /// Of a joint's row, with these forces.
  [[nodiscard]] double joint_multiplier(int row) const { return base_.multipliers()[row] + lambda_[row]; }
  /// Belongs to an asked island.
  [[nodiscard]] bool covers(int body) const { return reduction_.covers(body); }

 private:
  /// Which islands; true: there are any.
  bool ask(const ModeEquations& of, const Mode& mode);
  bool solve(const ModeEquations& of, const Mode& mode);
  void read_statuses(const ContactReduction::Island& island, const Mode& mode);
  /// `index` of the island and `first` of its rows among those that are asked.
  bool solve_island(const ContactReduction::Island& island, std::size_t index, std::size_t first, const Mode& mode,
                    bool begins);
  /// Of friction on what has begun to slide, over the size of its terms: the largest, less than -1 if nothing has.
  /// What it drives is no answer.
  [[nodiscard]] double slide_power(const contact::Problem& p) const;
  void take(const ContactReduction::Island& island, const Mode& mode);

  ModeEquations base_;
  ContactReduction reduction_;
  contact::TwoLevel level_;
  contact::Solver solver_;  ///< where creeping in several directions begins
  contact::Status status_;
  std::vector<double> mu_, load_, zero_, a_, lambda_;
  std::vector<int> guessed_rows_;                       ///< by island: of the problem that the guess belongs to
  std::vector<double> guessed_force_, guessed_strain_;  ///< by row of all islands
  ModeProblem asked_;
  Mode mode_;                          ///< for which the islands were asked
  ModeRows::Acting acting_;            ///< which could be asked then
  std::vector<char> redundant_joint_;  ///< by island: a row of a joint depends on others
  bool begins_ = true, any_ = false;
  std::vector<OfContact> contacts_;
  std::vector<OfUnit> units_;
};

}  // namespace hstar
