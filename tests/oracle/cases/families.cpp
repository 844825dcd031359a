// tests/oracle/cases/families.cpp
#include "cases/families.hpp"

#include <algorithm>

#include "cases/parts.hpp"

namespace oracle {

namespace {

const Decimal radius(1, 1);

/// A block rests on the ground: on a guide or on a floor.
void rest(Model& model, int block, bool on_guide, const std::optional<Friction>& friction) {
  if (on_guide) {
    add_guide(model, ground, block, friction);
  } else {
    add_floor(model, ground, block, friction, 0);
  }
}

Model chain(Draw& draw) {
  Model model = begin(draw, "chain", 2, 6);
  const int n = 1 + draw.below(3);
  const bool on_guide = draw.chance(0.7);
  const Friction shared = any_friction(draw);
  const bool equal = draw.chance(0.3);
  for (int i = 0; i < n; ++i) {
    const int block = add_body(model, draw.number(0.2, 4), {draw.either_sign(0, 0.5), 0},
                               {draw.chance(0.5) ? draw.either_sign(0, 2) : Decimal(0), 0});
    rest(model, block, on_guide, equal ? shared : any_friction(draw));
    if (i > 0 || draw.chance(0.5))
      add_spring(model, draw, i == 0 ? ground : block - 1, block, 0,
                 i == 0 && draw.chance(0.6) ? any_law_of_time(model, draw, 0.5) : TimeLaw{});
  }
  if (draw.chance(0.8)) add_force(model, draw.below(n), any_law_of_time(model, draw, 12));
  return model;
}

Model tower(Draw& draw) {
  Model model = begin(draw, "tower", 1.5, 4);
  const int n = 2 + draw.below(3);
  const bool on_guides = draw.chance(0.5), equal = draw.chance(0.3);
  const Friction shared = any_friction(draw);
  int below = ground;
  if (draw.chance(0.5)) below = add_driver(model, "table", sine(draw, 0.3, 1, 8), {});
  const int first = static_cast<int>(model.bodies.size());
  for (int i = 0; i < n; ++i) {
    const int block =
        add_body(model, draw.number(0.2, 4), {0, 0}, {draw.chance(0.3) ? draw.either_sign(0, 2) : Decimal(0), 0});
    const Friction friction = equal ? shared : any_friction(draw);
    if (on_guides) {
      add_guide(model, below, block, friction);
    } else {
      add_floor(model, below, block, friction, 0);
    }
    below = block;
  }
  if (first == 0 || draw.chance(0.4)) add_force(model, first + draw.below(n), any_law_of_time(model, draw, 25));
  if (draw.chance(0.3)) add_spring(model, draw, ground, first + draw.below(n), 0);
  return model;
}

Model incline(Draw& draw) {
  Model model = begin(draw, "incline", 1.5, 4);
  const bool steep = draw.chance(0.4);
  const Pair axis = steep ? Pair{4, 3} : Pair{12, 5};
  int base = ground;
  if (draw.chance(0.6))
    base = add_driver(model, "plane", sine(draw, 0.2, 1, 10), draw.chance(0.4) ? sine(draw, 0.02, 1, 10) : TimeLaw{});
  const int block = add_body(model, draw.number(0.2, 4), {0, 0}, {0, 0});
  add_guide(model, base, block, any_friction(draw, 1.2), axis);
  if (draw.chance(0.4)) {
    const int rider = add_body(model, draw.number(0.2, 4), {0, 0}, {0, 0});
    add_guide(model, block, rider, any_friction(draw, 1.2), axis);
    if (draw.chance(0.5)) add_force(model, rider, any_law_of_time(model, draw, 8));
  }
  if (draw.chance(0.4)) add_force(model, block, any_law_of_time(model, draw, 15));
  return model;
}

Model wall(Draw& draw) {
  Model model = begin(draw, "wall", 1.5, 4);
  const int n = 1 + draw.below(3);
  const bool on_guide = draw.chance(0.6), rough = draw.chance(0.8);
  const std::string law = n == 1 && on_guide ? any_law(draw) : "newton";
  const Decimal e = any_restitution(draw);
  const bool one_e = draw.chance(0.5);
  for (int i = 0; i < n; ++i) {
    const Decimal x(100 * i + (i == 0 ? 0 : draw.below(40)), 2, 1000 + i);
    const int block =
        add_body(model, draw.number(0.2, 4), {x, 0}, {draw.chance(0.7) ? draw.either_sign(0.2, 4) : Decimal(0), 0});
    rest(model, block, on_guide, rough ? std::optional(any_friction(draw, 0.5)) : std::nullopt);
    if (i > 0) add_collision(model, block - 1, block, radius, one_e ? e : any_restitution(draw), false);
  }
  if (draw.chance(0.9))
    add_wall(model, n - 1, draw.number(n, n + 0.8), true, one_e ? e : any_restitution(draw), radius, law);
  if (draw.chance(0.7))
    add_wall(model, 0, draw.number(-1.5, -0.3), false, one_e ? e : any_restitution(draw), radius, law);
  if (draw.chance(0.6)) add_force(model, draw.below(n), any_law_of_time(model, draw, 8));
  return model;
}

Model ball(Draw& draw) {
  Model model = begin(draw, "ball", 1, 3);
  // Three balls that collapse in turn often hang on the last digits.
  const int n = draw.chance(0.4) ? 1 : draw.chance(0.8) ? 2 : 3;
  const bool elastic = draw.chance(0.15);
  int table = ground;
  if (draw.chance(0.6)) table = add_driver(model, "table", {}, sine(draw, 0.1, 1, 10));
  int below = table;
  for (int i = 0; i < n; ++i) {
    const Decimal y(50 * i + 40 + draw.below(30), 2, 1000 + i);
    const int ball =
        add_body(model, draw.number(0.2, 5), {0, y}, {0, draw.chance(0.5) ? draw.either_sign(0, 2) : Decimal(0)});
    // Among contacts that lose energy one that keeps it makes accumulations without end.
    const Decimal e = n == 1             ? any_restitution(draw)
                      : elastic          ? Decimal(1)
                      : draw.chance(0.2) ? Decimal(0)
                                         : draw.number(0.05, 0.9);
    if (i == 0) {
      add_floor(model, below, ball, {}, e);
      model.contacts.back().radius = radius;
      if (n == 1) model.contacts.back().law = any_law(draw);
    } else {
      add_collision(model, below, ball, radius, e, true);
    }
    below = ball;
  }
  return model;
}

Model cart(Draw& draw) {
  Model model = begin(draw, "cart", 1.5, 4);
  const bool on_guide = draw.chance(0.6);
  const Decimal speed = draw.either_sign(0, 3);
  const int cart = add_body(model, draw.number(1, 6), {0, 0}, {speed, 0});
  const std::optional<Friction> below = draw.chance(0.5) ? std::optional(any_friction(draw, 0.3)) : std::nullopt;
  rest(model, cart, on_guide, below);
  const int riders = 1 + draw.below(2);
  for (int i = 0; i < riders; ++i) {
    const int rider =
        add_body(model, draw.number(0.2, 3), {0, 0}, {draw.chance(0.7) ? speed : draw.either_sign(0, 3), 0});
    if (draw.chance(0.5)) {
      add_guide(model, cart, rider, any_friction(draw));
    } else {
      add_floor(model, cart, rider, any_friction(draw), 0);
    }
  }
  if (draw.chance(0.9)) add_wall(model, cart, draw.number(0.3, 2), true, any_restitution(draw), 0);
  if (draw.chance(0.7)) add_wall(model, cart, draw.number(-2, -0.3), false, any_restitution(draw), 0);
  if (draw.chance(0.4)) add_spring(model, draw, ground, cart, 0);
  if (draw.chance(0.5)) add_force(model, draw.below(riders + 1), any_law_of_time(model, draw, 10));
  return model;
}

Model belt(Draw& draw) {
  Model model = begin(draw, "belt", 2, 5);
  const int n = 1 + draw.below(2);
  for (int i = 0; i < n; ++i) {
    const int block =
        add_body(model, draw.number(0.3, 3), {0, 0}, {draw.chance(0.3) ? draw.either_sign(0, 2) : Decimal(0), 0});
    add_floor(model, ground, block, any_friction(draw), 0);
    if (i == 0 || draw.chance(0.3)) model.contacts.back().surface_velocity = any_law_of_time(model, draw, 1.5);
    if (draw.chance(0.6)) add_spring(model, draw, i == 0 ? ground : block - 1, block, 0);
  }
  if (draw.chance(0.3)) add_force(model, draw.below(n), any_law_of_time(model, draw, 5));
  return model;
}

Model throw_(Draw& draw) {
  Model model = begin(draw, "throw", 1.5, 3);
  const int normal = draw.below(3);
  int base = ground;
  if (draw.chance(0.4))
    base = add_driver(model, "plate", draw.chance(0.5) ? sine(draw, 0.1, 1, 8) : TimeLaw{}, sine(draw, 0.05, 1, 8));
  const int stone = add_body(model, draw.number(0.2, 4), {0, draw.number(0.4, 1.5)},
                             {draw.either_sign(0, 3), draw.either_sign(0, 2)});
  add_floor(model, base, stone, any_friction(draw, 1), any_restitution(draw));
  model.contacts.reserve(2);
  Contact& floor = model.contacts.back();
  if (normal == 1) floor.normal = {Decimal(6, 1), Decimal(8, 1)};
  if (normal == 2) floor.normal = {Decimal(-28, 2), Decimal(96, 2)};
  if (draw.chance(0.4)) floor.surface_velocity = any_law_of_time(model, draw, 1);
  const bool walled = draw.chance(0.4);
  if (walled) {
    // Two rough contacts with different coefficients may leave a wedge without any lawful impact.
    const bool rough = draw.chance(0.5);
    const Decimal e = rough ? floor.restitution : any_restitution(draw);
    add_wall(model, stone, draw.number(0.5, 2), true, e, 0);
    if (rough) model.contacts.back().friction = any_friction(draw, 0.5);
  } else {
    floor.law = any_law(draw);
  }
  return model;
}

Model brake(Draw& draw) {
  Model model = begin(draw, "brake", 2, 5);
  const int n = 1 + draw.below(2);
  for (int i = 0; i < n; ++i) {
    const int block =
        add_body(model, draw.number(0.3, 3), {0, 0}, {draw.chance(0.5) ? draw.either_sign(0, 2) : Decimal(0), 0});
    Friction friction = any_friction(draw);
    TimeLaw normal;
    switch (draw.below(4)) {
      case 0:  // nothing at first, then the brake is put on
        normal.pieces.push_back({draw.number(0.3, 1.5), {draw.number(2, 20), 0, 0}, {}});
        if (draw.chance(0.6)) model.told_times.push_back(normal.pieces[1].from);
        break;
      case 1:
        normal.pieces[0].polynomial = {draw.number(1, 10), draw.number(0.1, 3), 0};
        break;
      case 2:
        normal = sine(draw, 5);
        normal.pieces[0].polynomial[0] = draw.number(6, 12);
        break;
      default:
        break;  // never put on
    }
    friction.normal_force = normal;
    add_guide(model, i > 0 && draw.chance(0.5) ? block - 1 : ground, block, friction);
    if (draw.chance(0.6)) add_spring(model, draw, i == 0 ? ground : block - 1, block, 0);
    if (draw.chance(0.7)) add_force(model, block, any_law_of_time(model, draw, 8));
  }
  return model;
}

Model cradle(Draw& draw) {
  Model model = begin(draw, "cradle", 1, 3);
  const int n = 2 + draw.below(3);
  const bool rough = draw.chance(0.4);
  const Decimal e = any_restitution(draw), mass = draw.number(0.5, 2);
  const bool equal = draw.chance(0.5), one_e = draw.chance(0.6);
  std::int64_t x = 0;
  for (int i = 0; i < n; ++i) {
    // Touching its neighbour or not; an exact position has no knob.
    const bool touches = draw.chance(0.5);
    if (i > 0) x += touches ? 20 : 30 + draw.below(30);
    const bool moves = i == 0 || (!touches && draw.chance(0.3));
    const int ball = add_body(model, equal ? mass : draw.number(0.3, 4), {Decimal(x, 2), 0},
                              {moves ? draw.number(0.5, 3) : Decimal(0), 0});
    add_guide(model, ground, ball, rough ? std::optional(any_friction(draw, 0.3)) : std::nullopt);
    if (i > 0) add_collision(model, ball - 1, ball, radius, one_e ? e : any_restitution(draw), false);
  }
  if (draw.chance(0.4))
    add_wall(model, n - 1, Decimal(x + 20 + draw.below(100), 2, 2000), true, one_e ? e : any_restitution(draw), radius);
  return model;
}

Model plate(Draw& draw) {
  Model model = begin(draw, "plate", 1.5, 3);
  TimeLaw up = sine(draw, 0.06, 4, 16);
  if (draw.chance(0.2)) {  // a driver whose speed jumps
    up = {};
    TimeLaw::Piece rise;
    rise.from = draw.number(0.5, 1.2);
    rise.polynomial[1] = draw.either_sign(0.2, 2);
    up.pieces.push_back(rise);
    if (draw.chance(0.5)) model.told_times.push_back(rise.from);
  }
  const int table = add_driver(model, "table", draw.chance(0.3) ? sine(draw, 0.1, 1, 8) : TimeLaw{}, up);
  const int n = 1 + draw.below(2);
  int below = table;
  for (int i = 0; i < n; ++i) {
    const int block = add_body(model, draw.number(0.3, 3), {0, Decimal(15 * (i + 1) + draw.below(10), 2, 1000 + i)},
                               {draw.chance(0.5) ? draw.either_sign(0, 1) : Decimal(0), 0});
    add_floor(model, below, block, draw.chance(0.7) ? std::optional(any_friction(draw)) : std::nullopt,
              draw.chance(0.5) ? Decimal(0) : draw.number(0.05, 0.6));
    below = block;
  }
  if (draw.chance(0.5)) add_force(model, 1 + draw.below(n), any_law_of_time(model, draw, 6));
  return model;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"chain", "blocks on a dry floor, coupled by springs, driven and forced", chain},
      {"tower", "blocks on each other, pulled or shaken", tower},
      {"incline", "blocks on a slope that is shaken", incline},
      {"wall", "blocks on a dry floor that strike walls and each other", wall},
      {"ball", "balls above each other on a fixed or shaken table", ball},
      {"cart", "a cart with riders that strikes walls", cart},
      {"belt", "blocks on belts that change their speed", belt},
      {"throw", "a point thrown on a rough floor, slope, plate or against a wall", throw_},
      {"brake", "friction with a normal force that is a function of time", brake},
      {"cradle", "balls in a row, some of them touching", cradle},
      {"plate", "blocks on a plate that shakes so hard that they fly, or jumps", plate},
  };
  return all;
}

Model make_case(std::uint64_t seed, std::uint64_t index) {
  Draw draw(seed, index);
  Model model = families()[index % families().size()].make(draw);
  model.title += ", case " + std::to_string(index) + " of seed " + std::to_string(seed);
  return model;
}

}  // namespace oracle
