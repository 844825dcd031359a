// src/transition/ledger_lines.hpp
//
// The lines of the ledger at one instant: impacts, told when the mode after them is known; guards that change nothing;
// all else that has changed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hstar/hybrid.hpp"
#include "transition/mechanism_guards.hpp"
#include "transition/mode_problem.hpp"

namespace hstar {

class LedgerLines {
 public:
  /// `before` and `now` are the modes of the mechanism before the instant and at it.
  LedgerLines(ModeEquations& equations, const MechanismGuards& guards, const Mode& before, const Mode& now);

  /// A line, of which no modes are told yet.
  [[nodiscard]] EventRecord line(double t, const events::Root* root, std::string kind, std::string element,
                                 std::span<const double> y_before, std::span<const double> y_after) const;
  /// The same of something that leaves the mode as it is.
  [[nodiscard]] EventRecord line_in_mode(double t, const events::Root* root, std::string kind, std::string element,
                                         std::span<const double> y_before, std::span<const double> y_after) const;

  /// An impact, of a contact or (-1) of joints that are driven; the mode of the contact is told by tell_modes().
  void keep(EventRecord record, int contact);
  /// What slid in `shown`, the last mode that a line has told, and sticks now has stopped since.
  void keep_stops(double t, const Mode& shown, std::span<const double> y);
  [[nodiscard]] bool any_kept() const { return !kept_.empty(); }
  /// Of the last impact of a contact that is kept; -1: none.
  [[nodiscard]] int last_contact() const;
  /// The contacts of the impacts kept so far are now in the mode in which these leave them.
  void tell_modes();
  /// What the books of the instant leave is told with each.
  void set_books(const EventBooks& books);
  /// About this instant: rest, forces that are not unique.
  void set_remark(std::string remark) { remark_ = std::move(remark); }
  /// All impacts kept go to the log, y the state just after.
  void flush(std::span<const double> y, EventLog& log);

  /// A guard that changes nothing. `can_strike`: its contact may run into its surface.
  [[nodiscard]] bool is_told(const events::Root& root) const;
  void tell_passive(const events::Root& root, std::span<const double> y, EventLog& log) const;

  struct Changes {
    double t;
    std::span<const events::Root> fired;
    const Mode& before;
    std::span<const double> y_before, y_after;
    bool impact;                   ///< impacts have told of contacts
    const ModeProblem& problem;    ///< that was solved
    const ModeChoice& choice;      ///< its answer
    std::span<const char> silent;  ///< by contact: that its gap came back to zero is no event
  };
  /// Everything that has changed at one instant is one event: of the element whose guard fired, the others are named in
  /// the note. An impact has its own line already.
  void tell(const Changes& changes, EventLog& log);

 private:
  [[nodiscard]] std::string element_mode(const Mode& mode, const WatchRef& ref) const;
  /// The modes that the impacts to be told have changed of other elements: "leaves plate: slip+ -> slip-".
  [[nodiscard]] std::string left_by_impact() const;
  [[nodiscard]] bool touches_by_another_part(std::size_t contact) const;
  struct Kept {
    EventRecord record;
    int contact;
  };

  const System& system_;
  ModeEquations& equations_;
  const MechanismGuards& guards_;
  const Mode &before_, &now_;
  std::vector<Kept> kept_;
  std::string remark_;
};

}  // namespace hstar
