// src/contact/share.hpp
//
// The answer to a contact problem (problem.hpp), with forces and statuses. Where rows are redundant the laws leave the
// forces open; the answer is the limit eps -> 0 of a = c + (G + eps C) f: forces as stiff contacts would have them, the
// branch that begins where every contact stands alone. Existence is not guaranteed once something slides (Painleve).
//
// 1. From everything loaded and held, statuses are exchanged where their laws are broken (exchange.hpp), with the exact
//    linear system and a certificate of all laws on both levels: most problems end here. Else from the statuses that a
//    problem like this one had, if the caller knows some.
// 2. Statuses of the forces at a small compliance, exchanged as above: by pivoting in the plane (planar.hpp), by an
//    interior-point method in space (interior.hpp).
// 3. Else along the path (regularised.hpp): statuses are read off, and exchanged as above. Where it turns back it is
//    met again by the methods of 2.
// 4. Where it is lost: with what slides much faster than anything is pressed sliding on in its direction, and from
//    there as above; in the plane by enumeration (enumeration.hpp).
//
// mu_static > mu_kinetic: every unit holds up to mu_static N until that has been exceeded. Whoever slips in an answer
// has exceeded it and carries mu_kinetic N in the next, those first that slid until now or have just reached their
// limit; at most one round more than units. What was let go and creeps then (less friction may press others more) keeps
// that limit while it creeps.
#pragma once

#include <vector>

#include "contact/beside_fast.hpp"
#include "contact/exchange.hpp"
#include "contact/path_reading.hpp"
#include "contact/problem.hpp"
#include "contact/regularised.hpp"

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
  explicit Solver(int rows = 0) { reserve(rows); }
  void reserve(int rows);

  /// `near`: statuses of a problem like this one, or null; tried before forces at compliances are looked for.
  Answer solve(const Problem& p, const Status* near = nullptr);

  [[nodiscard]] Exchange& exchange() { return exchange_; }  ///< for enumerations (enumeration.hpp)

  // The last answer.
  [[nodiscard]] const Status& status() const { return guess_.status; }
  [[nodiscard]] const std::vector<double>& force() const { return force_; }  ///< by row; longer than that perhaps
  [[nodiscard]] const std::vector<double>& rate() const { return rate_; }
  [[nodiscard]] double size(int row) const { return size_[row]; }              ///< of a rate's terms
  [[nodiscard]] const double* strain() { return exchange_.level().strain(); }  ///< J xi (two_level.hpp), by row
  [[nodiscard]] bool contact_is_tied(const Problem& p, int i) const;
  [[nodiscard]] bool unit_is_tied(const Problem& p, int j) const;

 private:
  bool share(const Problem& p, const Status* near);
  void begin_path(const Problem& p);
  bool leap(const Problem& p, double first, double last);  ///< statuses of forces found at compliances without the path
  bool follow_path(const Problem& p);
  bool leap_to_end(const Problem& p);
  bool end_of_path(const Problem& p);
  bool take_path(const Problem& p);              ///< as the answer
  bool walk_from(const Problem& p, int rounds);  ///< from the statuses of the path
  void begin(const Problem& p);
  void keep(const Problem& p);
  bool label(const Problem& p);  ///< what is at rest without need of a force; true: some at their limit
  void share_at_rest(const Problem& p);
  bool release(const Problem& p);
  [[nodiscard]] double residual(const Problem& p) const;

  Exchange exchange_;
  Regularised path_;
  Guess guess_;
  PathReading reading_;
  Status last_;
  std::vector<double> force_, rate_, size_, force_size_;
  std::vector<char> kinetic_, drags_, gives_way_;
  BesideFast beside_;
  bool independent_ = false;  ///< all rows of the problem
  bool exact_ = true;
  int systems_ = 0, newton_steps_ = 0;
};

}  // namespace hstar::contact
