// tests/laws/transition_modes.cpp
//
// The mode problem on random small mechanisms with one to four undecided elements: the motion that is
// chosen satisfies the laws - complementarity of gaps and normal forces, the friction cone, friction
// against the sliding that begins, Newton's law with the multipliers reported - and does not depend on
// the order in which the elements are written. At impacts: no energy is gained for e in [0, 1],
// Newton's law on gamma_N, Coulomb's on impulses, momentum balanced by the impulses reported. The
// checks assemble their own forces from the rows of the elements, not from the solver's memory.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "support/random.hpp"
#include "support/run_text.hpp"
#include "transition/impact_solver.hpp"
#include "transition/mode_problem.hpp"

using namespace hstar;
using support::digits;
using support::Random;

namespace {

/// Blocks on a floor and on each other's springs, a plank with two feet, discs: all touching, at rest
/// against their supports or sliding, pushed by random forces.
struct Scene {
  std::vector<std::string> bodies, contacts, joints, forces;
  [[nodiscard]] std::string text(bool reversed) const {
    std::string all = "gravity = [0.0, -9.81]\n[simulation]\nend = 1.0\n";
    for (auto list : {bodies, contacts, joints, forces}) {
      if (reversed) std::reverse(list.begin(), list.end());
      for (const auto& part : list) all += part;
    }
    return all;
  }
};

std::string coulomb(Random& random, double most) {
  const double kinetic = random.uniform(0, most), extra = random.uniform(0, 1) < 0.5 ? 0.0 : random.uniform(0, 0.2);
  return "friction = { law = \"coulomb\", mu_static = " + digits(kinetic + extra) +
         ", mu_kinetic = " + digits(kinetic) + " }\n";
}

Scene random_scene(Random& random, double fall) {
  Scene scene;
  const int blocks = 1 + random.below(3);
  for (int i = 0; i < blocks; ++i) {
    const std::string name = "b" + std::to_string(i), x = digits(3.0 * i);
    const int kind = random.below(4);
    const double vx = random.below(2) ? 0.0 : random.uniform(-1, 1);
    const std::string velocity =
        "velocity = [" + digits(vx) + ", " + digits(fall == 0 ? 0.0 : -fall * random.uniform(0.2, 1)) + "]\n";
    const std::string mass = "mass = " + digits(random.uniform(0.5, 3)) + "\n";
    const std::string push = "[[force]]\nname = \"f" + name + "\"\ntype = \"point_force\"\nbody = \"" + name +
                             "\"\nforce = [" + digits(random.uniform(-15, 15)) + ", " +
                             digits(random.uniform(-10, 25)) + "]\n";
    scene.forces.push_back(push);
    const double restitution = fall == 0 ? 0.0 : random.uniform(0, 1);
    const auto foot = [&](const std::string& contact, const std::string& shape, bool frictional) {
      scene.contacts.push_back("[[contact]]\nname = \"" + contact +
                               "\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"" + name + "\", " +
                               shape + " }]\nrestitution = " + digits(restitution) + "\n" +
                               (frictional ? coulomb(random, 0.5) : std::string()));
    };
    if (kind == 0) {  // point mass
      scene.bodies.push_back("[[body]]\nname = \"" + name + "\"\n" + mass + "position = [" + x + ", 0.0]\n" + velocity);
      foot("c" + name, "shape = \"point\"", true);
    } else if (kind == 1) {  // disc, turning
      scene.bodies.push_back("[[body]]\nname = \"" + name + "\"\n" + mass +
                             "inertia = " + digits(random.uniform(0.05, 0.3)) + "\nposition = [" + x +
                             ", 0.4]\nangular_velocity = " + digits(random.below(2) ? 0.0 : random.uniform(-3, 3)) +
                             "\n" + velocity);
      foot("c" + name, "shape = \"circle\", radius = 0.4", true);
    } else if (kind == 2) {  // flat plank on two feet, one of them smooth: it may tip about either
      scene.bodies.push_back("[[body]]\nname = \"" + name + "\"\n" + mass + "inertia = " +
                             digits(random.uniform(0.2, 0.6)) + "\nposition = [" + x + ", 0.2]\n" + velocity);
      foot("l" + name, "point = [-0.7, -0.2], shape = \"point\"", true);
      foot("r" + name, "point = [0.7, -0.2], shape = \"point\"", false);
      scene.forces.back() += "point = [" + digits(random.uniform(-0.6, 0.6)) + ", 0.1]\n";
    } else {  // guided block: a frictional joint instead of a contact
      scene.bodies.push_back("[[body]]\nname = \"" + name + "\"\n" + mass + "position = [" + x +
                             ", 0.0]\nvelocity = [" + digits(vx) + ", 0.0]\n");
      scene.joints.push_back("[[joint]]\nname = \"c" + name + "\"\ntype = \"translational\"\nbodies = [\"ground\", \"" +
                             name + "\"]\naxis = [1.0, 0.0]\n" + coulomb(random, 0.5));
    }
    // Neighbours are coupled by a strut, so that what one does changes the other's forces.
    if (i > 0 && random.below(2) == 0)
      scene.forces.push_back(
          "[[force]]\nname = \"k" + name + "\"\ntype = \"spring_damper\"\nbetween = [{ body = \"b" +
          std::to_string(i - 1) + "\" }, { body = \"" + name +
          "\" }]\nstiffness = 20.0\ndamping = 0.0\nfree_length = " + digits(random.uniform(2.6, 3.4)) + "\n");
  }
  return scene;
}

struct Problem {
  std::shared_ptr<const System> system;
  ModeEquations equations;
  ModeSolver solver;
  std::vector<double> y;
  explicit Problem(const std::string& text)
      : system(build_system(parse_model(text, "scene"))),
        equations(system),
        solver(equations),
        y(system->initial_state()) {
    equations.evaluate(0.0, y.data());
  }
  [[nodiscard]] double rate(const Row& row) const {
    return row.rate(equations.acceleration().data(), equations.system().columns);
  }
};

/// Forces of a solved mode, or impulses of an impact: of joints by row, of contacts, of friction by unit.
struct Multipliers {
  std::vector<double> joint, contact, friction;
};

Multipliers forces(const Problem& p) {
  const System& s = *p.system;
  Multipliers all;
  for (int i = 0; i < s.rows; ++i) all.joint.push_back(p.equations.multipliers()[i]);
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    all.contact.push_back(p.equations.contact_force(static_cast<int>(c)));
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    all.friction.push_back(p.equations.friction_force(static_cast<int>(u)));
  return all;
}

Multipliers impulses_of(const ImpactOutcome& impact) {
  Multipliers all{impact.reaction, impact.impulse_n, {}};
  for (const auto& impulse : impact.impulse_unit) all.friction.push_back(impulse[0]);
  return all;
}

/// Sum of J^T lambda of every reported multiplier, by body.
std::vector<double> multiplier_forces(Problem& p, const Multipliers& all) {
  const System& s = *p.system;
  std::vector<double> f(3 * s.bodies.size());
  const auto add = [&](const Row& row, double lambda) {
    for (std::size_t i = 0; i < 2; ++i)
      for (int c = 0; c < 3; ++c) f[static_cast<std::size_t>(3 * row.body[i] + c)] += row.J[i][c] * lambda;
  };
  std::vector<Row> rows(static_cast<std::size_t>(s.rows));
  s.joint_rows(p.equations.motion.kinematics(), rows.data());
  for (int i = 0; i < s.rows; ++i) add(rows[static_cast<std::size_t>(i)], all.joint[static_cast<std::size_t>(i)]);
  Row row;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    row = p.equations.motion.normal_row(static_cast<int>(c));
    add(row, all.contact[c]);
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    row = p.equations.motion.tangent_row(static_cast<int>(u));
    add(row, all.friction[u]);
  }
  return f;
}

void check_newton(Problem& p, const Multipliers& all, const std::vector<double>& load,
                  const std::vector<double>& change) {
  const auto f = multiplier_forces(p, all);
  for (std::size_t b = 0; b < p.system->bodies.size(); ++b) {
    const Body& body = p.system->bodies[b];
    for (int c = 0; c < body.dofs; ++c) {
      const std::size_t i = 3 * b + static_cast<std::size_t>(c);
      const double mass = c < 2 ? body.mass : body.inertia;
      CHECK(mass * change[i] == Approx(load[i] + f[i]).margin(1e-10));
    }
  }
}

/// Everything touches; what already slides keeps its direction.
ModeProblem undecided(Problem& p, Mode& mode) {
  const System& s = *p.system;
  ModeProblem problem;
  problem.contacts.resize(s.contacts.size());
  problem.units.resize(s.frictions.size());
  mode.closed.assign(s.contacts.size(), 1);
  mode.friction.assign(s.frictions.size(), {});
  for (auto& c : problem.contacts) c.touching = true;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const double v = p.equations.motion.slide_velocity(static_cast<int>(u));
    problem.units[u].at_zero = v == 0;
    if (v != 0) mode.friction[u] = {Slide::slip, static_cast<signed char>(v > 0 ? 1 : -1), 0, 0};
  }
  return problem;
}

double curve(const FrictionUnit& unit, double v) {
  return unit.law.mu_kinetic(std::abs(v), unit.law.piece_of(std::abs(v), 1));
}

}  // namespace

TEST_CASE("the chosen mode satisfies the laws of contact and friction, in any order of elements") {
  Random random(20261121);
  int undecided_at_most = 0, opened = 0, stuck = 0, slipped = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const Scene scene = random_scene(random, 0);
    std::vector<double> accelerations[2];
    for (const bool reversed : {false, true}) {
      const std::string text = scene.text(reversed);
      INFO(text);
      Problem p(text);
      const System& s = *p.system;
      Mode mode;
      const ModeProblem problem = undecided(p, mode);
      const ModeChoice choice = p.solver.accelerations(problem, mode, false);
      INFO(choice.why);
      REQUIRE(choice.found);
      undecided_at_most = std::max(undecided_at_most, static_cast<int>(s.contacts.size() + s.frictions.size()));
      p.equations.rows.choose(mode);
      p.equations.rows.fill();
      p.equations.rows.find_redundant();
      REQUIRE(p.equations.solve(mode));
      check_newton(p, forces(p), p.equations.load(), p.equations.acceleration());
      Row row;
      for (std::size_t c = 0; c < s.contacts.size(); ++c) {
        row = p.equations.motion.normal_row(static_cast<int>(c));
        const double force = p.equations.contact_force(static_cast<int>(c)), rate = p.rate(row);
        CHECK(force >= -1e-10);
        CHECK(rate >= -1e-10);
        CHECK(std::abs(force * rate) <= 1e-9);
        opened += !mode.closed[c];
      }
      for (std::size_t u = 0; u < s.frictions.size(); ++u) {
        const FrictionUnit& unit = s.frictions[u];
        row = p.equations.motion.tangent_row(static_cast<int>(u));
        const double v = p.equations.motion.slide_velocity(static_cast<int>(u)), rate = p.rate(row),
                     force = p.equations.friction_force(static_cast<int>(u)),
                     normal = unit.joint >= 0 ? std::abs(p.equations.joint_multipliers(unit.joint)[0])
                                              : p.equations.contact_force(unit.contact);
        CHECK(std::abs(force) <= unit.law.mu_static() * normal + 1e-10);
        if (v != 0) {
          CHECK(force == Approx(-std::copysign(curve(unit, v) * normal, v)).margin(1e-10));
        } else if (std::abs(rate) > 1e-9) {
          CHECK(force == Approx(-std::copysign(curve(unit, 0) * normal, rate)).margin(1e-10));
          ++slipped;
        } else {
          ++stuck;
        }
      }
      // By body name, so that the two orders can be compared.
      for (int b = 0; b < 3; ++b)
        for (std::size_t i = 0; i < s.bodies.size(); ++i)
          if (s.bodies[i].name == "b" + std::to_string(b))
            for (std::size_t c = 0; c < 3; ++c)
              accelerations[reversed].push_back(p.equations.acceleration()[3 * i + c]);
    }
    REQUIRE(accelerations[0].size() == accelerations[1].size());
    for (std::size_t i = 0; i < accelerations[0].size(); ++i)
      CHECK(accelerations[1][i] == Approx(accelerations[0][i]).margin(1e-9));
  }
  CHECK(undecided_at_most >= 4);  // the draw reached what it should
  CHECK(opened > 20);
  CHECK(stuck > 50);
  CHECK(slipped > 50);
}

TEST_CASE("impacts lose energy, obey Newton's law and Coulomb's law, and balance momentum") {
  Random random(20261122);
  int impulses = 0, slipping = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const std::string text = random_scene(random, 2.0).text(false);
    INFO(text);
    Problem p(text);
    const System& s = *p.system;
    std::vector<char> active(s.contacts.size(), 0);
    std::vector<double> approach(s.contacts.size()), restitution(s.contacts.size());
    for (std::size_t c = 0; c < s.contacts.size(); ++c) {
      approach[c] = p.equations.motion.gap_velocity(static_cast<int>(c));
      active[c] = approach[c] <= 0;
      restitution[c] = s.contacts[c]->restitution;
    }
    std::vector<double> before(3 * s.bodies.size());
    for (std::size_t b = 0; b < s.bodies.size(); ++b) {
      const BodyMotion& k = p.equations.motion.kinematics().body[b];
      before[3 * b] = k.v[0], before[3 * b + 1] = k.v[1], before[3 * b + 2] = k.omega;
    }
    ImpactSolver solver(p.equations, {});
    const ImpactOutcome& impact = solver.solve(active, approach.data(), restitution.data());
    INFO(impact.why);
    REQUIRE(impact.found);
    const std::vector<double> v_plus = impact.v_plus;
    const Multipliers all = impulses_of(impact);
    std::vector<double> momentum(before.size()), zero(before.size());
    double energy = 0, energy_before = 0;
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
      for (int c = 0; c < s.bodies[b].dofs; ++c) {
        const std::size_t i = 3 * b + static_cast<std::size_t>(c);
        const double mass = c < 2 ? s.bodies[b].mass : s.bodies[b].inertia;
        momentum[i] = mass * before[i];
        energy_before += 0.5 * mass * before[i] * before[i];
        energy += 0.5 * mass * v_plus[i] * v_plus[i];
      }
    check_newton(p, all, momentum, v_plus);
    CHECK(energy <= energy_before * (1 + 1e-12));
    const auto after = [&](const Row& row) {
      double sum = -row.nu;
      for (std::size_t i = 0; i < 2; ++i)
        for (int c = 0; c < 3; ++c) sum += row.J[i][c] * v_plus[static_cast<std::size_t>(3 * row.body[i] + c)];
      return sum;
    };
    Row row;
    for (std::size_t c = 0; c < s.contacts.size(); ++c) {
      row = p.equations.motion.normal_row(static_cast<int>(c));
      const double impulse = all.contact[c];
      CHECK(impulse >= -1e-11);
      if (!active[c]) continue;
      // Newton: with an impulse gamma_N+ = -e gamma_N-; without one it leaves faster than that.
      CHECK(after(row) >= -restitution[c] * approach[c] - 1e-11);
      if (impulse > 1e-9) {
        ++impulses;
        CHECK(after(row) == Approx(-restitution[c] * approach[c]).margin(1e-11));
      }
    }
    for (std::size_t u = 0; u < s.frictions.size(); ++u) {
      const FrictionUnit& unit = s.frictions[u];
      row = p.equations.motion.tangent_row(static_cast<int>(u));
      const double normal =
                       unit.joint >= 0
                           ? std::abs(
                                 all.joint[static_cast<std::size_t>(s.joint_row[static_cast<std::size_t>(unit.joint)])])
                           : all.contact[static_cast<std::size_t>(unit.contact)],
                   impulse = all.friction[u], v = after(row);
      // The coefficient during impact: that of the sliding before it.
      const double mu = curve(unit, p.equations.motion.slide_velocity(static_cast<int>(u)));
      CHECK(std::abs(impulse) <= mu * normal + 1e-11);
      if (std::abs(v) > 1e-9 && normal > 1e-9) {
        CHECK(impulse == Approx(-std::copysign(mu * normal, v)).margin(1e-11));
        ++slipping;
      }
    }
  }
  CHECK(impulses > 200);
  CHECK(slipping > 50);
}

TEST_CASE("a plank stuck on two rough feet: friction is not unique, the motion is") {
  // Both feet can hold together whatever one foot alone would have to carry.
  Random random(3);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const double push = random.uniform(-9, 9), where = random.uniform(-0.6, 0.6), down = random.uniform(0, 20);
    const std::string text =
        "gravity = [0.0, -10.0]\n[simulation]\nend = 1.0\n[[body]]\nname = \"plank\"\nmass = 2.0\ninertia = "
        "0.4\nposition = [0.0, 0.0]\n"
        "[[contact]]\nname = \"l\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"plank\", point = "
        "[-0.7, 0.0], shape = \"point\" }]\nfriction = { law = \"coulomb\", mu = 0.4 }\n"
        "[[contact]]\nname = \"r\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"plank\", point = "
        "[0.7, 0.0], shape = \"point\" }]\nfriction = { law = \"coulomb\", mu = 0.4 }\n"
        "[[force]]\nname = \"f\"\ntype = \"point_force\"\nbody = \"plank\"\npoint = [" +
        digits(where) + ", 0.0]\nforce = [" + digits(push) + ", " + digits(-down) + "]\n";
    INFO(text);
    Problem p(text);
    Mode mode;
    const ModeProblem problem = undecided(p, mode);
    const ModeChoice choice = p.solver.accelerations(problem, mode, false);
    INFO(choice.why);
    REQUIRE(choice.found);
    p.equations.rows.choose(mode);
    p.equations.rows.fill();
    p.equations.rows.find_redundant();
    REQUIRE(p.equations.solve(mode));
    const double total = 20 + down,
                 expected = std::abs(push) <= 0.4 * total ? 0.0 : (push - std::copysign(0.4 * total, push)) / 2;
    CHECK(p.equations.acceleration()[3] == Approx(expected).margin(1e-10));
    CHECK(p.equations.acceleration()[5] == Approx(0).margin(1e-10));
  }
}
