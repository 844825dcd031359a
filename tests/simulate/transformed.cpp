// tests/simulate/transformed.cpp
#include "simulate/transformed.hpp"

namespace simulate {

std::string slider_crank(const World& w, double duration, double rtol) {
  const double crank = 0.3, rod = 0.8, phi = 1.0;
  // The slider's guide is the line y = 0; the rod closes the triangle.
  const double tip_x = crank * std::cos(phi), tip_y = crank * std::sin(phi), psi = std::asin(-tip_y / rod);
  const auto body = [&](const std::string& name, double mass, double inertia, hstar::Vec2 at, double angle) {
    return "[[body]]\nname = \"" + name + "\"\nmass = " + text(mass) + "\ninertia = " + w.squared(inertia) +
           "\nposition = " + w.place(at) + "\nangle = " + w.angle(angle) + "\n";
  };
  const auto joint = [&](const std::string& name, const std::string& type, const std::string& a, const std::string& b,
                         const std::string& at_a, const std::string& at_b, const std::string& more) {
    return "[[joint]]\nname = \"" + name + "\"\ntype = \"" + type + "\"\nbodies = [\"" + a + "\", \"" + b +
           "\"]\npoints = [" + at_a + ", " + at_b + "]\n" + more;
  };
  return w.head(duration, rtol, 9.81) +
         w.join({body("crank", 2.0, 0.02, {0.5 * tip_x, 0.5 * tip_y}, phi),
                 body("rod", 1.0, 0.055, {tip_x + 0.5 * rod * std::cos(psi), tip_y + 0.5 * rod * std::sin(psi)}, psi),
                 body("slider", 1.5, 0.01, {tip_x + rod * std::cos(psi), 0}, 0.0)}) +
         w.join({joint("axle", "revolute", "ground", "crank", w.place({0, 0}), w.local({-0.5 * crank, 0}), ""),
                 joint("big_end", "revolute", "crank", "rod", w.local({0.5 * crank, 0}), w.local({-0.5 * rod, 0}), ""),
                 joint("small_end", "revolute", "rod", "slider", w.local({0.5 * rod, 0}), w.local({0, 0}), ""),
                 joint("guide", "translational", "ground", "slider", w.place({0, 0}), w.local({0, 0}),
                       "axis = " + w.direction({1, 0}) + "\nangle = " + text(w.turn) +
                           "\nfriction = { law = \"coulomb\", mu_static = 0.3, mu_kinetic = 0.22 }\n"),
                 w.redundant ? joint("axle_again", "revolute", "ground", "crank", w.place({0, 0}),
                                     w.local({-0.5 * crank, 0}), "")
                             : ""}) +
         w.join({"[[force]]\nname = \"motor\"\ntype = \"torque\"\nbody = \"crank\"\ntorque = \"(" + w.squared(3.0) +
                     ")*cos(2.5*(t - " + text(w.t0) + "))\"\n",
                 "[[force]]\nname = \"loss\"\ntype = \"rotational_spring_damper\"\nbodies = [\"crank\", \"rod\"]\n"
                 "stiffness = 0.0\ndamping = " +
                     w.squared(0.02) + "\nfree_angle = 0.0\n"});
}

std::string blocks_and_ball(const World& w, double duration, double rtol) {
  const auto body = [&](const std::string& name, double mass, hstar::Vec2 at) {
    return "[[body]]\nname = \"" + name + "\"\nmass = " + text(mass) + "\nposition = " + w.place(at) + "\n";
  };
  const auto spring = [&](const std::string& name, const std::string& a, const std::string& b, double k) {
    return "[[force]]\nname = \"" + name + "\"\ntype = \"spring_damper\"\nbetween = [" + a + ", " + b +
           "]\nstiffness = " + text(k) + "\ndamping = 0.4\nfree_length = " + w.length(0.2) + "\n";
  };
  const auto contact = [&](const std::string& name, const std::string& body_name, double mu_s, double mu_k,
                           double restitution) {
    return "[[contact]]\nname = \"" + name + "\"\nbetween = [{ body = \"ground\", point = " + w.place({0, 0}) +
           ", shape = \"line\", normal = " + w.direction({0, 1}) + " }, { body = \"" + body_name +
           "\", shape = \"point\" }]\nrestitution = " + text(restitution) +
           "\nfriction = { law = \"coulomb\", mu_static = " + text(mu_s) + ", mu_kinetic = " + text(mu_k) + " }\n";
  };
  return w.head(duration, rtol, 9.81) +
         w.join({body("one", 1.0, {0, 0}), body("two", 1.4, {-0.2, 0}), body("three", 0.8, {-0.4, 0}),
                 body("ball", 0.3, {1.0, 0.4}) + "velocity = " + w.vector({0.7, 0}) + "\n"}) +
         w.join({contact("floor_1", "one", 0.4, 0.3, 0), contact("floor_2", "two", 0.5, 0.35, 0),
                 contact("floor_3", "three", 0.3, 0.3, 0), contact("ball_floor", "ball", 0.02, 0.02, 0.6)}) +
         w.join({spring("pull", "{ body = \"ground\", point = " + w.moving_place({0.2, 0}, {0.15, 0}) + " }",
                        "{ body = \"one\" }", 90),
                 spring("link_12", "{ body = \"two\" }", "{ body = \"one\" }", 150),
                 spring("link_23", "{ body = \"three\" }", "{ body = \"two\" }", 120)});
}

std::string double_pendulum(const World& w, double duration, double rtol) {
  const double one = 0.5, two = 0.4, phi = -0.9, psi = -0.6;  // lengths; angles from the downward vertical
  const hstar::Vec2 elbow{one * std::sin(phi), -one * std::cos(phi)};
  const auto rod = [&](const std::string& name, double mass, double length, hstar::Vec2 top, double angle) {
    return "[[body]]\nname = \"" + name + "\"\nmass = " + text(mass) +
           "\ninertia = " + w.squared(mass * length * length / 12) + "\nposition = " +
           w.place({top[0] + 0.5 * length * std::sin(angle), top[1] - 0.5 * length * std::cos(angle)}) +
           "\nangle = " + w.angle(angle) + "\n";
  };
  const auto pin = [&](const std::string& name, const std::string& a, const std::string& b, const std::string& at_a,
                       const std::string& at_b) {
    return "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\nbodies = [\"" + a + "\", \"" + b +
           "\"]\npoints = [" + at_a + ", " + at_b + "]\n";
  };
  const std::string top = w.local({0, 0.5 * one}), bottom = w.local({0, -0.5 * one}), tip = w.local({0, -0.5 * two});
  return w.head(duration, rtol, 9.81) +
         w.join({rod("upper", 1.0, one, {0, 0}, phi), rod("lower", 0.7, two, elbow, psi)}) +
         w.join({pin("shoulder", "ground", "upper", w.place({0, 0}), top),
                 pin("elbow", "upper", "lower", bottom, w.local({0, 0.5 * two})),
                 w.redundant ? pin("shoulder_again", "ground", "upper", w.place({0, 0}), top) : ""}) +
         "[[contact]]\nname = \"wall\"\nbetween = [{ body = \"ground\", shape = \"line\", point = " +
         w.place({0.25, 0}) + ", normal = " + w.direction({-1, 0}) +
         " }, { body = \"lower\", shape = \"point\", point = " + tip +
         " }]\nrestitution = 0.5\nfriction = { mu = 0.2 }\n";
}

std::string truth_slider_crank(const World& w, const SliderCrankNumbers& p, double duration, double rtol) {
  const double c = std::cos(p.theta0), s = std::sin(p.theta0), phi = std::asin(p.r * s / p.l),
               phi_dot = p.r * c * p.omega0 / (p.l * std::cos(phi)), cp = std::cos(phi), sp = std::sin(phi);
  const auto body = [&](const std::string& name, double mass, const std::string& inertia, hstar::Vec2 at, double angle,
                        hstar::Vec2 velocity, double omega) {
    return "[[body]]\nname = \"" + name + "\"\nmass = " + text(mass) + "\nposition = " + w.place(at) +
           "\nvelocity = " + w.vector(velocity) +
           (inertia.empty() ? "\n"
                            : "\ninertia = " + inertia + "\nangle = " + w.angle(angle) +
                                  "\nangular_velocity = " + text(omega) + "\n");
  };
  const auto pin = [&](const std::string& name, const std::string& a, const std::string& b, const std::string& at_a,
                       const std::string& at_b) {
    return "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\nbodies = [\"" + a + "\", \"" + b +
           "\"]\npoints = [" + at_a + ", " + at_b + "]\n";
  };
  const std::string origin = w.local({0, 0});
  return w.head(duration, rtol, 9.81) +
         w.join({body("crank", 1.0, w.squared(p.J_c), {0, 0}, p.theta0, {0, 0}, p.omega0),
                 body("rod", p.m_r, w.squared(p.J_r), {p.r * c + p.l / 2 * cp, p.l / 2 * sp}, -phi,
                      {-p.r * s * p.omega0 - p.l / 2 * sp * phi_dot, p.l / 2 * cp * phi_dot}, -phi_dot),
                 body("slider", p.m_s, "", {p.r * c + p.l * cp, 0}, 0, {-p.r * s * p.omega0 - p.l * sp * phi_dot, 0},
                      0)}) +
         w.join(
             {pin("pivot", "ground", "crank", w.place({0, 0}), origin),
              pin("crankpin", "crank", "rod", w.local({p.r, 0}), w.local({-p.l / 2, 0})),
              pin("wrist", "rod", "slider", w.local({p.l / 2, 0}), origin),
              "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"slider\"]\npoints = [" +
                  w.place({0, 0}) + ", " + origin + "]\naxis = " + w.direction({1, 0}) +
                  "\nfriction = { law = \"coulomb\", mu_static = " + text(p.mu_s) + ", mu_kinetic = " + text(p.mu_d) +
                  " }\n",
              w.redundant ? pin("pivot_again", "ground", "crank", w.place({0, 0}), origin) : ""});
}

std::string truth_double_pendulum(const World& w, const DoublePendulumNumbers& p, double duration, double rtol) {
  const double c1 = std::cos(p.theta1), s1 = std::sin(p.theta1), c2 = std::cos(p.theta2), s2 = std::sin(p.theta2);
  const auto bob = [&](const std::string& name, double mass, hstar::Vec2 at) {
    return "[[body]]\nname = \"" + name + "\"\nmass = " + text(mass) + "\nposition = " + w.place(at) +
           "\nvelocity = " + w.vector({p.L1 * c1 * p.omega1, p.L1 * s1 * p.omega1}) + "\n";
  };
  const auto rod = [&](const std::string& name, const std::string& a, const std::string& b, const std::string& at_a,
                       double length) {
    return "[[joint]]\nname = \"" + name + "\"\ntype = \"distance\"\nbodies = [\"" + a + "\", \"" + b +
           "\"]\npoints = [" + at_a + ", [0.0, 0.0]]\nlength = " + w.length(length) + "\n";
  };
  return w.head(duration, rtol, 9.81) +
         w.join({bob("bob1", p.m1, {p.L1 * s1, -p.L1 * c1}),
                 bob("bob2", p.m2, {p.L1 * s1 + p.L2 * s2, -p.L1 * c1 - p.L2 * c2})}) +
         w.join({rod("rod1", "ground", "bob1", w.place({0, 0}), p.L1), rod("rod2", "bob1", "bob2", "[0.0, 0.0]", p.L2),
                 w.redundant ? rod("rod1_again", "ground", "bob1", w.place({0, 0}), p.L1) : ""}) +
         "[[contact]]\nname = \"wall\"\nbetween = [{ body = \"ground\", shape = \"line\", point = " +
         w.place({p.x_w, 0}) + ", normal = " + w.direction({-1, 0}) +
         " }, { body = \"bob2\", shape = \"point\" }]\nrestitution = " + text(p.e) + "\n";
}

std::string block_and_pendulum(const World& w, double duration, double rtol) {
  const double a = 0.15, b = 0.3, tilt = 0.25, c = std::cos(tilt),
               s = std::sin(tilt);  // half sizes; on its left corner
  const hstar::Vec2 centre{a * c - b * s, a * s + b * c};
  const hstar::Vec2 hook{centre[0] + 0.2 * c, centre[1] + 0.2 * s};
  const auto rod = [&](const std::string& name) {
    return "[[joint]]\nname = \"" + name + "\"\ntype = \"distance\"\nbodies = [\"block\", \"bob\"]\npoints = [" +
           w.local({0.2, 0}) + ", [0.0, 0.0]]\nlength = " + w.length(0.2) + "\n";
  };
  return w.head(duration, rtol, 9.81) +
         w.join({"[[body]]\nname = \"block\"\nmass = 3.0\ninertia = " + w.squared(a * a + b * b) +
                     "\nposition = " + w.place(centre) + "\nangle = " + w.angle(tilt) + "\n",
                 "[[body]]\nname = \"bob\"\nmass = 0.2\nposition = " + w.place({hook[0] + 0.2, hook[1]}) + "\n"}) +
         w.join({rod("thread"), w.redundant ? rod("thread_again") : ""}) +
         "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\", point = " + w.place({0, 0}) +
         ", normal = " + w.direction({0, 1}) + " }, { body = \"block\", shape = \"polygon\", corners = [" +
         w.local({-a, -b}) + ", " + w.local({a, -b}) + ", " + w.local({a, b}) + ", " + w.local({-a, b}) +
         "] }]\nrestitution = 0.2\nfriction = { mu_static = 0.35, mu_kinetic = 0.3 }\n";
}

}  // namespace simulate
