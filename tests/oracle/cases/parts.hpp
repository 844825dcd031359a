// tests/oracle/cases/parts.hpp: what the families are put together from.
#pragma once

#include <string>

#include "cases/draw.hpp"

namespace oracle {

/// Gravity downwards, an end between the two times, one of several integrators and tolerances.
Model begin(Draw& draw, const std::string& family, double shortest, double longest);

/// mu_static >= mu_kinetic, equal in one case of three.
Friction any_friction(Draw& draw, double largest = 0.8);
/// 0, 1 or between.
Decimal any_restitution(Draw& draw);
/// A law that is Newton's where one contact without coupling strikes.
std::string any_law(Draw& draw);

/// A function of time of about this size: constant, ramp, sine, sum of sines, or steps. Times of steps are told to
/// hstar by a guard, or are left for it to find in the formula.
TimeLaw any_law_of_time(Model& model, Draw& draw, double size);
TimeLaw sine(Draw& draw, double size, double slowest = 0.5, double fastest = 8);

int add_body(Model& model, const Decimal& mass, const Pair& position, const Pair& velocity);
int add_driver(Model& model, const std::string& name, const TimeLaw& x, const TimeLaw& y);
void add_guide(Model& model, int first, int second, const std::optional<Friction>& friction, const Pair& axis = {1, 0});
/// The second body's point rests on a line through the first body's origin.
void add_floor(Model& model, int first, int second, const std::optional<Friction>& friction,
               const Decimal& restitution);
/// A line on the ground that stands across x = `at` and holds what comes from the left (or from the right).
void add_wall(Model& model, int second, const Decimal& at, bool from_left, const Decimal& restitution,
              const Decimal& radius, const std::string& law = "newton");
/// Two circles, the first to the left of (or below) the second.
void add_collision(Model& model, int first, int second, const Decimal& radius, const Decimal& restitution,
                   bool upright);
/// Along x.
void add_spring(Model& model, Draw& draw, int first, int second, const Decimal& free_length,
                const TimeLaw& anchor = {});
void add_force(Model& model, int body, const TimeLaw& x, const TimeLaw& y = {});

}  // namespace oracle
