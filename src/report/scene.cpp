// src/report/scene.cpp
#include "report/scene.hpp"

#include <algorithm>
#include <map>

namespace hstar::report {
namespace {

class SceneMaker {
 public:
  SceneMaker(const RunResult& result, const ModelSpec& model) : result_(result), model_(model) {
    for (std::size_t i = 0; i < result.columns.size(); ++i) column_[result.columns[i]] = static_cast<int>(i);
  }

  Scene make() {
    bodies();
    markers_.resize(scene_.bodies.size());
    for (const JointSpec& joint : model_.joints) show(joint);
    for (const ForceSpec& force : model_.forces) show(force);
    for (const ContactSpec& contact : model_.contacts) {
      show(contact.first);
      show(contact.second);
    }
    rods();
    return std::move(scene_);
  }

 private:
  Value recorded(const std::string& name) const {
    const auto found = column_.find(name);
    return found == column_.end() ? Value{} : Value{0, found->second};
  }

  /// A constant, or a function of t at the time of every row.
  Value value_of(const Expression& e) {
    if (e.is_constant()) return {e.constant_value(), -1};
    if (e.variables().size() != 1 || e.variables().front() != "t") return {};
    std::vector<double> column;
    column.reserve(result_.rows.size());
    for (const auto& row : result_.rows) column.push_back(e.value(row.data()));
    scene_.columns.push_back(std::move(column));
    return {0, static_cast<int>(result_.columns.size() + scene_.columns.size()) - 1};
  }

  void bodies() {
    scene_.bodies.push_back({"ground", {}, {}, {}, true});
    index_["ground"] = 0;
    for (const BodySpec& b : model_.bodies) {
      index_[b.name] = scene_.bodies.size();
      if (b.motion) {
        scene_.bodies.push_back(
            {b.name, value_of(b.motion->x), value_of(b.motion->y), value_of(b.motion->angle), true});
      } else {
        scene_.bodies.push_back(
            {b.name, recorded(b.name + ".x"), recorded(b.name + ".y"), recorded(b.name + ".angle"), false});
      }
    }
  }

  Place place(const MarkerSpec& m) {
    const auto found = index_.find(m.body);
    return {found == index_.end() ? 0 : found->second, value_of(m.x), value_of(m.y)};
  }

  /// A point that a body's outline should reach.
  void remember(const Place& p) {
    if (p.x.column < 0 && p.y.column < 0) markers_[p.body].push_back({p.x.constant, p.y.constant});
  }

  void show(const JointSpec& joint) {
    if (joint.markers.empty()) return;
    const Place first = place(joint.markers.front()), second = place(joint.markers.back());
    if (joint.type == "revolute") {
      remember(first);
      remember(second);
      scene_.shapes.push_back({"pin", second, 0, {0, 1}, {}});
    } else if (joint.type == "translational") {
      scene_.shapes.push_back({"guide", first, 0, {-joint.axis[1], joint.axis[0]}, {}});
    } else if (joint.type == "distance" || joint.type == "fixed") {
      remember(first);
      remember(second);
      if (joint.type == "distance") scene_.springs.push_back({joint.name, first, second});
    }
  }

  void show(const ForceSpec& force) {
    if (force.type != "spring_damper" || force.markers.size() < 2) return;
    const Place first = place(force.markers[0]), second = place(force.markers[1]);
    remember(first);
    remember(second);
    scene_.springs.push_back({force.name, first, second});
  }

  void show(const ShapeSpec& shape) {
    if (shape.shape.empty()) return;  // a contact given by formulas
    const Place at = place(shape.marker);
    const Vec2 origin{at.x.constant, at.y.constant};
    std::vector<Vec2> points = shape.corners;
    if (shape.shape == "line" && shape.length > 0)
      points = {{0, 0}, {shape.normal[1] * shape.length, -shape.normal[0] * shape.length}};
    for (Vec2& p : points) p = {p[0] + origin[0], p[1] + origin[1]};
    const bool hollow = shape.shape == "hole" || shape.shape == "arc";
    std::string kind = !points.empty() ? "polygon" : hollow ? "hollow" : shape.shape;
    if (kind != "line" && points.empty()) remember(at);
    scene_.shapes.push_back({std::move(kind), at, shape.radius, shape.normal, std::move(points)});
  }

  /// A bar through the points of each body that has an angle, its centre among them.
  void rods() {
    for (std::size_t i = 1; i < scene_.bodies.size(); ++i) {
      if (scene_.bodies[i].ground || scene_.bodies[i].angle.column < 0) continue;
      std::vector<Vec2> points = markers_[i];
      points.push_back({0, 0});
      std::sort(points.begin(), points.end());
      points.erase(std::unique(points.begin(), points.end()), points.end());
      if (points.size() > 1) scene_.rods.push_back({i, std::move(points)});
    }
  }

  const RunResult& result_;
  const ModelSpec& model_;
  std::map<std::string, int> column_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::vector<Vec2>> markers_;
  Scene scene_;
};

}  // namespace

Scene make_scene(const RunResult& result, const ModelSpec& model) {
  if (model.bodies.empty()) return {};
  return SceneMaker(result, model).make();
}

}  // namespace hstar::report
