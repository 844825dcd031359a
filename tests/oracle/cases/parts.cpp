// tests/oracle/cases/parts.cpp
#include "cases/parts.hpp"

#include <algorithm>
#include <cstdlib>

namespace oracle {

namespace {
std::string numbered(const std::string& word, std::size_t n) { return word + std::to_string(n); }
}  // namespace

Model begin(Draw& draw, const std::string& family, double shortest, double longest) {
  Model model;
  model.family = family;
  model.title = family;
  model.gravity = {0, draw.number(5, 12, 2).negative()};
  model.end = Decimal(static_cast<std::int64_t>(draw.uniform(100 * shortest, 100 * longest)), 2);
  model.integrator = draw.chance(0.6) ? "dopri5" : "dop853";
  if (const char* other = std::getenv("HSTAR_ORACLE_INTEGRATOR")) model.integrator = other;
  const char* tolerances[] = {"1e-9", "1e-10", "1e-11"};
  model.rtol = tolerances[draw.below(3)];
  return model;
}

Friction any_friction(Draw& draw, double largest) {
  const Decimal mu = draw.number(0.1, largest);
  if (draw.chance(0.33)) return {mu, mu, {}};
  return {mu, draw.number(0.05, 0.95 * mu.rounded()), {}};
}

Decimal any_restitution(Draw& draw) {
  switch (draw.below(6)) {
    case 0:
      return 0;
    case 1:
      return 1;
    default:
      return draw.number(0.05, 0.95);
  }
}

std::string any_law(Draw& draw) {
  const char* laws[] = {"newton", "poisson", "stronge", "whittaker"};
  return laws[draw.below(4)];
}

TimeLaw sine(Draw& draw, double size, double slowest, double fastest) {
  TimeLaw law;
  law.pieces[0].sines = {{draw.number(0.3 * size, size), draw.number(slowest, fastest), draw.number(0, 6)}};
  return law;
}

TimeLaw any_law_of_time(Model& model, Draw& draw, double size) {
  TimeLaw law;
  switch (draw.below(6)) {
    case 0:
      law.pieces[0].polynomial[0] = draw.either_sign(0.1 * size, size);
      break;
    case 1:
      law.pieces[0].polynomial = {draw.either_sign(0, 0.5 * size), draw.either_sign(0.1 * size, size), 0};
      break;
    case 2:
      law = sine(draw, size);
      law.pieces[0].polynomial[0] = draw.either_sign(0, 0.3 * size);
      break;
    case 3:
      law = sine(draw, size);
      law.pieces[0].sines.push_back(sine(draw, size).pieces[0].sines[0]);
      break;
    default: {
      // Told or not: half and half.
      const bool told = draw.chance(0.5);
      double from = 0;
      const int steps = 1 + draw.below(3);
      law.pieces[0].polynomial[0] = draw.chance(0.5) ? Decimal(0) : draw.either_sign(0.1 * size, size);
      for (int i = 0; i < steps; ++i) {
        const Decimal at = draw.number(from + 0.1, from + 1.5);
        from = at.rounded();
        TimeLaw::Piece piece;
        piece.from = at;
        piece.polynomial[0] = draw.either_sign(0.1 * size, size);
        if (draw.chance(0.3)) piece.polynomial[1] = draw.either_sign(0.1 * size, size);
        law.pieces.push_back(piece);
        if (told) model.told_times.push_back(at);
      }
    }
  }
  return law;
}

int add_body(Model& model, const Decimal& mass, const Pair& position, const Pair& velocity) {
  Body body;
  body.name = numbered("b", model.bodies.size());
  body.mass = mass;
  body.position = position;
  body.velocity = velocity;
  model.bodies.push_back(body);
  return static_cast<int>(model.bodies.size()) - 1;
}

int add_driver(Model& model, const std::string& name, const TimeLaw& x, const TimeLaw& y) {
  Body body;
  body.name = name;
  body.motion = {x, y};
  model.bodies.push_back(body);
  return static_cast<int>(model.bodies.size()) - 1;
}

void add_guide(Model& model, int first, int second, const std::optional<Friction>& friction, const Pair& axis) {
  Guide guide;
  guide.name = numbered("guide", model.guides.size());
  guide.first = first;
  guide.second = second;
  guide.axis = axis;
  guide.friction = friction;
  model.guides.push_back(guide);
}

void add_floor(Model& model, int first, int second, const std::optional<Friction>& friction,
               const Decimal& restitution) {
  Contact contact;
  contact.name = numbered("floor", model.contacts.size());
  contact.first = first;
  contact.second = second;
  contact.restitution = restitution;
  contact.friction = friction;
  model.contacts.push_back(contact);
}

void add_wall(Model& model, int second, const Decimal& at, bool from_left, const Decimal& restitution,
              const Decimal& radius, const std::string& law) {
  Contact contact;
  contact.name = numbered("wall", model.contacts.size());
  contact.second = second;
  contact.normal = {from_left ? -1 : 1, 0};
  contact.point = {at, 0};
  contact.radius = radius;
  contact.restitution = restitution;
  contact.law = law;
  model.contacts.push_back(contact);
}

void add_collision(Model& model, int first, int second, const Decimal& radius, const Decimal& restitution,
                   bool upright) {
  Contact contact;
  contact.name = numbered("pair", model.contacts.size());
  contact.first = first;
  contact.second = second;
  contact.normal = upright ? Pair{0, 1} : Pair{1, 0};
  contact.circles = true;
  contact.first_radius = contact.radius = radius;
  contact.restitution = restitution;
  model.contacts.push_back(contact);
}

void add_spring(Model& model, Draw& draw, int first, int second, const Decimal& free_length, const TimeLaw& anchor) {
  Spring spring;
  spring.first = first;
  spring.second = second;
  spring.anchor = anchor;
  spring.stiffness = draw.number(2, 60, 2);
  spring.damping = draw.number(0.05, 2);  // without any, motions return to a belt's speed and just touch it
  spring.free_length = free_length;
  model.springs.push_back(spring);
}

void add_force(Model& model, int body, const TimeLaw& x, const TimeLaw& y) { model.forces.push_back({body, {x, y}}); }

}  // namespace oracle
