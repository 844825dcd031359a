// tests/oracle/solver/toml.cpp: a model as the text of a model file.
#include <string>

#include "solver/model.hpp"

namespace oracle {
namespace {

std::string list(const Pair& p) { return "[" + p[0].text() + ", " + p[1].text() + "]"; }
std::string quoted(const std::string& s) { return "\"" + s + "\""; }

std::string piece_text(const TimeLaw::Piece& piece) {
  std::string text;
  const auto term = [&text](const Decimal& factor, const std::string& function) {
    if (factor.is_zero()) return;
    text += (text.empty() ? "(" : " + (") + factor.text() + ")" + function;
  };
  const std::string since = piece.from.is_zero() ? "t" : "(t - " + piece.from.text() + ")";
  term(piece.polynomial[0], "");
  term(piece.polynomial[1], "*" + since);
  term(piece.polynomial[2], "*" + since + "^2");
  for (const Sine& s : piece.sines) term(s.amplitude, "*sin(" + s.frequency.text() + "*t + (" + s.phase.text() + "))");
  return text.empty() ? "0" : text;
}

std::string body_name(const Model& model, int body) {
  return body == ground ? "ground" : model.bodies[static_cast<std::size_t>(body)].name;
}

std::string friction_text(const std::optional<Friction>& friction) {
  if (!friction) return {};
  std::string text =
      "friction = { mu_static = " + friction->mu_static.text() + ", mu_kinetic = " + friction->mu_kinetic.text();
  if (friction->normal_force) text += ", normal_force = " + quoted(friction->normal_force->text());
  return text + " }\n";
}

std::string body_text(const Body& body) {
  std::string text = "\n[[body]]\nname = " + quoted(body.name) + "\n";
  if (body.motion) {
    return text + "motion = { x = " + quoted((*body.motion)[0].text()) + ", y = " + quoted((*body.motion)[1].text()) +
           " }\n";
  }
  return text + "mass = " + body.mass.text() + "\nposition = " + list(body.position) +
         "\nvelocity = " + list(body.velocity) + "\n";
}

std::string guide_text(const Model& model, const Guide& guide) {
  return "\n[[joint]]\nname = " + quoted(guide.name) + "\ntype = \"translational\"\nbodies = [" +
         quoted(body_name(model, guide.first)) + ", " + quoted(body_name(model, guide.second)) +
         "]\naxis = " + list(guide.axis) + "\n" + friction_text(guide.friction);
}

std::string contact_text(const Model& model, const Contact& contact) {
  std::string first = "{ body = " + quoted(body_name(model, contact.first));
  if (contact.circles) {
    first += ", shape = \"circle\", radius = " + contact.first_radius.text();
  } else {
    first += ", shape = \"line\", point = " + list(contact.point) + ", normal = " + list(contact.normal);
    if (!contact.surface_velocity.is_zero()) first += ", surface_velocity = " + quoted(contact.surface_velocity.text());
  }
  std::string second = "{ body = " + quoted(body_name(model, contact.second));
  second +=
      contact.radius.is_zero() ? ", shape = \"point\"" : ", shape = \"circle\", radius = " + contact.radius.text();
  return "\n[[contact]]\nname = " + quoted(contact.name) + "\nbetween = [" + first + " }, " + second +
         " }]\nrestitution = " + contact.restitution.text() + "\nimpact_law = " + quoted(contact.law) + "\n" +
         friction_text(contact.friction);
}

std::string spring_text(const Model& model, const Spring& spring, std::size_t i) {
  const std::string anchor =
      spring.first == ground && !spring.anchor.is_zero() ? ", point = [" + quoted(spring.anchor.text()) + ", 0.0]" : "";
  return "\n[[force]]\nname = \"spring" + std::to_string(i) +
         "\"\ntype = \"spring_damper\"\nbetween = [{ body = " + quoted(body_name(model, spring.first)) + anchor +
         " }, { body = " + quoted(body_name(model, spring.second)) + " }]\naxis = " + list(spring.axis) +
         "\nstiffness = " + spring.stiffness.text() + "\ndamping = " + spring.damping.text() +
         "\nfree_length = " + spring.free_length.text() + "\n";
}

}  // namespace

bool TimeLaw::is_zero() const {
  for (const Piece& piece : pieces) {
    for (const Decimal& c : piece.polynomial)
      if (!c.is_zero()) return false;
    if (!piece.sines.empty()) return false;
  }
  return true;
}

std::string TimeLaw::text() const {
  std::string formula = piece_text(pieces.back());
  for (std::size_t i = pieces.size() - 1; i-- > 0;)
    formula = "t < " + pieces[i + 1].from.text() + " ? " + piece_text(pieces[i]) + " : (" + formula + ")";
  return formula;
}

std::string toml(const Model& model) {
  std::string text = "title = " + quoted(model.title) + "\ngravity = " + list(model.gravity) +
                     "\n\n[simulation]\nend = " + model.end.text() + "\nrtol = " + model.rtol +
                     "\nintegrator = " + quoted(model.integrator) + "\n";
  for (const Body& body : model.bodies) text += body_text(body);
  for (const Guide& guide : model.guides) text += guide_text(model, guide);
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const PointForce& f = model.forces[i];
    text += "\n[[force]]\nname = \"force" + std::to_string(i) +
            "\"\ntype = \"point_force\"\nbody = " + quoted(body_name(model, f.body)) + "\nforce = [" +
            quoted(f.force[0].text()) + ", " + quoted(f.force[1].text()) + "]\n";
  }
  for (std::size_t i = 0; i < model.springs.size(); ++i) text += spring_text(model, model.springs[i], i);
  for (const Contact& contact : model.contacts) text += contact_text(model, contact);
  for (std::size_t i = 0; i < model.told_times.size(); ++i)
    text += "\n[[guard]]\nname = \"switch" + std::to_string(i) + "\"\ntimes = [" + model.told_times[i].text() + "]\n";
  return text;
}

}  // namespace oracle
