// tests/laws/elements_bodies.cpp
#include "laws/elements_bodies.hpp"

#include <cmath>
#include <cstdio>

namespace laws {

std::string word(Kind kind) {
  switch (kind) {
    case Kind::ground:
      return "ground";
    case Kind::fixed:
      return "fixed";
    case Kind::prescribed:
      return "prescribed";
    case Kind::free:
      return "free";
    case Kind::point:
      break;
  }
  return "point mass";
}

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  const std::string s = text;
  return s.find_first_of(".en") == std::string::npos ? s + ".0" : s;
}

std::string vector(hstar::Vec2 v) { return "[" + number(v[0]) + ", " + number(v[1]) + "]"; }

double Wave::at(double t, int derivative) const {
  const double phase = w * t + p;
  return derivative == 0   ? c + a * std::sin(phase)
         : derivative == 1 ? a * w * std::cos(phase)
                           : -a * w * w * std::sin(phase);
}

std::string Wave::text() const {
  return "\"(" + number(c) + ") + (" + number(a) + ")*sin((" + number(w) + ")*t + (" + number(p) + "))\"";
}

Actor::Actor(Kind k, hstar::Vec2 around, support::Random& random) : kind(k) {
  for (std::size_t i = 0; i < 3; ++i) {
    q[i].c = i < 2 ? around[i] + random.uniform(-0.3, 0.3) : random.uniform(-3, 3);
    q[i].a = random.uniform(0.2, 0.6);
    q[i].w = random.uniform(0.5, 1.8);
    q[i].p = random.uniform(-3, 3);
  }
  if (kind == Kind::ground) q = {};
  if (kind == Kind::fixed)
    for (Wave& wave : q) wave.a = 0;
  if (kind == Kind::point) q[2] = {};
}

namespace {
std::string body_text(const std::string& name, const Actor& actor) {
  if (actor.kind == Kind::ground) return {};
  const std::string head = "[[body]]\nname = \"" + name + "\"\n";
  if (!actor.moves_freely())
    return head + "motion = { x = " + actor.q[0].text() + ", y = " + actor.q[1].text() +
           ", angle = " + actor.q[2].text() + " }\n";
  return head + "mass = 1.5\n" + (actor.kind == Kind::free ? "inertia = 0.7\n" : "");
}
}  // namespace

Stage::Stage(Actor first, Actor second, const std::string& elements) : a(first), b(second) {
  system = hstar::build_system(hstar::parse_model(
      "gravity = [0.0, 0.0]\nsimulation.end = 1.0\n" + body_text("a", a) + body_text("b", b) + elements, "stage"));
}

std::vector<double> Stage::state(double t) const {
  std::vector<double> y(system->size());
  for (const hstar::Body& body : system->bodies) {
    if (body.prescribed) continue;
    const Actor& actor = body.name == "a" ? a : b;
    for (int i = 0; i < body.dofs; ++i) {
      y[static_cast<std::size_t>(body.dof + i)] = actor.q[static_cast<std::size_t>(i)].at(t, 0);
      y[static_cast<std::size_t>(system->nq + body.dof + i)] = actor.q[static_cast<std::size_t>(i)].at(t, 1);
    }
  }
  return y;
}

hstar::Kinematics Stage::at(double t, const std::vector<double>& y) const {
  hstar::Kinematics k;
  system->prepare(k);
  system->update(k, t, y.data());
  for (std::size_t i = 1; i < system->bodies.size(); ++i) {
    const hstar::Body& body = system->bodies[i];
    if (body.prescribed) continue;
    const Actor& actor = body.name == "a" ? a : b;
    k.body[i].a = {actor.q[0].at(t, 2), actor.q[1].at(t, 2)};
    k.body[i].alpha = body.turns ? actor.q[2].at(t, 2) : 0;
  }
  k.y = nullptr;  // y ends with this call; no element of the suites reads extra states
  return k;
}

hstar::Kinematics Stage::at(double t) const { return at(t, state(t)); }

double Stage::velocity(const hstar::Row& row, const hstar::Kinematics& k) const {
  double sum = -row.nu;
  for (std::size_t i = 0; i < 2; ++i) {
    if (system->bodies[static_cast<std::size_t>(row.body[i])].prescribed) continue;
    const auto& m = k.of(row.body[i]);
    sum += row.J[i][0] * m.v[0] + row.J[i][1] * m.v[1] + row.J[i][2] * m.omega;
  }
  return sum;
}

double Stage::acceleration(const hstar::Row& row, const hstar::Kinematics& k) const {
  double sum = -row.gamma;
  for (std::size_t i = 0; i < 2; ++i) {
    if (system->bodies[static_cast<std::size_t>(row.body[i])].prescribed) continue;
    const auto& m = k.of(row.body[i]);
    sum += row.J[i][0] * m.a[0] + row.J[i][1] * m.a[1] + row.J[i][2] * m.alpha;
  }
  return sum;
}

}  // namespace laws
