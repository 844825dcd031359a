// tests/oracle/solver/motion.cpp
#include "solver/motion.hpp"

#include <algorithm>

#include "solver/linear_solve.hpp"

namespace oracle {

namespace {

/// A multiplier: the acceleration along `row` is prescribed, the force acts along `force`.
template <class R>
struct Unknown {
  const Direction<R>* row;
  Vector<R> force;
  std::size_t element;
  bool normal;
};

template <class R>
std::vector<Unknown<R>> unknowns_of(const Mechanism<R>& mechanism, const Mode<R>& mode) {
  std::vector<Unknown<R>> unknowns;
  for (std::size_t i = 0; i < mode.size(); ++i) {
    const Element<R>& e = mechanism.elements()[i];
    const Status<R>& s = mode[i];
    if (!s.closed) continue;
    Unknown<R> normal{&e.normal, e.normal.w, i, true};
    if (s.rubs && s.slide != 0 && !e.given) add(normal.force, R(-s.slide * s.side * s.mu), e.tangent.w);
    unknowns.push_back(normal);
    if (s.rubs && s.slide == 0) unknowns.push_back({&e.tangent, e.tangent.w, i, false});
  }
  return unknowns;
}

/// What cancels leaves round-off; zero is zero, so that a quantity that stays zero is seen to.
template <class R>
void clean(Vector<R>& row, const Vector<R>& size) {
  for (std::size_t i = 0; i < row.size(); ++i)
    if (absolute(row[i]) <= Precision<R>::zero() * size[i]) row[i] = 0;
}

}  // namespace

template <class R>
std::optional<Motion<R>> solve_motion(const Mechanism<R>& mechanism, const Mode<R>& mode) {
  const std::size_t n = mechanism.coordinates(), size = mechanism.size();
  const Vector<R>& mass = mechanism.masses();
  std::vector<Vector<R>> force = mechanism.forces();
  for (std::size_t i = 0; i < mode.size(); ++i) {
    const Element<R>& e = mechanism.elements()[i];
    if (!mode[i].rubs || mode[i].slide == 0 || !e.given) continue;
    for (std::size_t c = 0; c < n; ++c) add(force[c], R(-mode[i].slide * mode[i].mu * e.tangent.w[c]), e.given_normal);
  }

  const std::vector<Unknown<R>> unknowns = unknowns_of(mechanism, mode);
  const std::size_t m = unknowns.size();
  std::vector<Vector<R>> s(m, Vector<R>(m, R(0))), lambda(m, Vector<R>(size, R(0)));
  for (std::size_t i = 0; i < m; ++i) {
    const Vector<R>& w = unknowns[i].row->w;
    add(lambda[i], R(-1), unknowns[i].row->acceleration);
    for (std::size_t c = 0; c < n; ++c) {
      if (w[c] == 0) continue;
      const R response = w[c] / mass[c];
      for (std::size_t j = 0; j < m; ++j) s[i][j] += response * unknowns[j].force[c];
      add(lambda[i], R(-response), force[c]);
    }
  }
  if (!solve_in_place(s, lambda)) return std::nullopt;
  for (Vector<R>& row : lambda) {
    R largest = 0;
    for (const R& x : row) largest = std::max(largest, absolute(x));
    clean(row, Vector<R>(size, largest));
  }

  Motion<R> motion;
  motion.reaction.resize(mode.size());
  motion.normal_force.resize(mode.size());
  motion.friction.resize(mode.size());
  std::vector<Vector<R>> terms(force);
  for (Vector<R>& row : terms)
    for (R& x : row) x = absolute(x);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t c = 0; c < n; ++c) {
      if (unknowns[j].force[c] == 0) continue;
      add(force[c], unknowns[j].force[c], lambda[j]);
      for (std::size_t i = 0; i < size; ++i) terms[c][i] += absolute(R(unknowns[j].force[c] * lambda[j][i]));
    }
    (unknowns[j].normal ? motion.reaction : motion.friction)[unknowns[j].element] = lambda[j];
  }
  for (std::size_t i = 0; i < mode.size(); ++i) {
    if (!mode[i].rubs) continue;
    const Element<R>& e = mechanism.elements()[i];
    Vector<R> normal(size, R(0));
    add(normal, R(e.given ? 1 : mode[i].side), e.given ? e.given_normal : motion.reaction[i]);
    if (mode[i].slide != 0) {
      motion.friction[i].assign(size, R(0));
      add(motion.friction[i], R(-mode[i].slide * mode[i].mu), normal);
    }
    motion.normal_force[i] = std::move(normal);
  }

  motion.rate.assign(size, Vector<R>(size, R(0)));
  for (std::size_t c = 0; c < n; ++c) {
    motion.rate[c][n + c] = 1;
    clean(force[c], terms[c]);
    add(motion.rate[n + c], R(R(1) / mass[c]), force[c]);
  }
  for (std::size_t k = 0; k < mechanism.clock().size(); ++k) motion.rate[2 * n + k] = mechanism.clock()[k];
  return motion;
}

template <class R>
Derivatives<R>::Derivatives(const Motion<R>& motion, const Vector<R>& z, const R& noise)
    : motion_(motion), noise_(noise), z_{z}, size_(1) {
  for (const R& x : z) size_[0].push_back(absolute(x));
}

template <class R>
const Vector<R>& Derivatives<R>::of_order(std::size_t k) {
  while (z_.size() <= k) {
    Vector<R> z, size;
    for (const Vector<R>& row : motion_.rate) {
      z.push_back(dot(row, z_.back()));
      size.push_back(size_of_terms(row, size_.back()));
    }
    z_.push_back(std::move(z));
    size_.push_back(std::move(size));
  }
  return z_[k];
}

template <class R>
auto Derivatives<R>::sign(const Vector<R>& row, std::size_t from) -> Sign {
  for (std::size_t k = from; k <= last_; ++k) {
    const R x = dot(row, of_order(k));
    const R size = size_of_terms(row, size_[k]) + (k <= 1 ? noise_ : R(0));
    if (absolute(x) <= Precision<R>::zero() * size) continue;
    if (absolute(x) <= Precision<R>::doubtful() * size) doubtful_ = true;
    return {x > 0 ? 1 : -1, k};
  }
  return {0, last_};
}

template class Derivatives<Fast>;
template class Derivatives<Exact>;
template std::optional<Motion<Fast>> solve_motion(const Mechanism<Fast>&, const Mode<Fast>&);
template std::optional<Motion<Exact>> solve_motion(const Mechanism<Exact>&, const Mode<Exact>&);

}  // namespace oracle
