// tests/support/lifted.cpp
#include "support/lifted.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "mechanism/kinematics.hpp"
#include "mechanism/spatial/euler_parameters.hpp"
#include "support/run_text.hpp"

using namespace hstar;

namespace support {
namespace {

std::string list(std::initializer_list<std::string> items) {
  std::string text = "[";
  for (const std::string& item : items) text += (text.size() > 1 ? ", " : "") + item;
  return text + "]";
}
std::string quoted(const std::string& text) { return "\"" + text + "\""; }
std::string vector_text(const Vec3& v) { return list({digits(v[0]), digits(v[1]), digits(v[2])}); }

class Lifter {
 public:
  Lifter(const ModelSpec& model, const Mat3& turn, FrictionJoints joints)
      : model_(model), turn_(turn), freer_(joints == FrictionJoints::freer) {
    bodies_["ground"] = {true, false, 0};
    for (const BodySpec& b : model.bodies) bodies_[b.name] = {false, !b.inertia && !b.motion, start_angle(b)};
  }

  std::string text() {
    out_ = "dimension = 3\ngravity = " + vector_text(turned(model_.gravity)) + "\n\n[parameters]\n";
    for (const auto& [name, value] : model_.parameters) out_ += name + " = " + digits(value) + "\n";
    simulation();
    guess_angles();
    for (const BodySpec& b : model_.bodies) body(b);
    for (const JointSpec& j : model_.joints) joint(j);
    for (const ForceSpec& f : model_.forces) force(f);
    for (const ContactSpec& c : model_.contacts) contact(c);
    for (const StateSpec& s : model_.states)
      out_ += "\n[[state]]\nname = " + quoted(s.name) + "\ninitial = " + digits(s.initial) +
              "\nrate = " + quoted(formula(s.rate)) + "\n";
    for (const GuardSpec& g : model_.guards) guard(g);
    return out_;
  }

 private:
  struct Place {
    bool ground = false, point_mass = false;
    double angle = 0;  ///< at the start
  };

  double start_angle(const BodySpec& b) const {
    if (!b.motion) return b.angle;
    const double t = model_.simulation.start;
    return b.motion->angle.value(&t);
  }
  /// A point mass that slides on another body turns with it.
  void guess_angles() {
    for (int pass = 0; pass < 3; ++pass)
      for (const JointSpec& j : model_.joints)
        if (j.type == "translational" && bodies_.at(j.markers[1].body).point_mass)
          bodies_.at(j.markers[1].body).angle = bodies_.at(j.markers[0].body).angle + j.angle.value_or(0);
  }

  [[nodiscard]] Vec3 turned(const Vec2& v) const { return turn_ * Vec3{v[0], v[1], 0}; }
  /// A vector of the body's own axes; those of the ground are global.
  [[nodiscard]] Vec3 own(const std::string& body, const Vec3& v) const {
    return bodies_.at(body).ground ? turn_ * v : v;
  }
  /// A vector of a body's frame at the start in global axes.
  [[nodiscard]] Vec3 global(const std::string& body, const Vec2& v) const {
    const double a = bodies_.at(body).angle;
    return turned({std::cos(a) * v[0] - std::sin(a) * v[1], std::sin(a) * v[0] + std::cos(a) * v[1]});
  }

  // ---- formulas ----

  /// A formula as text, names of planar coordinates replaced by what they are in space.
  [[nodiscard]] std::string formula(const Expression& e) const {
    if (e.is_constant()) return digits(e.constant_value());
    const std::string& text = e.text();
    std::string result = "(";
    for (std::size_t i = 0; i < text.size();) {
      if (std::isalpha(static_cast<unsigned char>(text[i])) == 0 && text[i] != '_') {
        // A number with its exponent is no name.
        const bool number = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
        const auto goes_on = [&](std::size_t k) {
          return std::isalnum(static_cast<unsigned char>(text[k])) != 0 || text[k] == '.' ||
                 ((text[k] == '-' || text[k] == '+') && (text[k - 1] == 'e' || text[k - 1] == 'E'));
        };
        do result += text[i++];
        while (number && i < text.size() && goes_on(i));
        continue;
      }
      std::size_t end = i;
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' || text[end] == '.'))
        ++end;
      result += name(text.substr(i, end - i));
      i = end;
    }
    return result + ")";
  }
  [[nodiscard]] std::string name(const std::string& word) const {
    if (const auto it = spring_.find(word); it != spring_.end()) return it->second;
    const auto dot = word.rfind('.');
    if (dot == std::string::npos) return word;
    const std::string owner = word.substr(0, dot), what = word.substr(dot + 1);
    if (what == "impacts" || what == "closed" || what == "stuck") return word;
    if (bodies_.count(owner) == 0) throw NoCounterpart("a formula that reads " + word);
    const auto along = [&](std::size_t c, const std::string& prefix) {
      return "(" + digits(turn_[0][c]) + "*" + owner + "." + prefix + "x + " + digits(turn_[1][c]) + "*" + owner + "." +
             prefix + "y + " + digits(turn_[2][c]) + "*" + owner + "." + prefix + "z)";
    };
    if (what == "x" || what == "y") return along(what == "y" ? 1 : 0, "");
    if (what == "vx" || what == "vy") return along(what == "vy" ? 1 : 0, "v");
    if (what == "omega") return owner + ".wz";
    if (what == "angle") {
      // p = t q with t of the plane and q = (cos(angle/2), 0, 0, sin(angle/2)): q = t^-1 p.
      const EulerParameters t = parameters_from_matrix(turn_, {}, "lifted");
      const auto sum = [&](const std::array<double, 4>& c) {
        std::string text;
        for (std::size_t i = 0; i < 4; ++i)
          text += (i > 0 ? " + " : "") + digits(c[i]) + "*" + owner + ".e" + std::to_string(i);
        return "(" + text + ")";
      };
      return "(2*atan2(" + sum({-t[3], t[2], -t[1], t[0]}) + ", " + sum({t[0], t[1], t[2], t[3]}) + "))";
    }
    throw NoCounterpart("a formula that reads " + word);
  }
  /// Components along global axes of (fx, fy) in the plane.
  [[nodiscard]] std::array<std::string, 3> components(const Expression& fx, const Expression& fy) const {
    std::array<std::string, 3> text;
    for (std::size_t i = 0; i < 3; ++i)
      text[i] = digits(turn_[i][0]) + "*" + formula(fx) + " + " + digits(turn_[i][1]) + "*" + formula(fy);
    return text;
  }
  static double constant(const Expression& e, const std::string& what) {
    if (!e.is_constant()) throw NoCounterpart(what + " that is a formula");
    return e.constant_value();
  }

  // ---- sections ----

  void simulation() {
    const SimulationSpec& s = model_.simulation;
    out_ += "\n[simulation]\nstart = " + digits(s.start) + "\nend = " + digits(s.end) +
            "\nintegrator = " + quoted(s.integrator) + "\nrtol = " + digits(s.rtol) + "\noutput = " + digits(s.output) +
            "\nmultiple_impact = " + quoted(s.multiple_impact) + "\n";
    if (!s.sliding.empty()) out_ += "sliding = " + quoted(s.sliding) + "\n";
    if (s.atol > 0) out_ += "atol = " + digits(s.atol) + "\n";
    if (s.max_step > 0) out_ += "max_step = " + digits(s.max_step) + "\n";
    if (s.stop_after_events > 0) out_ += "stop_after_events = " + std::to_string(s.stop_after_events) + "\n";
  }

  [[nodiscard]] std::string orientation(double angle) const {
    const double c = std::cos(angle), s = std::sin(angle);
    const Mat3 A = turn_ * Mat3{Vec3{c, -s, 0}, Vec3{s, c, 0}, Vec3{0, 0, 1}};
    return "matrix = " + list({vector_text(A[0]), vector_text(A[1]), vector_text(A[2])}) + "\n";
  }

  void body(const BodySpec& b) {
    out_ += "\n[[body]]\nname = " + quoted(b.name) + "\n";
    if (b.motion) {
      carrier(b.motion->x, b.motion->y, b.motion->angle);
      return;
    }
    out_ += orientation(bodies_.at(b.name).angle) + "mass = " + digits(b.mass) + "\ninertia = ";
    if (b.inertia && *b.inertia == 0) throw NoCounterpart("a body of inertia 0");
    const double I = b.inertia.value_or(0.01 * b.mass);
    out_ += vector_text({0.7 * I, 0.8 * I, I}) + "\nposition = " + vector_text(turned(b.position)) +
            "\nvelocity = " + vector_text(turned(b.velocity)) +
            "\nangular_velocity = " + vector_text({0, 0, b.angular_velocity}) + "\n";
  }
  void carrier(const Expression& x, const Expression& y, const Expression& angle) {
    const auto r = components(x, y);
    out_ += orientation(0) + "motion = { x = " + quoted(r[0]) + ", y = " + quoted(r[1]) + ", z = " + quoted(r[2]) +
            ", angle = " + quoted(formula(angle)) + ", axis = [0.0, 0.0, 1.0] }\n";
  }

  /// A point of a marker in the body's own axes; a ground point that moves in time becomes a body.
  [[nodiscard]] Vec3 point(const MarkerSpec& m, std::string& body) {
    body = m.body;
    if (m.x.is_constant() && m.y.is_constant()) return own(m.body, {m.x.constant_value(), m.y.constant_value(), 0});
    body = "carrier" + std::to_string(carriers_++);
    bodies_[body] = {false, false, 0};
    out_ += "\n[[body]]\nname = " + quoted(body) + "\n";
    carrier(m.x, m.y, Expression());
    return {0, 0, 0};
  }
  std::string two_markers(const std::vector<MarkerSpec>& markers, const Vec3& shift_first = {0, 0, 0}) {
    std::array<std::string, 2> body;
    std::array<Vec3, 2> at;
    for (std::size_t i = 0; i < 2; ++i) at[i] = point(markers[i], body[i]);
    at[0] = at[0] + shift_first;
    return "bodies = " + list({quoted(body[0]), quoted(body[1])}) +
           "\npoints = " + list({vector_text(at[0]), vector_text(at[1])}) + "\n";
  }
  static std::string header(const std::string& section, const std::string& name, const std::string& type) {
    return "\n[[" + section + "]]\nname = " + quoted(name) + "\ntype = " + quoted(type) + "\n";
  }

  [[nodiscard]] std::string friction(const FrictionSpec& f) const {
    std::string text = "{ law = " + quoted(f.law);
    const auto add = [&](const char* key, const std::string& value) {
      text += std::string(", ") + key + " = " + value;
    };
    if (f.law != "viscous") add("mu_static", digits(f.mu_static));
    if (f.law == "coulomb" || f.law == "stribeck") add("mu_kinetic", digits(f.mu_kinetic));
    if (f.law == "stribeck") {
      add("stribeck_velocity", digits(f.stribeck_velocity));
      add("stribeck_exponent", digits(f.stribeck_exponent));
    }
    if (f.law == "table") {
      std::string rows;
      for (const Vec2& row : f.table) rows += (rows.empty() ? "" : ", ") + list({digits(row[0]), digits(row[1])});
      add("table", "[" + rows + "]");
    }
    if (f.viscous > 0 || f.law == "viscous") add("viscous", digits(f.viscous));
    if (f.normal_force) add("normal_force", quoted(formula(*f.normal_force)));
    if (f.radius > 0)
      add("radius", digits(f.radius));
    else if (freer_)
      add("radius", "0.02");  // of a shaft, which does not turn
    return text + " }";
  }

  void joint(const JointSpec& j) {
    const auto finish = [&](const std::string& type, const std::string& keys) {
      out_ += header("joint", j.name, type) + keys;
      for (const LimitsSpec& l : j.limits) {
        if (type == "spherical") throw NoCounterpart("limits of a ball joint");
        out_ +=
            "limits = " + list({digits(l.lower), digits(l.upper)}) + "\nrestitution = " + digits(l.restitution) + "\n";
      }
      if (j.friction) out_ += "friction = " + friction(*j.friction) + "\n";
    };
    if (j.type == "revolute" || j.type == "fixed" || j.type == "distance" || j.type == "translational") {
      const std::string &first = j.markers[0].body, &second = j.markers[1].body;
      std::string keys = two_markers(j.markers);
      const Vec3 z{0, 0, 1};
      if (freer_ && j.friction && (j.friction->viscous > 0 || j.friction->law != "coulomb") && j.type == "revolute")
        throw NoCounterpart("friction by the turning rate in a ball joint, where it is by the speed at the radius");
      const bool ball = freer_ && j.friction && j.type == "revolute";
      if (j.type == "revolute" && !ball)
        keys += "axes = " + list({vector_text(own(first, z)), vector_text(own(second, z))}) + "\n";
      if (j.type == "translational") {
        // The axis in both bodies, and the turn about it, from where the bodies are given.
        const double turn = bodies_.at(second).angle - bodies_.at(first).angle - j.angle.value_or(0);
        if (std::abs(turn) > 1e-12) throw NoCounterpart("a translational joint that is not assembled at the start");
        keys += "axis = " + vector_text(global(first, j.axis)) + "\n";
      }
      if (j.type == "distance") keys += "length = " + quoted(formula(*j.value)) + "\n";
      if (ball) return finish("spherical", keys);
      const bool shaft = freer_ && j.friction && j.type == "translational";
      return finish(shaft ? "cylindrical" : j.type, keys);
    }
    const std::string second = j.markers.back().body, first = j.markers.size() == 2 ? j.markers[0].body : "ground";
    const std::string bodies = "bodies = " + list({quoted(first), quoted(second)}) + "\n";
    if (j.type == "absolute_angle" || j.type == "relative_angle")  // counted from the position given
      return finish("rotation",
                    bodies + "axis = " + vector_text(turn_ * Vec3{0, 0, 1}) + "\nvalue = " +
                        quoted(formula(*j.value) + " - " + digits(bodies_.at(second).angle - bodies_.at(first).angle)) +
                        "\n");
    if (j.type == "absolute_x" || j.type == "absolute_y") {
      std::string body;
      const Vec3 at = point(j.markers.back(), body);
      return finish("cd", bodies + "points = " + list({vector_text({0, 0, 0}), vector_text(at)}) +
                              "\naxis = " + vector_text(hstar::column(turn_, j.type == "absolute_y" ? 1 : 0)) +
                              "\nvalue = " + quoted(formula(*j.value)) + "\n");
    }
    throw NoCounterpart("a joint of type " + j.type);
  }

  void force(const ForceSpec& f) {
    if (f.user) throw NoCounterpart("a force of a program");
    if (f.type == "point_force") {
      auto r = components(f.fx, f.fy);
      if (f.in_body_frame) r = {formula(f.fx), formula(f.fy), "0"};
      std::string body;
      const Vec3 at = point(f.markers.back(), body);
      out_ += header("force", f.name, "point_force") + "body = " + quoted(body) + "\npoint = " + vector_text(at) +
              "\nforce = " + list({quoted(r[0]), quoted(r[1]), quoted(r[2])}) +
              (f.in_body_frame ? "\nframe = \"body\"\n" : "\n");
      return;
    }
    if (f.type == "torque") {
      const std::string torque = formula(f.torque);
      std::array<std::string, 3> r;
      for (std::size_t i = 0; i < 3; ++i) r[i] = quoted(digits(turn_[i][2]) + "*" + torque);
      std::string keys = "body = " + quoted(f.markers.back().body);
      if (f.markers.size() == 2) keys = "bodies = " + list({quoted(f.markers[0].body), quoted(f.markers[1].body)});
      out_ += header("force", f.name, "torque") + keys + "\ntorque = " + list({r[0], r[1], r[2]}) + "\n";
      return;
    }
    if (f.type == "spring_damper" && f.axis && !(f.stiffness.is_constant() && f.damping.is_constant())) {
      push_along(f);
      return;
    }
    if (f.type == "spring_damper" && f.axis) {
      // Along one axis of the first body: a bushing with that one stiffness, the first point ahead by the free length.
      if (constant(f.actuator, "an actuator along an axis") != 0) throw NoCounterpart("an actuator along an axis");
      const std::string k = digits(constant(f.stiffness, "a stiffness along an axis")),
                        c = digits(constant(f.damping, "a damping along an axis"));
      const double length = constant(f.free_length, "a free length along an axis");
      const Vec2 axis = (1 / std::hypot((*f.axis)[0], (*f.axis)[1])) * *f.axis;
      const Vec3 ahead = length * own(f.markers[0].body, {axis[0], axis[1], 0});
      const std::string keys = two_markers(f.markers, ahead);
      out_ += header("force", f.name, "bushing") + keys + "axis = " + vector_text(global(f.markers[0].body, axis)) +
              "\nstiffness_matrix = " + list({"0.0", "0.0", k, "0.0", "0.0", "0.0"}) +
              "\ndamping_matrix = " + list({"0.0", "0.0", c, "0.0", "0.0", "0.0"}) + "\n";
      return;
    }
    const std::string law = "stiffness = " + quoted(formula(f.stiffness)) +
                            "\ndamping = " + quoted(formula(f.damping)) +
                            "\nactuator = " + quoted(formula(f.actuator)) + "\n";
    if (f.type == "spring_damper") {
      const std::string keys = two_markers(f.markers);
      out_ += header("force", f.name, f.type) + keys + law + "free_length = " + quoted(formula(f.free_length)) + "\n";
      return;
    }
    // The angle of a spatial spring counts from the position given.
    const std::string &first = f.markers[0].body, &second = f.markers[1].body;
    const double shift = bodies_.at(second).angle - bodies_.at(first).angle;
    if (shift != 0)
      for (const Expression* e : {&f.stiffness, &f.damping, &f.actuator}) (void)constant(*e, "a rotational spring");
    out_ += header("force", f.name, f.type) + "bodies = " + list({quoted(first), quoted(second)}) +
            "\naxis = " + vector_text(turn_ * Vec3{0, 0, 1}) + "\n" + law +
            "free_angle = " + quoted(formula(f.free_length) + " - " + digits(shift)) + "\n";
  }

  /// A spring along an axis of the ground whose law is a formula: the force it has, on the centre of the second body.
  void push_along(const ForceSpec& f) {
    const MarkerSpec &from = f.markers[0], &to = f.markers[1];
    if (!bodies_.at(from.body).ground || constant(to.x, "a moving point") != 0 || constant(to.y, "a moving point") != 0)
      throw NoCounterpart("a spring along an axis of a body, by a formula");
    const Vec2 axis = (1 / std::hypot((*f.axis)[0], (*f.axis)[1])) * *f.axis;
    const double start = axis[0] * constant(from.x, "a moving point") + axis[1] * constant(from.y, "a moving point");
    const auto along = [&](const char* x, const char* y) {
      return digits(axis[0]) + "*" + name(to.body + x) + " + " + digits(axis[1]) + "*" + name(to.body + y);
    };
    spring_ = {{"length", "(" + along(".x", ".y") + " - " + digits(start) + ")"},
               {"rate", "(" + along(".vx", ".vy") + ")"}};
    const std::string law = "-(" + formula(f.stiffness) + "*(" + spring_["length"] + " - " + formula(f.free_length) +
                            ") + " + formula(f.damping) + "*" + spring_["rate"] + " + " + formula(f.actuator) + ")";
    spring_.clear();
    const Vec3 direction = turned(axis);
    out_ += header("force", f.name, "point_force") + "body = " + quoted(to.body) + "\nforce = " +
            list({quoted(digits(direction[0]) + "*" + law), quoted(digits(direction[1]) + "*" + law),
                  quoted(digits(direction[2]) + "*" + law)}) +
            "\n";
  }

  /// A line is a plane, a circle a sphere, a point a point.
  [[nodiscard]] std::string shape(const ShapeSpec& s) {
    std::string body;
    const Vec3 at = point(s.marker, body);
    const std::string head = "{ body = " + quoted(body) + ", point = " + vector_text(at) + ", shape = ";
    if (s.shape == "point") return head + "\"point\" }";
    if (s.shape == "circle") return head + "\"sphere\", radius = " + digits(s.radius) + " }";
    if (s.shape == "polygon") {
      // A prism, as deep to both sides of the plane as its corners are far from its origin.
      double depth = 0;
      for (const Vec2& c : s.corners) depth = std::max(depth, std::hypot(c[0], c[1]));
      std::string points;
      for (const Vec2& c : s.corners)
        for (const double z : {-depth, depth})
          points += (points.empty() ? "" : ", ") + vector_text(own(body, {c[0], c[1], z}));
      return head + "\"hull\", points = [" + points + "] }";
    }
    if (s.shape != "line" || s.length > 0) throw NoCounterpart("a contact of shape " + s.shape);
    std::string text = head + "\"plane\", normal = " + vector_text(own(body, {s.normal[0], s.normal[1], 0}));
    if (s.surface_velocity) {
      const Vec2 n = (1 / std::hypot(s.normal[0], s.normal[1])) * s.normal;
      const Vec3 along = own(body, {n[1], -n[0], 0});
      const std::string speed = formula(*s.surface_velocity);
      text += ", surface_velocity = " +
              list({quoted(digits(along[0]) + "*" + speed), quoted(digits(along[1]) + "*" + speed),
                    quoted(digits(along[2]) + "*" + speed)});
    }
    return text + " }";
  }

  void contact(const ContactSpec& c) {
    if (c.gap) throw NoCounterpart("a contact given by formulas");
    const std::string first = shape(c.first), second = shape(c.second);
    out_ += "\n[[contact]]\nname = " + quoted(c.name) + "\nbetween = " + list({first, second}) +
            "\nrestitution = " + digits(c.restitution) +
            "\nrestitution_tangential = " + digits(c.restitution_tangential) +
            "\nimpact_law = " + quoted(c.impact_law) + "\n";
    if (c.friction) out_ += "friction = " + friction(*c.friction) + "\n";
  }

  void guard(const GuardSpec& g) {
    if (g.change) throw NoCounterpart("a guard of a program");
    out_ += "\n[[guard]]\nname = " + quoted(g.name) + "\n";
    if (!g.times.empty()) {
      std::string times;
      for (const double t : g.times) times += (times.empty() ? "" : ", ") + digits(t);
      out_ += "times = [" + times + "]\n";
    } else {
      out_ += "when = " + quoted(formula(g.when)) + "\ncrossing = " + quoted(g.crossing) + "\n";
    }
    if (!g.kind.empty()) out_ += "kind = " + quoted(g.kind) + "\n";
    if (g.terminal) out_ += "terminal = true\n";
    if (g.reset.empty()) return;
    std::string resets;
    for (const auto& [state, value] : g.reset) {
      const bool own =
          std::any_of(model_.states.begin(), model_.states.end(), [&](const StateSpec& s) { return s.name == state; });
      if (!own) throw NoCounterpart("a guard that changes " + state);
      resets += (resets.empty() ? "" : ", ") + state + " = " + quoted(formula(value));
    }
    out_ += "reset = { " + resets + " }\n";
  }

  const ModelSpec& model_;
  Mat3 turn_;
  bool freer_;
  std::map<std::string, Place> bodies_;
  std::map<std::string, std::string> spring_;  ///< what `length` and `rate` of the spring at hand are
  std::string out_;
  int carriers_ = 0;
};

double at(const RunResult& run, const std::vector<double>& y, const std::string& name) {
  for (std::size_t i = 0; i < run.state_names.size(); ++i)
    if (run.state_names[i] == name) return y[i];
  throw std::runtime_error("no state " + name);
}

}  // namespace

std::string lifted(const ModelSpec& model, const Mat3& turn, FrictionJoints joints) {
  return Lifter(model, turn, joints).text();
}

PlaneMotion planar_motion(const RunResult& run, const std::vector<double>& y, const BodySpec& body) {
  const auto of = [&](const char* what) { return at(run, y, body.name + "." + what); };
  PlaneMotion m{of("x"), of("y"), of("vx"), of("vy")};
  if (!body.inertia) return m;
  m.cosine = std::cos(of("angle"));
  m.sine = std::sin(of("angle"));
  m.omega = of("omega");
  return m;
}

PlaneMotion lifted_motion(const RunResult& run, const std::vector<double>& y, const BodySpec& body, const Mat3& turn) {
  const auto of = [&](const char* what) { return at(run, y, body.name + "." + what); };
  const Vec3 r = transposed_times(turn, {of("x"), of("y"), of("z")}),
             v = transposed_times(turn, {of("vx"), of("vy"), of("vz")});
  PlaneMotion m{r[0], r[1], v[0], v[1]};
  m.off = std::max(std::abs(r[2]), std::abs(v[2]));
  if (!body.inertia) return m;
  const Mat3 A = transposed(turn) * rotation_matrix({of("e0"), of("e1"), of("e2"), of("e3")});
  m.cosine = A[0][0];
  m.sine = A[1][0];
  m.omega = of("wz");
  for (const double x : {A[2][0], A[2][1], A[0][2], A[1][2], of("wx"), of("wy")}) m.off = std::max(m.off, std::abs(x));
  return m;
}

}  // namespace support
