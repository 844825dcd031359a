// src/python/callbacks.hpp
//
// Python functions as forces and guards of a model. A run holds no interpreter lock; every call takes it. Functions are
// shared by pointer, so that copies of a model need no lock.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <memory>
#include <string>

#include "hstar/elements.hpp"
#include "hstar/error.hpp"

namespace hstar::python {

namespace py = pybind11;
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A Python function that may be dropped by any thread.
inline std::shared_ptr<py::function> shared(py::function f) {
  return {new py::function(std::move(f)), [](py::function* p) {
            const py::gil_scoped_acquire lock;
            delete p;
          }};
}

class PythonForce final : public UserForce {
 public:
  /// In space forces act at `points`, by body (or the centres, if there are none); components are along the global
  /// axes or along those of each body.
  PythonForce(std::string name, py::function f, bool in_body_axes, std::vector<Vec3> points)
      : name_(std::move(name)),
        function_(shared(std::move(f))),
        in_body_axes_(in_body_axes),
        points_(std::move(points)) {}

  void apply(double t, std::span<const BodyView> bodies, std::span<Load> loads) const override {
    const py::gil_scoped_acquire lock;
    py::array_t<double> q = table(bodies.size(), 3), v = table(bodies.size(), 3);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyView& b = bodies[i];
      std::copy_n(std::array{b.x, b.y, b.angle}.data(), 3, q.mutable_data() + 3 * i);
      std::copy_n(std::array{b.vx, b.vy, b.omega}.data(), 3, v.mutable_data() + 3 * i);
    }
    const Doubles given = call(t, q, v, bodies.size(), 3, "[fx, fy, torque]");
    for (std::size_t i = 0; i < bodies.size(); ++i)
      loads[i] = {given.data()[3 * i], given.data()[3 * i + 1], given.data()[3 * i + 2]};
  }

  void apply_in_space(double t, std::span<const SpatialBodyView> bodies,
                      std::span<SpatialBodyLoad> loads) const override {
    const py::gil_scoped_acquire lock;
    py::array_t<double> q = table(bodies.size(), 7), v = table(bodies.size(), 6);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const SpatialBodyView& b = bodies[i];
      std::copy(b.r.begin(), b.r.end(), q.mutable_data() + 7 * i);
      std::copy(b.p.begin(), b.p.end(), q.mutable_data() + 7 * i + 3);
      std::copy(b.r_dot.begin(), b.r_dot.end(), v.mutable_data() + 6 * i);
      std::copy(b.omega_bar.begin(), b.omega_bar.end(), v.mutable_data() + 6 * i + 3);
    }
    const Doubles given = call(t, q, v, bodies.size(), 6, "[fx, fy, fz, tx, ty, tz]");
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const SpatialBodyView& b = bodies[i];
      const double* x = given.data() + 6 * i;
      const auto global = [&](const Vec3& u) { return in_body_axes_ ? b.global(u) : u; };
      loads[i].add_force(b, points_.empty() ? Vec3{0, 0, 0} : points_[i], global({x[0], x[1], x[2]}));
      loads[i].add_torque(b, global({x[3], x[4], x[5]}));
    }
  }

 private:
  /// A row of numbers for each body, of one body alone the row itself.
  static py::array_t<double> table(std::size_t bodies, std::size_t width) {
    return bodies == 1 ? py::array_t<double>(std::vector{width}) : py::array_t<double>(std::vector{bodies, width});
  }
  Doubles call(double t, const py::array_t<double>& q, const py::array_t<double>& v, std::size_t bodies,
               std::size_t width, const char* what) const {
    auto given = py::cast<Doubles>((*function_)(t, q, v));
    if (static_cast<std::size_t>(given.size()) != width * bodies)
      throw InputError("force \"" + name_ + "\": its function returned " + std::to_string(given.size()) + " values; " +
                       what + " of " + std::to_string(bodies) + " bodies are " + std::to_string(width * bodies));
    return given;
  }

  std::string name_;
  std::shared_ptr<py::function> function_;
  bool in_body_axes_;
  std::vector<Vec3> points_;
};

/// `frame` and `points` are for models in space; "" and none: global axes, centres of mass.
inline void add_force(ModelSpec& model, const std::string& name, const std::vector<std::string>& bodies,
                      const py::function& f, const std::string& frame, std::vector<Vec3> points) {
  if (model.dimension != 3 && (!frame.empty() || !points.empty()))
    throw InputError("force \"" + name + "\": frame and points of a function are for models with dimension = 3");
  if (!frame.empty() && frame != "global" && frame != "body")
    throw InputError("force \"" + name + "\": frame = \"" + frame + "\" must be global or body");
  if (!points.empty() && points.size() != bodies.size())
    throw InputError("force \"" + name + "\": " + std::to_string(points.size()) + " points for " +
                     std::to_string(bodies.size()) + " bodies; give one for each");
  model.forces.push_back(
      user_force(name, bodies, std::make_shared<PythonForce>(name, f, frame == "body", std::move(points))));
}

/// `change`: None or a function (t, y) -> new y.
inline void add_guard(ModelSpec& model, const std::string& name, const py::function& g, const std::string& crossing,
                      const std::string& kind, bool terminal, const py::object& change) {
  const auto array = [](std::span<const double> y) {
    return py::array_t<double>(static_cast<py::ssize_t>(y.size()), y.data());  // a copy: the caller may keep it
  };
  if (crossing != "rising" && crossing != "falling" && crossing != "either")
    throw InputError("guard \"" + name + "\": crossing = \"" + crossing + "\" must be rising, falling or either");
  GuardSpec guard;
  guard.name = name;
  guard.crossing = crossing;
  guard.kind = kind;
  guard.terminal = terminal;
  guard.function = [g = shared(g), array](double t, std::span<const double> y) {
    const py::gil_scoped_acquire lock;
    return py::cast<double>((*g)(t, array(y)));
  };
  if (!change.is_none())
    guard.change = [f = shared(py::cast<py::function>(change)), array, name](double t, std::span<double> y) {
      const py::gil_scoped_acquire lock;
      const auto next = py::cast<Doubles>((*f)(t, array(y)));
      if (static_cast<std::size_t>(next.size()) != y.size())
        throw InputError("guard \"" + name + "\": change returned " + std::to_string(next.size()) +
                         " values for a state of " + std::to_string(y.size()));
      std::copy(next.data(), next.data() + y.size(), y.data());
    };
  model.guards.push_back(std::move(guard));
}

}  // namespace hstar::python
