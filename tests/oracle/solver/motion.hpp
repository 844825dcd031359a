// tests/oracle/solver/motion.hpp: the linear motion of one mode, z' = A z, and its forces as rows of z.
#pragma once

#include <optional>
#include <vector>

#include "solver/mechanism.hpp"

namespace oracle {

/// What one element does. A guide is always closed; an element without friction, or open, neither sticks nor slides.
template <class R>
struct Status {
  bool closed = false;
  bool rubs = false;  ///< closed, with friction
  int slide = 0;      ///< 0 sticks, +1, -1 slides in this direction
  R mu = 0;           ///< of the sliding
  int side = 1;       ///< of a guide: the sign of its reaction
};

template <class R>
using Mode = std::vector<Status<R>>;

template <class R>
struct Motion {
  std::vector<Vector<R>> rate;          ///< A, row by row
  std::vector<Vector<R>> reaction;      ///< of each element's normal; empty if open
  std::vector<Vector<R>> normal_force;  ///< what the friction is proportional to; empty if it does not rub
  std::vector<Vector<R>> friction;      ///< of each element's tangent; empty if it does not rub
};

/// None if the rows of the mode depend on each other.
template <class R>
std::optional<Motion<R>> solve_motion(const Mechanism<R>& mechanism, const Mode<R>& mode);

/// The derivatives of z along a motion, as far as they are asked for, and signs just after the present moment.
template <class R>
class Derivatives {
 public:
  Derivatives(const Motion<R>& motion, const Vector<R>& z, const R& noise);

  struct Sign {
    int sign = 0;           ///< 0: the quantity stays zero
    std::size_t order = 0;  ///< of the first derivative that is not zero
  };
  /// The sign of row . z just after now, if its derivatives below `from` are known to be zero.
  Sign sign(const Vector<R>& row, std::size_t from = 0);
  /// Whether a decision was nearer to zero than the numbers can tell.
  [[nodiscard]] bool doubtful() const { return doubtful_; }
  const Vector<R>& of_order(std::size_t k);

 private:
  static constexpr std::size_t last_ = 8;  ///< a quantity whose derivatives up to this one are zero stays zero
  const Motion<R>& motion_;
  R noise_;  ///< velocities and positions are zero to this
  std::vector<Vector<R>> z_, size_;
  bool doubtful_ = false;
};

extern template class Derivatives<Fast>;
extern template class Derivatives<Exact>;
extern template std::optional<Motion<Fast>> solve_motion(const Mechanism<Fast>&, const Mode<Fast>&);
extern template std::optional<Motion<Exact>> solve_motion(const Mechanism<Exact>&, const Mode<Exact>&);

}  // namespace oracle
