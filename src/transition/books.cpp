// src/transition/books.cpp
#include "transition/books.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"
#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

double part_of(double residual, double size, double nothing) {
  return residual > 0 ? residual / (size + nothing / tolerances::books) : 0;
}

double part_outside_cones(double excess, double largest_impulse, double largest_momentum) {
  // (A force counts as inside its cone up to what would cause a velocity that is none.)
  return part_of(excess, largest_impulse, contact::clear * largest_momentum);
}

double excess_of(const ModeEquations& equations, const ImpactOutcome& impact, const ImpactSolver& solver) {
  const System& s = equations.system();
  double excess = 0;
  for (const double normal : impact.impulse_n) excess = std::max(excess, -normal);
  std::array<double, most_directions> gamma{};
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    double size = 0;
    for (const double x : impact.impulse_unit[u]) size = std::hypot(size, x);
    if (size == 0 || unit.contact < 0) continue;
    const int index = static_cast<int>(u);
    const double mu = unit.lever * solver.friction(index, equations.motion.slide_velocities(index, gamma.data()));
    excess = std::max(excess, size - mu * impact.impulse_n[unit.contact]);
  }
  return excess;
}

Books::Books(const ModeEquations& equations)
    : equations_(equations),
      v_before_(static_cast<std::size_t>(equations.system().nv)),
      impulse_(equations.system().slots()),
      size_(equations.system().slots()) {}

void Books::open(std::span<const double> y) {
  std::copy_n(y.begin() + equations_.system().nq, v_before_.size(), v_before_.begin());
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  std::fill(size_.begin(), size_.end(), 0.0);
  given_energy_ = loss_ = excess_ = largest_impulse_ = 0;
  any_ = false;
  impacts_ = 0;
}

void Books::book(const Row& row, double impulse) {
  const int columns = equations_.system().columns;
  largest_impulse_ = std::max(largest_impulse_, std::abs(impulse));
  any_ = true;
  for (std::size_t i = 0; i < 2; ++i)
    for (int c = 0; c < columns; ++c) {
      const auto slot = static_cast<std::size_t>(columns * row.body[i] + c);
      impulse_[slot] += row.J[i][c] * impulse;
      size_[slot] += std::abs(row.J[i][c] * impulse);
    }
}

void Books::book(const ImpactOutcome& impact, const ImpactSolver& solver) {
  const System& s = equations_.system();
  ++impacts_;
  for (int i = 0; i < s.rows; ++i) book(equations_.rows[i], impact.reaction[i]);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (impact.impulse_n[c] == 0) continue;
    book(equations_.motion.normal_row(static_cast<int>(c)), impact.impulse_n[c]);
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const auto& impulse = impact.impulse_unit[u];
    if (std::all_of(impulse.begin(), impulse.end(), [](double x) { return x == 0; })) continue;
    const double* along = impulse.data();
    for (const Row& row : equations_.motion.tangents(static_cast<int>(u))) book(row, *along++);
  }
  excess_ = std::max(excess_, excess_of(equations_, impact, solver));
}

void Books::book_given(std::span<const double> before, std::span<const double> after) {
  any_ = true;
  for (const Freedom& f : equations_.motion.freedoms()) {
    const int v = equations_.system().nq + f.velocity;
    const double change = mass(f.slot) * (after[v] - before[v]);
    impulse_[f.slot] += change;
    size_[f.slot] += std::abs(change);
    given_energy_ += 0.5 * change * (after[v] + before[v]);
  }
}

double Books::largest_change(const ModeEquations& equations, std::span<const double> before,
                             std::span<const double> after) {
  const System& s = equations.system();
  const auto& mass = equations.motion.mass();
  double largest = 0;
  for (const Freedom& f : equations.motion.freedoms()) {
    const double jump = after[s.nq + f.velocity] - before[s.nq + f.velocity], whole = mass[s.slot(f.body, 0)];
    if (whole > 0) largest = std::max(largest, std::sqrt(std::max(mass[f.slot], 0.0) / whole) * std::abs(jump));
  }
  return largest;
}

bool Books::book_restart(const ConsistentRestart& restart, std::span<const double> before,
                         std::span<const double> after, double most) {
  if (largest_change(equations_, before, after) > most) return false;
  double loss = 0;
  for (const Freedom& f : equations_.motion.freedoms()) {
    const int v = equations_.system().nq + f.velocity;
    loss -= 0.5 * mass(f.slot) * (after[v] - before[v]) * (after[v] + before[v]);
  }
  for (int i = 0; i < equations_.rows.count(); ++i) book(equations_.rows[i], restart.impulse(i));
  book_loss(loss);
  return true;
}

EventBooks Books::close(std::span<const double> y, const Instant& instant) const {
  const System& s = equations_.system();
  const double fastest = instant.fastest();
  double largest_momentum = 0, energy_of_nothing = 0;
  EventBooks books;
  double lost = given_energy_ - loss_, energy_size = std::abs(given_energy_) + std::abs(loss_);
  for (const Freedom& f : equations_.motion.freedoms()) {
    const double m = mass(f.slot), before = v_before_[f.velocity], after = y[s.nq + f.velocity];
    lost -= 0.5 * m * (after - before) * (after + before);
    energy_size += 0.5 * m * (before * before + after * after);
    // Round-off of one velocity comes from all that the mechanism's rows tie it to, and each impact leaves some.
    const double nothing =
        std::max(1, impacts_) * std::sqrt(m * mass(s.slot(f.body, 0))) * tolerances::zero_velocity * fastest;
    largest_momentum = std::max(largest_momentum, m * std::max(std::abs(before), std::abs(after)) + nothing);
    energy_of_nothing += nothing * (std::abs(before) + std::abs(after) + fastest * tolerances::zero_velocity);
    const double open = std::abs(m * (after - before) - impulse_[f.slot]);
    books.momentum =
        std::max(books.momentum, part_of(open, m * (std::abs(before) + std::abs(after)) + size_[f.slot], nothing));
  }
  books.energy = part_of(std::abs(lost), energy_size, energy_of_nothing);
  books.cone = part_outside_cones(excess_, largest_impulse_, largest_momentum);
  return books;
}

std::string Books::complaint(const EventBooks& books) {
  std::string text;
  const auto add = [&](const char* what, double residual) {
    if (residual > tolerances::books)
      text += (text.empty() ? "" : ", ") + std::string(what) + " by " + short_number(residual, 3) + " of its size";
  };
  add("momentum", books.momentum);
  add("energy", books.energy);
  add("the cone of an impulse", books.cone);
  return text;
}

}  // namespace hstar
