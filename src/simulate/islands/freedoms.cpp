// src/simulate/islands/freedoms.cpp
#include "simulate/islands/freedoms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "formulation/tolerances.hpp"
#include "math/dense.hpp"
#include "math/islands.hpp"
#include "math/tolerances.hpp"

namespace hstar::islands {
namespace {

constexpr int most_dofs = 12;  ///< of bodies that joints hold together
/// Of a freedom's motion: less of it along a friction unit's direction, and the mechanism is not taken: friction would
/// be magnified by a thousand, and its round-off with it.
constexpr double along = 1e-3;

/// Nothing speaks against it before forces and joints are looked at.
bool is_simple(const System& s) {
  const auto all = [](const std::vector<char>& are) {
    return std::all_of(are.begin(), are.end(), [](char is) { return is != 0; });
  };
  return !s.is_spatial() && s.nq > 0 && s.ns == 0 && s.contacts.empty() && s.guards.empty() && s.switched.empty() &&
         all(s.joint_constant) && all(s.force_affine) &&
         std::all_of(s.frictions.begin(), s.frictions.end(), [](const FrictionUnit& unit) {
           return unit.joint >= 0 && unit.directions == 1 && unit.velocity_is_linear && unit.mu_is_number() &&
                  (!unit.law.dry() || unit.law.is_constant()) && (!unit.normal_force || unit.normal_force->constant);
         });
}

}  // namespace

/// Of everything that is linear in the loads: the acceleration of a freedom, or a reaction that makes a normal force.
class FreedomsBuilder {
 public:
  FreedomsBuilder(const System& system, std::span<const double> y)
      : s_(system), weights_(system.slots()), shapes_(system.slots()), rows_(static_cast<std::size_t>(system.rows)) {
    out_.rest_.assign(y.begin(), y.end());
    out_.nq_ = static_cast<std::size_t>(s_.nq);
    std::fill(out_.rest_.begin() + s_.nq, out_.rest_.end(), 0.0);
    s_.prepare(k_);
    s_.update(k_, 0.0, out_.rest_.data());
    s_.joint_rows(k_, rows_.data());
  }

  bool build() {
    if (!find_cells()) return false;
    for (const Cell& cell : cells_)
      if (!add(cell)) return false;
    find_couplings();
    find_loads();
    if (!couple() || !find_friction()) return false;
    center();
    return true;
  }
  Freedoms out_;

 private:
  struct Cell {
    std::vector<int> bodies, joints;
  };
  struct Weight {
    int output;
    double by_force;
  };
  struct Shape {
    int freedom;
    double z;
  };
  struct Term {
    int output, by;
    double stiff, damp, stiff_size, damp_size;
  };
  /// A friction unit whose normal force is a reaction: its multipliers are outputs from `first` on.
  struct Reaction {
    int freedom, joint, first;
  };

  bool find_cells() {
    std::vector<double> mass(s_.slots(), -1.0);
    for (std::size_t b = 0; b < s_.bodies.size(); ++b)
      for (int c = 0; c < s_.bodies[b].dofs; ++c)
        if (!((mass[s_.slot(b, c)] = mass_of(static_cast<int>(b), c)) > 0)) return false;
    math::Islands joined(mass);
    for (const auto& joint : s_.joints) joined.join(joint->bodies());
    joined.settle();
    std::vector<int> cell(s_.bodies.size(), -1);
    for (std::size_t b = 0; b < s_.bodies.size(); ++b) {
      const int root = joined.of(static_cast<int>(b));
      if (root < 0) continue;
      if (cell[root] < 0) {
        cell[root] = static_cast<int>(cells_.size());
        cells_.emplace_back();
      }
      cells_[cell[root]].bodies.push_back(static_cast<int>(b));
    }
    for (std::size_t j = 0; j < s_.joints.size(); ++j) {
      const int root = joined.of(s_.joints[j]->bodies());
      if (cell[root] < 0) return false;
      cells_[cell[root]].joints.push_back(static_cast<int>(j));
    }
    return true;
  }

  [[nodiscard]] double mass_of(int body, int c) const { return c < 2 ? s_.bodies[body].mass : s_.bodies[body].inertia; }

  /// The freedoms that the joints of a cell leave, and what of the loads its reactions are.
  bool add(const Cell& cell) {
    std::vector<int> slots, places;
    std::vector<double> root;  // of the masses
    for (const int b : cell.bodies)
      for (int c = 0; c < s_.bodies[b].dofs; ++c) {
        slots.push_back(static_cast<int>(s_.slot(static_cast<std::size_t>(b), c)));
        places.push_back(s_.bodies[b].dof + c);
        root.push_back(std::sqrt(mass_of(b, c)));
      }
    const int n = static_cast<int>(slots.size());
    if (n > most_dofs) return false;
    const auto along_row = [&](const Row& row) {  // J M^-1/2
      std::array<double, most_dofs> g{};
      for (int i = 0; i < n; ++i)
        for (std::size_t b = 0; b < 2; ++b)
          if (slots[i] / 3 == row.body[b]) g[i] += row.J[b][slots[i] % 3] / root[i];
      return g;
    };
    // Gram-Schmidt, twice, in the metric of M: the rows, and what of the unit vectors they leave.
    std::vector<std::array<double, most_dofs>> rows, basis;
    const auto rest_of = [&](std::array<double, most_dofs> x) {
      for (int twice = 0; twice < 2; ++twice)
        for (const auto& e : basis) {
          double sum = 0;
          for (int i = 0; i < n; ++i) sum += e[i] * x[i];
          for (int i = 0; i < n; ++i) x[i] -= sum * e[i];
        }
      return x;
    };
    const auto length = [&](const std::array<double, most_dofs>& x) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += x[i] * x[i];
      return std::sqrt(sum);
    };
    const auto add_basis = [&](std::array<double, most_dofs> x, double size) {
      for (double& e : x) e /= size;
      basis.push_back(x);
    };
    for (const int j : cell.joints)
      for (int r = 0; r < s_.joints[j]->rows(); ++r) {
        const Row& row = rows_[s_.joint_row[j] + r];
        if (row.nu != 0 || row.gamma != 0) return false;
        rows.push_back(along_row(row));
        const auto rest = rest_of(rows.back());
        if (!(length(rest) > math::dependent_row * length(rows.back()))) return false;
        add_basis(rest, length(rest));
      }
    const auto held = static_cast<int>(rows.size());
    const int first = static_cast<int>(out_.count());
    while (static_cast<int>(basis.size()) < n) {
      std::array<double, most_dofs> best{};
      for (int i = 0; i < n; ++i) {
        std::array<double, most_dofs> unit{};
        unit[i] = 1;
        if (const auto rest = rest_of(unit); length(rest) > length(best)) best = rest;
      }
      add_basis(best, length(best));
      add_freedom(basis.back(), slots, places, root);
    }
    // Friction, of which there may be one where there is one freedom.
    for (const int j : cell.joints) {
      const int unit = s_.joint_friction[j];
      if (unit < 0) continue;
      if (static_cast<int>(out_.count()) != first + 1 || out_.friction_[first].unit >= 0) return false;
      if (!set_unit(first, unit, slots, root, rows, held, cell)) return false;
    }
    return true;
  }

  void add_freedom(const std::array<double, most_dofs>& e, const std::vector<int>& slots,
                   const std::vector<int>& places, const std::vector<double>& root) {
    std::vector<double> z;
    double largest = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      z.push_back(e[i] / root[i]);
      if (std::abs(z.back()) > std::abs(largest)) largest = z.back();
    }
    for (double& x : z) x /= largest;
    double mass = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) mass += z[i] * z[i] * root[i] * root[i];
    const int freedom = static_cast<int>(out_.count());
    mass_.push_back(mass);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (z[i] == 0) continue;
      out_.shape_.push_back({places[i], z[i], z[i] * root[i] * root[i] / mass});
      shapes_[slots[i]].push_back({freedom, z[i]});
      weights_[slots[i]].push_back({freedom, z[i] / mass});
    }
    out_.first_entry_.push_back(out_.shape_.size());
    out_.friction_.emplace_back();
  }

  /// s' becomes the unit's sliding velocity.
  bool set_unit(int freedom, int unit, const std::vector<int>& slots, const std::vector<double>& root,
                const std::vector<std::array<double, most_dofs>>& rows, int held, const Cell& cell) {
    const FrictionUnit& friction = s_.frictions[unit];
    Row tangent;
    tangent.body = s_.joints[friction.joint]->bodies();
    s_.joints[friction.joint]->tangent(k_, tangent);
    s_.fold(k_, tangent);
    if (tangent.nu != 0 || tangent.gamma != 0) return false;
    double speed = 0, size = 0;
    const auto by_slot = [&](int slot) {
      return (slot / 3 == tangent.body[0] ? tangent.J[0][slot % 3] : 0.0) +
             (slot / 3 == tangent.body[1] ? tangent.J[1][slot % 3] : 0.0);
    };
    for (const int slot : slots)
      for (const Shape& shape : shapes_[slot]) {
        speed += by_slot(slot) * shape.z;
        size += std::abs(by_slot(slot) * shape.z);
      }
    if (!(std::abs(speed) > along * size)) return false;
    mass_[freedom] /= speed * speed;
    for (std::size_t i = out_.first_entry_[freedom]; i < out_.first_entry_[freedom + 1]; ++i) {
      out_.shape_[i].z /= speed;
      out_.shape_[i].inverse *= speed;
    }
    for (const int slot : slots) {
      for (Shape& shape : shapes_[slot]) shape.z /= speed;
      for (Weight& weight : weights_[slot]) weight.by_force *= speed;
    }
    out_.friction_[freedom].unit = unit;
    if (!friction.law.dry() || friction.normal_force) return true;
    // Multipliers lambda = -(J M^-1 J^T)^-1 J M^-1 f.
    std::array<double, static_cast<std::size_t>(most_dofs * most_dofs)> matrix{};
    for (int i = 0; i < held; ++i)
      for (int j = 0; j < held; ++j)
        for (std::size_t k = 0; k < slots.size(); ++k) matrix[i * held + j] += rows[i][k] * rows[j][k];
    if (held == 0 || !math::cholesky(matrix.data(), held)) return false;
    const Joint& joint = *s_.joints[friction.joint];
    int first_row = 0;
    for (const int j : cell.joints) {
      if (j == friction.joint) break;
      first_row += s_.joints[j]->rows();
    }
    reactions_.push_back({freedom, friction.joint, static_cast<int>(outputs_)});
    for (int r = 0; r < joint.rows(); ++r, ++outputs_) {
      if (joint.side_row() >= 0 && r != joint.side_row()) continue;
      std::array<double, most_dofs> x{};
      x[first_row + r] = 1;
      math::cholesky_solve(matrix.data(), held, x.data());
      double by_friction = 0, terms = 0;
      for (std::size_t k = 0; k < slots.size(); ++k) {
        double w = 0;
        for (int i = 0; i < held; ++i) w -= rows[i][k] * x[i] / root[k];
        if (w != 0) reaction_weights_.push_back({slots[k], {static_cast<int>(outputs_), w}});
        by_friction += w * by_slot(slots[k]);
        terms += std::abs(w * by_slot(slots[k]));
      }
      if (std::abs(by_friction) > formulation::cancels * terms) return false;
    }
    return true;
  }

  void find_couplings() {
    // Outputs of reactions come behind the freedoms.
    for (auto& [slot, weight] : reaction_weights_) {
      weight.output += static_cast<int>(out_.count());
      weights_[slot].push_back(weight);
    }
    outputs_ += out_.count();
    ForceSlopes slopes;
    for (const auto& force : s_.forces) force->slopes(k_, slopes);
    const auto add = [&](const std::vector<ForceSlopes::Entry>& entries, bool damps) {
      for (const auto& e : entries)
        for (const Weight& weight : weights_[e.row])
          for (const Shape& shape : shapes_[e.column]) {
            const double value = weight.by_force * e.value * shape.z, none = 0;
            terms_.push_back({weight.output, shape.freedom, damps ? none : value, damps ? value : none,
                              damps ? none : std::abs(value), damps ? std::abs(value) : none});
          }
    };
    add(slopes.by_position, false);
    add(slopes.by_velocity, true);
    for (int i = 0; i < static_cast<int>(out_.count()); ++i) {
      const int unit = out_.friction_[i].unit;
      if (unit < 0 || !(s_.frictions[unit].law.viscous() > 0)) continue;
      const double damp = s_.frictions[unit].law.viscous() / mass_[i];
      terms_.push_back({i, i, 0, -damp, 0, damp});
    }
    sum_terms();
    // Where j is coupled with i, i is with j.
    const std::size_t one_way = terms_.size();
    for (std::size_t n = 0; n < one_way; ++n)
      if (terms_[n].output < static_cast<int>(out_.count()) && terms_[n].output != terms_[n].by)
        terms_.push_back({terms_[n].by, terms_[n].output, 0, 0, 0, 0});
    sum_terms();
  }

  void sum_terms() {
    std::stable_sort(terms_.begin(), terms_.end(), [](const Term& a, const Term& b) {
      return a.output != b.output ? a.output < b.output : a.by < b.by;
    });
    std::size_t count = 0;
    for (const Term& term : terms_) {
      if (count > 0 && terms_[count - 1].output == term.output && terms_[count - 1].by == term.by) {
        Term& sum = terms_[count - 1];
        sum.stiff += term.stiff;
        sum.damp += term.damp;
        sum.stiff_size += term.stiff_size;
        sum.damp_size += term.damp_size;
      } else {
        terms_[count++] = term;
      }
    }
    terms_.resize(count);
  }

  void find_loads() {
    std::vector<double> at_zero(s_.slots(), 0.0), later(s_.slots(), 0.0);
    for (const auto& force : s_.forces) force->apply(k_, at_zero.data());
    s_.update(k_, formulation::affine_over, out_.rest_.data());
    for (const auto& force : s_.forces) force->apply(k_, later.data());
    s_.update(k_, 0.0, out_.rest_.data());
    constant_.assign(outputs_, 0.0);
    by_time_.assign(outputs_, 0.0);
    std::vector<double> size(outputs_, 0.0), time_size(outputs_, 0.0);
    for (std::size_t slot = 0; slot < weights_.size(); ++slot)
      for (const Weight& weight : weights_[slot]) {
        const double weighs = slot % 3 < 2 ? s_.bodies[slot / 3].mass * s_.gravity[slot % 3] : 0.0;
        for (const double load : {at_zero[slot], weighs}) {
          constant_[weight.output] += weight.by_force * load;
          size[weight.output] += std::abs(weight.by_force * load);
        }
        by_time_[weight.output] += weight.by_force * (later[slot] - at_zero[slot]);
        time_size[weight.output] += std::abs(weight.by_force) * (std::abs(later[slot]) + std::abs(at_zero[slot]));
      }
    // What is held does not move: an acceleration of round-off would carry it away with the square of time.
    for (std::size_t i = 0; i < outputs_; ++i) {
      if (std::abs(constant_[i]) <= formulation::cancels * size[i]) constant_[i] = 0;
      by_time_[i] =
          std::abs(by_time_[i]) <= formulation::cancels * time_size[i] ? 0 : by_time_[i] / formulation::affine_over;
    }
  }

  /// The rows of K and D. False: a reaction that makes a normal force is not constant.
  bool couple() {
    const std::size_t n = out_.count();
    out_.first_coupling_.assign(n + 1, 0);
    for (Term& term : terms_) {
      if (std::abs(term.stiff) <= formulation::cancels * term.stiff_size) term.stiff = 0;
      if (std::abs(term.damp) <= formulation::cancels * term.damp_size) term.damp = 0;
    }
    const auto couples = [&](int i, int j) {
      const auto at = std::lower_bound(terms_.begin(), terms_.end(), std::pair(i, j), [](const Term& a, auto b) {
        return a.output != b.first ? a.output < b.first : a.by < b.second;
      });
      return at != terms_.end() && at->output == i && at->by == j && (at->stiff != 0 || at->damp != 0);
    };
    for (const Term& term : terms_) {
      const bool acts = term.stiff != 0 || term.damp != 0;
      if (static_cast<std::size_t>(term.output) >= n) {
        if (acts) return false;
        continue;
      }
      if (!acts && !couples(term.by, term.output)) continue;
      out_.couplings_.push_back({term.by, term.stiff, term.damp});
      ++out_.first_coupling_[term.output + 1];
    }
    for (std::size_t i = 0; i < n; ++i) out_.first_coupling_[i + 1] += out_.first_coupling_[i];
    out_.constant_.assign(constant_.begin(), constant_.begin() + static_cast<std::ptrdiff_t>(n));
    out_.by_time_.assign(by_time_.begin(), by_time_.begin() + static_cast<std::ptrdiff_t>(n));
    return true;
  }

  /// A freedom that nothing else is coupled with is counted from where its spring holds it, if that is no further from
  /// the origin than y: round-off is then that of what is left of its swing.
  void center() {
    for (int i = 0; i < static_cast<int>(out_.count()); ++i) {
      const std::span<const Coupling> own = out_.couplings(i);
      if (own.size() != 1 || own.front().with != i || own.front().stiff == 0) continue;
      const double stiff = own.front().stiff, shift = -out_.constant_[i] / stiff;
      const std::span<const Freedoms::Entry> shape = Freedoms::part(out_.shape_, out_.first_entry_, i);
      double before = 0, after = 0;
      for (const Freedoms::Entry& e : shape) {
        before = std::max(before, std::abs(out_.rest_[e.place]));
        after = std::max(after, std::abs(out_.rest_[e.place] + e.z * shift));
      }
      if (!(after < before)) continue;
      out_.constant_[i] = std::fma(stiff, shift, out_.constant_[i]);
      for (const Freedoms::Entry& e : shape) out_.rest_[e.place] += e.z * shift;
    }
  }

  bool find_friction() {
    std::vector<double> normal(out_.count(), 0.0);
    for (std::size_t i = 0; i < out_.count(); ++i)
      if (const int unit = out_.friction_[i].unit; unit >= 0 && s_.frictions[unit].normal_force)
        normal[i] = s_.frictions[unit].given_normal(k_);
    std::array<double, most_dofs> lambda{}, derivative{};
    for (const Reaction& reaction : reactions_) {
      const Joint& joint = *s_.joints[reaction.joint];
      for (int r = 0; r < joint.rows(); ++r) {
        const std::size_t output = out_.count() + static_cast<std::size_t>(reaction.first + r);
        if (by_time_[output] != 0) return false;
        lambda[r] = constant_[output];
      }
      const int unit = out_.friction_[reaction.freedom].unit;
      normal[reaction.freedom] = s_.frictions[unit].lever * joint.normal_force(lambda.data(), 0, derivative.data());
    }
    for (std::size_t i = 0; i < out_.count(); ++i) {
      DryFriction& friction = out_.friction_[i];
      if (friction.unit < 0) continue;
      const FrictionLaw& law = s_.frictions[friction.unit].law;
      if (!law.dry()) {
        friction.unit = -1;
        continue;
      }
      friction.holds = law.mu_static() * normal[i] / mass_[i];
      friction.kinetic = law.mu_kinetic(0, 0) * normal[i] / mass_[i];
      if (!(friction.holds > 0)) return false;
    }
    return true;
  }

  const System& s_;
  Kinematics k_;
  std::vector<Cell> cells_;
  std::vector<std::vector<Weight>> weights_;  ///< by slot
  std::vector<std::vector<Shape>> shapes_;    ///< by slot
  std::vector<Row> rows_;                     ///< of all joints
  std::vector<double> mass_;                  ///< by freedom
  std::size_t outputs_ = 0;                   ///< of reactions, until these come behind the freedoms
  std::vector<std::pair<int, Weight>> reaction_weights_;
  std::vector<Reaction> reactions_;
  std::vector<Term> terms_;
  std::vector<double> constant_, by_time_;  ///< by output
};

std::optional<Freedoms> Freedoms::of(const System& system, std::span<const double> y) {
  if (!is_simple(system)) return std::nullopt;
  FreedomsBuilder builder(system, y);
  if (!builder.build()) return std::nullopt;
  return std::move(builder.out_);
}

double Freedoms::position(int i, std::span<const double> y) const {
  double sum = 0;
  for (const Entry& e : part(shape_, first_entry_, i)) sum += e.inverse * (y[e.place] - rest_[e.place]);
  return sum;
}

double Freedoms::velocity(int i, std::span<const double> y) const {
  double sum = 0;
  for (const Entry& e : part(shape_, first_entry_, i)) sum += e.inverse * y[nq_ + static_cast<std::size_t>(e.place)];
  return sum;
}

void Freedoms::write(std::span<const double> s, std::span<const double> v, std::span<double> y) const {
  std::copy(rest_.begin(), rest_.end(), y.begin());
  for (std::size_t i = 0; i < count(); ++i)
    for (const Entry& e : part(shape_, first_entry_, static_cast<int>(i))) {
      y[e.place] += e.z * s[i];
      y[nq_ + static_cast<std::size_t>(e.place)] += e.z * v[i];
    }
}

}  // namespace hstar::islands
