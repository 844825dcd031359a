// src/report/scene.cpp
#include "report/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "mechanism/system.hpp"

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
      show(contact.first, contact.second);
      show(contact.second, contact.first);
    }
    for (const PairsSpec& pairs : model_.pairs)
      for (std::size_t k = 0; k < pairs.first.size(); ++k) show(pairs.first[k], pairs.second[k]);
    own_shapes();
    outlines();
    rods();
    if (!model_.contacts.empty()) contacts();
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
    const auto evaluate = [e](std::span<const double> row, double* out) { *out = e.value(row.data()); };
    return {0, static_cast<int>(result_.columns.size() + scene_.further.add(1, evaluate))};
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
      scene_.reactions.push_back({joint.name, second, {recorded(joint.name + ".fx"), recorded(joint.name + ".fy")}});
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

  void show(const ShapeSpec& shape, const ShapeSpec& partner) {
    if (shape.shape.empty()) return;  // a contact given by formulas
    const Place at = place(shape.marker);
    const Vec2 origin{at.x.constant, at.y.constant};
    std::vector<Vec2> points = shape.corners;
    const Vec2 along{shape.normal[1], -shape.normal[0]};
    if (shape.shape == "line" && shape.length > 0) {
      points = {{0, 0}, {along[0] * shape.length, along[1] * shape.length}};
    } else if (const double half = 0.5 * extent(partner); shape.shape == "line" && half > 0 && moves(at.body)) {
      // The face of a moving body has an end somewhere: it is drawn as long as what lies on it.
      points = {{-along[0] * half, -along[1] * half}, {along[0] * half, along[1] * half}};
    }
    for (Vec2& p : points) p = {p[0] + origin[0], p[1] + origin[1]};
    const bool hollow = shape.shape == "hole" || shape.shape == "arc";
    std::string kind = !points.empty() ? "polygon" : hollow ? "hollow" : shape.shape;
    if (kind != "line" && points.empty()) remember(at);
    draw_once({std::move(kind), at, shape.radius, shape.normal, std::move(points)});
  }

  [[nodiscard]] bool moves(std::size_t body) const { return body > 0 && !scene_.bodies[body].ground; }

  /// Length of a shape as it lies on another one.
  static double extent(const ShapeSpec& shape) {
    double largest = std::max(shape.length, 2 * shape.radius);
    for (const Vec2& p : shape.corners)
      for (const Vec2& q : shape.corners) largest = std::max(largest, std::hypot(p[0] - q[0], p[1] - q[1]));
    return largest;
  }

  /// Of bodies whose mass follows from a shape.
  void own_shapes() {
    for (const BodySpec& body : model_.bodies) {
      const Place centre{index_[body.name], {}, {}};
      if (!body.corners.empty()) draw_once({"polygon", centre, 0, {0, 1}, body.corners});
      if (body.radius > 0) draw_once({"circle", centre, body.radius, {0, 1}, {}});
    }
  }

  /// A shape may take part in several contacts.
  void draw_once(Shape shape) {
    std::vector<std::size_t>& drawn = drawn_[shape.place.body];
    if (std::any_of(drawn.begin(), drawn.end(), [&](std::size_t i) { return scene_.shapes[i] == shape; })) return;
    drawn.push_back(scene_.shapes.size());
    scene_.shapes.push_back(std::move(shape));
  }

  /// A moving body of which only faces are given has the outline that holds them all.
  void outlines() {
    std::vector<std::vector<Vec2>> faces(scene_.bodies.size());
    std::vector<bool> has_outline(scene_.bodies.size());
    for (const Shape& s : scene_.shapes) {
      const bool face = s.kind == "polygon" && s.points.size() == 2;
      if (face)
        faces[s.place.body].insert(faces[s.place.body].end(), s.points.begin(), s.points.end());
      else if (s.kind == "polygon" || s.kind == "circle")
        has_outline[s.place.body] = true;
    }
    for (std::size_t i = 1; i < faces.size(); ++i) {
      if (has_outline[i] || !moves(i)) continue;
      std::vector<Vec2> hull = convex_hull(faces[i]);
      if (hull.empty() && !faces[i].empty()) {  // of one face: the body has another one on the other side of its centre
        for (const Vec2& p : std::vector<Vec2>(faces[i])) faces[i].push_back({-p[0], -p[1]});
        hull = convex_hull(faces[i]);
      }
      if (!hull.empty()) scene_.shapes.push_back({"polygon", {i, {}, {}}, 0, {0, 1}, hull});
    }
  }

  /// Andrew's monotone chain, counterclockwise; empty if all points are on one line.
  static std::vector<Vec2> convex_hull(std::vector<Vec2> points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() < 3) return {};
    std::vector<Vec2> hull;
    const auto add = [&](const Vec2& p, std::size_t fixed) {
      const auto right_turn = [&] {
        const Vec2 &a = hull[hull.size() - 2], &b = hull.back();
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) <= 0;
      };
      while (hull.size() > fixed + 1 && right_turn()) hull.pop_back();
      hull.push_back(p);
    };
    for (const Vec2& p : points) add(p, 0);
    const std::size_t lower = hull.size() - 1;
    for (auto p = points.rbegin() + 1; p != points.rend(); ++p) add(*p, lower);
    hull.pop_back();
    return hull.size() > 2 ? hull : std::vector<Vec2>{};
  }

  struct Touch {
    const hstar::Contact* contact;
    std::size_t normal_force;  ///< column

    /// Point, normal, tangent at a row: where the rows of the contact act on the second body. Their lever arms about
    /// its centre are the coordinates of the point along the other direction.
    double* place(const Kinematics& k, std::span<const double> row, bool struck, double* out) const {
      constexpr double open = std::numeric_limits<double>::quiet_NaN();
      if (!(row[normal_force] > 0) && !struck) return std::fill_n(out, 6, open);
      Row normal, tangent;
      contact->rows_at(k, normal, tangent);
      const auto& [n, t] = std::pair{normal.J[1], tangent.J[1]};
      const double size = std::hypot(n[0], n[1]), turn = t[0] * n[1] - t[1] * n[0];
      if (!(size > 0) || turn == 0) return std::fill_n(out, 6, open);
      const double along_t = n[2] / turn, along_n = -t[2] / turn;
      const Vec2 centre = k.of(contact->second).r;
      for (std::size_t i = 0; i < 2; ++i) *out++ = centre[i] + along_n * n[i] + along_t * t[i];
      out = std::copy_n(n, 2, out);
      return std::copy_n(t, 2, out);
    }
  };

  void contacts() {
    // (The contacts of a crowd are not recorded, and too many to be built.)
    for (const PairsSpec& pairs : model_.pairs)
      if (pairs.number() > 0 && recorded(pairs.names.of(0, 1) + ".normal").column < 0) return;
    const std::shared_ptr<const System> system = build_system(model_);
    std::vector<Touch> touches;
    for (std::size_t c = 0; c < system->contacts.size(); ++c) {
      const hstar::Contact& contact = *system->contacts[c];
      const Value normal = recorded(contact.name + ".normal");
      if (normal.column < 0) continue;
      Scene::Contact drawn;
      drawn.name = contact.name;
      drawn.normal_force = normal;
      drawn.friction = recorded(contact.name + ".tangential");
      if (const int unit = system->contact_friction[c]; unit >= 0) drawn.mu = system->frictions[unit].law.mu_static();
      touches.push_back({&contact, static_cast<std::size_t>(normal.column)});
      scene_.contacts.push_back(std::move(drawn));
    }
    std::vector<double> instants;  // impulses act there
    for (const EventRecord& e : result_.events)
      if (e.impulse_n != 0) instants.push_back(e.t);
    const auto kinematics = std::make_shared<Kinematics>();
    system->prepare(*kinematics);
    auto column = static_cast<int>(
        result_.columns.size() + scene_.further.add(6 * touches.size(), [system, touches, instants, k = kinematics](
                                                                            std::span<const double> row, double* out) {
          system->update(*k, row.front(), row.data() + 1);
          const bool struck = std::binary_search(instants.begin(), instants.end(), row.front());
          for (const Touch& touch : touches) out = touch.place(*k, row, struck, out);
        }));
    for (Scene::Contact& contact : scene_.contacts)
      for (auto* part : {&contact.point, &contact.normal, &contact.tangent})
        for (Value& v : *part) v = {0, column++};
  }

  /// A bar through the points of each body that has an angle, its centre among them.
  void rods() {
    for (std::size_t i = 1; i < scene_.bodies.size(); ++i) {
      if (scene_.bodies[i].angle.column < 0) continue;
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
  std::map<std::size_t, std::vector<std::size_t>> drawn_;  ///< by body: which shapes draw_once() has drawn
  std::vector<std::vector<Vec2>> markers_;
  Scene scene_;
};

}  // namespace

std::size_t FurtherColumns::add(std::size_t width, Fill fill) {
  parts_.push_back({width, std::move(fill)});
  size_ += width;
  return size_ - width;
}

void FurtherColumns::compute(std::span<const double> row, std::vector<double>& out) const {
  for (const Part& part : parts_) {
    out.resize(out.size() + part.width);
    part.fill(row, out.data() + out.size() - part.width);
  }
}

Scene make_scene(const RunResult& result, const ModelSpec& model) {
  if (model.bodies.empty()) return {};
  return SceneMaker(result, model).make();
}

}  // namespace hstar::report
