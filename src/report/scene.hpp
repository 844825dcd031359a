// src/report/scene.hpp
//
// The mechanism as something to draw: where bodies are in every row, what can be seen of them, what connects them.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

namespace hstar::report {

/// A number, or the index of a column that holds it for every row.
struct Value {
  double constant = 0;
  int column = -1;
  bool operator==(const Value&) const = default;
};

/// A point fixed in a body, body coordinates; body 0 is the ground.
struct Place {
  std::size_t body = 0;
  Value x, y;
  bool operator==(const Place&) const = default;
};

struct Shape {
  std::string kind;  ///< circle, hollow (circular hole), line (of a half-plane), polygon, point, guide, pin
  Place place;
  double radius = 0;
  Vec2 normal{0, 1};         ///< line, guide
  std::vector<Vec2> points;  ///< polygon
  bool operator==(const Shape&) const = default;
};

/// Columns that were not recorded but follow from a row: prescribed motion, points of contact. Numbered after those of
/// the run.
class FurtherColumns {
 public:
  using Fill = std::function<void(std::span<const double> row, double* out)>;
  /// Place of the first of `width` new ones, which `fill` computes.
  std::size_t add(std::size_t width, Fill fill);
  [[nodiscard]] std::size_t size() const { return size_; }
  void compute(std::span<const double> row, std::vector<double>& out) const;  ///< appends to `out`

 private:
  struct Part {
    std::size_t width;
    Fill fill;
  };
  std::vector<Part> parts_;
  std::size_t size_ = 0;
};

struct Scene {
  struct Body {
    std::string name;
    Value x, y, angle;
    bool ground = false;
  };
  struct Spring {
    std::string name;
    Place first, second;
  };
  struct Rod {
    std::size_t body;
    std::vector<Vec2> points;  ///< body coordinates
  };
  /// A point of contact: where, and the unit vectors along which its force on the second body is recorded, global axes;
  /// NaN while it is open.
  struct Contact {
    std::string name;
    std::array<Value, 2> point, normal, tangent;
    Value normal_force, friction;  ///< [N]
    double mu = 0;                 ///< mu_static: the friction cone
  };
  /// A joint that carries a force [N], on the second body at its point.
  struct Reaction {
    std::string name;
    Place place;
    std::array<Value, 2> force;
  };
  std::vector<Body> bodies;
  std::vector<Shape> shapes;
  std::vector<Spring> springs;
  std::vector<Rod> rods;
  std::vector<Contact> contacts;
  std::vector<Reaction> reactions;
  FurtherColumns further;

  [[nodiscard]] bool empty() const { return bodies.size() < 2; }
};

/// Empty for models without bodies.
[[nodiscard]] Scene make_scene(const RunResult& result, const ModelSpec& model);

}  // namespace hstar::report
