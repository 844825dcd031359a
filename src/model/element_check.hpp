// src/model/element_check.hpp
//
// One element of a model that a program made, checked by the key table of its section: the words are those a model file
// gets, without line and column.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "hstar/impact_law.hpp"
#include "hstar/model_spec.hpp"
#include "model/fields.hpp"
#include "model/keys.hpp"

namespace hstar::model {

class ElementCheck {
 public:
  ElementCheck(const SectionSpec& section, std::string owner, const Location& where)
      : section_(section), owner_(std::move(owner)), where_(where) {}

  [[nodiscard]] const std::string& owner() const { return owner_; }
  [[nodiscard]] const Location& where() const { return where_; }

  void number(std::string_view key, double x) const;  ///< finite and in the key's range
  /// The same where 0 stands for "not given".
  void number_if_given(std::string_view key, double x) const;
  void finite(std::string_view key, std::span<const double> x) const;
  void direction(std::string_view key, std::span<const double> x) const;  ///< finite and not of zero length
  void word(std::string_view key, const std::string& given) const;
  void formula(std::string_view key, const Expression& given) const;  ///< if it is constant: as a number
  void friction(const FrictionSpec& given) const;
  /// Of a joint with this many free coordinates.
  void limits(std::span<const LimitsSpec> given, int coordinates) const;

  [[noreturn]] void missing(std::string_view key) const;
  [[noreturn]] void fail(std::string_view key, std::string_view value, std::string_view problem) const;
  [[noreturn]] void plainly(const std::string& message) const;  ///< owner: message

 private:
  const SectionSpec& section_;
  std::string owner_;
  Location where_;
};

/// Names of a model: of bodies, of elements, and those that stand alone in formulas. Each group has no name twice.
class NameCheck {
 public:
  void claim(std::string_view group, const std::string& name, const ElementCheck& element, NameUse use);

 private:
  std::set<std::string, std::less<>> taken_;
};

/// Bodies of a model and what can be done with them.
class BodyCheck {
 public:
  enum class Kind : unsigned char { rigid, point_mass, prescribed };
  void add(const std::string& name, Kind kind) { kind_.emplace(name, kind); }

  /// Every body exists. @throws InputError naming the one that does not.
  void known(std::initializer_list<std::string_view> bodies, const ElementCheck& element) const;
  [[nodiscard]] bool moves_freely(std::string_view body) const;
  /// Two different bodies, one of which moves freely.
  void one_moves(const std::string& a, const std::string& b, const ElementCheck& element) const;
  void has_angle(const std::string& body, const ElementCheck& element) const;

 private:
  std::map<std::string, Kind, std::less<>> kind_;
};

// check_planar.cpp, check_spatial.cpp
void check_planar(const ModelSpec& spec, NameCheck& names);
void check_spatial(const ModelSpec& spec, NameCheck& names);
/// The impact law and friction of a contact of either dimension.
template <class Contact>
void check_laws(const ElementCheck& check, const Contact& contact) {
  check.number("restitution", contact.restitution);
  check.number("restitution_tangential", contact.restitution_tangential);
  if (find_impact_law(contact.impact_law) == nullptr) check.word("impact_law", contact.impact_law);
  if (contact.friction) check.friction(*contact.friction);
}

}  // namespace hstar::model
