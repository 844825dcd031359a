// tests/simulate/crowd_as_whole.cpp
//
// The road of crowds gives what the mechanism with all its contacts gives: the same impacts of the same elements with
// the same speeds, impulses and notes, at the same times to round-off as far as chaos lets it be seen. Random crowds,
// elastic and not, under every law, with friction, gravity, walls and discs of all sizes, some of which do not turn.
// What is no crowd is said, and pairs that stay together in a model file are those that would be written out.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"
#include "simulate/crowd/run_crowd.hpp"

using namespace hstar;

namespace {

struct Kind {
  int n;
  double end;
  const char* law;
  double restitution, mu;
  bool gravity, written;  ///< written: every contact by itself, in random order, and not all of them
};

std::string number(double x) { return std::to_string(x); }

/// Discs on a grid in a box, as a model file.
std::string text(unsigned seed, const Kind& kind) {
  std::mt19937 random(seed);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const int side = static_cast<int>(std::ceil(std::sqrt(kind.n)));
  std::string out = "gravity = [" + std::string(kind.gravity ? "0.4, -1.5" : "0.0, 0.0") +
                    "]\n[simulation]\nintegrator = \"exact\"\nend = " + number(kind.end) +
                    "\noutput = " + number(kind.end) + "\n";
  std::vector<double> radius;
  for (int i = 0; i < kind.n; ++i) {
    radius.push_back(between(0.1, 0.4));
    const double room = 0.5 - radius.back();
    out += "[[body]]\nname = \"disc" + std::to_string(i) + "\"\nmass = " + number(between(0.5, 2)) + "\nposition = [" +
           number(i % side + 0.5 + between(-room, room)) + ", " + number(i / side + 0.5 + between(-room, room)) +
           "]\nvelocity = [" + number(between(-1, 1)) + ", " + number(between(-1, 1)) + "]\n";
    if (kind.mu > 0 || i % 4 != 0)
      out += "inertia = " + number(between(0.01, 0.05)) + "\nangular_velocity = " + number(between(-2, 2)) + "\n";
  }
  const std::string laws = "impact_law = \"" + std::string(kind.law) + "\"\nrestitution = " + number(kind.restitution) +
                           "\n" + (kind.mu > 0 ? "friction = { mu = " + number(kind.mu) + " }\n" : "");
  const auto circle = [&](int i) {
    return "{ body = \"disc" + std::to_string(i) + "\", shape = \"circle\", radius = " + number(radius[i]) + " }";
  };
  for (int i = 0; i < kind.n; ++i)
    for (int j = i + 1; j < kind.n; ++j) {
      if (kind.written && j % 3 == 0 && i % 2 == 0) continue;  // these pass through each other
      const bool turned = kind.written && (i + j) % 2 == 0;
      out += "[[contact]]\nname = \"hit" + std::to_string(i) + "_" + std::to_string(j) + "\"\n" + laws + "between = [" +
             circle(turned ? j : i) + ", " + circle(turned ? i : j) + "]\n";
    }
  const std::string far = number(side);
  const std::string walls[4][3] = {{"left", "[0.0, 0.0]", "[1.0, 0.0]"},
                                   {"floor", "[0.0, 0.0]", "[0.0, 1.0]"},
                                   {"right", "[" + far + ", " + far + "]", "[-1.0, 0.0]"},
                                   {"lid", "[" + far + ", " + far + "]", "[0.0, -1.0]"}};
  for (int i = 0; i < kind.n; ++i)
    for (const auto& wall : walls)
      out += "[[contact]]\nname = \"" + wall[0] + std::to_string(i) + "\"\n" + laws +
             "between = [{ body = \"ground\", shape = \"line\", point = " + wall[1] + ", normal = " + wall[2] + " }, " +
             circle(i) + "]\n";
  return out;
}

double apart(const EventRecord& x, const EventRecord& y) {
  return std::max({std::abs(x.t - y.t), std::abs(x.gap_velocity_before - y.gap_velocity_before),
                   std::abs(x.gap_velocity_after - y.gap_velocity_after), std::abs(x.impulse_n - y.impulse_n),
                   std::abs(x.impulse_t - y.impulse_t), std::abs(x.energy_loss - y.energy_loss)});
}

/// The number of impacts seen.
std::size_t check_same(const ModelSpec& model) {
  const RunResult a = run_as_crowd(model), b = run(model);
  // Chaos: each impact makes the errors of those before larger. How much is seen by turning all positions by 1e-11,
  // more than a thousand times their round-off.
  ModelSpec turned = model;
  for (std::size_t i = 0; i < turned.bodies.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k) turned.bodies[i].position[k] += (i + k) % 2 == 0 ? 1e-11 : -1e-11;
  const RunResult c = run_as_crowd(turned);
  INFO(a.outcome.message << " / " << b.outcome.message);
  REQUIRE(a.outcome.success());
  REQUIRE(b.outcome.success());
  REQUIRE(a.events.size() == b.events.size());
  REQUIRE(c.events.size() == a.events.size());
  double same = 1e-12;
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    const EventRecord &x = a.events[i], &y = b.events[i];
    INFO(i << ": " << y.kind << " of " << y.element << " at " << y.t);
    REQUIRE(x.kind == y.kind);
    REQUIRE(x.element == y.element);
    CHECK(x.note == y.note);
    CHECK(x.mode_before == y.mode_before);
    CHECK(x.mode_after == y.mode_after);
    same = std::max(same, apart(x, c.events[i]));
    CHECK(apart(x, y) < same);
  }
  REQUIRE(a.state_names == b.state_names);
  for (std::size_t k = 0; k < a.y_end.size(); ++k) CHECK(std::abs(a.y_end[k] - b.y_end[k]) < 10 * same);
  return a.events.size();
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

/// 50 discs far apart, whose 1,225 pairs stay together.
const std::string together = R"toml(
gravity = [0.0, 0.0]
[parameters]
n = 50
[simulation]
integrator = "exact"
end = 1.5
output = 1.5
[[body]]
name = "disc{i}"
count = "n"
mass = "1 + i/n"
position = ["mod(i, 8)", "floor(i/8)"]
velocity = ["sin(7*i)", "cos(5*i*i)"]
[[contact]]
name = "hit{i}_{j}"
count = "n"
partner = "j"
restitution = 0.9
between = [{ body = "disc{i}", shape = "circle", radius = "0.2 + 0.1*i/n" }, { body = "disc{j}", shape = "circle", radius = "0.2 + 0.1*j/n" }]
[[contact]]
name = "floor{i}"
count = "n"
restitution = 0.8
between = [{ body = "ground", shape = "line", point = [0.0, -1.0], normal = [0.0, 1.0] }, { body = "disc{i}", shape = "circle", radius = "0.2 + 0.1*i/n" }]
)toml";

}  // namespace

TEST_CASE("A crowd has the events of the mechanism with all its contacts") {
  const Kind kinds[] = {
      {9, 3, "newton", 1, 0, false, false},     {9, 3, "newton", 1, 0, true, true},
      {9, 3, "newton", 0.8, 0, false, true},    {9, 2, "newton", 0.9, 0, true, false},
      {7, 3, "newton", 0.7, 0.3, false, true},  {7, 2, "poisson", 0.8, 0.2, true, false},
      {7, 3, "stronge", 0.8, 0.4, false, true}, {7, 2, "whittaker", 0.9, 0.1, true, true},
      {16, 2, "newton", 1, 0.2, false, false},
  };
  std::size_t seen = 0;
  for (const Kind& kind : kinds)
    for (unsigned seed = 1; seed <= 4; ++seed) {
      INFO(kind.law << ", e = " << kind.restitution << ", mu = " << kind.mu << ", seed " << seed);
      seen += check_same(parse_model(text(seed, kind), "crowd.toml"));
    }
  CHECK(seen > 500);
}

TEST_CASE("Pairs that stay together are those that would be written out") {
  const ModelSpec kept = parse_model(together, "crowd.toml", {}, ReadPairs::together),
                  written = parse_model(together, "crowd.toml");
  REQUIRE(kept.pairs.size() == 1);
  CHECK(kept.contacts.size() == 50);
  CHECK(written.pairs.empty());
  REQUIRE(written.contacts.size() == 50 * 49 / 2 + 50);
  const RunResult a = run(kept), b = run(written);
  REQUIRE(a.outcome.success());
  REQUIRE(b.outcome.success());
  CHECK(a.counters.flow.evaluations == 0);  // (it went by the crowd's road)
  REQUIRE(a.events.size() == b.events.size());
  CHECK(a.events.size() > 40);
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    REQUIRE(a.events[i].element == b.events[i].element);
    CHECK(std::abs(a.events[i].t - b.events[i].t) < 1e-11);
    CHECK(std::abs(a.events[i].gap_velocity_after - b.events[i].gap_velocity_after) < 1e-11);
  }
  // And written out by the program, they are what the reader writes.
  const ModelSpec by_hand = with_pairs_written_out(kept);
  REQUIRE(by_hand.contacts.size() == written.contacts.size());
  for (std::size_t c = 0; c < 50 * 49 / 2; ++c) {
    const ContactSpec &x = by_hand.contacts[50 + c], &y = written.contacts[c];
    CHECK(x.name == y.name);
    CHECK(x.first.marker.body == y.first.marker.body);
    CHECK(x.second.marker.body == y.second.marker.body);
    CHECK(x.first.radius == y.first.radius);
    CHECK(x.second.radius == y.second.radius);
  }
}

TEST_CASE("What comes to rest under gravity is followed with all its contacts") {
  const ModelSpec kept = parse_model(with(together, "gravity = [0.0, 0.0]", "gravity = [0.0, -1.0]"), "crowd.toml",
                                     {{"parameters.n", "46"}, {"simulation.end", "0.2"}}, ReadPairs::together);
  REQUIRE(kept.pairs.size() == 1);
  const RunResult r = run(kept);
  CHECK(r.outcome.success());
  CHECK(std::find(r.columns.begin(), r.columns.end(), "floor3.normal") != r.columns.end());
}

TEST_CASE("What keeps a model from being a crowd is said") {
  const auto pairs = [](const std::string& changed) {
    return parse_model(changed, "crowd.toml", {}, ReadPairs::together).pairs.size();
  };
  CHECK(pairs(together) == 1);
  CHECK(pairs(with(together, "\"exact\"", "\"dop853\"")) == 0);
  CHECK(pairs(with(together, "end = 1.5", "islands = false\nend = 1.5")) == 0);
  CHECK(pairs(with(together, "restitution = 0.9", "restitution = \"0.9 - j/1000\"")) == 0);
  CHECK(pairs(together + "[[measure]]\nname = \"m\"\nvalue = \"disc1.x\"\n") == 0);
  CHECK(
      parse_model(together, "crowd.toml", {{"contact.hit1_3.restitution", "0.5"}}, ReadPairs::together).pairs.empty());
  const auto refusal = [](const std::string& changed) {
    return [changed] {
      static_cast<void>(parse_model(changed, "crowd.toml", {{"parameters.n", "1500"}}, ReadPairs::together));
    };
  };
  CHECK_THROWS_WITH(refusal(with(together, "\"exact\"", "\"dop853\""))(),
                    Catch::Contains("1124250 pairs") && Catch::Contains("integrator = \"exact\""));
  CHECK_THROWS_WITH(refusal(with(together, "restitution = 0.9", "restitution = \"0.9 - j/5000\""))(),
                    Catch::Contains("restitution must be the same for all pairs"));
  CHECK_THROWS_WITH(refusal(with(together, "hit{i}_{j}", "hit{i}{j}"))(), Catch::Contains("put a letter"));
  CHECK_THROWS_WITH(refusal(together + "[[measure]]\nname = \"m\"\nvalue = \"disc1.x\"\n")(),
                    Catch::Contains("leave out [[measure]]"));
  // What only the whole model shows is said by the run.
  const std::string belt = with(together, "normal = [0.0, 1.0] }", "normal = [0.0, 1.0], surface_velocity = 1.0 }");
  const ModelSpec many = parse_model(belt, "crowd.toml", {{"parameters.n", "1500"}}, ReadPairs::together);
  REQUIRE(many.pairs.size() == 1);
  CHECK_THROWS_WITH(run(many), Catch::Contains("contact \"floor0\"") && Catch::Contains("surface_velocity"));
}

TEST_CASE("A crowd that cannot go on ends with where and why") {
  Kind kind{9, 60, "newton", 0.5, 0, true, false};
  const RunResult r = run_as_crowd(parse_model(text(1, kind), "crowd.toml"));
  CHECK_FALSE(r.outcome.success());
  CHECK(r.outcome.status == RunStatus::accumulation);
  CHECK_THAT(r.outcome.message, Catch::Contains("islands = false"));
  CHECK(r.outcome.t < 60);
}

TEST_CASE("Several contacts at one instant are one impact of the small mechanism that they are") {
  // A rack of six balls that touch each other, struck by a seventh, with and without friction; and a ball that comes
  // into a corner. What becomes of them is what the mechanism with all contacts finds, whose ledger tells rests
  // besides.
  const auto rack = [](const char* law, double mu) {
    std::string out = "gravity = [0.0, 0.0]\n[simulation]\nintegrator = \"exact\"\nend = 3.0\noutput = 3.0\n";
    const double places[8][2] = {{0, 0}, {1, 0.625}, {1, -0.625}, {2, 1.25}, {2, 0}, {2, -1.25}, {-3, 0}, {6, 4}};
    for (int i = 0; i < 8; ++i)
      out += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmass = 1.0\ninertia = 0.1\nposition = [" +
             number(places[i][0]) + ", " + number(places[i][1]) + "]\nvelocity = [" +
             (i == 6   ? "2.0, 0.0"
              : i == 7 ? "1.0, 1.0"
                       : "0.0, 0.0") +
             "]\n";
    // (Radii by which neighbours of a triangle with binary places touch, to round-off.)
    const double r = std::sqrt(1 + 0.625 * 0.625) / 2;
    char radius[32];
    std::snprintf(radius, sizeof radius, "%.17g", r);
    const std::string laws = std::string("impact_law = \"") + law + "\"\nrestitution = 0.9\n" +
                             (mu > 0 ? "friction = { mu = " + number(mu) + " }\n" : "");
    const auto circle = [&](int i) {
      return "{ body = \"b" + std::to_string(i) + "\", shape = \"circle\", radius = " + (i == 7 ? "0.5" : radius) +
             " }";
    };
    for (int i = 0; i < 8; ++i)
      for (int j = i + 1; j < 8; ++j)
        out += "[[contact]]\nname = \"hit" + std::to_string(i) + "_" + std::to_string(j) + "\"\n" + laws +
               "between = [" + circle(i) + ", " + circle(j) + "]\n";
    for (const char* wall :
         {"right\"\n|[7.5, 0.0], normal = [-1.0, 0.0]", "lid\"\n|[0.0, 5.5], normal = [0.0, -1.0]"}) {
      const std::string text = wall, name = text.substr(0, text.find('|')), line = text.substr(text.find('|') + 1);
      out += "[[contact]]\nname = \"" + name + laws +
             "between = [{ body = \"ground\", shape = \"line\", point = " + line + " }, " + circle(7) + "]\n";
    }
    return parse_model(out, "rack.toml");
  };
  for (const char* law : {"newton", "poisson"})
    for (const double mu : {0.0, 0.2}) {
      const ModelSpec model = rack(law, mu);
      const RunResult a = run_as_crowd(model), b = run(model);
      INFO(law << ", mu = " << mu << ": " << a.outcome.message << " / " << b.outcome.message);
      REQUIRE(a.outcome.success());
      REQUIRE(b.outcome.success());
      std::vector<std::string> of_a, of_b;
      for (const EventRecord& e : a.events)
        if (e.kind == "impact") of_a.push_back(e.element + " " + e.note.substr(0, e.note.find(';')));
      for (const EventRecord& e : b.events)
        if (e.kind == "impact") of_b.push_back(e.element + " " + e.note.substr(0, e.note.find(';')));
      CHECK(of_a == of_b);
      CHECK(of_a.size() >= 2);
      for (std::size_t k = 0; k < a.y_end.size(); ++k) CHECK(std::abs(a.y_end[k] - b.y_end[k]) < 1e-9);
    }
}

TEST_CASE("Of an elastic crowd the run tells that nothing was lost") {
  Kind kind{25, 20, "newton", 1, 0, true, false};
  const RunResult r = run_as_crowd(parse_model(text(2, kind), "crowd.toml"));
  REQUIRE(r.outcome.success());
  CHECK(r.events.size() > 300);
  const auto energy =
      static_cast<std::size_t>(std::find(r.columns.begin(), r.columns.end(), "energy") - r.columns.begin());
  REQUIRE(energy < r.columns.size());
  REQUIRE(r.rows.size() >= 2);
  CHECK(std::abs(r.rows.back()[energy] - r.rows.front()[energy]) < 1e-12 * std::abs(r.rows.front()[energy]));
  CHECK(std::any_of(r.notices.begin(), r.notices.end(),
                    [](const std::string& notice) { return notice.find("impacts: energy and") != std::string::npos; }));
}
