// tests/oracle/solver/impact.cpp
//
//   M (v+ - v-) = sum of w Lambda,   0 <= Lambda_N _|_ gamma_N+ + e gamma_N- >= 0,   -Lambda_T in mu Lambda_N
//   Sgn(gamma_T+)
//
// (Moreau 1988; Glocker 2001). A given normal force is finite and has no impulse. Guides transmit friction in
// proportion to the size of their reaction impulse.
#include "solver/impact.hpp"

#include "solver/linear_solve.hpp"

namespace oracle {

namespace {

struct Part {
  bool open = false;
  int slide = 0;  ///< 2: no friction impulse
  int side = 1;
};

template <class R>
class Blow {
 public:
  Blow(const Mechanism<R>& mechanism, const Vector<R>& z, const std::vector<char>& touching, Restitution restitution,
       const R& speed)
      : mechanism_(mechanism),
        z_(z),
        touching_(touching),
        restitution_(restitution),
        speed_(speed),
        n_(mechanism.coordinates()) {}

  [[nodiscard]] std::vector<Part> choices(std::size_t i, bool guides_rub) const {
    const Element<R>& e = mechanism_.elements()[i];
    if (e.contact && !touching_[i]) return {{true, 2, 1}};
    const bool rubs = e.friction && !e.given && (e.contact || guides_rub);
    std::vector<Part> list;
    if (!rubs) {
      list.push_back({false, 2, 1});
    } else {
      for (const int side : {1, -1})
        for (const int slide : {0, 1, -1})
          if (!e.contact || side == 1) list.push_back({false, slide, side});
    }
    if (e.contact && restitution_ != Restitution::glued) list.push_back({true, 2, 1});
    return list;
  }

  bool holds(const std::vector<Part>& parts) {
    struct Row {
      const Direction<R>* d;
      Vector<R> force;
      R target;
    };
    std::vector<Row> rows;
    std::vector<std::size_t> normal_of(parts.size()), tangent_of(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Element<R>& e = mechanism_.elements()[i];
      if (parts[i].open) continue;
      const R before = dot(e.normal.velocity, z_);
      normal_of[i] = rows.size();
      rows.push_back({&e.normal, e.normal.w, e.contact ? R(-coefficient(e) * before) : R(0)});
      if (parts[i].slide == 1 || parts[i].slide == -1)
        add(rows.back().force, R(-parts[i].slide * parts[i].side * e.mu_kinetic), e.tangent.w);
      tangent_of[i] = rows.size();
      if (parts[i].slide == 0) rows.push_back({&e.tangent, e.tangent.w, R(0)});
    }
    const std::size_t m = rows.size();
    std::vector<Vector<R>> s(m, Vector<R>(m, R(0))), impulse(m, Vector<R>(1, R(0)));
    for (std::size_t i = 0; i < m; ++i) {
      impulse[i][0] = rows[i].target - dot(rows[i].d->velocity, z_);
      for (std::size_t c = 0; c < n_; ++c)
        for (std::size_t j = 0; j < m; ++j) s[i][j] += rows[i].d->w[c] / mechanism_.masses()[c] * rows[j].force[c];
    }
    if (!solve_in_place(s, impulse)) return false;
    after = z_;
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t c = 0; c < n_; ++c) after[n_ + c] += rows[j].force[c] / mechanism_.masses()[c] * impulse[j][0];

    // Impulses are judged by the speeds they give.
    R lightest = mechanism_.masses()[0];
    for (const R& mass : mechanism_.masses()) lightest = mass < lightest ? mass : lightest;
    guides_are_still = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Element<R>& e = mechanism_.elements()[i];
      if (parts[i].open) {
        if (!e.contact || !touching_[i]) continue;
        if (negative(dot(e.normal.velocity, after) + coefficient(e) * dot(e.normal.velocity, z_))) return false;
        continue;
      }
      const R normal = impulse[normal_of[i]][0] / lightest;
      if (e.contact && restitution_ != Restitution::glued && negative(normal)) return false;
      if (!e.contact) guides_are_still = guides_are_still && absolute(normal) <= Precision<R>::zero() * speed_;
      if (parts[i].slide == 2) continue;
      const R limit = e.mu_kinetic * parts[i].side * normal;
      if (!e.contact && negative(R(parts[i].side * normal))) return false;
      if (parts[i].slide == 0) {
        const R friction = impulse[tangent_of[i]][0] / lightest;
        if (negative(R(limit - friction)) || negative(R(limit + friction))) return false;
      } else if (negative(R(parts[i].slide * dot(e.tangent.velocity, after)))) {
        return false;
      }
    }
    return true;
  }

  Vector<R> after;
  bool guides_are_still = true, doubtful = false;

 private:
  [[nodiscard]] R coefficient(const Element<R>& e) const {
    return restitution_ == Restitution::own ? e.restitution : R(0);
  }

  bool negative(const R& x) {
    const R size = speed_;
    if (absolute(x) <= Precision<R>::zero() * size) return false;
    if (absolute(x) <= Precision<R>::doubtful() * size) doubtful = true;
    return x < 0;
  }

  const Mechanism<R>& mechanism_;
  const Vector<R>& z_;
  const std::vector<char>& touching_;
  Restitution restitution_;
  R speed_;
  std::size_t n_;
};

}  // namespace

template <class R>
Impact<R> strike(const Mechanism<R>& mechanism, const Vector<R>& z, const std::vector<char>& touching,
                 Restitution restitution, const R& speed) {
  const std::size_t n = touching.size();
  Impact<R> result;
  for (const bool guides_rub : {false, true}) {
    std::vector<std::vector<Part>> lists;
    for (std::size_t i = 0; i < n; ++i) {
      Blow<R> any(mechanism, z, touching, restitution, speed);
      lists.push_back(any.choices(i, guides_rub));
    }
    bool found = false, still = true;
    std::vector<std::size_t> pick(n, 0);
    for (bool more = true; more;) {
      std::vector<Part> parts(n);
      for (std::size_t i = 0; i < n; ++i) parts[i] = lists[i][pick[i]];
      Blow<R> blow(mechanism, z, touching, restitution, speed);
      if (blow.holds(parts)) {
        result.doubtful = result.doubtful || blow.doubtful;
        if (found) {
          for (std::size_t i = 0; i < z.size(); ++i)
            if (absolute(R(blow.after[i] - result.z[i])) > 1000 * Precision<R>::zero() * speed)
              result.failure = "several velocities after an impact are lawful";
        } else {
          result.z = blow.after;
          still = blow.guides_are_still;
        }
        found = true;
      }
      more = false;
      for (std::size_t i = 0; i < n && !more; ++i) {
        if (++pick[i] < lists[i].size()) {
          more = true;
        } else {
          pick[i] = 0;
        }
      }
    }
    // Guides that have no reaction impulse have no friction impulse either.
    if (found && still) return result;
    if (guides_rub) {
      if (!found) result.failure = "no velocities after an impact are lawful";
      return result;
    }
    result = {};
  }
  return result;
}

template Impact<Fast> strike(const Mechanism<Fast>&, const Vector<Fast>&, const std::vector<char>&, Restitution,
                             const Fast&);
template Impact<Exact> strike(const Mechanism<Exact>&, const Vector<Exact>&, const std::vector<char>&, Restitution,
                              const Exact&);

}  // namespace oracle
