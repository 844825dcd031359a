// src/cli/classify_verb.cpp: `hstar classify`.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "cli/model_argument.hpp"
#include "cli/verb.hpp"
#include "hstar/error.hpp"
#include "hstar/modes.hpp"
#include "hstar/record.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t comma = std::min(line.find(',', from), line.size());
    std::string cell = line.substr(from, comma - from);
    const auto begin = cell.find_first_not_of(" \t\r"), end = cell.find_last_not_of(" \t\r");
    out.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
    from = comma + 1;
  }
  return out;
}

/// Values of one element over the modes of an answer: "2.94;0".
template <class Value>
std::string by_mode(const ModeAnswer& answer, std::size_t element, const Value& value) {
  std::string out;
  for (const ConsistentMode& m : answer.modes)
    out += (&m == answer.modes.data() ? "" : ";") +
           (element < m.elements.size() ? number_text(value(m.elements[element])) : "");
  return out;
}

std::string answer_cells(const ModeAnswer& answer, const std::vector<std::string>& elements,
                         const std::vector<std::string>& contacts) {
  std::string out = answer.kind + ",";
  for (const ConsistentMode& m : answer.modes) out += (&m == answer.modes.data() ? "" : ";") + m.text;
  for (std::size_t i = 0; i < elements.size(); ++i)
    out += "," + by_mode(answer, i, [](const ElementInMode& e) { return e.lambda_n; }) + "," +
           by_mode(answer, i, [](const ElementInMode& e) { return e.lambda_t; });
  for (const std::string& name : contacts) {
    const auto c = std::find_if(answer.contacts.begin(), answer.contacts.end(),
                                [&](const ContactNumbers& n) { return n.contact == name; });
    out += c == answer.contacts.end()
               ? ",,,"
               : "," + number_text(c->b) + "," + number_text(c->p_plus) + "," + number_text(c->p_minus);
  }
  return out;
}

std::string table_of(const std::string& model_file, const std::vector<Override>& overrides, const std::string& path) {
  std::ifstream in(path);
  if (!in) throw InputError("cannot read the table of states '" + path + "'");
  const ModelSpec plain = read_model(model_file, overrides);
  std::vector<std::string> elements, contacts;
  for (const JointSpec& j : plain.joints)
    if (j.friction) elements.push_back(j.name);
  for (const SpatialJointSpec& j : plain.spatial.joints)
    if (j.friction) elements.push_back(j.name);
  const auto add_contacts = [&](const auto& list) {
    for (const auto& c : list) {
      elements.push_back(c.name);
      contacts.push_back(c.name);
    }
  };
  add_contacts(plain.contacts);
  add_contacts(plain.spatial.contacts);
  const auto is_parameter = [&](const std::string& name) {
    return std::any_of(plain.parameters.begin(), plain.parameters.end(),
                       [&](const auto& p) { return p.first == name; });
  };
  const auto is_state = [&](const std::string& name) {
    const std::string body = name.substr(0, name.find('.'));
    const auto is_body = [&](const auto& b) { return b.name == body; };
    return std::any_of(plain.bodies.begin(), plain.bodies.end(), is_body) ||
           std::any_of(plain.spatial.bodies.begin(), plain.spatial.bodies.end(), is_body) ||
           std::any_of(plain.states.begin(), plain.states.end(), [&](const StateSpec& s) { return s.name == name; });
  };
  std::vector<std::string> header;
  std::string line, out;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    const std::vector<std::string> row = cells(line);
    std::string joined;
    for (const std::string& cell : row) joined += cell + ",";
    if (header.empty()) {
      header = row;
      out = joined + "kind,modes";
      for (const std::string& e : elements) out += "," + e + ".lambda_n," + e + ".lambda_t";
      for (const std::string& c : contacts) out += "," + c + ".b," + c + ".p_plus," + c + ".p_minus";
      out += "\n";
      continue;
    }
    if (row.size() != header.size())
      throw InputError(
          fmt::format("{}:{}: {} cells, the first line names {} columns", path, number, row.size(), header.size()));
    std::vector<Override> set = overrides;
    std::vector<std::pair<std::string, double>> states;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (is_parameter(header[i])) {
        set.push_back({"parameters." + header[i], row[i]});
      } else if (is_state(header[i])) {
        char* end = nullptr;
        const double value = std::strtod(row[i].c_str(), &end);
        if (row[i].empty() || *end != '\0')
          throw InputError(fmt::format("{}:{}: {} = '{}' must be a number", path, number, header[i], row[i]));
        states.emplace_back(header[i], value);
      } else {
        set.push_back({header[i], row[i]});
      }
    }
    out += joined + answer_cells(consistent_modes(read_model(model_file, set), states), elements, contacts) + "\n";
  }
  if (header.empty()) throw InputError("the table of states '" + path + "' is empty; its first line names the columns");
  return out;
}

class ClassifyVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    app.add_option("--states", states_,
                   "table (CSV) of states: a column is a parameter, a state (rod.vx) or a path of --set");
    app.add_option("-o,--output", file_, "write the table to this file (default: print it)");
  }

  int run() override {
    const std::string text = states_.empty() ? "consistent modes\n" + modes_text(consistent_modes(model_.read()))
                                             : table_of(model_.file(), model_.overrides(), states_);
    if (file_.empty())
      std::cout << text;
    else
      record::write_text_file(file_, text);
    return 0;
  }

 private:
  ModelArgument model_;
  std::string states_, file_;
};

const VerbEntry classify_entry(
    VerbGroup::analyse, "classify", "which modes of contact and friction a state allows: none, one or several",
    "The table gets the columns `kind` (unique, indeterminate, inconsistent; found, not found where friction has "
    "several directions: one mode is looked for, no list is made), `modes` and, mode by mode, the forces.\n"
    "Examples:\n"
    "  hstar classify rod.toml --set parameters.mu=1.6\n"
    "  hstar classify rod.toml --states cases.csv -o answers.csv",
    make_verb<ClassifyVerb>);

}  // namespace
}  // namespace hstar::cli
