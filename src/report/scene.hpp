// src/report/scene.hpp
//
// The mechanism as something to draw: where bodies are in every row, what can be seen of them, what connects them.
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

namespace hstar::report {

/// A number, or the index of a column that holds it for every row.
struct Value {
  double constant = 0;
  int column = -1;
};

/// A point fixed in a body, body coordinates; body 0 is the ground.
struct Place {
  std::size_t body = 0;
  Value x, y;
};

struct Shape {
  std::string kind;  ///< circle, hollow (circular hole), line (of a half-plane), polygon, point, guide, pin
  Place place;
  double radius = 0;
  Vec2 normal{0, 1};         ///< line, guide
  std::vector<Vec2> points;  ///< polygon
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
  std::vector<Body> bodies;
  std::vector<Shape> shapes;
  std::vector<Spring> springs;
  std::vector<Rod> rods;
  /// Further columns, numbered after those of the run: prescribed motion and moving points by row.
  std::vector<std::vector<double>> columns;

  [[nodiscard]] bool empty() const { return bodies.size() < 2; }
};

/// Empty for models without bodies.
[[nodiscard]] Scene make_scene(const RunResult& result, const ModelSpec& model);

}  // namespace hstar::report
