// src/model/element_check.cpp
#include "model/element_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/defects.hpp"
#include "model/nearest.hpp"

namespace hstar::model {

void ElementCheck::number(std::string_view key, double x) const {
  const std::string problem = number_refusal(owner_, section_.at(key), x, fmt::format("{}", x));
  if (!problem.empty()) throw InputError(where_, problem);
}

void ElementCheck::number_if_given(std::string_view key, double x) const {
  if (x != 0) number(key, x);
}

void ElementCheck::finite(std::string_view key, std::span<const double> x) const {
  if (std::any_of(x.begin(), x.end(), [](double value) { return !std::isfinite(value); }))
    fail(key, fmt::format("[{}]", fmt::join(x, ", ")), "must be finite numbers");
}

void ElementCheck::direction(std::string_view key, std::span<const double> x) const {
  finite(key, x);
  if (std::all_of(x.begin(), x.end(), [](double value) { return value == 0; }))
    fail(key, fmt::format("[{}]", fmt::join(x, ", ")), "must not be of zero length");
}

void ElementCheck::word(std::string_view key, const std::string& given) const {
  const std::string problem = word_refusal(owner_, section_.at(key), given);
  if (!problem.empty()) throw InputError(where_, problem);
}

void ElementCheck::formula(std::string_view key, const Expression& given) const {
  if (given.is_constant()) number(key, given.constant_value());
}

void ElementCheck::friction(const FrictionSpec& f) const {
  const ElementCheck of(section("friction"), owner_ + ": friction", f.where);
  of.word("law", f.law);
  for (const auto& [key, value] :
       {std::pair{"mu_static", f.mu_static}, {"mu_kinetic", f.mu_kinetic}, {"viscous", f.viscous}})
    of.number(key, value);
  if (f.law == "stribeck") {
    of.number("stribeck_velocity", f.stribeck_velocity);
    of.number("stribeck_exponent", f.stribeck_exponent);
  }
  for (const auto& [key, value] : {std::pair{"radius", f.radius},
                                   {"thrust_radius", f.thrust_radius},
                                   {"rolling", f.rolling},
                                   {"spinning", f.spinning}})
    of.number_if_given(key, value);
  for (const Vec2& row : f.table) of.finite("table", row);
  if (f.normal_force) of.formula("normal_force", *f.normal_force);
  if (const auto defect = friction_defect(f)) of.plainly(defect->message);
}

void ElementCheck::limits(std::span<const LimitsSpec> given, int coordinates) const {
  for (const LimitsSpec& l : given) {
    if (l.coordinate < 0 || l.coordinate >= coordinates)
      plainly(fmt::format("limits of coordinate {}, and the joint has {}", l.coordinate, coordinates));
    number("restitution", l.restitution);
    if (const auto defect = limits_defect(l))
      fail(defect->key, fmt::format("[{}, {}]", l.lower, l.upper), defect->message);
  }
}

void ElementCheck::missing(std::string_view key) const {
  throw InputError(where_, missing_text(owner_, section_.at(key)));
}

void ElementCheck::fail(std::string_view key, std::string_view value, std::string_view problem) const {
  throw InputError(where_, refusal(owner_, section_.at(key), value, problem));
}

void ElementCheck::plainly(const std::string& message) const {
  throw InputError(where_, fmt::format("{}: {}", owner_, message));
}

void NameCheck::claim(std::string_view group, const std::string& name, const ElementCheck& element, NameUse use) {
  if (name.empty()) element.missing("name");
  check_name(name, element.where(), element.owner(), use);
  if (!taken_.insert(fmt::format("{}/{}", group, name)).second)
    element.plainly(fmt::format("the name \"{}\" is taken; choose another", name));
}

void BodyCheck::known(std::initializer_list<std::string_view> bodies, const ElementCheck& element) const {
  for (const std::string_view body : bodies) {
    if (body == "ground" || kind_.contains(body)) continue;
    std::vector<std::string> all{"ground"};
    for (const auto& [name, kind] : kind_) all.push_back(name);
    element.plainly(fmt::format("unknown body \"{}\"; {}", body, suggestion(body, all, "bodies")));
  }
}

bool BodyCheck::moves_freely(std::string_view body) const {
  const auto i = kind_.find(body);
  return i != kind_.end() && i->second != Kind::prescribed;
}

void BodyCheck::one_moves(const std::string& a, const std::string& b, const ElementCheck& element) const {
  known({a, b}, element);
  if (a == b) element.plainly(fmt::format("both bodies are \"{}\"; give two different bodies", a));
  if (moves_freely(a) || moves_freely(b)) return;
  element.plainly(
      fmt::format("neither \"{}\" nor \"{}\" can move freely (ground and bodies with motion cannot); give "
                  "at least one body with a mass",
                  a, b));
}

void BodyCheck::has_angle(const std::string& body, const ElementCheck& element) const {
  const auto i = kind_.find(body);
  if (i != kind_.end() && i->second == Kind::point_mass)
    element.plainly(fmt::format("body \"{}\" is a point mass and has no angle; give the body an inertia", body));
}

}  // namespace hstar::model
