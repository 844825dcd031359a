// src/simulate/crowd/model_crowd.cpp
#include "simulate/crowd/model_crowd.hpp"

#include <algorithm>
#include <cmath>

#include "hstar/output_rows.hpp"

namespace hstar::crowd {
namespace {

bool refuse(std::string& why, std::string text) {
  why = std::move(text);
  return false;
}

bool stands_at(const Expression& e, double& value) {
  if (!e.is_constant()) return false;
  value = e.constant_value();
  return true;
}

}  // namespace

std::unique_ptr<ModelCrowd> ModelCrowd::read(const ModelSpec& model, std::string& why) {
  std::unique_ptr<ModelCrowd> out(new ModelCrowd(model));
  out->crowd_.gravity = model.gravity;
  out->crowd_.meetings = out.get();
  if (!out->read_settings(why) || !out->read_bodies(why)) return nullptr;
  for (const PairsSpec& pairs : model.pairs)
    if (!out->read_group(pairs, why)) return nullptr;
  for (std::size_t c = 0; c < model.contacts.size(); ++c)
    if (!out->read_contact(static_cast<int>(c), why)) return nullptr;
  return out;
}

bool ModelCrowd::read_settings(std::string& why) {
  const SimulationSpec& s = model_.simulation;
  if (model_.dimension != 2) return refuse(why, "it must be planar");
  if (s.integrator != "exact") return refuse(why, "set integrator = \"exact\"");
  if (!s.islands) return refuse(why, "leave out islands = false");
  if (s.fixed_step > 0 || s.max_step > 0) return refuse(why, "leave out fixed_step and max_step");
  const auto first = [&](const auto& elements, const char* what) {
    return elements.empty() || refuse(why, std::string("leave out ") + what + " \"" + elements.front().name + "\"");
  };
  return first(model_.joints, "joint") && first(model_.forces, "force") && first(model_.states, "state") &&
         first(model_.guards, "guard") && first(model_.measures, "measure");
}

bool ModelCrowd::read_bodies(std::string& why) {
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    const BodySpec& body = model_.bodies[i];
    if (body.motion) return refuse(why, "body \"" + body.name + "\" has a prescribed motion; let it move freely");
    Disc disc;
    disc.position = body.position;
    disc.velocity = body.velocity;
    disc.mass = body.mass;
    if (body.inertia) {
      disc.inertia = *body.inertia;
      disc.angle = body.angle;
      disc.spin = body.angular_velocity;
    }
    crowd_.discs.push_back(disc);
    disc_of_[body.name] = static_cast<int>(i);
  }
  crowd_.walls.resize(crowd_.discs.size());
  return true;
}

bool ModelCrowd::read_circle(const ShapeSpec& shape, const std::string& owner, int& disc, std::string& why) {
  if (shape.shape != "circle") return refuse(why, owner + ": a " + shape.shape + " is no circle; give it one");
  const auto found = disc_of_.find(shape.marker.body);
  if (found == disc_of_.end())
    return refuse(why, owner + ": body \"" + shape.marker.body + "\" does not move freely; take a line for a wall");
  double x = 0, y = 0;
  if (!stands_at(shape.marker.x, x) || !stands_at(shape.marker.y, y) || x != 0 || y != 0)
    return refuse(why, owner + ": the circle of \"" + shape.marker.body + "\" is not about its centre; put it there");
  disc = found->second;
  double& radius = crowd_.discs[disc].radius;
  if (radius != 0 && radius != shape.radius)
    return refuse(why, owner + ": body \"" + shape.marker.body + "\" has another radius in another contact; give one");
  radius = shape.radius;
  return true;
}

bool ModelCrowd::read_law(const ContactSpec& contact, int& law, std::string& why) {
  const std::string owner = "contact \"" + contact.name + "\"";
  ContactLaw read;
  read.law = find_impact_law(contact.impact_law);
  if (read.law == nullptr) return refuse(why, owner + ": impact_law \"" + contact.impact_law + "\" is not known");
  read.restitution = contact.restitution;
  read.restitution_tangential = contact.restitution_tangential;
  if (contact.friction) {
    const FrictionSpec& f = *contact.friction;
    if (f.law != "coulomb" || f.mu_static_formula || f.mu_kinetic_formula || f.normal_force || f.viscous != 0)
      return refuse(why, owner + ": its friction is not Coulomb's with constant coefficients; give it these");
    read.rubs = true;
    read.mu = f.mu_kinetic;
  }
  // (What the law does not use is refused where contacts are written out, with its reason.)
  if (read.restitution_tangential != 0 && !(read.rubs && read.law->restores_sliding()))
    return refuse(why, owner + ": leave out restitution_tangential");
  if (!crowd_.laws.empty() && crowd_.laws.front().law != read.law &&
      model_.simulation.multiple_impact == "simultaneous")
    return refuse(why, owner + ": its impact_law differs from that of other contacts; give one");
  const auto known = std::find(crowd_.laws.begin(), crowd_.laws.end(), read);
  law = static_cast<int>(known - crowd_.laws.begin());
  if (known == crowd_.laws.end()) crowd_.laws.push_back(read);
  return true;
}

bool ModelCrowd::read_group(const PairsSpec& pairs, std::string& why) {
  const std::string owner = "contact \"" + pairs.contact.name + "\"";
  Group group{&pairs, std::vector<int>(crowd_.discs.size(), -1), -1};
  if (!read_law(pairs.contact, group.law, why)) return false;
  for (std::size_t k = 0; k < pairs.first.size(); ++k) {
    int first = -1, second = -1;
    if (!read_circle(pairs.first[k], owner, first, why) || !read_circle(pairs.second[k], owner, second, why))
      return false;
    if (first != second)
      return refuse(why, owner + ": number " + std::to_string(k) + " is another body where it comes first");
    if (group.number[first] >= 0)
      return refuse(why, owner + ": body \"" + model_.bodies[first].name + "\" is there twice");
    for (const Group& other : groups_)
      if (other.number[first] >= 0)
        return refuse(why, owner + ": body \"" + model_.bodies[first].name + "\" belongs to \"" +
                               other.pairs->contact.name + "\" too; give each disc one group");
    group.number[first] = static_cast<int>(k);
  }
  groups_.push_back(std::move(group));
  return true;
}

bool ModelCrowd::read_contact(int c, std::string& why) {
  const ContactSpec& contact = model_.contacts[c];
  const std::string owner = "contact \"" + contact.name + "\"";
  if (contact.gap) return refuse(why, owner + ": its gap is a formula; give two shapes");
  int law = -1, first = -1, second = -1;
  if (!read_law(contact, law, why) || !read_circle(contact.second, owner, second, why)) return false;
  if (contact.first.shape == "line" && contact.first.marker.body == "ground") {
    const ShapeSpec& line = contact.first;
    Wall wall{{0, 0}, line.normal, law, c};
    if (line.length > 0 || line.surface_velocity || !stands_at(line.marker.x, wall.point[0]) ||
        !stands_at(line.marker.y, wall.point[1]))
      return refuse(why, owner + ": its line has a surface_velocity or moves; let it stand");
    crowd_.walls[second].push_back(wall);
    return true;
  }
  if (!read_circle(contact.first, owner, first, why)) return false;
  if (between(first, second).law >= 0)
    return refuse(why, owner + ": these two bodies have another contact; give them one");
  singles_[key(first, second)] = {c, first, law};
  return true;
}

std::uint64_t ModelCrowd::key(int a, int b) {
  constexpr unsigned half = 32;
  return static_cast<std::uint64_t>(std::min(a, b)) << half | static_cast<std::uint64_t>(std::max(a, b));
}

Meeting ModelCrowd::between(int a, int b) const {
  for (const Group& group : groups_) {
    const int i = group.number[a], j = group.number[b];
    if (i >= 0 && j >= 0) return i < j ? Meeting{a, b, group.law} : Meeting{b, a, group.law};
  }
  if (singles_.empty()) return {a, b, -1};
  const auto found = singles_.find(key(a, b));
  if (found == singles_.end()) return {a, b, -1};
  return {found->second.first, found->second.first == a ? b : a, found->second.law};
}

std::string ModelCrowd::name_of_pair(int first, int second) const {
  for (const Group& group : groups_) {
    const int i = group.number[first], j = group.number[second];
    if (i >= 0 && j >= 0) return group.pairs->names.of(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  }
  return model_.contacts[singles_.at(key(first, second)).contact].name;
}

bool ModelCrowd::comes_to_rest() const {
  return (crowd_.gravity[0] != 0 || crowd_.gravity[1] != 0) &&
         std::any_of(crowd_.laws.begin(), crowd_.laws.end(), [](const ContactLaw& law) { return law.restitution < 1; });
}

ModelSpec ModelCrowd::bodies() const {
  ModelSpec alone = model_;
  alone.contacts.clear();
  alone.pairs.clear();
  // (Two rows an impact would be as long as the crowd is large.)
  if (alone.simulation.output <= 0) alone.simulation.output = alone.simulation.end - alone.simulation.start;
  return alone;
}

ModelSpec ModelCrowd::without_elements() const {
  ModelSpec none;
  none.file = model_.file;
  none.gravity = model_.gravity;
  none.simulation = model_.simulation;
  return none;
}

std::array<int, 3> ModelCrowd::place(const Due& due) const {
  const int written = static_cast<int>(groups_.size());
  if (due.wall) return {written, due.wall->contact, 0};
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const int i = groups_[g].number[due.first], j = groups_[g].number[due.second];
    if (i >= 0 && j >= 0) return {static_cast<int>(g), i, j};
  }
  return {written, singles_.at(key(due.first, due.second)).contact, 0};
}

ContactSpec ModelCrowd::contact(const Due& due) const {
  if (due.wall) return model_.contacts[due.wall->contact];
  for (const Group& group : groups_) {
    const int i = group.number[due.first], j = group.number[due.second];
    if (i < 0 || j < 0) continue;
    ContactSpec one = group.pairs->contact;
    one.name = group.pairs->names.of(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    one.first = group.pairs->first[i];
    one.second = group.pairs->second[j];
    return one;
  }
  return model_.contacts[singles_.at(key(due.first, due.second)).contact];
}

}  // namespace hstar::crowd
