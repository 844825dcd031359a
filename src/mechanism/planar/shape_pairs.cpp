// src/mechanism/planar/shape_pairs.cpp
#include "mechanism/planar/shape_pairs.hpp"

#include <cmath>

#include "mechanism/kinematics.hpp"

namespace hstar {
namespace {

constexpr double pi = 3.14159265358979323846;

ShapeSpec part(const ShapeSpec& whole, std::string shape, Vec2 offset) {
  ShapeSpec s;
  s.shape = std::move(shape);
  s.marker = whole.marker;
  if (offset != Vec2{0, 0}) {  // a point that moves with t belongs to shapes without parts
    s.marker.x = Expression::constant(whole.marker.x.constant_value() + offset[0]);
    s.marker.y = Expression::constant(whole.marker.y.constant_value() + offset[1]);
  }
  return s;
}

/// The straight piece from a to b that is touched from its left.
Feature edge(const ShapeSpec& whole, std::string name, Vec2 a, Vec2 b) {
  Feature f{std::move(name), part(whole, "line", a), false};
  const Vec2 along = b - a;
  f.shape.length = norm(along);
  f.shape.normal = (1 / f.shape.length) * perp(along);
  f.shape.surface_velocity = whole.surface_velocity;
  return f;
}

Feature corner(const ShapeSpec& whole, std::string name, Vec2 at) {
  return {std::move(name), part(whole, "point", at), true};
}

/// The inner side of a circle between two angles of the body.
Feature hollow(const ShapeSpec& whole, std::string name, Vec2 centre, double from, double to) {
  Feature f{std::move(name), part(whole, "hole", centre), false};
  f.shape.radius = whole.radius;
  f.shape.angles = {from, to};
  return f;
}

Vec2 on_circle(double radius, double angle) { return {radius * std::cos(angle), radius * std::sin(angle)}; }

std::vector<Feature> polygon(const ShapeSpec& s) {
  std::vector<Feature> all;
  const std::size_t n = s.corners.size();
  for (std::size_t i = 0; i < n; ++i) all.push_back(corner(s, "corner" + std::to_string(i + 1), s.corners[i]));
  for (std::size_t i = 0; i < n; ++i)  // counterclockwise: the outside is on the right
    all.push_back(edge(s, "edge" + std::to_string(i + 1), s.corners[(i + 1) % n], s.corners[i]));
  return all;
}

std::vector<Feature> segment(const ShapeSpec& s) {
  return {corner(s, "end1", s.corners[0]), corner(s, "end2", s.corners[1]),
          edge(s, "side", s.corners[0], s.corners[1])};
}

std::vector<Feature> arc(const ShapeSpec& s) {
  return {corner(s, "end1", on_circle(s.radius, s.angles[0])), corner(s, "end2", on_circle(s.radius, s.angles[1])),
          hollow(s, "side", {0, 0}, s.angles[0], s.angles[1])};
}

std::vector<Feature> slot(const ShapeSpec& s) {
  const Vec2 a = s.corners[0], b = s.corners[1], along = b - a, across = (s.radius / norm(along)) * perp(along);
  const double direction = std::atan2(along[1], along[0]);
  return {edge(s, "side1", a - across, b - across), edge(s, "side2", b + across, a + across),
          hollow(s, "end1", a, direction + 0.5 * pi, direction + 1.5 * pi),
          hollow(s, "end2", b, direction - 0.5 * pi, direction + 0.5 * pi)};
}

/// The contact of two features in the order the registry of contacts knows; none if they cannot touch.
bool meet(const Feature& a, const Feature& b, ContactSpec& contact) {
  const auto round = [](const Feature& f) { return f.shape.shape == "circle" || f.shape.shape == "point"; };
  const auto radius = [](const Feature& f) { return f.shape.shape == "circle" ? f.shape.radius : 0.0; };
  const auto ordered = [&](const Feature& first, const Feature& second) {
    contact.first = first.shape;
    contact.second = second.shape;
    return true;
  };
  if (!round(a) && !round(b)) return false;
  if (!round(a)) return ordered(a, b);
  if (!round(b)) return ordered(b, a);
  if (radius(a) == 0 && radius(b) == 0) return false;
  return radius(a) == 0 ? ordered(b, a) : ordered(a, b);
}

}  // namespace

std::vector<Feature> features(const ShapeSpec& shape) {
  if (shape.shape == "polygon") return polygon(shape);
  if (shape.shape == "segment") return segment(shape);
  if (shape.shape == "arc") return arc(shape);
  if (shape.shape == "slot") return slot(shape);
  return {Feature{{}, shape, false}};
}

std::vector<ContactSpec> point_contacts(const ContactSpec& contact) {
  if (contact.gap) return {contact};
  std::vector<ContactSpec> all;
  const std::vector<Feature> firsts = features(contact.first), seconds = features(contact.second);
  // (The sides of a slot are touched at once.)
  const bool once = contact.first.shape != "slot" && contact.second.shape != "slot";
  const auto circle = [&](const std::vector<Feature>& of, const Feature& f) {
    return once && f.shape.shape == "circle" ? static_cast<int>(&f - of.data()) : -1;
  };
  for (const Feature& a : firsts)
    for (const Feature& b : seconds) {
      ContactSpec c = contact;
      if (!meet(a, b, c)) continue;
      c.circle = {circle(firsts, a), circle(seconds, b)};
      const std::string place = a.name + (a.name.empty() || b.name.empty() ? "" : "_") + b.name;
      if (!place.empty()) c.name += "." + place;
      all.push_back(std::move(c));
    }
  return all;
}

std::vector<ContactSpec> point_contacts(const std::vector<ContactSpec>& contacts) {
  std::vector<ContactSpec> all;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    auto parts = point_contacts(contacts[i]);
    if (parts.empty()) parts.push_back(contacts[i]);
    for (ContactSpec& part : parts) {
      part.group = static_cast<int>(i);
      all.push_back(std::move(part));
    }
  }
  return all;
}

}  // namespace hstar
