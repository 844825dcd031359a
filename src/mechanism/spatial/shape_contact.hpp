// src/mechanism/spatial/shape_contact.hpp
//
// A spatial contact from the geometry of one pair of features. A geometry says where the two touch, with numbers of
// any type of derivatives.hpp:
//   template <class S> Touch<S> touch(const Carrier<S>& first, const Carrier<S>& second) const;
// and where that holds, with plain numbers: range, apart, reach, length_scale, as Contact has them.
#pragma once

#include <utility>

#include "mechanism/spatial/contact_rows.hpp"

namespace hstar::geometry {

template <class Geometry>
class ShapeContact : public SpatialContact {
 public:
  explicit ShapeContact(Geometry geometry) : geometry_(std::move(geometry)) {}

  [[nodiscard]] double gap(const Kinematics& k) const override { return touch<double>(k).gap; }
  void all_rows_at(const Kinematics& k, Row& normal, Row* tangents) const override {
    fill_rows(touch<Timed<double>>(k), one(k), two(k), normal, tangents);
  }
  void slopes(const Kinematics& k, SpatialRowSlope* out) const override {
    fill_slopes(touch<Timed<Slope>>(k), one(k), two(k), out);
  }
  void turning_rows_at(const Kinematics& k, bool spinning, Row* out) const override {
    fill_turning_rows(touch<Timed<double>>(k), one(k), two(k), spinning, out);
  }
  void turning_slopes(const Kinematics& k, bool spinning, SpatialRowSlope* out) const override {
    fill_turning_slopes(touch<Timed<Slope>>(k), one(k), two(k), spinning, out);
  }
  [[nodiscard]] ContactPoint place(const Kinematics& k) const override {
    const Touch<double> t = touch<double>(k);
    return {0.5 * (plain(t.on_first) + plain(t.on_second)), plain(t.normal), plain(t.tangent)};
  }
  [[nodiscard]] bool has_range() const override { return geometry_.has_range(); }
  [[nodiscard]] double range(const Kinematics& k) const override { return geometry_.range(one(k), two(k)); }
  [[nodiscard]] double apart(const Kinematics& k) const override { return geometry_.apart(one(k), two(k)); }
  [[nodiscard]] double reach(int side) const override { return geometry_.reach(side); }
  [[nodiscard]] double length_scale(const Kinematics& k) const override {
    return geometry_.length_scale(one(k), two(k));
  }

 protected:
  [[nodiscard]] const Geometry& geometry() const { return geometry_; }

 private:
  [[nodiscard]] const SpatialMotion& one(const Kinematics& k) const { return k.spatial_of(first); }
  [[nodiscard]] const SpatialMotion& two(const Kinematics& k) const { return k.spatial_of(second); }
  template <class S>
  [[nodiscard]] Touch<S> touch(const Kinematics& k) const {
    return geometry_.touch(Carrier<S>(one(k), 0), Carrier<S>(two(k), 1));
  }

  Geometry geometry_;
};

}  // namespace hstar::geometry
