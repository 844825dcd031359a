// src/report/spatial_scene.cpp
#include "report/spatial_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>

#include "mechanism/spatial/contact.hpp"
#include "mechanism/spatial/euler_parameters.hpp"
#include "mechanism/spatial/principal.hpp"
#include "mechanism/system.hpp"

namespace hstar::report {
namespace {

class SceneMaker {
 public:
  SceneMaker(const RunResult& result, const ModelSpec& model) : result_(result), model_(model) {
    for (std::size_t i = 0; i < result.columns.size(); ++i) column_[result.columns[i]] = static_cast<int>(i);
  }

  SpatialScene make() {
    const Vec3& g = model_.spatial.gravity;
    if (const double size = norm(g); size > 0) scene_.up = (-1 / size) * g;
    bodies();
    points_.resize(scene_.bodies.size());
    for (const SpatialJointSpec& joint : model_.spatial.joints) show(joint);
    for (const SpatialForceSpec& force : model_.spatial.forces)
      if (force.type == "spring_damper")
        scene_.springs.push_back({force.name, place(force.markers[0]), place(force.markers[1])});
    for (const SpatialContactSpec& contact : model_.spatial.contacts)
      for (const SpatialShapeSpec* shape : {&contact.first, &contact.second}) show(*shape);
    rods();
    if (!model_.spatial.contacts.empty()) contacts();
    return std::move(scene_);
  }

 private:
  Value recorded(const std::string& name) const {
    const auto found = column_.find(name);
    return found == column_.end() ? Value{} : Value{0, found->second};
  }

  /// Place among all columns of the first of `width` that `fill` computes.
  int further(std::size_t width, FurtherColumns::Fill fill) {
    return static_cast<int>(result_.columns.size() + scene_.further.add(width, std::move(fill)));
  }

  /// A constant, or a function of t at the time of every row.
  Value value_of(const Expression& e) {
    if (e.is_constant()) return {e.constant_value(), -1};
    return {0, further(1, [e](std::span<const double> row, double* out) { *out = e.value(row.data()); })};
  }

  void bodies() {
    SpatialScene::Body ground;
    ground.name = "ground";
    ground.ground = true;
    scene_.bodies.push_back(ground);
    index_["ground"] = 0;
    for (const SpatialBodySpec& b : model_.spatial.bodies) {
      index_[b.name] = scene_.bodies.size();
      SpatialScene::Body body;
      body.name = b.name;
      body.ground = b.motion.has_value();
      if (b.motion) {
        body.r = {value_of(b.motion->x), value_of(b.motion->y), value_of(b.motion->z)};
        prescribed_turn(b, body);
      } else {
        const char* const axes[] = {".x", ".y", ".z"};
        for (std::size_t i = 0; i < 3; ++i) body.r[i] = recorded(b.name + axes[i]);
        for (std::size_t i = 0; i < 4; ++i) body.p[i] = recorded(b.name + ".e" + std::to_string(i));
        equivalent_box(b, body);
      }
      scene_.bodies.push_back(std::move(body));
    }
  }

  void prescribed_turn(const SpatialBodySpec& spec, SpatialScene::Body& body) {
    for (std::size_t i = 0; i < 4; ++i) body.p[i] = {spec.orientation[i], -1};
    const Expression& angle = spec.motion->angle;
    if (angle.is_constant() && angle.constant_value() == 0) return;
    const Vec3 axis = (1 / norm(spec.motion->axis)) * spec.motion->axis;
    const int first = further(4, [angle, axis, start = spec.orientation](std::span<const double> row, double* out) {
      const EulerParameters p =
          turned(start, (angle.is_constant() ? angle.constant_value() : angle.value(row.data())) * axis);
      std::copy(p.begin(), p.end(), out);
    });
    for (int i = 0; i < 4; ++i) body.p[i] = {0, first + i};
  }

  /// Edges a_i with m (a_j^2 + a_k^2) / 12 = J_i.
  static void equivalent_box(const SpatialBodySpec& spec, SpatialScene::Body& body) {
    const Principal principal = principal_axes(spec.inertia);
    const Vec3& J = principal.moment;
    for (std::size_t i = 0; i < 3; ++i) {
      const double square = 6 * (J[(i + 1) % 3] + J[(i + 2) % 3] - J[i]) / spec.mass;
      body.box[i] = std::sqrt(std::max(square, 0.0));
    }
    body.box_axes = parameters_of(principal.axes);
  }

  SpatialScene::Place place(const SpatialMarkerSpec& m) {
    const auto found = index_.find(m.body);
    const SpatialScene::Place p{found == index_.end() ? 0 : found->second, m.point};
    points_[p.body].push_back(p.at);
    return p;
  }

  void show(const SpatialJointSpec& joint) {
    const bool about_points = joint.type != "dp1" && joint.type != "rotation" && joint.type != "gear";
    if (!about_points) return;
    const SpatialScene::Place first = place(joint.markers[0]), second = place(joint.markers[1]);
    if (joint.type == "distance" || joint.type == "d") {
      scene_.springs.push_back({joint.name, first, second});
      return;
    }
    const bool has_axis = joint.type == "revolute" || joint.type == "cylindrical" || joint.type == "translational" ||
                          joint.type == "screw" || joint.type == "translation" || joint.type == "point_on_line";
    scene_.hinges.push_back({joint.type, first, has_axis ? joint.markers[0].h : Vec3{0, 0, 0}});
  }

  /// Contacts that carried a force, as they are recorded: one by one, or many features as a whole.
  void contacts() {
    const std::shared_ptr<const System> system = build_system(model_);
    std::vector<Touch> touches;
    const auto show = [&](const std::string& name, std::size_t first, std::size_t parts, int second) {
      const int normal_force = recorded(name + ".normal").column;
      if (normal_force < 0) return;
      Touch touch{{}, second, static_cast<std::size_t>(normal_force), recorded(name + ".px").column};
      for (std::size_t c = first; c < first + parts; ++c)
        if (const auto* part = dynamic_cast<const SpatialContact*>(system->contacts[c].get()))
          touch.parts.push_back(part);
      if (touch.parts.empty() ||
          std::none_of(result_.rows.begin(), result_.rows.end(), [&](const auto& row) { return touch.closed(row); }))
        return;
      SpatialScene::Contact drawn;
      drawn.name = name;
      const char* const axes[] = {".fx", ".fy", ".fz"};
      for (std::size_t i = 0; i < 3; ++i) drawn.force[i] = recorded(name + axes[i]);
      if (drawn.force[0].column < 0)  // frictionless: along the normal
        for (Value& v : drawn.force) v = Value{};
      if (const int unit = system->contact_friction[first]; unit >= 0)
        drawn.mu = system->frictions[unit].law.mu_static();
      touches.push_back(std::move(touch));
      scene_.contacts.push_back(std::move(drawn));
    };
    for (const WholeContact& whole : system->whole_contacts) show(whole.name, whole.first, whole.parts, whole.second);
    for (std::size_t c = 0; c < system->contacts.size(); ++c)
      show(system->contacts[c]->name, c, 1, system->contacts[c]->second);
    const auto kinematics = std::make_shared<Kinematics>();
    system->prepare(*kinematics);
    int column = further(6 * touches.size(), [system, touches, k = kinematics, y = std::vector<double>(system->size())](
                                                 std::span<const double> row, double* out) mutable {
      std::copy_n(row.begin() + 1, y.size(), y.begin());
      to_own_axes(*system, y.data());
      system->update(*k, row.front(), y.data());
      for (const Touch& touch : touches) out = touch.place(*k, row, out);
    });
    for (SpatialScene::Contact& contact : scene_.contacts)
      for (auto* part : {&contact.point, &contact.normal})
        for (Value& v : *part) v = {0, column++};
  }

  struct Touch {
    std::vector<const SpatialContact*> parts;
    int second;                ///< body on which the force acts
    std::size_t normal_force;  ///< column
    int centre;                ///< the first column of the point of many features, -1: of one

    [[nodiscard]] bool closed(std::span<const double> row) const { return row[normal_force] > 0; }
    /// Point and normal; returns where the next begin.
    double* place(const Kinematics& k, std::span<const double> row, double* out) const {
      if (!closed(row)) return std::fill_n(out, 6, std::numeric_limits<double>::quiet_NaN());
      const SpatialContact& nearest =
          parts.size() == 1 ? *parts.front()
                            : **std::min_element(parts.begin(), parts.end(), [&](const auto* a, const auto* b) {
                                return a->apart(k) < b->apart(k);
                              });
      const ContactPoint at = nearest.place(k);
      const Vec3 normal = (nearest.second == second ? 1.0 : -1.0) * at.normal;
      out = std::copy_n(centre < 0 ? &at.point[0] : &row[static_cast<std::size_t>(centre)], 3, out);
      return std::copy_n(&normal[0], 3, out);
    }
  };

  /// Recorded orientations are those of the frames the user wrote.
  static void to_own_axes(const System& system, double* y) {
    for (const Body& body : system.bodies) {
      if (!body.has_own_axes || body.coordinate < 0) continue;
      double* e = y + body.coordinate + 3;
      const EulerParameters p = compose({e[0], e[1], e[2], e[3]}, body.axes_p);
      std::copy(p.begin(), p.end(), e);
    }
  }

  /// A shape that takes part in several contacts is drawn once.
  void show(const SpatialShapeSpec& shape) {
    const auto found = index_.find(shape.body);
    const std::size_t body = found == index_.end() ? 0 : found->second;
    for (const SpatialScene::Shape& s : scene_.shapes)
      if (s.body == body && s.spec.shape == shape.shape && s.spec.point == shape.point &&
          s.spec.normal == shape.normal && s.spec.radius == shape.radius && s.spec.ends == shape.ends &&
          s.spec.sides == shape.sides && s.spec.points == shape.points)
        return;
    scene_.shapes.push_back({shape, body});
  }

  void rods() {
    for (std::size_t i = 1; i < scene_.bodies.size(); ++i) {
      if (scene_.bodies[i].ground) continue;
      auto& points = points_[i];
      std::sort(points.begin(), points.end());
      points.erase(std::unique(points.begin(), points.end()), points.end());
      std::erase(points, Vec3{0, 0, 0});
      if (!points.empty()) scene_.rods.push_back({i, points});
    }
  }

  const RunResult& result_;
  const ModelSpec& model_;
  std::map<std::string, int> column_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::vector<Vec3>> points_;
  SpatialScene scene_;
};

}  // namespace

SpatialScene make_spatial_scene(const RunResult& result, const ModelSpec& model) {
  if (model.spatial.bodies.empty()) return {};
  return SceneMaker(result, model).make();
}

}  // namespace hstar::report
