// src/model/reader.hpp
//
// Document -> ModelSpec, section by section. Knows the bodies read so far, so that every later
// section can check the names it refers to.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "hstar/model_spec.hpp"
#include "mechanism/spatial/motion.hpp"
#include "model/fields.hpp"
#include "model/simengine2d.hpp"

namespace hstar::model {

class Reader {
 public:
  Reader(Context& context, ModelSpec& spec) : context_(context), spec_(spec) { start_["ground"] = {}; }

  void simulation(const Value& table);
  void body(const Value& table, std::size_t number);
  void joint(const Value& table, std::size_t number);
  void spatial_body(const Value& table, std::size_t number);
  void spatial_joint(const Value& table, std::size_t number);
  void spatial_force(const Value& table, std::size_t number);
  void spatial_contact(const Value& table, std::size_t number);
  void force(const Value& table, std::size_t number);
  void contact(const Value& table, std::size_t number);
  void state(const Value& table, std::size_t number);
  void guard(const Value& table, std::size_t number);
  void measure(const Value& table, std::size_t number);
  void table(const Value& table, std::size_t number);
  /// The name of a continuous controller's output, before the formulas that use it.
  void controller_output(const Value& table, std::size_t number);
  void controller(const Value& table, std::size_t count);
  /// [simulation] accelerations = true: measures of all free bodies.
  void acceleration_measures(const Location& where);

 private:
  /// Radii that the friction of an element has: none; of a pin; of a pin, or of a thrust face, or both; of a shaft or
  /// ball, whose sliding speed is that at the radius whatever the law; of contacts in space, for rolling and spinning.
  enum class Radii : unsigned char { none, pin, pivot, ball, contact };

  /// joint "plate", or [[joint]] number 2 if it has no name.
  [[nodiscard]] static std::string owner_of(std::string_view section, const Value& table, std::size_t number);
  /// Notes a name. Names of one group differ: bodies; elements (joints, forces, contacts, guards);
  /// plain names in formulas (parameters, states, measures).
  void claim(std::string_view group, const std::string& name, const Location& where, const std::string& owner);
  /// What joints and forces begin with: where, name and type; keys of other types are refused.
  template <class Spec>
  void name_and_type(Fields& fields, const Value& table, const std::string& owner, Spec& spec) {
    spec.where = table.where;
    spec.name = fields.name();
    claim("element", spec.name, fields.where("name"), owner);
    if (!fields.has("type")) fields.missing("type");
    spec.type = fields.word("type");
    fields.check_for(spec.type);
  }
  /// What contacts of both dimensions begin with: where, name, impact law and friction.
  template <class Spec>
  void name_and_laws(Fields& fields, const Value& table, const std::string& owner, Radii radii, Spec& spec) {
    fields.check_for("");
    spec.where = table.where;
    spec.name = fields.name();
    claim("element", spec.name, fields.where("name"), owner);
    spec.restitution = fields.number("restitution");
    spec.restitution_tangential = fields.number("restitution_tangential");
    spec.impact_law = fields.word("impact_law");
    if (fields.has("friction")) spec.friction = friction(fields, radii);
  }

  /// Throws unless the body exists.
  void check_body(const std::string& body, const Location& where, const std::string& owner) const;
  [[nodiscard]] bool moves_freely(const std::string& body) const;  ///< neither ground nor prescribed
  /// Throws for point masses, which have no angle.
  void check_angle(const std::string& body, const Location& where, const std::string& owner) const;
  /// Throws unless one of the two bodies moves freely.
  void check_one_moves(const std::string& a, const std::string& b, const Location& where,
                       const std::string& owner) const;
  /// Throws unless the formulas name one or two bodies, one of which moves freely.
  void check_bodies_of(const std::vector<const Expression*>& formulas, const Location& where,
                       const std::string& owner) const;
  [[nodiscard]] std::string one_body(const Fields& fields, std::string_view key) const;
  [[nodiscard]] std::vector<std::string> two_bodies(const Fields& fields) const;
  [[nodiscard]] MarkerSpec marker(const std::string& body, const Location& where, const Vec2& point) const;
  [[nodiscard]] FrictionSpec friction(const Fields& element, Radii radii);
  /// Limits of a joint's coordinates, in the order of their keys.
  static void limits(const Fields& joint, std::initializer_list<std::string_view> keys, std::vector<LimitsSpec>& to);
  void continuous_controller(const Fields& fields, const std::string& name, const std::string& owner);
  [[nodiscard]] MarkerSpec spring_end(const Value& table, const std::string& owner);
  [[nodiscard]] ShapeSpec shape(const Value& table, const std::string& owner);
  /// kept_pairs.cpp
  void pairs(const Value& first_copy, std::size_t number);

  // read_spatial.cpp, read_spatial_contact.cpp
  [[nodiscard]] std::array<double, 4> orientation(const Fields& fields) const;
  [[nodiscard]] SpatialShapeSpec contact_shape(const Value& table, const std::string& owner);
  void spatial_markers(const Fields& fields, std::array<SpatialMarkerSpec, 2>& markers) const;
  /// `second`: the second body has an axis of its own.
  void spatial_axes(const Fields& fields, bool second, std::array<SpatialMarkerSpec, 2>& markers) const;

  Context& context_;
  ModelSpec& spec_;
  std::map<std::string, const char*> kind_of_body_;  ///< "free" | "point mass" | "prescribed"
  std::map<std::string, SpatialMotion> start_;       ///< where spatial bodies are given
  std::map<std::string, std::string> claimed_;       ///< group/name -> who has it
};

/// A body whose mass a homogeneous shape gives: with its density, of all `lengths` of shapes (words) its `own`, and no
/// mass beside them.
void check_shape_keys(const Fields& body, std::string_view lengths, std::string_view own);
/// A body whose mass is given: with no key of a shape.
void check_no_shape_keys(const Fields& body, std::string_view lengths);

/// Times of `every`, `from`, `until` of a section, within the run: each a multiple of the interval after the first, so
/// that no round-off adds up.
[[nodiscard]] std::vector<double> ticks(const Fields& fields, const SimulationSpec& run);

/// Puts a [[table]] into the context's curves; returns its name.
std::string read_table(Context& context, const Value& table, const std::string& owner);
/// A [[table]] whose rows stand in it, not in a file.
[[nodiscard]] Value with_points(Context& context, Value table);

/// The text of a file. @throws InputError if it cannot be read.
[[nodiscard]] std::string file_text(const std::string& path);
/// A document as it stands in the file: imported if it is JSON, others included. `written`: its text, as TOML.
[[nodiscard]] Imported written_document(const std::string& text, const std::string& name, std::string& written);
/// As it will be read: overrides put in, copies made. `together`: contacts of many pairs may stay one (kept_pairs.hpp).
void complete(Value& document, const std::vector<Override>& overrides, bool together);
/// Both, with all copies.
[[nodiscard]] Imported complete_document(const std::string& text, const std::string& name,
                                         const std::vector<Override>& overrides, std::string& written);
[[nodiscard]] ModelSpec read_document(Value document, const std::string& text, const std::string& file);

/// Checks every name in every formula against what the model has and what the formula may use.
void check_names(const ModelSpec& spec, const Context& context);

/// Puts the overrides into the document. @throws InputError for paths that do not exist.
void apply_overrides(Value& document, const std::vector<Override>& overrides);

/// Replaces every element that has a `count` by its copies. `together`: as complete().
void expand_repetitions(Value& document, bool together);
/// `[system]` becomes the states that it stands for.
void expand_system(Value& document);

}  // namespace hstar::model
