// src/analysis/statics/coordinates.hpp
//
// What users of the analyses name and read: the coordinates of bodies, in space with the Euler parameters of the axes
// they wrote, and there also what joints leave free ("hinge.angle", "guide.slide", "cross.angle1"); and the freedoms,
// one a velocity: in the plane the same, in space displacement and rotation vector in the body's axes ("rod.x",
// "rod.turn_z").
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "mechanism/spatial/coordinates.hpp"
#include "mechanism/system.hpp"

namespace hstar {

class Coordinates {
 public:
  explicit Coordinates(const System& system);

  [[nodiscard]] int count() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] const std::string& name(int i) const { return names_[i]; }
  /// "m", "rad", or "" for Euler parameters.
  [[nodiscard]] const std::string& unit(int i) const { return units_[i]; }
  /// At y, whose kinematics are `k`. Angles in joints lie in [-pi, pi].
  [[nodiscard]] double value(int i, const double* y, const Kinematics& k) const;
  /// Its change by a displacement: nv entries.
  [[nodiscard]] Eigen::RowVectorXd row(int i, const double* y, const Kinematics& k) const;
  /// An angle in a joint: values that differ by whole turns are the same.
  [[nodiscard]] bool wraps(int i) const { return i >= system_.nq && unit(i) == "rad"; }

  /// @throws InputError that lists the names if there is no coordinate of this name.
  [[nodiscard]] int find(const std::string& name) const;
  /// Those a name stands for: one, all of a body, or in space its orientation ("rod.turn").
  [[nodiscard]] std::vector<int> named(const std::string& name) const;
  /// The freedoms a name stands for. @throws InputError where it is none of them: a single Euler parameter, an angle in
  /// a joint.
  [[nodiscard]] std::vector<int> freedoms_named(const std::string& name) const;

  /// It is an angle, or in space an entry of a rotation vector.
  [[nodiscard]] bool freedom_turns(int i) const { return system_.is_spatial() ? i % 6 >= 3 : unit(i) == "rad"; }
  [[nodiscard]] const std::string& freedom_name(int i) const { return freedom_names_[i]; }
  /// A displacement (or several, by column) with rotation vectors in the axes the user wrote.
  template <class Displacements>
  [[nodiscard]] Displacements as_written(Displacements x) const {
    for (const Body& body : system_.bodies) {
      if (body.prescribed || !body.has_own_axes) continue;
      Eigen::Matrix3d axes;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) axes(static_cast<long>(i), static_cast<long>(j)) = body.axes[i][j];
      x.middleRows(body.dof + 3, 3) = (axes * x.middleRows(body.dof + 3, 3)).eval();
    }
    return x;
  }

  /// Displacement (nv entries) from y to `to`; in space rotation vectors in the body's principal axes, up to half a
  /// turn.
  [[nodiscard]] Eigen::VectorXd between(const double* y, const double* to) const;
  /// Second derivative of |between|^2 / 2 by displacements of y: the identity but for orientations that are far off.
  [[nodiscard]] Eigen::MatrixXd distance_curvature(const Eigen::VectorXd& between) const;

 private:
  /// Body and entry of coordinate i < nq.
  [[nodiscard]] const Body& body_of(int i, int& entry) const;

  const System& system_;
  std::vector<std::string> names_, units_, freedom_names_;
  struct InJoint {
    int joint;
    const JointCoordinates* free;
    int which;
  };
  std::vector<InJoint> in_joint_;  ///< coordinate nq + i
};

}  // namespace hstar
