// tests/laws/spatial_measures.cpp
//
// What formulas and measures read in space, against what the recorded motion itself says: angular velocities in both
// axes, accelerations as derivatives of velocities, lengths, rates and forces of springs, energy; and reactions of
// joints by Newton's and Euler's equations of the bodies that they hold. Bodies' inertia is not diagonal.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "hstar/run.hpp"
#include "mechanism/spatial/euler_parameters.hpp"

using namespace hstar;

namespace {

const std::string chain = R"~(
dimension = 3
gravity = [0.5, 0.0, -9.81]
[simulation]
end = 1.0
integrator = "dop853"
rtol = 1e-12
max_step = 0.02
[[body]]
name = "arm"
mass = 1.3
inertia = [[0.9, 0.2, -0.1], [0.2, 0.7, 0.15], [-0.1, 0.15, 1.1]]
position = [0.6, 0.0, 0.1]
[[body]]
name = "bob"
mass = 0.8
inertia = [[0.5, -0.1, 0.05], [-0.1, 0.6, 0.0], [0.05, 0.0, 0.4]]
position = [1.4, 0.3, 0.0]
axis = [1.0, 2.0, -0.5]
angle = 0.8
angular_velocity = [0.4, -0.7, 0.9]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "arm"]
at = [0.0, 0.0, 0.0]
axis = [0.3, 1.0, 0.2]
[[joint]]
name = "ball"
type = "spherical"
bodies = ["arm", "bob"]
at = [1.1, 0.1, 0.05]
[[force]]
name = "spring"
type = "spring_damper"
bodies = ["ground", "bob"]
points = [[1.0, 1.0, 2.0], [0.2, -0.1, 0.3]]
stiffness = "12 + 3*bob.omega_z"
damping = "0.4 + 0.1*length^2"
free_length = 0.7
actuator = "0.5*rate*t - bob.e2"
[[force]]
name = "turn"
type = "torque"
body = "bob"
torque = ["0.3*sin(t)", "0.2*bob.omega_x", "-0.1*bob.wy"]
)~";
constexpr double t = 0.7, h = 4e-3;

class Record {
 public:
  Record() {
    ModelSpec model = parse_model(chain, "chain");
    const auto measure = [&](const std::string& name) {
      MeasureSpec m;
      m.name = "measured " + name;
      m.value = Expression::compile(name, {}, {});
      model.measures.push_back(m);
    };
    for (const std::string body : {"arm.", "bob."})
      for (const char* word :
           {"x",  "y",  "z",       "e0",      "e1",      "e2", "e3", "vx", "vy",      "vz",      "wx",
            "wy", "wz", "omega_x", "omega_y", "omega_z", "ax", "ay", "az", "alpha_x", "alpha_y", "alpha_z"})
        measure(body + word);
    for (const char* name : {"spring.length", "spring.rate", "spring.force", "ball.fx", "hinge.tz", "energy"})
      measure(name);
    model.simulation.sample_times = {0.0, t - 2 * h, t - h, t, t + h, t + 2 * h};
    result_ = run(model);
    REQUIRE(result_.outcome.success());
  }
  [[nodiscard]] double at(const std::string& name, double time) const {
    const auto column = std::find(result_.columns.begin(), result_.columns.end(), name);
    REQUIRE(column != result_.columns.end());
    const auto row =
        std::find_if(result_.rows.begin(), result_.rows.end(), [&](const auto& r) { return r[0] == time; });
    REQUIRE(row != result_.rows.end());
    return (*row)[static_cast<std::size_t>(column - result_.columns.begin())];
  }
  [[nodiscard]] Vec3 vector(const std::string& owner, const std::array<const char*, 3>& words, double time) const {
    return {at(owner + words[0], time), at(owner + words[1], time), at(owner + words[2], time)};
  }
  [[nodiscard]] Vec3 place(const std::string& body, double time) const {
    return vector(body + ".", {"x", "y", "z"}, time);
  }
  [[nodiscard]] Vec3 speed(const std::string& body, double time) const {
    return vector(body + ".", {"vx", "vy", "vz"}, time);
  }
  [[nodiscard]] Vec3 spin(const std::string& body, double time) const {
    return vector(body + ".", {"wx", "wy", "wz"}, time);
  }
  [[nodiscard]] Mat3 rotation(const std::string& body, double time) const {
    const auto e = [&](const char* word) { return at(body + word, time); };
    return rotation_matrix({e(".e0"), e(".e1"), e(".e2"), e(".e3")});
  }

 private:
  RunResult result_;
};

/// Of a vector that is known at the sampled times: central difference of fourth order.
template <class F>
Vec3 rate_of(const F& f) {
  return (1 / (12 * h)) * (f(t - 2 * h) - f(t + 2 * h) + 8.0 * (f(t + h) - f(t - h)));
}

void same(const Vec3& a, const Vec3& b, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) CHECK(a[i] == Approx(b[i]).epsilon(tolerance).margin(tolerance));
}

}  // namespace

TEST_CASE("formulas in space read the motion, and reactions are those of Newton and Euler") {
  const Record r;
  const ModelSpec model = parse_model(chain, "chain");
  const Mat3 J_arm = model.spatial.bodies[0].inertia, J_bob = model.spatial.bodies[1].inertia;
  for (const std::string body : {"arm", "bob"}) {
    INFO(body);
    const std::string owner = "measured " + body + ".";
    for (const char* word : {"x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz"}) {
      INFO(word);
      CHECK(r.at(owner + word, t) == r.at(body + "." + word, t));
    }
    const auto omega = [&](double s) { return r.rotation(body, s) * r.spin(body, s); };
    same(r.vector(owner, {"omega_x", "omega_y", "omega_z"}, t), omega(t), 1e-13);
    same(r.speed(body, t), rate_of([&](double s) { return r.place(body, s); }), 1e-7);
    same(r.vector(owner, {"ax", "ay", "az"}, t), rate_of([&](double s) { return r.speed(body, s); }), 1e-6);
    same(r.vector(owner, {"alpha_x", "alpha_y", "alpha_z"}, t), rate_of(omega), 1e-6);
    const Mat3 A_rate = r.rotation(body, t) * skew(r.spin(body, t));
    for (std::size_t i = 0; i < 3; ++i)
      same(A_rate[i], rate_of([&](double s) { return r.rotation(body, s)[i]; }), 1e-6);
  }

  // The spring from its ends.
  const Vec3 s_bar{0.2, -0.1, 0.3}, anchor{1.0, 1.0, 2.0};
  const Mat3 A = r.rotation("bob", t);
  const Vec3 arm_of_spring = A * s_bar, d = r.place("bob", t) + arm_of_spring - anchor;
  const double length = norm(d), rate = dot(d, r.speed("bob", t) + A * cross(r.spin("bob", t), s_bar)) / length,
               pull = (12 + 3 * r.at("measured bob.omega_z", t)) * (length - 0.7) +
                      (0.4 + 0.1 * length * length) * rate + 0.5 * rate * t - r.at("bob.e2", t);
  CHECK(r.at("measured spring.length", t) == Approx(length).epsilon(1e-13));
  CHECK(r.at("measured spring.rate", t) == Approx(rate).epsilon(1e-12));
  CHECK(r.at("measured spring.force", t) == Approx(pull).epsilon(1e-12));

  // Newton and Euler about the centres; a joint's force and torque act on its second body at its point.
  const Vec3 g{0.5, 0, -9.81}, on_bob = r.vector("ball.", {"fx", "fy", "fz"}, t),
                               on_arm = r.vector("hinge.", {"fx", "fy", "fz"}, t), spring_force = (-pull / length) * d,
                               m_a_bob = 0.8 * rate_of([&](double s) { return r.speed("bob", s); }),
                               m_a_arm = 1.3 * rate_of([&](double s) { return r.speed("arm", s); });
  same(on_bob + spring_force + 0.8 * g, m_a_bob, 1e-6);
  same(on_arm - on_bob + 1.3 * g, m_a_arm, 1e-6);
  const auto momentum = [&](const std::string& body, const Mat3& J) {
    return rate_of([&](double s) { return r.rotation(body, s) * (J * r.spin(body, s)); });
  };
  // Where the ball is, from its place in the bob at the start.
  const Vec3 ball_bar = transposed_times(r.rotation("bob", 0), Vec3{1.1, 0.1, 0.05} - r.place("bob", 0)),
             ball_arm = A * ball_bar, ball = r.place("bob", t) + ball_arm,
             torque{0.3 * std::sin(t), 0.2 * r.at("measured bob.omega_x", t), -0.1 * r.at("bob.wy", t)};
  same(r.vector("ball.", {"tx", "ty", "tz"}, t), {0, 0, 0}, 1e-10);
  same(cross(ball_arm, on_bob) + cross(arm_of_spring, spring_force) + torque, momentum("bob", J_bob), 1e-6);
  const Vec3 hinge_arm = -1.0 * r.place("arm", t);
  same(r.vector("hinge.", {"tx", "ty", "tz"}, t) + cross(hinge_arm, on_arm) - cross(ball - r.place("arm", t), on_bob),
       momentum("arm", J_arm), 1e-6);
  CHECK(r.at("measured ball.fx", t) == r.at("ball.fx", t));
  CHECK(r.at("measured hinge.tz", t) == r.at("hinge.tz", t));
  double kinetic = 0;
  for (const auto& [body, mass, J] : {std::tuple{"arm", 1.3, J_arm}, std::tuple{"bob", 0.8, J_bob}}) {
    const Vec3 v = r.speed(body, t), w = r.spin(body, t);
    kinetic += 0.5 * mass * dot(v, v) + 0.5 * dot(w, J * w) - mass * dot(g, r.place(body, t));
  }
  CHECK(r.at("measured energy", t) == r.at("energy", t));
  const double stiffness = 12 + 3 * r.at("measured bob.omega_z", t);
  CHECK(r.at("energy", t) == Approx(kinetic + 0.5 * stiffness * (length - 0.7) * (length - 0.7)).epsilon(1e-10));
}
