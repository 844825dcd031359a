// tests/oracle/solver/mechanism.cpp
#include "solver/mechanism.hpp"

#include <algorithm>

namespace oracle {

using std::cos;
using std::sin;
using std::sqrt;

template <class R>
Mechanism<R>::Mechanism(const Model& model, const Turned& turned) : model_(model), turned_(turned) {
  for (const Body& body : model.bodies) {
    first_coordinate_.push_back(body.motion ? -1 : static_cast<int>(n_));
    if (!body.motion) n_ += 2;
    if (body.motion)
      for (const TimeLaw& law : *body.motion) collect(law);
  }
  for (const Guide& guide : model.guides)
    if (guide.friction && guide.friction->normal_force) collect(*guide.friction->normal_force);
  for (const Contact& contact : model.contacts) {
    collect(contact.surface_velocity);
    if (contact.friction && contact.friction->normal_force) collect(*contact.friction->normal_force);
  }
  for (const PointForce& force : model.forces)
    for (const TimeLaw& law : force.force) collect(law);
  for (const Spring& spring : model.springs) collect(spring.anchor);
  for (const Decimal& t : model.told_times) switches_.push_back(number(t));
  std::sort(switches_.begin(), switches_.end());
  switches_.erase(std::unique(switches_.begin(), switches_.end()), switches_.end());
  build_clock();
  set_epoch(0);
}

template <class R>
void Mechanism<R>::collect(const TimeLaw& law) {
  for (std::size_t i = 0; i < law.pieces.size(); ++i) {
    if (i > 0) switches_.push_back(number(law.pieces[i].from));
    for (const Sine& s : law.pieces[i].sines)
      if (sine(s) == sines_.size()) sines_.push_back({number(s.frequency), number(s.phase)});
  }
}

template <class R>
std::size_t Mechanism<R>::sine(const Sine& s) const {
  std::size_t k = 0;
  while (k < sines_.size() && (sines_[k].frequency != number(s.frequency) || sines_[k].phase != number(s.phase))) ++k;
  return k;
}

template <class R>
void Mechanism<R>::build_clock() {
  clock_.assign(3 + 2 * sines_.size(), Vector<R>(size(), R(0)));
  clock_[1][at(0)] = 1;
  clock_[2][at(1)] = 1;
  for (std::size_t k = 0; k < sines_.size(); ++k) {
    clock_[3 + 2 * k][at(4 + 2 * k)] = sines_[k].frequency;
    clock_[4 + 2 * k][at(3 + 2 * k)] = -sines_[k].frequency;
  }
}

template <class R>
Vector<R> Mechanism<R>::start() const {
  Vector<R> z(size(), R(0));
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    if (first_coordinate_[b] < 0) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t c = static_cast<std::size_t>(first_coordinate_[b]) + i;
      z[c] = number(model_.bodies[b].position[i]);
      z[n_ + c] = number(model_.bodies[b].velocity[i]);
    }
  }
  z[at(0)] = 1;
  for (std::size_t k = 0; k < sines_.size(); ++k) {
    z[at(3 + 2 * k)] = sin(sines_[k].phase);
    z[at(4 + 2 * k)] = cos(sines_[k].phase);
  }
  return z;
}

template <class R>
void Mechanism<R>::set_epoch(std::size_t passed) {
  now_ = passed == 0 ? R(-1) : switches_[passed - 1];
  build_elements();
  build_forces();
}

template <class R>
const TimeLaw::Piece& Mechanism<R>::piece(const TimeLaw& law) const {
  std::size_t i = law.pieces.size() - 1;
  while (i > 0 && number(law.pieces[i].from) > now_) --i;
  return law.pieces[i];
}

template <class R>
void Mechanism<R>::add_law(Vector<R>& row, const R& factor, const TimeLaw& law, int derivative) const {
  const TimeLaw::Piece& p = piece(law);
  const R from = number(p.from), c0 = number(p.polynomial[0]), c1 = number(p.polynomial[1]),
          c2 = number(p.polynomial[2]);
  if (derivative == 0) {
    row[at(0)] += factor * (c0 - c1 * from + c2 * from * from);
    row[at(1)] += factor * (c1 - 2 * c2 * from);
    row[at(2)] += factor * 2 * c2;
  } else if (derivative == 1) {
    row[at(0)] += factor * (c1 - 2 * c2 * from);
    row[at(1)] += factor * 2 * c2;
  } else {
    row[at(0)] += factor * 2 * c2;
  }
  for (const Sine& s : p.sines) {
    const std::size_t k = sine(s);
    const R a = number(s.amplitude), w = sines_[k].frequency;
    if (derivative == 0) row[at(3 + 2 * k)] += factor * a;
    if (derivative == 1) row[at(4 + 2 * k)] += factor * a * w;
    if (derivative == 2) row[at(3 + 2 * k)] -= factor * a * w * w;
  }
}

template <class R>
Direction<R> Mechanism<R>::direction(int first, int second, const R& ux, const R& uy) const {
  Direction<R> d{Vector<R>(n_, R(0)), Vector<R>(size(), R(0)), Vector<R>(size(), R(0)), Vector<R>(size(), R(0))};
  const auto body = [&](int b, const R& sign) {
    if (b == ground) return;
    const std::size_t index = static_cast<std::size_t>(b);
    const R u[2] = {R(sign * ux), R(sign * uy)};
    for (std::size_t i = 0; i < 2; ++i) {
      if (first_coordinate_[index] < 0) {
        const TimeLaw& law = (*model_.bodies[index].motion)[i];
        add_law(d.position, u[i], law, 0);
        add_law(d.velocity, u[i], law, 1);
        add_law(d.acceleration, u[i], law, 2);
      } else {
        const std::size_t c = static_cast<std::size_t>(first_coordinate_[index]) + i;
        d.w[c] += u[i];
        d.position[c] += u[i];
        d.velocity[n_ + c] += u[i];
      }
    }
  };
  body(second, R(1));
  body(first, R(-1));
  return d;
}

template <class R>
void Mechanism<R>::build_elements() {
  elements_.clear();
  const auto rub = [&](Element<R>& e, const std::optional<Friction>& friction) {
    e.friction = friction.has_value();
    if (!friction) return;
    e.mu_static = number(friction->mu_static);
    e.mu_kinetic = number(friction->mu_kinetic);
    e.given = friction->normal_force.has_value();
    if (!e.given) return;
    e.given_normal.assign(size(), R(0));
    add_law(e.given_normal, R(1), *friction->normal_force, 0);
  };
  for (const Guide& guide : model_.guides) {
    Element<R> e;
    e.name = guide.name;
    R ax = number(guide.axis[0]), ay = number(guide.axis[1]);
    const R length = sqrt(R(ax * ax + ay * ay));
    ax /= length;
    ay /= length;
    e.normal = direction(guide.first, guide.second, R(-ay), ax);
    e.tangent = direction(guide.first, guide.second, ax, ay);
    rub(e, guide.friction);
    elements_.push_back(e);
  }
  for (const Contact& contact : model_.contacts) {
    Element<R> e;
    e.name = contact.name;
    e.contact = true;
    const R nx = number(contact.normal[0]), ny = number(contact.normal[1]);
    e.normal = direction(contact.first, contact.second, nx, ny);
    e.normal.position[at(0)] -= number(contact.radius);
    if (contact.circles) {
      e.normal.position[at(0)] -= number(contact.first_radius);
    } else {
      e.normal.position[at(0)] -= nx * number(contact.point[0]) + ny * number(contact.point[1]);
    }
    e.tangent = direction(contact.first, contact.second, ny, R(-nx));
    add_law(e.tangent.velocity, R(-1), contact.surface_velocity, 0);
    add_law(e.tangent.acceleration, R(-1), contact.surface_velocity, 1);
    e.restitution = number(contact.restitution);
    rub(e, contact.friction);
    elements_.push_back(e);
  }
}

template <class R>
void Mechanism<R>::build_forces() {
  mass_.assign(n_, R(0));
  force_.assign(n_, Vector<R>(size(), R(0)));
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    if (first_coordinate_[b] < 0) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t c = static_cast<std::size_t>(first_coordinate_[b]) + i;
      mass_[c] = number(model_.bodies[b].mass);
      force_[c][at(0)] += mass_[c] * number(model_.gravity[i]);
    }
  }
  for (const PointForce& f : model_.forces)
    for (std::size_t i = 0; i < 2; ++i)
      add_law(force_[static_cast<std::size_t>(first_coordinate_[static_cast<std::size_t>(f.body)]) + i], R(1),
              f.force[i], 0);
  for (const Spring& s : model_.springs) {
    Direction<R> d = direction(s.first, s.second, number(s.axis[0]), number(s.axis[1]));
    if (s.first == ground) {
      add_law(d.position, R(-number(s.axis[0])), s.anchor, 0);
      add_law(d.velocity, R(-number(s.axis[0])), s.anchor, 1);
    }
    d.position[at(0)] -= number(s.free_length);
    for (std::size_t c = 0; c < n_; ++c) {
      add(force_[c], R(-d.w[c] * number(s.stiffness)), d.position);
      add(force_[c], R(-d.w[c] * number(s.damping)), d.velocity);
    }
  }
}

template class Mechanism<Fast>;
template class Mechanism<Exact>;

}  // namespace oracle
