// src/mechanism/signal_names.cpp: what a name in a formula stands for.
#include "mechanism/signal_names.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "mechanism/spatial/build.hpp"

namespace hstar {

std::optional<SignalRef> SignalNames::find(const std::string& name, Access access) const {
  if (name == "t") return SignalRef{SignalKind::time, 0};
  if (access == Access::time_only) return std::nullopt;
  if (access == Access::own_spring && name == "length") return SignalRef{SignalKind::own_length, 0};
  if (access == Access::own_spring && name == "rate") return SignalRef{SignalKind::own_rate, 0};
  if (auto it = coordinates.find(name); it != coordinates.end()) return it->second;
  if (auto it = states.find(name); it != states.end()) return SignalRef{SignalKind::state, first_state + it->second};
  if (access == Access::solved && name == "energy") return SignalRef{SignalKind::energy, 0};
  const auto point = name.rfind('.');
  if (point == std::string::npos) return std::nullopt;
  const std::string owner = name.substr(0, point), what = name.substr(point + 1);
  const auto look = [&](const std::map<std::string, int>& index, auto table) -> std::optional<SignalRef> {
    const auto it = index.find(owner);
    if (it == index.end()) return std::nullopt;
    for (const auto& [word, kind, needs_solve] : table)
      if (what == word && (!needs_solve || access == Access::solved)) return SignalRef{kind, it->second};
    return std::nullopt;
  };
  if (spatial) {
    const auto packed = [&](const std::map<std::string, int>& index, std::span<const char* const> words, int room,
                            SignalKind kind) -> std::optional<SignalRef> {
      const auto it = index.find(owner);
      if (it == index.end()) return std::nullopt;
      for (std::size_t i = 0; i < words.size(); ++i)
        if (what == words[i]) return SignalRef{kind, room * it->second + static_cast<int>(i)};
      return std::nullopt;
    };
    if (auto r = packed(bodies, spatial_motion_words, 16, SignalKind::spatial_motion)) return r;
    if (const auto it = forces.find(owner); it != forces.end()) {
      if (what == "length") return SignalRef{SignalKind::force_length, it->second};
      if (what == "rate") return SignalRef{SignalKind::force_rate, it->second};
      if (what == "force" && access == Access::solved) return SignalRef{SignalKind::force_value, it->second};
    }
    if (access != Access::solved) return std::nullopt;
    if (auto r = packed(bodies, spatial_acceleration_words, 6, SignalKind::spatial_acceleration)) return r;
    if (auto r = packed(joints, spatial_wrench_words, 6, SignalKind::joint_wrench)) return r;
    if (auto r = packed(contacts, contact_vector_words, 6, SignalKind::contact_vector)) return r;
    if (auto r = packed(whole_contacts, whole_contact_words, 8, SignalKind::whole_contact)) return r;
  }
  using Table = std::vector<std::tuple<std::string, SignalKind, bool>>;
  using enum SignalKind;
  const auto of_friction = [&]() -> std::optional<SignalRef> {
    if (auto r = look(joints, Table{{"normal", joint_normal, true},
                                    {"tangential", joint_tangential, true},
                                    {"slip_velocity", joint_slip_velocity, true}}))
      return r;
    return look(contacts, Table{{"gap", contact_gap, true},
                                {"gap_velocity", contact_gap_velocity, true},
                                {"slip_velocity", contact_slip_velocity, true},
                                {"normal", contact_normal, true},
                                {"tangential", contact_tangential, true}});
  };
  if (spatial) return of_friction();
  if (auto r = look(bodies, Table{{"x", body_x, false},
                                  {"y", body_y, false},
                                  {"angle", body_angle, false},
                                  {"vx", body_vx, false},
                                  {"vy", body_vy, false},
                                  {"omega", body_omega, false},
                                  {"ax", body_ax, true},
                                  {"ay", body_ay, true},
                                  {"alpha", body_alpha, true}}))
    return r;
  if (auto r = look(joints, Table{{"fx", joint_fx, true}, {"fy", joint_fy, true}, {"torque", joint_torque, true}}))
    return r;
  if (auto r = look(forces,
                    Table{{"length", force_length, false}, {"rate", force_rate, false}, {"force", force_value, true}}))
    return r;
  return of_friction();
}

BoundExpression SignalNames::bind(const Expression& e, Access access, const std::string& what) const {
  BoundExpression bound;
  bound.formula = e;
  if (e.variables().size() > max_signals)
    throw InputError(e.where(), what + ": uses " + std::to_string(e.variables().size()) +
                                    " measured quantities; at most " + std::to_string(max_signals) +
                                    " are allowed in one formula");
  for (std::size_t i = 0; i < e.variables().size(); ++i) {
    auto ref = find(e.variables()[i], access);
    if (ref && access == Access::place && ref->kind != SignalKind::time && ref->kind != SignalKind::body_x &&
        ref->kind != SignalKind::body_y && ref->kind != SignalKind::body_angle)
      ref.reset();
    if (!ref)
      throw InputError(e.where_variable(i), what + ": unknown name \"" + e.variables()[i] + "\", or not allowed here");
    bound.refs.push_back(*ref);
  }
  bound.constant = e.is_constant();  // names in terms that vanish are checked all the same
  if (bound.constant) {
    bound.value = e.constant_value();
    bound.refs.clear();
  }
  return bound;
}

std::array<int, 2> SignalNames::bodies_of(std::initializer_list<const BoundExpression*> formulas, const Location& where,
                                          const std::string& owner) {
  std::vector<int> read;
  for (const BoundExpression* f : formulas)
    for (const SignalRef& r : f->refs)
      if (r.kind != SignalKind::time && std::find(read.begin(), read.end(), r.index) == read.end())
        read.push_back(r.index);
  if (read.empty() || read.size() > 2)
    throw InputError(where, owner + ": the formulas must use coordinates of one or two bodies");
  if (read.size() == 1) read.insert(read.begin(), 0);
  return {read[0], read[1]};
}

}  // namespace hstar
