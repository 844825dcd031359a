// src/report/spatial_scene.cpp
#include "report/spatial_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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

  Value further(std::vector<double> column) {
    scene_.columns.push_back(std::move(column));
    return {0, static_cast<int>(result_.columns.size() + scene_.columns.size()) - 1};
  }

  /// A function of t at the time of every row.
  std::vector<double> over_time(const Expression& e) const {
    std::vector<double> column;
    column.reserve(result_.rows.size());
    const bool constant = e.is_constant();
    for (const auto& row : result_.rows) column.push_back(constant ? e.constant_value() : e.value(row.data()));
    return column;
  }
  Value value_of(const Expression& e) {
    return e.is_constant() ? Value{e.constant_value(), -1} : further(over_time(e));
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
    std::array<std::vector<double>, 4> columns;
    for (const double turn : over_time(angle)) {
      const EulerParameters p = turned(spec.orientation, turn * axis);
      for (std::size_t i = 0; i < 4; ++i) columns[i].push_back(p[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) body.p[i] = further(std::move(columns[i]));
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

  void contacts() {
    const auto system = build_system(model_);
    std::vector<Touch> touches;
    for (std::size_t c = 0; c < system->contacts.size(); ++c) {
      Touch touch;
      touch.contact = dynamic_cast<const SpatialContact*>(system->contacts[c].get());
      const std::string& name = system->contacts[c]->name;
      touch.normal_force = recorded(name + ".normal").column;
      if (!touch.contact || touch.normal_force < 0) continue;
      const auto closed = [&](const auto& row) { return row[static_cast<std::size_t>(touch.normal_force)] > 0; };
      if (std::none_of(result_.rows.begin(), result_.rows.end(), closed)) continue;
      touch.drawn.name = name;
      const char* const axes[] = {".fx", ".fy", ".fz"};
      for (std::size_t i = 0; i < 3; ++i) touch.drawn.force[i] = recorded(name + axes[i]);
      if (touch.drawn.force[0].column < 0)  // frictionless: along the normal
        for (Value& v : touch.drawn.force) v = Value{};
      if (const int unit = system->contact_friction[c]; unit >= 0)
        touch.drawn.mu = system->frictions[static_cast<std::size_t>(unit)].law.mu_static();
      touches.push_back(std::move(touch));
    }
    Kinematics k;
    system->prepare(k);
    std::vector<double> y(system->size());
    for (const auto& row : result_.rows) {
      if (row.size() <= y.size()) return;
      std::copy_n(row.begin() + 1, y.size(), y.begin());
      to_own_axes(*system, y.data());
      system->update(k, row.front(), y.data());
      for (Touch& touch : touches) touch.add(k, row[static_cast<std::size_t>(touch.normal_force)] > 0);
    }
    for (Touch& touch : touches) {
      for (std::size_t i = 0; i < 3; ++i) {
        touch.drawn.point[i] = further(std::move(touch.place[i]));
        touch.drawn.normal[i] = further(std::move(touch.place[3 + i]));
      }
      scene_.contacts.push_back(std::move(touch.drawn));
    }
  }

  struct Touch {
    const SpatialContact* contact = nullptr;
    int normal_force = -1;                     ///< column
    std::array<std::vector<double>, 6> place;  ///< point and normal by row
    SpatialScene::Contact drawn;

    void add(const Kinematics& k, bool closed) {
      constexpr double open = std::numeric_limits<double>::quiet_NaN();
      const ContactPoint at = closed ? contact->place(k) : ContactPoint{};
      for (std::size_t i = 0; i < 3; ++i) {
        place[i].push_back(closed ? at.point[i] : open);
        place[3 + i].push_back(closed ? at.normal[i] : open);
      }
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
