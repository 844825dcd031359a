// src/model/simengine2d.cpp: bodies, constraints, forces and analyses, each as the section of ours that means the same.
#include "model/simengine2d.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/fields.hpp"
#include "model/nearest.hpp"

namespace hstar::model {
namespace {

Value text_value(std::string text, const Location& where) {
  Value v;
  v.kind = Value::Kind::text;
  v.text = std::move(text);
  v.where = where;
  return v;
}

Value number_value(double number, const Location& where) {
  Value v;
  v.kind = Value::Kind::number;
  v.number = number;
  v.where = where;
  return v;
}

Value list_of(std::vector<Value> items, const Location& where) {
  Value v;
  v.kind = Value::Kind::array;
  v.items = std::move(items);
  v.where = where;
  return v;
}

void put(Value& table, const char* key, Value value) {
  const Location where = value.where;
  table.members.push_back({key, where, std::move(value)});
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// MATLAB's element-wise operators and Python's power, in as many columns.
Value in_our_operators(Value v) {
  if (!v.is_text()) return v;
  for (std::size_t i = 0; i + 1 < v.text.size(); ++i) {
    const char next = v.text[i + 1];
    const bool number_before = i > 0 && std::isdigit(static_cast<unsigned char>(v.text[i - 1])) != 0;
    if (v.text[i] == '.' && (next == '*' || next == '/' || next == '^') && !number_before) v.text[i] = ' ';
    if (v.text[i] == '*' && next == '*') {
      v.text[i] = ' ';
      v.text[i + 1] = '^';
    }
  }
  return v;
}

/// One object of the file: its keys, checked against those that its type has.
class Object {
 public:
  Object(const Value& table, std::string owner) : table_(table), owner_(std::move(owner)) {
    if (!table.is_table())
      throw InputError(table.where, fmt::format("{} = {} must be an object {{ ... }}", owner_, table.shown()));
  }

  [[nodiscard]] const std::string& owner() const { return owner_; }
  [[nodiscard]] const Location& where() const { return table_.where; }
  [[nodiscard]] const Value* find(std::string_view key) const {
    const Member* m = table_.find(key);
    return m != nullptr ? &m->value : nullptr;
  }
  [[nodiscard]] const Value& get(const char* key) const {
    const Value* v = find(key);
    if (v == nullptr) throw InputError(table_.where, fmt::format("{}: \"{}\" is missing", owner_, key));
    return *v;
  }
  /// A list of so many numbers (or constant formulas in quotes).
  [[nodiscard]] std::vector<Value> numbers(const char* key, std::size_t count) const {
    const Value& v = get(key);
    const bool good = v.is_array() && v.items.size() == count &&
                      std::all_of(v.items.begin(), v.items.end(),
                                  [](const Value& item) { return item.is_number() || item.is_text(); });
    if (!good)
      throw InputError(v.where,
                       fmt::format("{}: \"{}\" = {} must be a list of {} numbers", owner_, key, v.shown(), count));
    std::vector<Value> items = v.items;
    std::transform(items.begin(), items.end(), items.begin(), in_our_operators);
    return items;
  }
  [[nodiscard]] std::array<double, 2> pair(const char* key) const {
    const auto items = numbers(key, 2);
    for (const Value& item : items)
      if (!item.is_number())
        throw InputError(item.where, fmt::format("{}: \"{}\" must be a list of 2 plain numbers", owner_, key));
    return {items[0].number, items[1].number};
  }
  [[nodiscard]] double number(const char* key) const {
    const Value& v = get(key);
    if (!v.is_number())
      throw InputError(v.where, fmt::format("{}: \"{}\" = {} must be a number", owner_, key, v.shown()));
    return v.number;
  }
  /// A function of t.
  [[nodiscard]] Value function(const char* key) const {
    const Value& v = get(key);
    if (!(v.is_number() || v.is_text()) || (v.is_text() && v.text == "NONE"))
      throw InputError(v.where,
                       fmt::format("{}: \"{}\" = {} must be a function of t in quotes", owner_, key, v.shown()));
    return in_our_operators(v);
  }
  /// Joints between two bodies are not driven: no function but NONE and 0.
  void no_function() const {
    if (const Value* v = find("fun");
        v != nullptr && !(v->is_text() && (v->text == "NONE" || v->text == "0")) && !(v->is_number() && v->number == 0))
      throw InputError(v->where,
                       fmt::format("{}: \"fun\" = {} is not taken: this constraint has no function of t; write "
                                   "\"NONE\"",
                                   owner_, v->shown()));
  }
  void only(std::vector<std::string> known) const {
    for (const Member& m : table_.members)
      if (std::find(known.begin(), known.end(), m.key) == known.end())
        throw InputError(
            m.where, fmt::format("{}: \"{}\" is not taken; {}", owner_, m.key, suggestion(m.key, known, "taken are")));
  }

 private:
  const Value& table_;
  std::string owner_;
};

class Importer {
 public:
  Imported model(const Value& given) {
    const Object top(given, "the model");
    top.only({"name", "gravity", "bodies", "constraints", "forces", "vis"});
    if (top.find("vis") != nullptr) drawing_ = true;
    Value& document = result_.document;
    document.where = given.where;
    if (const Value* name = top.find("name")) put(document, "title", *name);
    if (top.find("gravity") != nullptr) {
      put(document, "gravity", list_of(top.numbers("gravity", 2), top.get("gravity").where));
    } else {
      put(document, "gravity", list_of({number_value(0, {}), number_value(-9.81, {})}, given.where));
      notice("\"gravity\" is not given; it is taken as [0, -9.81] m/s^2, as simEngine2D does");
    }
    bodies_ = list_of({}, given.where);
    joints_ = forces_ = bodies_;
    each(top, "bodies", "body", [this](const Object& o) { body(o); });
    if (bodies_.items.empty()) throw InputError(given.where, "the model is empty: \"bodies\" holds nothing");
    each(top, "constraints", "constraint", [this](const Object& o) { constraint(o); });
    each(top, "forces", "force", [this](const Object& o) { force(o); });
    if (drawing_) notice("\"vis\" and \"ffo\", which tell how to draw, are left out");
    return std::move(result_);
  }

  void finish(Imported& imported, const Value* analysis) {
    result_ = std::move(imported);
    Value simulation;
    if (analysis == nullptr) {
      put(simulation, "end", number_value(10, {}));
      notice("without an analysis file the run ends at 10 s; --set simulation.end=... changes that");
    } else {
      analyse(Object(*analysis, "the analysis"), simulation);
    }
    put(result_.document, "simulation", std::move(simulation));
    if (!bodies_.items.empty()) put(result_.document, "body", std::move(bodies_));
    if (!joints_.items.empty()) put(result_.document, "joint", std::move(joints_));
    if (!forces_.items.empty()) put(result_.document, "force", std::move(forces_));
    imported = std::move(result_);
  }

 private:
  struct Known {
    std::string name;
    double angle = 0;
  };

  void notice(std::string text) { result_.notices.push_back(std::move(text)); }

  template <class Take>
  static void each(const Object& top, const char* key, const char* what, const Take& take) {
    const Value* list = top.find(key);
    if (list == nullptr) return;
    if (list->is_table()) {  // one alone may stand without a list
      take(Object(*list, fmt::format("{} 1", what)));
      return;
    }
    if (!list->is_array()) throw InputError(list->where, fmt::format("\"{}\" = {} must be a list", key, list->shown()));
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      std::string owner = fmt::format("{} {}", what, i + 1);
      if (const Member* name = list->items[i].find("name"); name != nullptr && name->value.is_text())
        owner += fmt::format(" \"{}\"", name->value.text);
      take(Object(list->items[i], owner));
    }
  }

  /// A name that formulas can use, none twice.
  std::string name_of(const Object& o, const std::string& otherwise, std::set<std::string>& taken) {
    const Value* given = o.find("name");
    if (given != nullptr && !given->is_text())
      throw InputError(given->where, fmt::format("{}: \"name\" must be text in quotes", o.owner()));
    std::string name = given != nullptr ? given->text : otherwise;
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) name = "_" + name;
    if (name == "ground") name = "ground_";
    const std::string base = name;
    for (int i = 2; !taken.insert(name).second; ++i) name = base + "_" + std::to_string(i);
    if (given != nullptr && name != given->text)
      notice(fmt::format("{} is called {} here: names are letters, digits and _, and differ", o.owner(), name));
    return name;
  }

  void body(const Object& o) {
    o.only({"name", "id", "mass", "jbar", "q0", "qd0", "vis", "ffo"});
    drawing_ = drawing_ || o.find("vis") != nullptr || o.find("ffo") != nullptr;
    const long number = static_cast<long>(bodies_.items.size()) + 1;
    const double id = o.find("id") != nullptr ? o.number("id") : static_cast<double>(number);
    if (id < 0 || id > 1e9 || id != std::floor(id) || !known_.emplace(static_cast<long>(id), Known{}).second)
      throw InputError(o.get("id").where, fmt::format("{}: \"id\" = {} must be a whole number that no other body has",
                                                      o.owner(), o.get("id").shown()));
    Known& known = known_[static_cast<long>(id)];
    known.name = name_of(o, fmt::format("body_{}", number), body_names_);
    Value b;
    b.where = o.where();
    put(b, "name", text_value(known.name, o.where()));
    put(b, "mass", o.get("mass"));
    put(b, "inertia", o.get("jbar"));
    const auto place = o.numbers("q0", 3);
    put(b, "position", list_of({place[0], place[1]}, o.get("q0").where));
    put(b, "angle", place[2]);
    known.angle = place[2].number;
    if (o.find("qd0") != nullptr) {
      const auto speed = o.numbers("qd0", 3);
      put(b, "velocity", list_of({speed[0], speed[1]}, o.get("qd0").where));
      put(b, "angular_velocity", speed[2]);
    } else {
      notice(o.owner() + ": \"qd0\" is not given; it starts at rest");
    }
    bodies_.items.push_back(std::move(b));
  }

  [[nodiscard]] Known body_of(const Object& o, const char* key) const {
    const double id = o.number(key);
    const bool whole = std::abs(id) <= 1e9 && id == std::floor(id);
    const auto found = whole ? known_.find(static_cast<long>(id)) : known_.end();
    if (found != known_.end()) return found->second;
    if (id == 0) return {"ground", 0};
    throw InputError(o.get(key).where, fmt::format("{}: \"{}\" = {}: no body has that id", o.owner(), key, id));
  }
  [[nodiscard]] Value body_text(const Object& o, const char* key) const {
    return text_value(body_of(o, key).name, o.get(key).where);
  }
  [[nodiscard]] Value bodies(const Object& o) const {
    return list_of({body_text(o, "body1"), body_text(o, "body2")}, o.get("body1").where);
  }
  [[nodiscard]] static Value points(const Object& o) {
    return list_of({list_of(o.numbers("sP1", 2), o.get("sP1").where), list_of(o.numbers("sP2", 2), o.get("sP2").where)},
                   o.get("sP1").where);
  }

  static std::string type_of(const Object& o, const std::vector<std::string>& known) {
    const Value& type = o.get("type");
    if (!type.is_text() || std::find(known.begin(), known.end(), type.text) == known.end())
      throw InputError(type.where, fmt::format("{}: \"type\" = {} is not taken; {}", o.owner(), type.shown(),
                                               suggestion(type.text, known, "taken are")));
    return type.text;
  }

  [[nodiscard]] Value element(const Object& o, const char* otherwise, const char* type) {
    Value e;
    e.where = o.where();
    put(e, "name", text_value(name_of(o, otherwise, element_names_), o.where()));
    put(e, "type", text_value(type, o.where()));
    return e;
  }

  void constraint(const Object& o) {
    const std::string type =
        type_of(o, {"AbsoluteX", "AbsoluteY", "AbsoluteAngle", "RevoluteJoint", "TranslationalJoint", "RackPinion"});
    const std::string otherwise = fmt::format("constraint_{}", joints_.items.size() + 1);
    if (type == "RackPinion") return rack_pinion(o, otherwise);
    Value j = element(o, otherwise.c_str(),
                      type == "AbsoluteX"       ? "absolute_x"
                      : type == "AbsoluteY"     ? "absolute_y"
                      : type == "AbsoluteAngle" ? "absolute_angle"
                      : type == "RevoluteJoint" ? "revolute"
                                                : "translational");
    if (type.starts_with("Absolute")) {
      o.only({"name", "id", "type", "body1", "sP1", "fun"});
      put(j, "body", body_text(o, "body1"));
      if (type != "AbsoluteAngle") put(j, "point", list_of(o.numbers("sP1", 2), o.get("sP1").where));
      put(j, "value", o.function("fun"));
    } else {
      const bool slides = type == "TranslationalJoint";
      o.only(slides
                 ? std::vector<std::string>{"name", "id", "type", "body1", "sP1", "vP1", "body2", "sP2", "vP2", "fun"}
                 : std::vector<std::string>{"name", "id", "type", "body1", "sP1", "body2", "sP2", "fun"});
      o.no_function();
      put(j, "bodies", bodies(o));
      put(j, "points", points(o));
      if (slides) {
        const auto v1 = o.pair("vP1"), v2 = o.pair("vP2");
        put(j, "axis", list_of(o.numbers("vP1", 2), o.get("vP1").where));
        if (std::hypot(v2[0], v2[1]) == 0)
          throw InputError(o.get("vP2").where, o.owner() + ": \"vP2\" = [0, 0] is not a direction");
        // vP1 and vP2 are parallel or opposite, whichever is nearer to the angles at the start.
        const double pi = std::acos(-1.0), between = std::atan2(v1[1], v1[0]) - std::atan2(v2[1], v2[0]);
        const double start = body_of(o, "body2").angle - body_of(o, "body1").angle;
        put(j, "angle", number_value(between + pi * std::round((start - between) / pi), o.get("vP2").where));
      }
    }
    joints_.items.push_back(std::move(j));
  }

  /// Coordinates of a body as text: 0 for the ground.
  static std::string coordinate(const Known& body, const char* which) {
    return body.name == "ground" ? "0" : body.name + "." + which;
  }

  /// The pinion (body 2, radius R2, centre sP2) rolls on the line from sP1 to sQ1 of the rack (body 1): Haug 1989,
  /// section 3.4. Two equations in coordinates.
  void rack_pinion(const Object& o, const std::string& otherwise) {
    o.only({"name", "id", "type", "body1", "body2", "sP1", "sQ1", "sP2", "theta1", "theta2", "R2", "fun"});
    o.no_function();
    const Known rack = body_of(o, "body1"), pinion = body_of(o, "body2");
    const auto p = o.pair("sP1"), q = o.pair("sQ1"), c = o.pair("sP2");
    const double vx = q[0] - p[0], vy = q[1] - p[1], reach = std::hypot(vx, vy) * o.number("R2");
    if (reach == 0) throw InputError(o.get("sQ1").where, o.owner() + ": sP1 and sQ1 must differ, and R2 must not be 0");
    const auto turned_x = [](const std::string& a, double x, double y) {
      return fmt::format("(({})*cos({})-({})*sin({}))", x, a, y, a);
    };
    const auto turned_y = [](const std::string& a, double x, double y) {
      return fmt::format("(({})*sin({})+({})*cos({}))", x, a, y, a);
    };
    const std::string a = coordinate(rack, "angle"), b = coordinate(pinion, "angle");
    const auto from = [&](const std::array<double, 2>& point, bool x) {  // of the rack to the centre of the pinion
      const char* axis = x ? "x" : "y";
      return fmt::format("({}+{}-{}-{})", coordinate(pinion, axis),
                         x ? turned_x(b, c[0], c[1]) : turned_y(b, c[0], c[1]), coordinate(rack, axis),
                         x ? turned_x(a, point[0], point[1]) : turned_y(a, point[0], point[1]));
    };
    const std::string rolls =
        fmt::format("{}*{}+{}*{}-({})*({}-{}+({})-({})+1.5*pi)", from(q, true), turned_x(a, vx, vy), from(q, false),
                    turned_y(a, vx, vy), reach, a, b, o.number("theta1"), o.number("theta2"));
    const std::string touches =
        fmt::format("{}*{}-{}*{}-({})", from(p, false), turned_x(a, vx, vy), from(p, true), turned_y(a, vx, vy), reach);
    Value first = element(o, otherwise.c_str(), "equation");
    Value second = first;
    second.members[0].value.text = name_of(Object(second, o.owner()), otherwise, element_names_);
    result_.notices.pop_back();  // of the second name
    put(first, "equation", text_value(rolls, o.where()));
    put(second, "equation", text_value(touches, o.where()));
    notice(o.owner() + ": RackPinion is written as two constraints of type equation");
    joints_.items.push_back(std::move(first));
    joints_.items.push_back(std::move(second));
  }

  void force(const Object& o) {
    const std::string type = type_of(o, {"PointForce", "Torque", "RSDA", "RSDA1", "RSDA2", "TSDA"});
    const std::string otherwise = fmt::format("force_{}", forces_.items.size() + 1);
    Value f = element(o, otherwise.c_str(),
                      type == "PointForce" ? "point_force"
                      : type == "Torque"   ? "torque"
                      : type == "TSDA"     ? "spring_damper"
                                           : "rotational_spring_damper");
    if (type == "PointForce") {
      o.only({"name", "id", "type", "body1", "sP1", "frame", "funX", "funY"});
      put(f, "body", body_text(o, "body1"));
      put(f, "point", list_of(o.numbers("sP1", 2), o.get("sP1").where));
      put(f, "force", list_of({o.function("funX"), o.function("funY")}, o.get("funX").where));
      const Value& frame = o.get("frame");
      if (!frame.is_text() || (frame.text != "GRF" && frame.text != "LRF"))
        throw InputError(frame.where,
                         fmt::format("{}: \"frame\" = {} must be \"GRF\" (global) or \"LRF\" (of the body)", o.owner(),
                                     frame.shown()));
      put(f, "frame", text_value(frame.text == "GRF" ? "global" : "body", frame.where));
    } else if (type == "Torque") {
      o.only({"name", "id", "type", "body1", "fun"});
      put(f, "body", body_text(o, "body1"));
      put(f, "torque", o.function("fun"));
    } else if (type == "TSDA") {
      o.only({"name", "id", "type", "body1", "sP1", "body2", "sP2", "k", "c", "l0", "fun"});
      std::vector<Value> ends;
      for (const auto& [body, point] : {std::pair{"body1", "sP1"}, std::pair{"body2", "sP2"}}) {
        Value end;
        end.where = o.get(body).where;
        put(end, "body", body_text(o, body));
        put(end, "point", list_of(o.numbers(point, 2), o.get(point).where));
        ends.push_back(std::move(end));
      }
      put(f, "between", list_of(std::move(ends), o.get("body1").where));
      spring(o, f, "l0", "free_length");
    } else {
      // RSDA1, and RSDA with one body: the body against the ground, which is then the first.
      const bool one = type == "RSDA1" || (type == "RSDA" && o.find("body2") == nullptr);
      o.only(one ? std::vector<std::string>{"name", "id", "type", "body1", "theta0", "k", "c", "fun"}
                 : std::vector<std::string>{"name", "id", "type", "body1", "body2", "theta0", "k", "c", "fun"});
      const Value& first = o.get("body1");
      put(f, "bodies",
          one ? list_of({text_value("ground", first.where), body_text(o, "body1")}, first.where) : bodies(o));
      spring(o, f, "theta0", "free_angle");
    }
    forces_.items.push_back(std::move(f));
  }

  static void spring(const Object& o, Value& f, const char* given, const char* free) {
    put(f, "stiffness", o.function("k"));
    put(f, "damping", o.function("c"));
    put(f, free, o.function(given));
    if (const Value* v = o.find("fun"); v != nullptr && !(v->is_text() && v->text == "NONE"))
      put(f, "actuator", o.function("fun"));
  }

  void analyse(const Object& o, Value& simulation) {
    o.only({"simulation", "tend", "stepSize", "outputSteps"});
    simulation.where = o.where();
    put(simulation, "end", o.get("tend"));
    if (o.find("outputSteps") != nullptr) {
      const double steps = o.number("outputSteps");
      if (!(steps >= 1))
        throw InputError(o.get("outputSteps").where, "the analysis: \"outputSteps\" must be at least 1");
      put(simulation, "output", number_value(o.number("tend") / steps, o.get("outputSteps").where));
    }
    const Value& kind = o.get("simulation");
    std::string word = lower(kind.text);
    std::erase(word, ' ');
    if (o.find("stepSize") != nullptr && word == "dynamics") {
      put(simulation, "fixed_step", o.get("stepSize"));
      put(simulation, "integrator", text_value("newmark", o.get("stepSize").where));
      notice(
          "\"stepSize\" is taken, with Newmark's method as simEngine2D steps; for error control (rtol) give --set "
          "simulation.fixed_step=0 and --integrator dop853");
    } else if (o.find("stepSize") != nullptr) {
      notice("\"stepSize\" is left out: this analysis has no steps of a method");
    }
    const std::map<std::string, std::string> verbs{{"dynamics", "run"},
                                                   {"kinematics", "kinematics"},
                                                   {"equilibrium", "equilibrium"},
                                                   {"inversedynamics", "inverse"}};
    const auto verb = verbs.find(word);
    if (verb == verbs.end())
      throw InputError(kind.where, fmt::format("the analysis: \"simulation\" = {} is not taken; taken are Dynamics, "
                                               "Kinematics, Equilibrium, InverseDynamics",
                                               kind.shown()));
    if (verb->second != "run")
      notice(fmt::format("the analysis is {}: that is `hstar {}`", kind.shown(), verb->second));
  }

  Imported result_;
  Value bodies_, joints_, forces_;
  std::map<long, Known> known_;  ///< bodies by id
  std::set<std::string> body_names_, element_names_;
  bool drawing_ = false;
};

}  // namespace

Imported import_simengine2d(const Value& model, const Value* analysis) {
  Importer importer;
  Imported imported = importer.model(model);
  importer.finish(imported, analysis);
  return imported;
}

}  // namespace hstar::model
