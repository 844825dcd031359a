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
  PythonForce(std::string name, py::function f) : name_(std::move(name)), function_(shared(std::move(f))) {}

  void apply(double t, std::span<const BodyView> bodies, std::span<Load> loads) const override {
    const py::gil_scoped_acquire lock;
    const auto n = static_cast<py::ssize_t>(bodies.size());
    const auto shape = n == 1 ? std::vector<py::ssize_t>{3} : std::vector<py::ssize_t>{n, 3};
    py::array_t<double> q(shape), v(shape);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyView& b = bodies[i];
      std::copy_n(std::array{b.x, b.y, b.angle}.data(), 3, q.mutable_data() + 3 * i);
      std::copy_n(std::array{b.vx, b.vy, b.omega}.data(), 3, v.mutable_data() + 3 * i);
    }
    const auto given = py::cast<Doubles>((*function_)(t, q, v));
    if (given.size() != 3 * n)
      throw InputError("force \"" + name_ + "\": its function returned " + std::to_string(given.size()) +
                       " values; [fx, fy, torque] of " + std::to_string(n) + " bodies are " + std::to_string(3 * n));
    for (std::size_t i = 0; i < bodies.size(); ++i)
      loads[i] = {given.data()[3 * i], given.data()[3 * i + 1], given.data()[3 * i + 2]};
  }

 private:
  std::string name_;
  std::shared_ptr<py::function> function_;
};

inline void add_force(ModelSpec& model, const std::string& name, const std::vector<std::string>& bodies,
                      const py::function& f) {
  model.forces.push_back(user_force(name, bodies, std::make_shared<PythonForce>(name, f)));
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
