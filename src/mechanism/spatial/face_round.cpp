// src/mechanism/spatial/face_round.cpp: a face (or an endless plane) of the first body and a round point of the
// second. g_N = n . d - R, d from a point of the face to the centre. The tangents are fixed in the face; its surface
// may run over it (belt). Within its corners the face ends where the foot of the centre leaves it.
#include <algorithm>
#include <limits>

#include "mechanism/spatial/contacts.hpp"
#include "mechanism/spatial/shape_contact.hpp"

namespace hstar {
namespace {

using namespace geometry;

struct FaceRound {
  Vec3 on_face, normal, tangent, centre;
  double radius;
  std::vector<Vec3> corners;

  template <class S>
  [[nodiscard]] Touch<S> touch(const Carrier<S>& first, const Carrier<S>& second) const {
    Touch<S> t;
    t.normal = first.direction(normal);
    t.tangent = first.direction(tangent);
    const Vector<S> c = second.point(centre);
    const S height = dot(t.normal, c - first.point(on_face));
    t.gap = height - S(radius);
    t.on_first = c - height * t.normal;
    t.on_second = c - times(radius, t.normal);
    return t;
  }
  /// The centre seen from the face's body.
  [[nodiscard]] Vec3 seen(const SpatialMotion& b1, const SpatialMotion& b2) const {
    return b1.bar(b2.point(centre) - b1.r);
  }
  [[nodiscard]] bool has_range() const { return !corners.empty(); }
  [[nodiscard]] double range(const SpatialMotion& b1, const SpatialMotion& b2) const {
    return corners.empty() ? 1 : inside(seen(b1, b2));
  }
  /// Distance from the nearest side of the face, along the face, > 0 inside.
  [[nodiscard]] double inside(const Vec3& c) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vec3& a = corners[i];
      const Vec3 along = corners[(i + 1) % corners.size()] - a;
      least = std::min(least, dot(cross(normal, along), c - a) / norm(along));
    }
    return least;
  }
  [[nodiscard]] double apart(const SpatialMotion& b1, const SpatialMotion& b2) const {
    const Vec3 c = seen(b1, b2);
    double square = dot(normal, c - on_face);
    square *= square;
    if (!corners.empty() && inside(c) < 0) {
      square = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3& a = corners[i];
        const Vec3 along = corners[(i + 1) % corners.size()] - a;
        const Vec3 off = c - a - std::clamp(dot(along, c - a) / dot(along, along), 0.0, 1.0) * along;
        square = std::min(square, dot(off, off));
      }
    }
    return std::abs(std::sqrt(square) - radius);
  }
  [[nodiscard]] double reach(int side) const {
    if (side == 1) return norm(centre);
    if (corners.empty()) return std::numeric_limits<double>::infinity();
    double far = 0;
    for (const Vec3& c : corners) far = std::max(far, norm(c));
    return far;
  }
  [[nodiscard]] double length_scale(const SpatialMotion& b1, const SpatialMotion& b2) const {
    // Only what adds up along the normal has a part in the gap's round-off.
    const Vec3 n = b1.global(normal);
    double sum = radius;
    for (const Vec3& u : {b1.r, b1.global(on_face), b2.r, b2.global(centre)})
      for (std::size_t i = 0; i < 3; ++i) sum += std::abs(n[i] * u[i]);
    return sum;
  }
};

class FaceRoundContact final : public ShapeContact<FaceRound> {
 public:
  FaceRoundContact(FaceRound geometry, const RunningSurface& surface)
      : ShapeContact(std::move(geometry)), runs_(surface.runs), velocity_(surface.velocity) {
    const FaceRound& g = this->geometry();
    along_[0] = surface.axes * g.tangent;
    along_[1] = surface.axes * cross(g.normal, g.tangent);
  }
  void all_rows_at(const Kinematics& k, Row& normal, Row* tangents) const override {
    ShapeContact::all_rows_at(k, normal, tangents);
    if (!runs_) return;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto w = velocity_[i].at(k.now());
      for (std::size_t j = 0; j < 2; ++j) {
        tangents[j].nu += along_[j][i] * w.value;
        tangents[j].gamma += along_[j][i] * w.rate;
      }
    }
  }
  [[nodiscard]] bool runs() const override { return runs_; }
  [[nodiscard]] double running_size(const Kinematics& k) const override {
    double sum = 0;
    for (const TimeFunction& v : velocity_) sum += v.sizes(k.now()).value;
    return sum;
  }
  [[nodiscard]] bool is_flat() const override { return geometry().corners.empty(); }
  [[nodiscard]] bool gap_is_linear(bool first_fixed, bool /*second_turns*/) const override {
    return first_fixed && norm(geometry().centre) == 0;
  }

 private:
  bool runs_;
  std::array<TimeFunction, 3> velocity_;
  Vec3 along_[2];  ///< the tangents, in the axes of the velocity
};

}  // namespace

std::unique_ptr<SpatialContact> make_face_round(const Feature3& face, const Feature3& round,
                                                const RunningSurface& surface) {
  return std::make_unique<FaceRoundContact>(
      FaceRound{face.a[0], face.normal, triad_along(face.normal).f, round.a[0], round.radius, face.corners}, surface);
}

}  // namespace hstar
