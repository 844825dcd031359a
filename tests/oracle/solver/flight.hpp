// tests/oracle/solver/flight.hpp: from one event to the next along z' = A z.
#pragma once

#include <optional>
#include <vector>

#include "solver/motion.hpp"

namespace oracle {

/// Watches rows of z that are positive inside a mode.
template <class R>
class Flight {
 public:
  struct Guard {
    Vector<R> row;
    std::size_t order;  ///< its derivatives below are zero at the start
  };
  struct End {
    R t;
    Vector<R> z;
    std::vector<char> fired;  ///< of each guard
    bool unresolved = false;
  };

  Flight(const Motion<R>& motion, std::vector<Guard> guards);
  /// To the first guard that becomes negative, or to `last`. The first step is no longer than `guess` (0: as long as
  /// can be): a short one needs few terms.
  [[nodiscard]] End go(const R& t, const Vector<R>& z, const R& last, const R& guess) const;

 private:
  [[nodiscard]] Vector<R> rate(const Vector<R>& z) const;
  /// Terms that a step of this length needs.
  [[nodiscard]] std::size_t degree(const R& h) const;

  std::vector<std::vector<std::pair<std::size_t, R>>> rate_;  ///< the entries of A that are not zero
  std::vector<Guard> guards_;
  R longest_ = 0;  ///< step that a Taylor polynomial can take
};

extern template class Flight<Fast>;
extern template class Flight<Exact>;

}  // namespace oracle
