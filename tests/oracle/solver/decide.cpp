// tests/oracle/solver/decide.cpp
#include "solver/decide.hpp"

namespace oracle {

namespace {

/// All ways one element may go on, those that hold on first.
template <class R>
std::vector<Status<R>> choices(const Element<R>& e, const Knowledge& known, const Status<R>& before, const R& mu) {
  Status<R> closed;
  closed.closed = true;
  closed.rubs = e.friction;
  closed.mu = mu;
  closed.side = before.side;
  std::vector<Status<R>> list;
  if (known.touches) {
    for (const int slide : {0, 1, -1}) {
      if (known.slides != 0 ? slide != known.slides : !e.friction && slide != 0) continue;
      closed.slide = slide;
      list.push_back(closed);
    }
  }
  if (e.contact) list.push_back({});
  return list;
}

/// One combination, solved and judged.
template <class R>
class Candidate {
 public:
  Candidate(const Mechanism<R>& mechanism, const Vector<R>& z, const std::vector<Knowledge>& known, const R& noise)
      : mechanism_(mechanism), z_(z), known_(known), noise_(noise) {}

  bool holds(Mode<R> tried, const Vector<R>& static_mu) {
    // A guide whose reaction has the other sign than supposed is tried once more with that side.
    for (int attempt = 0; attempt < 2; ++attempt) {
      motion = solve_motion(mechanism_, tried);
      if (!motion) return false;
      Derivatives<R> derivatives(*motion, z_, noise_);
      bool turned = false;
      for (std::size_t i = 0; i < tried.size(); ++i) {
        const Element<R>& e = mechanism_.elements()[i];
        if (e.contact || !tried[i].rubs || e.given) continue;
        if (derivatives.sign(motion->reaction[i]).sign * tried[i].side >= 0) continue;
        tried[i].side = -tried[i].side;
        turned = true;
      }
      if (turned) continue;
      mode = tried;
      const bool good = laws_hold(derivatives, static_mu);
      doubtful = doubtful || derivatives.doubtful();
      return good;
    }
    return false;
  }

  Mode<R> mode, seen;
  std::optional<Motion<R>> motion;
  bool redundant = false, doubtful = false;

 private:
  bool laws_hold(Derivatives<R>& derivatives, const Vector<R>& static_mu) {
    seen = mode;
    redundant = false;
    for (std::size_t i = 0; i < mode.size(); ++i) {
      const Element<R>& e = mechanism_.elements()[i];
      if (mode[i].closed && e.contact && derivatives.sign(motion->reaction[i]).sign < 0) return false;
      if (!mode[i].closed && known_[i].touches) {
        const int gap = derivatives.sign(e.normal.position, 2).sign;
        if (gap < 0) return false;
        if (gap == 0) {
          seen[i].closed = true;
          redundant = true;
        }
      }
      if (!mode[i].rubs || known_[i].slides != 0) continue;
      if (mode[i].slide == 0) {
        Vector<R> above(motion->friction[i]), below(motion->friction[i]);
        for (R& x : above) x = -x;
        add(above, static_mu[i], motion->normal_force[i]);
        add(below, static_mu[i], motion->normal_force[i]);
        if (derivatives.sign(above).sign < 0 || derivatives.sign(below).sign < 0) return false;
      } else {
        const int speed = derivatives.sign(e.tangent.velocity, 1).sign * mode[i].slide;
        if (speed < 0) return false;
        if (speed == 0) {
          seen[i].slide = 0;
          redundant = true;
        }
      }
    }
    return true;
  }

  const Mechanism<R>& mechanism_;
  const Vector<R>& z_;
  const std::vector<Knowledge>& known_;
  R noise_;
};

/// Whether two motions from the same state are the same as far as their first derivatives tell.
template <class R>
bool same(const Motion<R>& a, const Motion<R>& b, const Vector<R>& z, const R& noise) {
  Derivatives<R> da(a, z, noise), db(b, z, noise);
  for (std::size_t k = 1; k <= 4; ++k) {
    R difference = 0, size = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      difference += absolute(R(da.of_order(k)[i] - db.of_order(k)[i]));
      size += absolute(da.of_order(k)[i]);
    }
    // The candidates' matrices come from different eliminations; a true difference is far above this.
    if (difference > 1000 * Precision<R>::zero() * (1 + size)) return false;
  }
  return true;
}

}  // namespace

template <class R>
Decision<R> decide(const Mechanism<R>& mechanism, const Vector<R>& z, const std::vector<Knowledge>& known,
                   const Mode<R>& before, const R& noise) {
  const std::size_t n = known.size();
  // What has not reached its static limit holds up to it. An element that slides all the same has exceeded it: it gets
  // the kinetic coefficient, and all is decided again; first of all those that slid before, since what cannot stop
  // does not load the others with its static friction.
  std::vector<char> kinetic(n);
  for (std::size_t i = 0; i < n; ++i) kinetic[i] = known[i].exceeded || known[i].slides != 0;
  Decision<R> decision;
  for (std::size_t round = 0; round <= n; ++round) {
    Vector<R> mu(n);
    std::vector<std::vector<Status<R>>> lists(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Element<R>& e = mechanism.elements()[i];
      mu[i] = kinetic[i] ? e.mu_kinetic : e.mu_static;
      lists[i] = choices(e, known[i], before[i], mu[i]);
    }
    bool found = false;
    std::vector<std::size_t> pick(n, 0);
    for (bool more = true; more;) {
      Mode<R> mode(n);
      for (std::size_t i = 0; i < n; ++i) mode[i] = lists[i][pick[i]];
      Candidate<R> candidate(mechanism, z, known, noise);
      const bool holds = candidate.holds(mode, mu);
      decision.doubtful = decision.doubtful || (holds && candidate.doubtful);
      if (holds && found && !same(*decision.motion, *candidate.motion, z, noise)) {
        decision.failure = "several motions are lawful";
        return decision;
      }
      if (holds && !found) {
        found = true;
        decision.mode = candidate.mode;
        decision.seen = candidate.seen;
        decision.motion = std::move(candidate.motion);
        decision.redundant = candidate.redundant;
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
    if (!found) {
      decision.failure = "no combination of modes is lawful";
      return decision;
    }
    bool again = false;
    for (const bool arrivals : {true, false}) {
      if (again) break;
      for (std::size_t i = 0; i < n; ++i) {
        const Element<R>& e = mechanism.elements()[i];
        if (kinetic[i] || known[i].arrives != arrivals || !decision.mode[i].rubs || decision.seen[i].slide == 0)
          continue;
        if (e.mu_static == e.mu_kinetic) continue;
        kinetic[i] = 1;
        again = true;
      }
    }
    if (!again) return decision;
  }
  decision.failure = "static limits give way without end";
  return decision;
}

template Decision<Fast> decide(const Mechanism<Fast>&, const Vector<Fast>&, const std::vector<Knowledge>&,
                               const Mode<Fast>&, const Fast&);
template Decision<Exact> decide(const Mechanism<Exact>&, const Vector<Exact>&, const std::vector<Knowledge>&,
                                const Mode<Exact>&, const Exact&);

}  // namespace oracle
