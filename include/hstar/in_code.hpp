// include/hstar/in_code.hpp
//
// Short words for models that programs write: a ModelSpec is filled with designated initializers, as a model file is
// with keys (examples/cpp/mechanism.cpp is the drag sled in ten lines). What is wrong is told when it runs
// (check_model.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hstar/model_spec.hpp"

namespace hstar::in_code {

/// A number, or a formula in text: "0.034*t". @throws InputError for one that cannot be read.
struct Formula : Expression {
  Formula(double value) : Expression(constant(value)) {}  // NOLINT(google-explicit-constructor): reads as in a file
  Formula(const char* text)                               // NOLINT(google-explicit-constructor)
      : Expression(compile(text, {}, [](std::string_view) { return std::nullopt; })) {}
};

/// A point of a body, in its coordinates; of the ground, in global ones.
[[nodiscard]] inline MarkerSpec at(std::string body, const Formula& x = 0.0, const Formula& y = 0.0) {
  MarkerSpec marker;
  marker.body = std::move(body);
  marker.x = x;
  marker.y = y;
  return marker;
}

[[nodiscard]] inline BodySpec body(std::string name, double mass, Vec2 position = {0, 0}, Vec2 velocity = {0, 0}) {
  BodySpec spec;
  spec.name = std::move(name);
  spec.mass = mass;
  spec.position = position;
  spec.velocity = velocity;
  return spec;
}

[[nodiscard]] inline JointSpec joint(std::string name, std::string type, MarkerSpec first, MarkerSpec second) {
  JointSpec spec;
  spec.name = std::move(name);
  spec.type = std::move(type);
  spec.markers = {std::move(first), std::move(second)};
  return spec;
}

[[nodiscard]] inline ForceSpec force(std::string name, std::string type, MarkerSpec first, MarkerSpec second) {
  ForceSpec spec;
  spec.name = std::move(name);
  spec.type = std::move(type);
  spec.markers = {std::move(first), std::move(second)};
  return spec;
}

/// Friction of Coulomb's law.
[[nodiscard]] inline FrictionSpec coulomb(double mu_static, double mu_kinetic) {
  FrictionSpec friction;
  friction.mu_static = mu_static;
  friction.mu_kinetic = mu_kinetic;
  return friction;
}

}  // namespace hstar::in_code
