// tests/laws/spatial_user_elements.cpp
//
// Forces and joints of a program in space: what is written that is built in too gives the same loads, rows, slopes and
// motion, under explicit and implicit methods, between bodies whose principal axes are not those the program sees; a
// joint that is not built in has the rows and slopes of its Phi, and the motion of a closed form; reactions are told;
// what cannot be is named.
#include <catch2/catch.hpp>

#include <map>
#include <numbers>

#include "hstar/natural_modes.hpp"
#include "hstar/run.hpp"
#include "laws/spatial_cases.hpp"
#include "laws/user_elements.hpp"
#include "mechanism/system.hpp"

using namespace hstar;
using namespace laws;
using Catch::Matchers::Contains;
using support::derivative;
using support::Random;
using support::second_derivative;

namespace {

const std::string two_bodies = R"(
dimension = 3
gravity = [0.0, 0.3, -9.81]
[simulation]
end = 1.0
integrator = "dop853"
rtol = 1e-12
[[body]]
name = "a"
mass = 1.3
inertia = [[0.9, 0.2, -0.1], [0.2, 0.7, 0.15], [-0.1, 0.15, 1.1]]
angular_velocity = [0.5, -0.3, 0.8]
[[body]]
name = "b"
mass = 0.8
inertia = [[0.5, -0.1, 0.05], [-0.1, 0.6, 0.0], [0.05, 0.0, 0.4]]
position = [0.7, 0.5, 0.9]
axis = [1.0, 2.0, -0.5]
angle = 0.8
velocity = [0.2, -0.1, 0.4]
)";
const std::string spring_text =
    "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\nbodies = [\"a\", \"b\"]\n"
    "points = [[0.3, -0.2, 0.1], [-0.4, 0.1, 0.5]]\nstiffness = 30.0\nfree_length = 0.9\n";
const Vec3 s1{0.3, -0.2, 0.1}, s2{-0.4, 0.1, 0.5};

ModelSpec model(const std::string& text = "") { return parse_model(two_bodies + text, "two bodies"); }
ModelSpec with_spring(double damping) {
  ModelSpec m = model();
  m.forces.push_back(user_force("spring", {"a", "b"}, std::make_shared<OwnSpring>(30, damping, 0.9, s1, s2)));
  return m;
}

/// A system at random states.
struct Stage {
  std::shared_ptr<const System> system;
  std::vector<double> y, a;
  Kinematics k;
  double t = 0.3;

  explicit Stage(const ModelSpec& m) : system(build_system(m)), y(system->initial) { system->prepare(k); }
  void shake(Random& random) {
    std::vector<double> d(6 * system->bodies.size(), 0.0);
    for (std::size_t b = 1; b < system->bodies.size(); ++b)
      for (int c = 0; c < 6; ++c) d[system->slot(b, c)] = random.uniform(-0.6, 0.6);
    system->displace(d.data(), 1, y.data());
    a.assign(d.size(), 0.0);
    for (std::size_t i = 6; i < a.size(); ++i) a[i] = random.uniform(-2, 2);
    for (int i = 0; i < system->nv; ++i) y[static_cast<std::size_t>(system->nq + i)] = random.uniform(-1.5, 1.5);
    here();
  }
  void here() { system->update(k, t, y.data()); }
  /// At time t + s of the motion that begins with the velocities of y and accelerations a.
  void later(double s) {
    std::vector<double> d(a.size(), 0.0), moved = y;
    for (std::size_t b = 1; b < system->bodies.size(); ++b)
      for (int c = 0; c < 6; ++c) {
        const std::size_t i = system->slot(b, c);
        d[i] = s * y[static_cast<std::size_t>(system->nq + system->bodies[b].dof + c)] + 0.5 * s * s * a[i];
      }
    system->displace(d.data(), 1, moved.data());
    system->update(k, t + s, moved.data());
  }
  /// Moved by displacement c < 12 of both bodies, or faster by velocity c - 12.
  void moved(int c, double s) {
    std::vector<double> d(a.size(), 0.0), x = y;
    const std::size_t body = 1 + static_cast<std::size_t>(c % 12 / 6);
    if (c < 12) {
      d[system->slot(body, c % 6)] = s;
      system->displace(d.data(), 1, x.data());
    } else {
      x[static_cast<std::size_t>(system->nq + system->bodies[body].dof + c % 6)] += s;
    }
    system->update(k, t, x.data());
  }
  std::vector<double> force() {
    std::vector<double> f(6 * system->bodies.size(), 0.0);
    for (const auto& force : system->forces) force->apply(k, f.data());
    return f;
  }
  std::vector<Row> rows() {
    std::vector<Row> all(static_cast<std::size_t>(system->rows));
    system->joint_rows(k, all.data());
    return all;
  }
};

/// J x of one row, x by body.
double product(const Stage& stage, const Row& row, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (int c = 0; c < 6; ++c) sum += row.J[i][c] * x[stage.system->slot(static_cast<std::size_t>(row.body[i]), c)];
  return sum;
}

std::map<std::string, double> end_of(const RunResult& result) {
  std::map<std::string, double> end;
  for (std::size_t i = 0; i < result.state_names.size(); ++i) end[result.state_names[i]] = result.y_end[i];
  return end;
}

void same_end(const RunResult& one, const RunResult& other, double tolerance) {
  REQUIRE(one.outcome.success());
  REQUIRE(other.outcome.success());
  const auto x = end_of(one), y = end_of(other);
  REQUIRE(x.size() == y.size());
  for (const auto& [name, value] : x) {
    INFO(name);
    CHECK(value == Approx(y.at(name)).epsilon(tolerance).margin(tolerance));
  }
}

}  // namespace

TEST_CASE("loads of a program's forces in space are those of the built-in ones") {
  ModelSpec own = with_spring(1.7);
  own.forces.push_back(user_force("thrust", {"b"}, std::make_shared<Thrust>()));
  Stage mine(own);
  Stage theirs(model(spring_text + "damping = 1.7\n" +
                     "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"b\"\npoint = [0.3, 0.5, -0.2]\n"
                     "frame = \"body\"\nforce = [\"2\", \"b.vy\", \"b.z*b.e1\"]\n"
                     "[[force]]\nname = \"turn\"\ntype = \"torque\"\nbody = \"b\"\n"
                     "torque = [\"sin(t)\", \"0.5*b.wx\", \"b.omega_y\"]\n"));
  Random random(4);
  for (int i = 0; i < 4; ++i) {
    mine.shake(random);
    theirs.y = mine.y;
    theirs.here();
    const std::vector<double> f = mine.force(), g = theirs.force();
    for (std::size_t j = 6; j < f.size(); ++j) CHECK(f[j] == Approx(g[j]).epsilon(1e-13).margin(1e-13));
    ForceSlopes slopes;
    for (const auto& force : mine.system->forces) force->slopes(mine.k, slopes);
    for (int c = 0; c < 24; ++c)
      for (std::size_t row = 6; row < f.size(); ++row) {
        double sum = 0;
        for (const auto& e : c < 12 ? slopes.by_position : slopes.by_velocity)
          if (e.row == static_cast<int>(row) && e.column == 6 + c % 12) sum += e.value;
        const double slope = derivative(
            [&](double s) {
              mine.moved(c, s);
              return mine.force()[row];
            },
            0, 0.02);
        CHECK(sum == Approx(slope).epsilon(1e-7).margin(1e-6));
      }
    mine.here();
  }
}

TEST_CASE("rows of a program's joints in space are the derivatives of its Phi, slopes those of the rows") {
  ModelSpec m = model();
  m.joints.push_back(user_joint("bowl", "a", "b", std::make_shared<Bowl>(0.7, 1.0, s2)));
  m.joints.push_back(user_joint("ball", "b", "a", std::make_shared<OwnBall>(s1, s2)));
  m.joints.push_back(user_joint("still", "ground", "a", std::make_shared<Bowl>(0.4, 0.0, s1)));
  Stage stage(m);
  Random random(5);
  for (int i = 0; i < 4; ++i) {
    stage.shake(random);
    const std::vector<Row> rows = stage.rows();
    REQUIRE(rows.size() == 5);
    std::vector<double> v(stage.a.size(), 0.0);
    for (std::size_t b = 1; b < 3; ++b)
      for (int c = 0; c < 6; ++c) v[stage.system->slot(b, c)] = stage.k.velocity(b, c);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto phi = [&](double s) {
        std::vector<double> all(rows.size());
        stage.later(s);
        stage.system->joint_positions(stage.k, all.data());
        return all[r];
      };
      CHECK(product(stage, rows[r], v) - rows[r].nu == Approx(derivative(phi, 0, 0.05)).epsilon(1e-8).margin(1e-8));
      CHECK(product(stage, rows[r], stage.a) - rows[r].gamma ==
            Approx(second_derivative(phi, 0, 0.05)).epsilon(1e-6).margin(1e-6));
    }
    stage.here();
    std::vector<SpatialRowSlope> slopes(rows.size());
    for (std::size_t j = 0; j < 3; ++j)
      stage.system->joints[j]->slopes(stage.k, slopes.data() + stage.system->joint_row[j]);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (int c = 0; c < 12; ++c) {
        const int body = rows[r].body[static_cast<std::size_t>(c / 6)];
        if (body == 0) continue;
        const auto at = [&](double s) {
          stage.moved(6 * (body - 1) + c % 6, s);
          return stage.rows()[r];
        };
        for (int b = 0; b < 12; ++b)
          CHECK(
              slopes[r].J[b][c] ==
              Approx(derivative([&](double s) { return at(s).J[b / 6][b % 6]; }, 0, 0.02)).epsilon(1e-7).margin(1e-7));
        CHECK(slopes[r].gamma[c] ==
              Approx(derivative([&](double s) { return at(s).gamma; }, 0, 0.02)).epsilon(1e-7).margin(1e-6));
      }
  }
}

TEST_CASE("a spring and a ball joint of a program move a mechanism as the built-in ones do") {
  const std::string ball =
      "[[joint]]\nname = \"ball\"\ntype = \"spherical\"\nbodies = [\"ground\", \"a\"]\n"
      "at = [0.1, -0.4, 0.2]\n";
  ModelSpec theirs = model(ball + spring_text + "damping = 0.4\n"), mine = with_spring(0.4);
  mine.joints.push_back(
      user_joint("ball", "ground", "a", std::make_shared<OwnBall>(Vec3{0.1, -0.4, 0.2}, Vec3{0.1, -0.4, 0.2})));
  for (ModelSpec* m : {&mine, &theirs})
    for (const char* word : {"fx", "fy", "fz", "tx", "ty", "tz"}) {
      MeasureSpec measure;
      measure.name = std::string("pin_") + word;
      measure.value = Expression::compile(std::string("ball.") + word, {}, {});
      m->measures.push_back(measure);
    }
  const RunResult explicit_mine = run(mine), explicit_theirs = run(theirs);
  same_end(explicit_mine, explicit_theirs, 1e-10);
  const auto column = [](const RunResult& r, const std::string& name) {
    return r.rows
        .back()[static_cast<std::size_t>(std::find(r.columns.begin(), r.columns.end(), name) - r.columns.begin())];
  };
  // The torque is told about each joint's own point: of a program's joint that is the second body's centre.
  const auto end = end_of(explicit_mine);
  const double fx = column(explicit_mine, "pin_fx"), fy = column(explicit_mine, "pin_fy"),
               fz = column(explicit_mine, "pin_fz");
  CHECK(fx == Approx(column(explicit_theirs, "pin_fx")).epsilon(1e-8));
  CHECK(fy == Approx(column(explicit_theirs, "pin_fy")).epsilon(1e-8));
  CHECK(fz == Approx(column(explicit_theirs, "pin_fz")).epsilon(1e-8));
  const Vec3 arm = Vec3{0.1, -0.4, 0.2} - Vec3{end.at("a.x"), end.at("a.y"), end.at("a.z")},
             torque = cross(arm, {fx, fy, fz});
  CHECK(column(explicit_mine, "pin_tx") == Approx(torque[0]).epsilon(1e-8).margin(1e-10));
  CHECK(column(explicit_mine, "pin_ty") == Approx(torque[1]).epsilon(1e-8).margin(1e-10));
  CHECK(column(explicit_mine, "pin_tz") == Approx(torque[2]).epsilon(1e-8).margin(1e-10));

  // Implicit methods: the same steps and nearly the same Newton iterations, which wrong derivatives would cost.
  struct Method {
    const char *formulation, *integrator;
    double fixed_step, error;
  };
  for (const Method& method : {Method{"ggl", "ida", 0, 1e-4}, Method{"index1", "ida", 0, 1e-4},
                               Method{"index3", "newmark", 0.004, 0.02}, Method{"index3", "hht", 0.004, 3e-3},
                               Method{"index3", "generalized_alpha", 0.004, 3e-3}, Method{"index3", "bdf", 0.004, 3e-3},
                               Method{"partition_full", "dopri5", 0, 1e-4}, Method{"baumgarte", "dopri5", 0, 1e-4}}) {
    INFO(method.formulation << " " << method.integrator);
    for (ModelSpec* m : {&mine, &theirs}) {
      m->simulation.formulation = method.formulation;
      m->simulation.integrator = method.integrator;
      m->simulation.fixed_step = method.fixed_step;
      m->simulation.newton = "full";
      m->simulation.rtol = method.fixed_step > 0 ? 1e-9 : 1e-7;
    }
    const RunResult one = run(mine), other = run(theirs);
    same_end(one, other, method.fixed_step > 0 ? 1e-8 : 1e-6);
    same_end(one, explicit_mine, method.error);
    CHECK(static_cast<double>(one.counters.flow.iterations) <=
          1.1 * static_cast<double>(other.counters.flow.iterations) + 10);
  }
}

// m r'' = gravity and the wall's force: in a bowl z = a (x^2 + y^2) / 2 a bead circles at any radius with omega^2 = g
// a.
TEST_CASE("a bead circles in a bowl that a program writes") {
  const double a = 0.8, g = 9.81, radius = 0.6, omega = std::sqrt(g * a);
  ModelSpec m = parse_model(
      "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 2\nrtol = 1e-11\n"
      "integrator = \"dop853\"\n[[body]]\nname = \"bead\"\nmass = 0.3\ninertia = [1, 1, 1]\n",
      "bead");
  m.spatial.bodies[0].position = {radius, 0, 0.5 * a * radius * radius};
  m.spatial.bodies[0].velocity = {0, radius * omega, 0};
  m.joints.push_back(user_joint("bowl", "ground", "bead", std::make_shared<Bowl>(a, 0.0, Vec3{0, 0, 0})));
  auto end = end_of(run(m));
  CHECK(end["bead.x"] == Approx(radius * std::cos(2 * omega)).margin(1e-9));
  CHECK(end["bead.y"] == Approx(radius * std::sin(2 * omega)).margin(1e-9));
  CHECK(end["bead.z"] == Approx(0.5 * a * radius * radius).margin(1e-9));
  m.simulation.integrator = "ida";
  m.simulation.rtol = 1e-9;
  end = end_of(run(m));
  CHECK(end["bead.x"] == Approx(radius * std::cos(2 * omega)).margin(1e-5));
}

// About the bottom it swings with sqrt(g a) both ways, by the curvature of the bowl under its force alone; nothing
// holds its turning.
TEST_CASE("natural modes of a bead in a bowl that a program writes") {
  ModelSpec m = parse_model(
      "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 1\n[[body]]\nname = \"bead\"\nmass = 0.3\n"
      "inertia = [1, 1, 1]\n",
      "bead");
  m.joints.push_back(user_joint("bowl", "ground", "bead", std::make_shared<Bowl>(0.8, 0.0, Vec3{0, 0, 0})));
  NaturalModesOptions options;
  options.given = true;
  const NaturalModesResult result = natural_modes(m, options);
  REQUIRE(result.modes.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    INFO(i);
    CHECK(result.modes[i].frequency == Approx(i < 3 ? 0 : std::sqrt(9.81 * 0.8)).epsilon(1e-8).margin(1e-6));
    CHECK(result.modes[i].kind == (i < 3 ? "free" : "oscillation"));
  }
}

TEST_CASE("a spring of a program keeps the energy of the built-in one") {
  // Free flight: kinetic energy, weight and 30 (length - 0.9)^2 / 2 stay what they were.
  ModelSpec mine = with_spring(0.0);
  const RunResult result = run(mine);
  same_end(result, run(model(spring_text)), 1e-10);
  const auto energy = [](const std::map<std::string, double>& y) {
    Vec3 end[2];
    double sum = 0;
    int i = 0;
    for (const SpatialBodySpec& body : model().spatial.bodies) {
      const auto at = [&](const char* word) { return y.at(body.name + "." + word); };
      const Vec3 r{at("x"), at("y"), at("z")}, v{at("vx"), at("vy"), at("vz")}, w{at("wx"), at("wy"), at("wz")};
      end[i] = r + rotation_matrix({at("e0"), at("e1"), at("e2"), at("e3")}) * (i == 0 ? s1 : s2);
      sum += 0.5 * body.mass * dot(v, v) + 0.5 * dot(w, body.inertia * w) - body.mass * (0.3 * r[1] - 9.81 * r[2]);
      ++i;
    }
    const double stretch = norm(end[1] - end[0]) - 0.9;
    return sum + 15 * stretch * stretch;
  };
  std::map<std::string, double> start;
  for (std::size_t i = 0; i < result.state_names.size(); ++i) {
    const auto at = std::find(result.columns.begin(), result.columns.end(), result.state_names[i]);
    start[result.state_names[i]] = result.rows.front()[static_cast<std::size_t>(at - result.columns.begin())];
  }
  CHECK(energy(end_of(result)) == Approx(energy(start)).epsilon(1e-10));
}

// A force of a program may change with time: nothing is at rest for good under it (here a block on rough ground is
// pulled with 4 t and breaks loose at mu m g = 10 N).
TEST_CASE("nothing rests for good under a program's force") {
  class Pull final : public UserForce {
   public:
    void apply(double t, std::span<const BodyView>, std::span<Load> loads) const override { loads[0].fx = 4 * t; }
    void apply_in_space(double t, std::span<const SpatialBodyView>, std::span<SpatialBodyLoad> loads) const override {
      loads[0].force[0] = 4 * t;
    }
  };
  const std::string joint =
      "[[joint]]\nname = \"plate\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\n"
      "friction = { mu_static = 0.5, mu_kinetic = 0.3 }\n";
  for (const std::string& text :
       {"gravity = [0, -10]\n[simulation]\nend = 5\nrtol = 1e-9\n[[body]]\nname = \"block\"\nmass = 2\ninertia = 1\n" +
            joint,
        "dimension = 3\ngravity = [0, 0, -10]\n[simulation]\nend = 5\nrtol = 1e-9\n[[body]]\nname = \"block\"\n"
        "mass = 2\ninertia = [1, 1, 1]\n" +
            joint + "axis = [1, 0, 0]\n"}) {
    ModelSpec m = parse_model(text, "block");
    m.forces.push_back(user_force("pull", {"block"}, std::make_shared<Pull>()));
    const RunResult result = run(m);
    REQUIRE(result.events.size() == 1);
    CHECK(result.events[0].kind == "slip");
    CHECK(result.events[0].t == Approx(2.5).epsilon(1e-8));
    for (const std::string& note : result.notices) CHECK_THAT(note, !Contains("nothing can move"));
  }
}

// A body whose inertia is not diagonal in the axes that the program writes: a guard's function and its change see and
// set orientation and angular velocity in those axes, as do resets by formulas. Spun about a principal axis it turns
// evenly: after the third of a turn it is stopped and sent back.
TEST_CASE("guards of a program see bodies in the axes of the model") {
  const double pi = std::numbers::pi, speed = 2;
  const std::string text =
      "dimension = 3\n[simulation]\nend = 1.5\nrtol = 1e-11\nintegrator = \"dop853\"\n[[body]]\nname = \"a\"\n"
      "mass = 1\ninertia = [[2, 0.5, 0], [0.5, 2, 0], [0, 0, 1]]\nposition = [1, 2, 3]\n"
      "angular_velocity = [0, 0, 2]\n";
  const double turned = 2 * pi / 3, t = turned / speed;
  for (const bool by_formula : {false, true}) {
    ModelSpec m = parse_model(text, "turning");
    GuardSpec guard;
    guard.name = "back";
    guard.crossing = "rising";
    if (by_formula) {
      guard.when = Expression::compile("a.e3 - sin(pi/3)", {}, {});
      guard.reset = {{"a.wx", Expression::compile("0", {}, {})}, {"a.wz", Expression::compile("-2*a.wz", {}, {})}};
    } else {
      guard.function = [pi](double, std::span<const double> y) { return y[6] - std::sin(pi / 3); };
      guard.change = [](double, std::span<double> y) { y[12] *= -2; };
    }
    m.guards.push_back(guard);
    const RunResult result = run(m);
    REQUIRE(result.events.size() == 1);
    CHECK(result.events[0].t == Approx(t).epsilon(1e-9));
    const double angle = turned - 2 * speed * (1.5 - t);
    auto end = end_of(result);
    CHECK(end["a.e0"] == Approx(std::cos(angle / 2)).epsilon(1e-8));
    CHECK(end["a.e1"] == Approx(0).margin(1e-9));
    CHECK(end["a.e3"] == Approx(std::sin(angle / 2)).epsilon(1e-8));
    CHECK(end["a.wz"] == Approx(-2 * speed).epsilon(1e-9));
  }
}

TEST_CASE("a program's force or joint that is not finite is named") {
  class Bad final : public UserForce {
   public:
    void apply(double t, std::span<const BodyView>, std::span<Load> loads) const override {
      loads[0].fx = std::sqrt(0.5 - t);
    }
    void apply_in_space(double t, std::span<const SpatialBodyView>, std::span<SpatialBodyLoad> loads) const override {
      loads[0].torque_bar[1] = std::sqrt(0.5 - t);
    }
  };
  ModelSpec flat = parse_model("[simulation]\nend = 1\n[[body]]\nname = \"a\"\nmass = 1\n", "flat"), solid = model();
  for (ModelSpec* m : {&flat, &solid}) {
    m->forces.push_back(user_force("bad", {"a"}, std::make_shared<Bad>()));
    RunResult result = run(*m);
    CHECK(result.outcome.status == RunStatus::not_finite);
    CHECK(result.outcome.t == Approx(0.5).epsilon(1e-6));
    CHECK_THAT(result.outcome.message, Contains("There force \"bad\" is not finite"));
    m->simulation.start = 0.6;
    result = run(*m);
    CHECK(result.outcome.status == RunStatus::not_finite);
    CHECK(result.outcome.message == "at t = 0.6 s: force \"bad\" is not finite");
  }
}

TEST_CASE("elements of a program that a model cannot have are named") {
  class Nothing final : public UserForce {};
  class Empty final : public UserJoint {
   public:
    explicit Empty(int rows) : rows_(rows) {}
    [[nodiscard]] int rows() const override { return rows_; }

   private:
    int rows_;
  };
  ModelSpec flat = parse_model("[simulation]\nend = 1\n[[body]]\nname = \"a\"\nmass = 1\n", "flat");
  const auto force = [](ModelSpec m, const std::vector<std::string>& bodies) {
    m.forces.push_back(user_force("f", bodies, std::make_shared<Nothing>()));
    (void)run(m);
  };
  const auto joint = [](ModelSpec m, const std::string& second, int rows) {
    m.joints.push_back(user_joint("j", "ground", second, std::make_shared<Empty>(rows)));
    (void)run(m);
  };
  CHECK_THROWS_WITH(force(model(), {"a"}),
                    "force \"f\": its class does not override apply_in_space(), which models "
                    "with dimension = 3 call");
  CHECK_THROWS_WITH(force(flat, {"a"}), "force \"f\": its class does not override apply(), which planar models call");
  CHECK_THROWS_WITH(force(model(), {"nobody"}), Contains("force \"f\": unknown body \"nobody\""));
  CHECK_THROWS_WITH(force(model(), {}), Contains("acts on 1 to 8 bodies, not 0"));
  CHECK_THROWS_WITH(joint(model(), "a", 3),
                    "joint \"j\": its class does not override rows_in_space(), which "
                    "models with dimension = 3 call");
  CHECK_THROWS_WITH(joint(flat, "a", 1), Contains("joint \"j\": its class does not override rows_at()"));
  CHECK_THROWS_WITH(joint(model(), "a", 7), Contains("1 to 6 rows, not 7"));
  CHECK_THROWS_WITH(joint(flat, "a", 4), Contains("1 to 3 rows, not 4"));
  CHECK_THROWS_WITH(joint(model(), "nobody", 3), Contains("joint \"j\": unknown body \"nobody\""));
  ModelSpec mixed = model();
  mixed.joints = parse_model(
                     "[simulation]\nend = 1\n[[body]]\nname = \"a\"\nmass = 1\n[[joint]]\nname = \"pin\"\n"
                     "type = \"revolute\"\nbodies = [\"ground\", \"a\"]\n",
                     "flat")
                     .joints;
  CHECK_THROWS_WITH(run(mixed), Contains("joint \"pin\": a planar joint in a spatial model"));
}
