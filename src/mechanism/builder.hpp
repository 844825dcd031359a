// src/mechanism/builder.hpp
//
// ModelSpec -> System, for build_system. Names become indices here; from here on no strings.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mechanism/joint_stops.hpp"
#include "mechanism/signal_names.hpp"
#include "mechanism/spatial/shapes.hpp"
#include "mechanism/system.hpp"

namespace hstar {

class Builder {
 public:
  explicit Builder(const ModelSpec& spec);
  /// Once.
  [[nodiscard]] std::shared_ptr<const System> build();

 private:
  // builder.cpp
  void bodies();
  void spatial_bodies();
  /// What formulas read of spatial joints, and all that counts turns.
  void find_coordinates();
  /// Names in formulas, in those of measures or not.
  [[nodiscard]] std::set<std::string, std::less<>> names_read(bool measures) const;
  /// With its place in q and v if it is free.
  void add_body(Body body);
  /// What formulas read of contacts and friction that only events change: "floor.impacts".
  void find_told();
  /// Indices by name, known before any formula is bound.
  void name_elements();
  /// A marker; ground points that move in time become a prescribed body of their own.
  [[nodiscard]] Marker marker(const MarkerSpec& m, const std::string& owner);
  [[nodiscard]] bool fixed(int body) const;
  [[nodiscard]] bool free_or_fixed(int body) const;
  void initial();
  /// What counts turns begins within half a turn.
  void start_turns();
  [[nodiscard]] double length() const;

  // builder_joints.cpp
  void joints();
  void spatial_joints();
  /// Of a program: it must have a possible number of rows.
  void check_own_joint(const JointSpec& spec, const std::string& owner) const;
  void own_spatial_joint(const JointSpec& spec, const std::string& owner);
  /// Its rows follow those of the joints before it.
  void add_joint(std::unique_ptr<Joint> joint, bool constant, const std::string& type, const FrictionSpec* friction);
  void joint_friction(const std::string& type, const FrictionSpec& f, const Joint& joint);

  // builder_forces.cpp
  void forces();
  void own_force(const ForceSpec& spec, const std::string& owner);
  void spatial_forces();
  void joint_measures();
  void add_force(std::unique_ptr<Force> force, const std::string& name, const Location& where, ForceReach reach);
  /// Binds a formula of a force and notes what it reads.
  [[nodiscard]] BoundExpression bind_force(const Expression& e, const std::string& type, const std::string& what,
                                           ForceReach& reach) const;
  /// What a signal in a force's formula reads; lengths of springs by their markers, which may come later in the file.
  void note_reach(const SignalRef& r, ForceReach& reach) const;
  /// Binds the formulas of friction.
  void bind_friction(const FrictionSpec& spec, const std::string& owner, FrictionUnit& unit) const;
  /// When all bodies are known, those that carry a moving point among them.
  void linear_forces();

  // builder_contacts.cpp
  void contacts();
  void spatial_contacts();
  [[nodiscard]] std::unique_ptr<Contact> shape_contact(const ContactSpec& spec, const std::string& owner, Marker& first,
                                                       Marker& second);
  [[nodiscard]] std::unique_ptr<Contact> generalized_contact(const ContactSpec& spec, const std::string& owner,
                                                             Marker& first, Marker& second) const;

  // builder_stops.cpp
  void find_stops();
  /// Of all contacts, in their order.
  [[nodiscard]] std::vector<std::string> contact_names() const;
  /// Names of the bodies of one of them.
  [[nodiscard]] std::vector<std::string> contact_bodies(std::size_t contact) const;
  /// What formulas other than measures read of gaps.
  void find_gaps();
  void stops();
  void contact_measures();

  // builder_formulas.cpp
  void states();
  void guards();
  void measures();
  /// Formulas with switches.
  void switches();

  [[noreturn]] static void fail(const Location& where, const std::string& text) { throw InputError(where, text); }

  /// The angle of a rotational spring, or of a joint whose angle formulas read, is known from positions up to whole
  /// turns: which turn it is in is kept by an extra state, the integral of the angle's rate, "spring.angle". So are
  /// those of a screw and of the wheels of a gear.
  struct Turning {
    std::string state;
    int force;  ///< the element whose outputs 0 and 1 are the angle and its rate
  };
  /// A free coordinate of a spatial joint that formulas read; its element stands behind the forces in space.
  struct JointMeasured {
    std::size_t joint;
    int which;
  };
  struct PlacedStop {
    JointStop stop;
    std::size_t joint;
  };
  [[nodiscard]] int measure_force(std::size_t i) const { return static_cast<int>(spec_.spatial.forces.size() + i); }
  /// Index in y of the state that counts an element's turns; -1: none does.
  [[nodiscard]] int turn_state(int force) const;

  const ModelSpec& spec_;
  std::vector<ContactSpec> contacts_;                    ///< one-point contacts, the parts of those written
  std::vector<std::vector<ContactPart>> spatial_parts_;  ///< the same in space, by contact
  std::vector<JointMeasured> joint_measures_;
  std::vector<PlacedStop> stops_;  ///< their contacts stand behind those that are written
  std::vector<std::size_t> gaps_;  ///< contacts whose gap formulas read; their elements are the last of the forces
  std::vector<Turning> turning_;
  std::shared_ptr<System> system_;
  SignalNames names_;
};

}  // namespace hstar
