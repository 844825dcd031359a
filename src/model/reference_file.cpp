// src/model/reference_file.cpp
//
// Reads reference.toml, accept.toml and ode23/traces.toml (see reference_file.hpp).
#include "model/reference_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "hstar/error.hpp"

namespace hstar {
namespace {

Location place(const std::string& path, const toml::node* node) {
  if (node == nullptr) return {path, 0, 0};
  return {path, static_cast<int>(node->source().begin.line), static_cast<int>(node->source().begin.column)};
}

toml::table parse(const std::string& path) {
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& e) {
    throw InputError(Location{path, static_cast<int>(e.source().begin.line), static_cast<int>(e.source().begin.column)},
                     fmt::format("{}; correct the syntax", e.description()));
  }
}

/// The text of a value: reference data keep their decimal strings, small integers and booleans are plain TOML.
std::optional<std::string> text_of(const toml::node& node) {
  if (auto s = node.value_exact<std::string>()) return *s;
  if (auto b = node.value_exact<bool>()) return *b ? "true" : "false";
  if (auto i = node.value_exact<int64_t>()) return std::to_string(*i);
  if (auto d = node.value_exact<double>()) return fmt::format("{:.17g}", *d);
  return std::nullopt;
}

/// A value as text, or a list of values joined by ", " (lists in the cases of a table).
std::optional<std::string> list_or_value(const toml::node& node) {
  if (!node.is_array()) return text_of(node);
  std::string joined;
  for (const toml::node& item : *node.as_array()) {
    const auto s = text_of(item);
    if (!s) return std::nullopt;
    joined += (joined.empty() ? "" : ", ") + *s;
  }
  return joined;
}

/// A file being read: finds keys, and says where a wrong one stands.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), root_(parse(path)) {}
  [[nodiscard]] const toml::table& root() const { return root_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  [[noreturn]] void fail(const toml::node* node, const std::string& message) const {
    throw InputError(place(path_, node), message);
  }
  const toml::node& need(const toml::table& table, const char* key) const {
    if (const toml::node* node = table.get(key)) return *node;
    fail(&table, fmt::format("the key '{}' is missing; add it", key));
  }
  const toml::table& need_table(const toml::table& table, const char* key) const {
    const toml::node& node = need(table, key);
    if (!node.is_table()) fail(&node, fmt::format("'{}' must be a table", key));
    return *node.as_table();
  }
  std::string text(const toml::table& table, const char* key, const std::string& otherwise = {}) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    auto s = text_of(*node);
    if (!s) fail(node, fmt::format("'{}' must be one value, not a list or table", key));
    return *s;
  }
  long double number(const toml::node& node, const char* key) const {
    const auto s = text_of(node);
    char* end = nullptr;
    const long double value = s ? std::strtold(s->c_str(), &end) : 0.0L;
    if (!s || s->empty() || *end != '\0') fail(&node, fmt::format("'{}' must be a number", key));
    return value;
  }
  /// The double nearest to the decimal string (not to a long double that was rounded before).
  double nearest(const toml::node& node, const char* key) const {
    number(node, key);
    return std::strtod(text_of(node)->c_str(), nullptr);
  }
  double nearest(const toml::table& table, const char* key, double otherwise) const {
    const toml::node* node = table.get(key);
    return node != nullptr ? nearest(*node, key) : otherwise;
  }
  bool flag(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return false;
    if (!node->is_boolean()) fail(node, fmt::format("'{}' must be true or false", key));
    return node->value_or(false);
  }
  std::vector<double> numbers(const toml::table& table, const char* key) const {
    std::vector<double> out;
    const toml::node* node = table.get(key);
    if (node == nullptr) return out;
    if (!node->is_array()) fail(node, fmt::format("'{}' must be a list of numbers", key));
    for (const toml::node& item : *node->as_array()) out.push_back(nearest(item, key));
    return out;
  }
  std::vector<std::string> texts(const toml::table& table, const char* key) const {
    std::vector<std::string> out;
    const toml::node* node = table.get(key);
    if (node == nullptr) return out;
    if (!node->is_array()) fail(node, fmt::format("'{}' must be a list of names", key));
    for (const toml::node& item : *node->as_array()) {
      auto s = text_of(item);
      if (!s) fail(&item, fmt::format("'{}' must be a list of names", key));
      out.push_back(*s);
    }
    return out;
  }
  /// A table as (name, text) pairs in the order they are written.
  NamedTexts named(const toml::table& table) const {
    NamedTexts out;
    std::vector<std::pair<toml::source_position, std::pair<std::string, std::string>>> found;
    for (const auto& [key, node] : table)
      if (auto s = list_or_value(node)) found.push_back({node.source().begin, {std::string(key.str()), *s}});
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& item : found) out.push_back(std::move(item.second));
    return out;
  }
  NamedTexts named(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    if (!node->is_table()) fail(node, fmt::format("'{}' must be a table", key));
    return named(*node->as_table());
  }
  template <class Each>
  void each(const toml::table& table, const char* key, Each&& use) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    if (!node->is_array_of_tables()) fail(node, fmt::format("'{}' must be a list of tables ([[{}]])", key, key));
    for (const toml::node& item : *node->as_array()) use(*item.as_table());
  }

 private:
  std::string path_;
  toml::table root_;
};

ReferenceEvent read_event(const Reader& in, const toml::table& table) {
  ReferenceEvent event;
  event.index = static_cast<int>(in.number(in.need(table, "index"), "index"));
  event.t = in.number(in.need(table, "t"), "t");
  event.kind = in.text(table, "kind");
  event.where = in.text(table, "where");
  event.optional = in.flag(table, "optional");
  event.also_changing = in.texts(table, "also_changing");
  event.before = in.numbers(table, "before");
  event.after = in.numbers(table, "after");
  return event;
}

void read_motion(const Reader& in, ReferenceFile& out) {
  const toml::table& root = in.root();
  const toml::table& initial = in.need_table(root, "initial");
  const toml::table& run = in.need_table(root, "run");
  const toml::table& last = in.need_table(root, "final");
  out.state_names = in.texts(initial, "state_names");
  out.initial = in.numbers(initial, "state");
  out.t_start = in.number(in.need(initial, "t"), "t");
  out.t_end = in.number(in.need(run, "t_end"), "t_end");
  in.each(root, "event", [&](const toml::table& t) { out.events.push_back(read_event(in, t)); });
  in.each(root, "allow_extra", [&](const toml::table& t) {
    out.allowed.push_back(
        {in.number(in.need(t, "t_from"), "t_from"), in.number(in.need(t, "t_to"), "t_to"), in.text(t, "kind")});
  });
  out.t_final = in.number(in.need(last, "t"), "t");
  out.final_state = in.numbers(last, "state");
}

}  // namespace

ReferenceFile read_reference(const std::string& path) {
  const Reader in(path);
  const toml::table& root = in.root();
  ReferenceFile out;
  out.path = path;
  out.schema = in.text(root, "schema");
  out.id = in.text(root, "id");
  out.title = in.text(root, "title");
  out.parameters = in.named(root, "parameters");
  if (out.schema == "truth-1") {
    read_motion(in, out);
  } else if (out.schema == "truth-table-1") {
    in.each(root, "case", [&](const toml::table& t) { out.cases.push_back(in.named(t)); });
  } else if (!out.schema.empty()) {
    in.fail(root.get("schema"), fmt::format("unknown schema '{}'; known: truth-1, truth-table-1", out.schema));
  }
  for (const auto& [name, text] : in.named(root, "results")) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == '\0') out.results[name] = value;
  }
  if (const toml::node* v = root.get("verification"); v != nullptr && v->is_table())
    out.time_sensitivity = in.nearest(*v->as_table(), "time_sensitivity", 0.0);
  return out;
}

namespace {

/// The node at "a.b.c".
const toml::node& node_at(const Reader& in, const std::string& path) {
  const toml::node* node = &in.root();
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t dot = std::min(path.find('.', from), path.size());
    const toml::node* next = node->is_table() ? node->as_table()->get(path.substr(from, dot - from)) : nullptr;
    if (next == nullptr) in.fail(node, fmt::format("there is no '{}' for '{}'", path.substr(from, dot - from), path));
    node = next;
    from = dot + 1;
  }
  return *node;
}

/// What a row may be: [a, b, ...]; { t = 1, v = [b, c] }; { a = .., b = .. } by name; or a number alone.
std::vector<double> read_row(const Reader& in, const toml::node& node, const SampleTable& samples) {
  std::vector<double> row;
  if (node.is_array()) {
    for (const toml::node& item : *node.as_array()) row.push_back(in.nearest(item, "row"));
  } else if (node.is_table()) {
    const toml::table& table = *node.as_table();
    if (const toml::node* v = table.get("v"); v != nullptr && v->is_array()) {
      row.push_back(in.nearest(in.need(table, "t"), "t"));
      for (const toml::node& item : *v->as_array()) row.push_back(in.nearest(item, "v"));
    } else {
      for (const std::string& name : samples.columns)
        row.push_back(in.nearest(in.need(table, name.c_str()), name.c_str()));
    }
  } else {
    row.push_back(in.nearest(node, "value"));
  }
  return row;
}

SampleTable read_samples(const Reader& in, const toml::table& t, const Reader& reference) {
  SampleTable out;
  out.table = in.text(t, "table");
  out.columns = in.texts(t, "columns");
  if (const toml::node* at = t.get("at")) out.at = in.nearest(*at, "at");
  out.event = in.text(t, "event");
  out.until = in.nearest(t, "until", 0.0);
  out.digits = in.nearest(t, "digits", out.digits);
  out.decimals = in.nearest(t, "decimals", 0.0);
  out.by_value = in.flag(t, "by_value");
  out.set = in.named(t, "set");
  out.quantities = in.named(t, "quantities");
  const toml::node& data = node_at(reference, out.table);
  const auto is_list = [](const toml::node& n) { return n.is_array() || n.is_table(); };
  if (data.is_array() && (out.columns.size() == 1 || is_list(*data.as_array()->get(0)))) {
    for (const toml::node& item : *data.as_array()) out.rows.push_back(read_row(reference, item, out));
  } else {
    out.rows.push_back(read_row(reference, data, out));
  }
  for (const std::vector<double>& row : out.rows)
    if (row.size() != out.columns.size())
      in.fail(t.get("columns"),
              fmt::format("'columns' names {} columns, a row of {} has {}", out.columns.size(), out.table, row.size()));
  return out;
}

}  // namespace

AcceptFile read_accept(const std::string& path) {
  const Reader in(path);
  const toml::table& root = in.root();
  if (in.text(root, "schema") != "accept-1")
    in.fail(root.get("schema"), fmt::format("unknown schema '{}'; known: accept-1", in.text(root, "schema")));
  AcceptFile out;
  out.path = path;
  out.bonus = in.flag(root, "bonus");
  out.time_sensitivity = in.text(root, "time_sensitivity");
  out.states = in.named(root, "states");
  for (auto& [key, value] : in.named(root, "where")) out.where[key] = value;
  for (auto& [key, value] : in.named(root, "kinds")) out.kinds[key] = value;
  out.results = in.named(root, "results");
  in.each(root, "run", [&](const toml::table& t) {
    AcceptRun run;
    run.rtol = t.get("steps") != nullptr ? in.nearest(t, "rtol", run.rtol) : in.nearest(in.need(t, "rtol"), "rtol");
    run.integrator = in.text(t, "integrator", run.integrator);
    run.formulation = in.text(t, "formulation");
    run.atol = in.nearest(t, "atol", 0.0);
    run.steps = in.numbers(t, "steps");
    run.order = in.nearest(t, "order", 0.0);
    run.digits = in.nearest(t, "digits", 0.0);
    run.only = in.texts(t, "only");
    run.set = in.named(t, "set");
    run.undecided = in.flag(t, "undecided");
    run.time_tolerance = in.nearest(t, "time_tolerance", 0.0);
    run.state_tolerance = in.nearest(t, "state_tolerance", 0.0);
    out.runs.push_back(run);
  });
  in.each(root, "samples", [&](const toml::table& t) {
    const std::string file = in.text(t, "file", "reference.toml");
    out.samples.push_back(read_samples(in, t, Reader(std::filesystem::path(path).replace_filename(file).string())));
  });
  if (out.runs.empty()) {
    out.runs.resize(4);
    out.runs[0].rtol = 1e-6;
    out.runs[2].integrator = "dopri5";
    out.runs[3].rtol = 1e-12;
  }
  if (const toml::node* table = root.get("table"); table != nullptr && table->is_table()) {
    const toml::table& t = *table->as_table();
    out.case_parameters = in.texts(t, "parameters");
    out.case_analysis = in.text(t, "analysis", out.case_analysis);
    const std::vector<std::string> analyses = {"run", "classify", "equilibrium", "modes", "inverse", "assemble"};
    if (std::find(analyses.begin(), analyses.end(), out.case_analysis) == analyses.end())
      in.fail(t.get("analysis"),
              fmt::format("unknown analysis '{}'; known: {}", out.case_analysis, fmt::join(analyses, ", ")));
    if (const toml::node* options = t.get("options"); options != nullptr && options->is_table()) {
      const toml::table& o = *options->as_table();
      out.case_options.vary = in.texts(o, "vary");
      out.case_options.coordinates = in.texts(o, "coordinates");
      out.case_options.touching = in.texts(o, "touching");
      out.case_options.keep = in.texts(o, "keep");
      out.case_options.weights = in.named(o, "weights");
      out.case_options.nearest = in.flag(o, "nearest");
      out.case_options.given = in.flag(o, "given");
      out.case_options.friction = !in.flag(o, "without_friction");
    }
    out.case_lists = in.named(t, "lists");
    out.case_counts = in.named(t, "counts");
    out.case_texts = in.named(t, "texts");
    for (auto& [key, value] : in.named(t, "words")) out.case_words[key] = value;
    const auto variant = [&](const toml::table& v) {
      TableVariant one;
      one.set = in.named(v, "set");
      if (const toml::node* results = v.get("results"); results != nullptr && results->is_table())
        for (const auto& [key, node] : *results->as_table())
          one.results.emplace_back(std::string(key.str()),
                                   node.is_array() ? in.texts(*results->as_table(), key.data())
                                                   : std::vector{in.text(*results->as_table(), key.data())});
      return one;
    };
    out.case_variants.push_back(variant(t));
    in.each(t, "variant", [&](const toml::table& v) { out.case_variants.push_back(variant(v)); });
    out.case_tolerance = in.nearest(t, "tolerance", out.case_tolerance);
  }
  return out;
}

std::vector<TraceEntry> read_traces(const std::string& path) {
  const Reader in(path);
  std::vector<TraceEntry> out;
  in.each(in.root(), "trace", [&](const toml::table& t) {
    TraceEntry trace;
    trace.name = in.text(t, "name");
    trace.file = in.text(t, "file");
    trace.model = in.text(t, "model");
    trace.truth = in.text(t, "truth");
    trace.end = in.nearest(in.need(t, "end"), "end");
    trace.rtol = in.nearest(in.need(t, "rtol"), "rtol");
    trace.atol = in.nearest(in.need(t, "atol"), "atol");
    trace.states = in.texts(t, "states");
    trace.parameters = in.named(t, "parameters");
    out.push_back(std::move(trace));
  });
  return out;
}

}  // namespace hstar
