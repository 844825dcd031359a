// src/report/spatial_scene.hpp
//
// A spatial mechanism as something to draw: where bodies are and how they are turned in every row, what can be seen
// of them, what connects them. Everything fixed in a body is in the body axes of the model.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/scene.hpp"

namespace hstar::report {

struct SpatialScene {
  struct Body {
    std::string name;
    std::array<Value, 3> r;
    std::array<Value, 4> p{Value{1}, Value{}, Value{}, Value{}};  ///< Euler parameters
    bool ground = false;
    /// Edges of the box of the same mass and inertia [m], and the Euler parameters of its axes; 0: nothing is known.
    Vec3 box{0, 0, 0};
    std::array<double, 4> box_axes{1, 0, 0, 0};
  };
  struct Place {
    std::size_t body = 0;
    Vec3 at{0, 0, 0};
  };
  /// A joint's point, with the axis it turns or slides along; no axis for a ball.
  struct Hinge {
    std::string kind;
    Place place;
    Vec3 axis{0, 0, 0};
  };
  struct Spring {
    std::string name;
    Place first, second;
  };
  /// A shape that touches others.
  struct Shape {
    SpatialShapeSpec spec;
    std::size_t body = 0;
  };
  /// A point of contact that carried a force: where, normal and force on the second body [N], global axes; NaN while
  /// it is open.
  struct Contact {
    std::string name;
    std::array<Value, 3> point, normal, force;
    double mu = 0;  ///< mu_static: the friction cone
  };
  /// Lines from a body's centre to the points of its joints.
  struct Rod {
    std::size_t body;
    std::vector<Vec3> points;
  };
  Vec3 up{0, 0, 1};  ///< against gravity
  std::vector<Body> bodies;
  std::vector<Hinge> hinges;
  std::vector<Spring> springs;
  std::vector<Shape> shapes;
  std::vector<Rod> rods;
  std::vector<Contact> contacts;
  FurtherColumns further;

  [[nodiscard]] bool empty() const { return bodies.size() < 2; }
};

/// Empty for planar models.
[[nodiscard]] SpatialScene make_spatial_scene(const RunResult& result, const ModelSpec& model);

}  // namespace hstar::report
