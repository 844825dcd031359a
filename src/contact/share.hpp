// src/contact/share.hpp
//
// The answer to a contact problem (problem.hpp), with forces and statuses. Where rows are redundant the laws leave the
// forces open; the answer is the limit eps -> 0 of a = c + (G + eps C) f: forces as stiff contacts would have them, the
// branch that begins where every contact stands alone. Existence is not guaranteed once something slides (Painleve).
//
// 1. From everything loaded and held, statuses are exchanged where their laws are broken, with the exact linear system
//    (two_level.hpp) and a certificate of all laws on both levels: most problems end here.
// 2. In the plane: statuses of the forces that pivoting finds at a small compliance (planar.hpp), exchanged as above.
// 3. Else along the path (regularised.hpp): statuses are read off, and exchanged as above. Where it turns back it is
//    met again: by pivoting in the plane, from other forces in space.
// 4. Where it is lost, in the plane: enumeration.
//
// mu_static > mu_kinetic: every unit holds up to mu_static N until that has been exceeded. Whoever slips in an answer
// has exceeded it and carries mu_kinetic N in the next, those first that slid until now or have just reached their
// limit; at most one round more than units.
#pragma once

#include <functional>
#include <vector>

#include "contact/problem.hpp"
#include "contact/regularised.hpp"
#include "contact/two_level.hpp"

namespace hstar::contact {

struct Answer {
  bool found = false;
  bool exact = true;                  ///< false: rates and forces to 9 digits only, those of the end of the path
  bool redundant = false;             ///< forces are not unique by the laws alone
  double residual = 0;                ///< largest violation of the laws, relative to the size of the terms
  int ties = 0;                       ///< contacts and units on the boundary of their law: what comes next decides them
  int systems = 0, newton_steps = 0;  ///< linear systems of given statuses, and of the path
};

class Solver {
 public:
  /// Room for problems of so many rows and elements: no heap memory for these afterwards.
  explicit Solver(int rows = 24) { reserve(rows); }
  void reserve(int rows);

  Answer solve(const Problem& p);

  /// All answers of a problem whose units have one direction: statuses with all that press closed and all that hold
  /// stuck, most sticking first, then most closed; at most `limit`. None where there are more than `most_listed`
  /// combinations.
  std::vector<Status> list(const Problem& p, std::size_t limit = 64);
  /// How many these are, without writing them down.
  std::size_t count(const Problem& p);
  static constexpr double most_listed = 4096;
  /// Beyond so many combinations an answer is not looked for among all of them: 7 contacts with friction.
  static constexpr double most_enumerated = 16384;
  /// Of open, stick and slip.
  [[nodiscard]] static double combinations(const Problem& p);

  // The last answer.
  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] const std::vector<double>& force() const { return force_; }  ///< by row; longer than that perhaps
  [[nodiscard]] const std::vector<double>& rate() const { return rate_; }
  [[nodiscard]] double size(int row) const { return size_[row]; }         ///< of a rate's terms
  [[nodiscard]] const double* strain() const { return level_.strain(); }  ///< J xi of level 1 (two_level.hpp), by row
  [[nodiscard]] bool contact_is_tied(const Problem& p, int i) const;
  [[nodiscard]] bool unit_is_tied(const Problem& p, int j) const;

 private:
  /// What statuses an enumeration leaves open.
  enum class Asked : unsigned char { anything, open, closed, stick, slip };
  struct Combination {
    Status status;
    std::vector<Asked> contact, unit;
    std::vector<double> mu;
  };
  /// Calls `visit` with the rank of every combination that satisfies the laws, which is then in status_.
  void each_combination(const Problem& p, const std::function<void(int)>& visit);
  bool share(const Problem& p);
  bool walk(const Problem& p, int rounds);
  bool end_of_path(const Problem& p);
  bool enumerated(const Problem& p);
  bool walk_from(const Problem& p, int rounds);  ///< from the statuses of the path
  int judge(const Problem& p);                   ///< laws broken by status_, and next_ what they ask for
  bool judge_contact(const Problem& p, int i);
  bool judge_unit(const Problem& p, int j);
  void begin(const Problem& p);
  void read_path(const Problem& p, double eps);
  void keep(const Problem& p);
  bool label(const Problem& p);  ///< what is at rest without need of a force; true: some at their limit
  void share_at_rest(const Problem& p);
  [[nodiscard]] bool level_moves(const Problem& p) const;
  bool release(const Problem& p);
  [[nodiscard]] static bool acts(const Unit& unit, const Status& status);
  [[nodiscard]] double residual(const Problem& p) const;

  TwoLevel level_;
  Regularised path_;
  Status status_, next_, before_, read_, last_;
  std::vector<double> mu_, force_, rate_, size_, force_size_;
  std::vector<double> path_rate_;  ///< by unit: at the eps before
  std::vector<char> kinetic_, drags_;
  std::vector<Asked> contact_asked_, unit_asked_;
  bool impossible_ = false;  ///< something that is held moves
  bool refused_ = false;     ///< the laws ask for another status than was asked for
  bool weak_ = false, exact_ = true;
  int systems_ = 0, newton_steps_ = 0;
};

}  // namespace hstar::contact
