// src/model/read_automaton.cpp
//
// States, guards and measures: the parts of a model that need no bodies.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "mechanism/signals.hpp"
#include "model/defects.hpp"
#include "model/nearest.hpp"
#include "model/reader.hpp"

namespace hstar::model {
std::vector<double> ticks(const Fields& fields, const SimulationSpec& run) {
  constexpr double most = 1e7;  // 80 MB of times
  const double every = fields.number("every"), from = fields.has("from") ? fields.number("from") : run.start,
               until = fields.has("until") ? std::min(fields.number("until"), run.end) : run.end;
  const double count = std::floor((until - from) / every * (1 + 1e-12)) + 1;
  if (!(count >= 1))
    fields.fail_plainly("from", fmt::format("from = {} s is later than {}, {} s", from,
                                            until < run.end ? "until" : "the end of the run", until));
  if (count > most)
    fields.fail_plainly("every",
                        fmt::format("{:.3g} events are more than {:.0e}; give a longer interval", count, most));
  std::vector<double> times(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < times.size(); ++k) times[k] = std::min(from + static_cast<double>(k) * every, until);
  return times;
}

void Reader::state(const Value& table, std::size_t number) {
  const std::string owner = owner_of("state", table, number);
  Fields fields(context_, section("state"), table, owner);
  fields.check_for("");
  StateSpec s;
  s.where = table.where;
  s.name = fields.name(NameUse::state);
  if (context_.is_parameter(s.name))
    throw InputError(fields.where("name"),
                     fmt::format("{}: the name \"{}\" is taken by a parameter; choose another", owner, s.name));
  claim("plain", s.name, fields.where("name"), owner);
  s.initial = fields.number("initial");
  const bool discrete = fields.boolean("discrete");
  if (discrete && fields.has("rate")) fields.fail_plainly("rate", "a discrete state has no rate; remove one of them");
  if (!discrete && !fields.has("rate")) fields.missing("rate");
  s.rate = discrete ? Expression::constant(0) : fields.formula("rate");
  spec_.states.push_back(std::move(s));
}

void Reader::guard(const Value& table, std::size_t number) {
  const std::string owner = owner_of("guard", table, number);
  Fields fields(context_, section("guard"), table, owner);
  fields.check_for("");
  GuardSpec g;
  g.where = table.where;
  g.name = fields.name();
  claim("element", g.name, fields.where("name"), owner);
  const int ways = fields.has("when") + fields.has("times") + fields.has("every");
  if (ways > 1) fields.fail_plainly(fields.has("every") ? "every" : "times", "give one of when, times and every");
  if (ways == 0)
    fields.fail_plainly("name",
                        "what it watches is missing; give when (a formula), times (a list) or every (an interval)");
  for (const char* key : {"from", "until"})
    if (fields.has(key) && !fields.has("every"))
      fields.fail_plainly(key, fmt::format("{} goes with every; remove it", key));
  if (!fields.has("when")) {
    for (const char* key : {"crossing", "g_tol"})
      if (fields.has(key)) fields.fail_plainly(key, fmt::format("{} does not apply to time events; remove it", key));
    g.times = fields.has("every") ? ticks(fields, spec_.simulation) : fields.numbers("times");
    if (const auto defect = times_defect(g.times)) fields.fail_plainly(defect->key, defect->message);
  } else {
    g.when = fields.formula("when");
    if (g.when.is_constant()) fields.fail("when", "is constant and never changes sign");
  }
  g.crossing = fields.word("crossing");
  g.kind = fields.text("kind");
  if (!g.kind.empty()) {
    const bool good = std::all_of(g.kind.begin(), g.kind.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    if (!good) fields.fail("kind", "must be one word of letters, digits, _ and -");
  }
  if (const Value* reset = fields.find("reset")) {
    if (!reset->is_table() || reset->members.empty()) fields.fail("reset", "must be a table { state = formula }");
    std::vector<std::string> states;
    for (const StateSpec& s : spec_.states) states.push_back(s.name);
    for (const Member& m : reset->members) {
      if (std::find(states.begin(), states.end(), m.key) == states.end())
        throw InputError(m.where, fmt::format("{}: reset: unknown state \"{}\"; {}", owner, m.key,
                                              suggestion(m.key, states, "states")));
      const std::string label = fmt::format("{}: reset: {}", owner, m.key);
      g.reset.emplace_back(m.key, context_.compile(m.value, label));
      context_.uses.push_back({g.reset.back().second, Scope::measured, label});
    }
  }
  g.terminal = fields.boolean("terminal");
  g.g_tol = fields.number("g_tol");
  spec_.guards.push_back(std::move(g));
}

void Reader::measure(const Value& table, std::size_t number) {
  const std::string owner = owner_of("measure", table, number);
  Fields fields(context_, section("measure"), table, owner);
  fields.check_for("");
  MeasureSpec m;
  m.where = table.where;
  m.name = fields.name(NameUse::column);
  claim("plain", m.name, fields.where("name"), owner);
  m.unit = fields.text("unit");
  if (m.unit.find_first_of(",\"") != std::string::npos) fields.fail("unit", "must not contain commas or quotes");
  m.value = fields.formula("value");
  spec_.measures.push_back(std::move(m));
}

void Reader::acceleration_measures(const Location& where) {
  const auto add = [&](const std::string& name, const std::string& unit, const std::string& formula) {
    Value text;
    text.kind = Value::Kind::text;
    text.text = formula;
    text.where = where;
    spec_.measures.push_back({name, unit, where, context_.compile(text, name)});
    context_.uses.push_back({spec_.measures.back().value, Scope::reaction, name});
  };
  for (const BodySpec& b : spec_.bodies) {
    if (b.motion) continue;
    for (const char* word : {"ax", "ay"}) add(b.name + "." + word, "m/s^2", b.name + "." + word);
    if (b.inertia) add(b.name + ".alpha", "rad/s^2", b.name + ".alpha");
  }
  // p_dot = G^T omega_bar / 2, by parameter.
  constexpr const char* p_dot[] = {"-0.5*(B.e1*B.wx + B.e2*B.wy + B.e3*B.wz)",
                                   "0.5*(B.e0*B.wx - B.e3*B.wy + B.e2*B.wz)", "0.5*(B.e3*B.wx + B.e0*B.wy - B.e1*B.wz)",
                                   "0.5*(-B.e2*B.wx + B.e1*B.wy + B.e0*B.wz)"};
  for (const SpatialBodySpec& b : spec_.spatial.bodies) {
    if (b.motion) continue;
    for (std::size_t i = 0; i < spatial_acceleration_words.size(); ++i) {
      const std::string name = b.name + "." + spatial_acceleration_words[i];
      add(name, i < 3 ? "m/s^2" : "rad/s^2", name);
    }
    for (int i = 0; i < 4; ++i) {
      std::string formula;
      for (const char* c = p_dot[i]; *c != '\0'; ++c) formula += *c == 'B' ? b.name : std::string(1, *c);
      add(fmt::format("{}.e{}_dot", b.name, i), "1/s", formula);
    }
  }
}

}  // namespace hstar::model
