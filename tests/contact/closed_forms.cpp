// tests/contact/closed_forms.cpp
//
// Friction over exact cones: closed forms of one contact and of symmetric ones, flags of what has just happened, and
// problems without a solution, which are said to have none.
#include <catch2/catch.hpp>

#include "cases.hpp"

using namespace cones;

TEST_CASE("one block on a plane: sticks up to mu_static, then mu_kinetic against the push") {
  const double m = 2.5, g = 9.81;
  Solver x;
  for (const double mu : {0.0, 0.2, 0.9})
    for (const double push : {0.0, 0.1, 0.5, 1.3}) {
      Problem p;
      const double angle = 0.7 + push;
      set_contacts(p, Eigen::Matrix3d::Identity() / m,
                   Eigen::Vector3d(-g, push * g * std::cos(angle), push * g * std::sin(angle)), mu, 0.8 * mu);
      CHECK(x.solve(p).found);
      CHECK(x.force()[0] == Approx(m * g).epsilon(1e-13));
      const double force = push <= mu ? m * push * g : 0.8 * mu * m * g;
      CHECK(x.force()[1] == Approx(-force * std::cos(angle)).epsilon(1e-12).margin(1e-12));
      CHECK(x.force()[2] == Approx(-force * std::sin(angle)).epsilon(1e-12).margin(1e-12));
      CHECK((push <= mu ? sticks(x, 0) : slips(x, 0)));
      if (push > mu) CHECK(x.status().unit[0].direction[0] == Approx(std::cos(angle)).margin(1e-12));
    }
}

// A ball of radius R put on a plane inclined by alpha: the contact point's acceleration answers friction with 7/(2 m).
// It rolls for tan alpha <= 7/2 mu, else its point slides downhill with g sin alpha - 7/2 mu g cos alpha.
TEST_CASE("a ball on an incline rolls up to 7/2 mu") {
  const double m = 0.3, g = 9.81, mu = 0.25;
  Solver x;
  for (const double alpha : {0.1, 0.5, 0.71, 0.73, 1.2}) {
    Problem p;
    const Eigen::Vector3d answers(1 / m, 3.5 / m, 3.5 / m);
    set_contacts(p, answers.asDiagonal(),
                 Eigen::Vector3d(-g * std::cos(alpha), 0.6 * g * std::sin(alpha), 0.8 * g * std::sin(alpha)), mu, mu);
    CHECK(x.solve(p).found);
    const bool rolls = std::tan(alpha) <= 3.5 * mu;
    CHECK((rolls ? sticks(x, 0) : slips(x, 0)));
    const double slides = rolls ? 0 : g * (std::sin(alpha) - 3.5 * mu * std::cos(alpha));
    CHECK(x.rate()[1] == Approx(0.6 * slides).epsilon(1e-12).margin(1e-12));
    CHECK(x.rate()[2] == Approx(0.8 * slides).epsilon(1e-12).margin(1e-12));
  }
}

namespace {
/// Columns: force directions of four feet; rows: force and moment about the centre at floor height.
Eigen::MatrixXd four_feet() {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6, 12);
  const double foot[4][2] = {{0.3, 0.2}, {-0.3, 0.2}, {-0.3, -0.2}, {0.3, -0.2}};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      Eigen::Vector3d e = Eigen::Vector3d::Zero();
      e[k == 0 ? 2 : k - 1] = 1;  // normal z, tangents x, y
      W.block<3, 1>(0, 3 * i + k) = e;
      W.block<3, 1>(3, 3 * i + k) = Eigen::Vector3d(foot[i][0], foot[i][1], 0).cross(e);
    }
  return W;
}
}  // namespace

// Four feet of a box that cannot tip (pushed at the floor): which foot carries what is not unique, what the box does
// is.
TEST_CASE("a box on four feet: redundant contacts, unique motion") {
  const double m = 4, g = 9.81, mu = 0.3, J = 0.5;
  const Eigen::MatrixXd W = four_feet();
  Eigen::VectorXd inverse(6);
  inverse << 1 / m, 1 / m, 1 / m, 1 / J, 1 / J, 1 / J;
  Solver x;
  for (const double push : {0.2, 0.5}) {
    Eigen::VectorXd free(6);
    free << 0.6 * push * g, 0.8 * push * g, -g, 0, 0, 0;
    Problem p;
    set_contacts(p, W.transpose() * inverse.asDiagonal() * W, W.transpose() * free, mu, mu);
    CHECK(x.solve(p).found);
    CHECK(violation(p, x) < 1e-12);
    const Eigen::Map<const Eigen::VectorXd> f(x.force().data(), 12);
    const Eigen::VectorXd sum = W * f;
    const double held = std::min(push, mu) * m * g;
    CHECK(sum[2] == Approx(m * g).epsilon(1e-12));
    CHECK(sum[0] == Approx(-0.6 * held).epsilon(1e-11));
    CHECK(sum[1] == Approx(-0.8 * held).epsilon(1e-11));
    CHECK(sum.tail<3>().norm() < 1e-10);
  }
}

TEST_CASE("a sliding contact that jams has no answer, one that is pulled off is open") {
  // a_N = c_N + (1 - 2 mu) N for mu = 1: pressing harder presses harder (Painleve).
  Problem p;
  Eigen::Matrix3d G;
  G << 1, 2, 0, 2, 5, 0, 0, 0, 3;
  set_contacts(p, G, Eigen::Vector3d(-1, 0, 0), 1, 1);
  p.unit[0].slides = true;
  p.unit[0].direction = {1, 0, 0};
  Solver x;
  const Answer none = x.solve(p);
  CHECK_FALSE(none.found);
  CHECK(none.residual > 1e-3);
  p.unit[0].mu_kinetic = 0.25;  // N = 1 / (1 - 0.5)
  CHECK(x.solve(p).found);
  CHECK(x.force()[0] == Approx(2).epsilon(1e-13));
  CHECK(x.force()[1] == Approx(-0.5).epsilon(1e-13));
  p.unit[0].further = {0.25, 0, 0};  // viscous: a_N = -1 + 0.5 + 0.5 N
  CHECK(x.solve(p).found);
  CHECK(x.force()[0] == Approx(1).epsilon(1e-13));
  CHECK(x.force()[1] == Approx(0.0).margin(1e-13));
  p.c[0] = 1;
  CHECK(x.solve(p).found);
  CHECK(is_open(x, 0));
  CHECK(is_free(x, 0));
  CHECK(x.force()[0] == 0);
}

// What has just happened decides what is on the boundary: a force that has come down to zero
// opens the contact, a friction that has come up to its limit lets go.
TEST_CASE("a contact that lifts opens and a unit that broke away slips though both are still at their bounds") {
  Solver x;
  Problem p;
  set_contacts(p, Eigen::Matrix3d::Identity(), Eigen::Vector3d(-1e-12, 0, 0), 0.5, 0.4);
  p.force_scale = 1;
  CHECK(x.solve(p).found);
  CHECK(!is_open(x, 0));
  p.contact[0].leaving = true;
  CHECK(x.solve(p).found);
  CHECK(is_open(x, 0));
  CHECK(is_free(x, 0));

  for (const double mu_kinetic : {0.5, 0.4}) {
    set_contacts(p, Eigen::Matrix3d::Identity(), Eigen::Vector3d(-2, 0.6, 0.8), 0.5, mu_kinetic);
    CHECK(x.solve(p).found);
    CHECK(sticks(x, 0));
    CHECK(x.unit_is_tied(p, 0));
    p.unit[0].exceeded = true;
    CHECK(x.solve(p).found);
    CHECK(slips(x, 0));
    CHECK(x.status().unit[0].direction[0] == Approx(0.6).epsilon(1e-12));
    CHECK(x.force()[2] == Approx(-0.8 * 2 * mu_kinetic).epsilon(1e-12));
    CHECK(x.rate()[2] == Approx(0.8 * (1 - 2 * mu_kinetic)).margin(1e-12));
  }
  // Inside its limit by less than what the last place of t leaves: it would slide back by as little.
  for (const double inside : {1e-6, 3e-6}) {
    set_contacts(p, Eigen::Matrix3d::Identity(), Eigen::Vector3d(-2, 0.6 * (1 - inside), 0.8 * (1 - inside)), 0.5, 0.5);
    p.unit[0].exceeded = true;
    p.unit[0].nothing = 2e-6;
    CHECK(x.solve(p).found);
    CHECK(slips(x, 0) == (inside < p.unit[0].nothing));
  }
  // Neither force nor rate tells where to: the heading does.
  set_contacts(p, Eigen::Matrix3d::Identity(), Eigen::Vector3d(-1, 0, 0), 0, 0);
  p.unit[0].exceeded = true;
  p.unit[0].heading = {0, -1, 0};
  CHECK(x.solve(p).found);
  CHECK(slips(x, 0));
  CHECK(x.status().unit[0].direction[1] == -1);
}

// A ball in a socket, friction moment mu r |F| about any axis (rows in m/s at radius r, so that forces are moments over
// r), F = F_0 + B f: three directions, N the norm of a reaction that the friction itself changes.
TEST_CASE("a spherical joint holds up to the moment mu r |F|, then turns against it") {
  const double J = 0.2, r = 0.05, mu = 0.3, F = 40;
  const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 2) / 3;
  Solver x;
  for (const double moment : {0.5 * mu * r * F, 2 * mu * r * F}) {
    Problem p;
    p.resize(0, 1, 3, 1, 3);
    for (int k = 0; k < 3; ++k) {
      p.G[static_cast<std::size_t>(4 * k)] = r * r / J;
      p.c[static_cast<std::size_t>(k)] = r * moment / J * axis[k];
    }
    p.reaction_0 = {0, 0.6 * F, -0.8 * F};
    p.part[0] = {1, 3, 0};
    Unit& u = p.unit[0];
    u.normal = Unit::Normal::parts;
    u.directions = 3;
    u.mu_static = u.mu_kinetic = mu;
    CHECK(x.solve(p).found);
    const bool holds = moment < mu * r * F;
    CHECK((holds ? sticks(x, 0) : slips(x, 0)));
    const double rate = holds ? 0 : r / J * (moment - mu * r * F);
    for (int k = 0; k < 3; ++k) {
      CHECK(x.rate()[static_cast<std::size_t>(k)] == Approx(rate * axis[k]).margin(1e-12));
      if (!holds) CHECK(x.status().unit[0].direction[static_cast<std::size_t>(k)] == Approx(axis[k]).epsilon(1e-12));
    }
  }
}

// A hinge whose friction T changes its own reaction, N = sqrt(F^2 + (G_0 - b T)^2): slipping, T = -mu N is a root of
// T^2 (1 - mu^2 b^2) + 2 mu^2 b G_0 T - mu^2 (F^2 + G_0^2) = 0.
TEST_CASE("a revolute joint whose friction changes its reaction slips at the root of the scalar equation") {
  const double F = 3, G_0 = 4, b = 0.7, mu = 0.4;
  Solver x;
  Problem p;
  p.resize(0, 1, 1, 1, 2);
  p.G[0] = 2.5;
  p.c[0] = 20;
  p.reaction_0 = {F, G_0};
  p.reaction = {0, -b};
  p.part[0] = {1, 2, 0};
  Unit& u = p.unit[0];
  u.normal = Unit::Normal::parts;
  u.directions = 1;
  u.mu_static = u.mu_kinetic = mu;
  CHECK(x.solve(p).found);
  const double A = 1 - mu * mu * b * b, B = mu * mu * b * G_0, C = -mu * mu * (F * F + G_0 * G_0);
  const double T = (-B - std::sqrt(B * B - A * C)) / A;
  CHECK(x.force()[0] == Approx(T).epsilon(1e-13));
  CHECK(slips(x, 0));
  CHECK(x.rate()[0] == Approx(20 + 2.5 * T).epsilon(1e-13));
}
