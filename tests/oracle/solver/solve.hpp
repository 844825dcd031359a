// tests/oracle/solver/solve.hpp: a model's motion from event to event, in one kind of numbers.
#pragma once

#include <string>
#include <vector>

#include "solver/model.hpp"
#include "solver/number.hpp"

namespace oracle {

enum class Told : unsigned char {
  must,
  late,  ///< one of the last of infinitely many: a program may have cut them short
  may    ///< a consequence of another event, or a matter of words
};

struct Event {
  long double t = 0;
  std::string kind, element;
  Told told = Told::must;
  std::vector<std::string> others;  ///< of an accumulation: the event may be told of one of these contacts in its place
  long double early = 0;            ///< of an accumulation: its last flights are unseen for so long [s]
};

/// Flights of a contact that are lower than the round-off of positions: a program may tell them or say that it rests.
struct Unseen {
  long double from = 0, to = 0;
  std::string element;
};

/// The last part of an accumulation, which a program may cut short.
struct Accumulation {
  long double from = 0, limit = 0;
};

struct Answer {
  std::vector<Event> events;
  std::vector<Accumulation> accumulations;
  std::vector<Unseen> unseen;
  std::vector<double> final_state;  ///< x, y, vx, vy of each free body
  std::string aside;                ///< why the system has no single answer, or empty
  bool doubtful = false;            ///< a decision needs more digits
};

/// R is Fast or Exact.
template <class R>
[[nodiscard]] Answer solve(const Model& model, const Turned& turned);

}  // namespace oracle
