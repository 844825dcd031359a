// src/simulate/crowd/strike.cpp
#include "simulate/crowd/strike.hpp"

#include <algorithm>
#include <cmath>

#include "transition/books.hpp"
#include "transition/tolerances.hpp"

namespace hstar::crowd {
namespace {

double spin_inverse(const Disc& d) { return d.inertia > 0 ? 1 / d.inertia : 0; }

double energy(const Disc& d) {
  return 0.5 * (d.mass * (d.velocity[0] * d.velocity[0] + d.velocity[1] * d.velocity[1]) + d.inertia * d.spin * d.spin);
}

/// Velocities of one disc and how they change; residuals as in transition/books.hpp.
class Balance {
 public:
  /// `nothing`: a velocity that is none [m/s].
  Balance(const Disc& disc, double nothing) : disc_(disc), before_(disc), nothing_(nothing) {}
  /// The largest residual of M (v+ - v-) = J^T Lambda.
  [[nodiscard]] double momentum(const Vec2& impulse, double moment) const {
    const double m = disc_.mass, no_momentum = m * nothing_;
    double most = 0;
    for (std::size_t i = 0; i < 2; ++i)
      most = std::max(most, part(m, before_.velocity[i], disc_.velocity[i], impulse[i], no_momentum));
    if (disc_.inertia > 0)
      most = std::max(most,
                      part(disc_.inertia, before_.spin, disc_.spin, moment, std::sqrt(m * disc_.inertia) * nothing_));
    return most;
  }
  [[nodiscard]] double lost() const {
    double sum = 0.5 * disc_.inertia * (before_.spin - disc_.spin) * (before_.spin + disc_.spin);
    for (std::size_t i = 0; i < 2; ++i)
      sum += 0.5 * disc_.mass * (before_.velocity[i] - disc_.velocity[i]) * (before_.velocity[i] + disc_.velocity[i]);
    return sum;
  }
  [[nodiscard]] double size() const { return energy(before_) + energy(disc_); }

 private:
  static double part(double mass, double before, double after, double impulse, double nothing) {
    return part_of(std::abs(mass * (after - before) - impulse),
                   mass * (std::abs(before) + std::abs(after)) + std::abs(impulse), nothing);
  }
  const Disc& disc_;
  Disc before_;
  double nothing_;
};

}  // namespace

const char* Striker::strike(Disc* first, Disc& second, const Vec2& n, const ContactLaw& law, Struck& done) {
  static const Disc wall;
  done = {};
  const Disc& other = first ? *first : wall;
  const Vec2 t{n[1], -n[0]};
  const double light1 = first ? 1 / other.mass : 0, light2 = 1 / second.mass;
  const double turns1 = first ? spin_inverse(other) : 0, turns2 = spin_inverse(second);
  const double r1 = first ? other.radius : 0, r2 = second.radius;
  const Vec2 w{second.velocity[0] - (first ? other.velocity[0] : 0),
               second.velocity[1] - (first ? other.velocity[1] : 0)};
  const auto slide = [&] { return r2 * second.spin + (first ? r1 * other.spin : 0); };
  done.before = {w[0] * n[0] + w[1] * n[1], w[0] * t[0] + w[1] * t[1] + slide()};
  if (!(done.before[0] < 0)) {
    done.after = done.before;
    return nullptr;
  }
  const double fastest = std::max({std::hypot(second.velocity[0], second.velocity[1]), std::abs(r2 * second.spin),
                                   std::hypot(other.velocity[0], other.velocity[1]), std::abs(r1 * other.spin)});

  ImpactProblem& p = problem_;
  p.contacts = 1;
  p.directions = 1;
  // (Without friction there is no tangential direction: any inertia keeps the problem regular.)
  p.G.assign({light1 + light2, 0.0, 0.0, law.rubs ? light1 + light2 + r1 * r1 * turns1 + r2 * r2 * turns2 : 1.0});
  p.c.assign({done.before[0], law.rubs ? done.before[1] : 0.0});
  p.e.assign(1, law.restitution);
  p.e_t.assign(1, law.restitution_tangential);
  p.mu.assign(1, law.mu);
  solution_.clear();
  law.law->solve(p, solution_);
  if (!solution_.solved) return solution_.why.empty() ? "it has no answer" : solution_.why.c_str();

  const Balance balance2(second, tolerances::zero_velocity * fastest);
  const Balance balance1(other, tolerances::zero_velocity * fastest);
  done.normal = solution_.impulse[0];
  done.tangential = law.rubs ? solution_.impulse[1] : 0;
  done.sticks = solution_.slide[0] == 0;
  for (std::size_t i = 0; i < 2; ++i) {
    done.impulse[i] = done.normal * n[i] + done.tangential * t[i];
    second.velocity[i] += light2 * done.impulse[i];
    if (first) first->velocity[i] -= light1 * done.impulse[i];
  }
  second.spin += turns2 * r2 * done.tangential;
  if (first) first->spin += turns1 * r1 * done.tangential;

  const Vec2 after{second.velocity[0] - (first ? other.velocity[0] : 0),
                   second.velocity[1] - (first ? other.velocity[1] : 0)};
  done.after = {after[0] * n[0] + after[1] * n[1], after[0] * t[0] + after[1] * t[1] + slide()};
  done.loss = -solution_.energy_change;

  // (The ledger's loss is the law's own; that of the motion is found from the velocities.)
  double lost = balance2.lost() - done.loss, size = balance2.size() + std::abs(done.loss);
  double momentum = balance2.momentum(done.impulse, r2 * done.tangential);
  if (first) {
    lost += balance1.lost();
    size += balance1.size();
    momentum = std::max(momentum, balance1.momentum({-done.impulse[0], -done.impulse[1]}, r1 * done.tangential));
  }
  done.books.momentum = momentum;
  done.books.energy = part_of(std::abs(lost), size, 0);
  const double excess = std::max({0.0, -done.normal, std::abs(done.tangential) - law.mu * done.normal});
  done.books.cone = part_outside_cones(excess, std::max(std::abs(done.normal), std::abs(done.tangential)),
                                       std::max(second.mass, first ? other.mass : 0.0) * fastest);

  const double work = solution_.energy_change;
  double terms = 0;
  for (std::size_t i = 0; i < 2; ++i)
    terms += std::abs(solution_.impulse[i]) * (std::abs(p.c[i]) + std::abs(solution_.velocity[i]));
  done.gain = work > tolerances::no_work * terms ? work : 0;
  return nullptr;
}

}  // namespace hstar::crowd
