// src/analysis/sweep/collector.cpp: from "max(sled.a)" to a number.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "analysis/sweep/sweep_parts.hpp"
#include "record/counters.hpp"

namespace hstar::sweeping {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(' ');
  return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(' ') - from + 1);
}

/// With the parameters of this member.
Expression compiled(const std::string& formula, const ModelSpec& model, const std::string& whole) {
  const auto parameter = [&](std::string_view name) -> std::optional<double> {
    for (const auto& [known, value] : model.parameters)
      if (known == name) return value;
    return std::nullopt;
  };
  return Expression::compile(formula, {"--collect", 1, 1}, parameter, whole);
}

double period_of(const std::string& formula, const ModelSpec& model, const std::string& whole) {
  const Expression period = compiled(formula, model, whole);
  if (!period.is_constant() || !(period.constant_value() > 0))
    throw InputError("--collect strobe(" + whole + ", " + formula +
                     ", ...): the period must be a positive number or a formula of parameters");
  return period.constant_value();
}

std::size_t number_in(const std::string& text, const std::string& whole) {
  std::size_t value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0))
    throw InputError("--collect " + whole + ": '" + text + "' must be a whole number from 1 on");
  return value;
}

/// "a,max(b, c)" as "a" and "max(b, c)".
std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0)
      items.emplace_back();
    else
      items.back() += c;
  }
  for (std::string& item : items) item = trimmed(item);
  return items;
}

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

Collector::Collector(const std::vector<std::string>& wanted, const ModelSpec& model) {
  if (wanted.empty()) throw InputError("a sweep needs at least one quantity to collect, for example events.count");
  for (const std::string& text : wanted)
    for (const std::string& item : listed(text)) parse(item, model);
}

void Collector::parse(const std::string& text, const ModelSpec& model) {
  using enum Item::What;
  const auto starts = [&](const char* with) { return text.rfind(with, 0) == 0; };
  const auto add = [&](Item item) {
    items_.push_back(std::move(item));
    columns_.push_back(text);
  };
  if (text == "events.count") return add({count, ""});
  if (text == "end.t") return add({end_time, ""});
  if (starts("events.") && is_word(text.substr(7))) return add({kind, text.substr(7)});
  if (starts("event.") && text.size() > 8 && text.substr(text.size() - 2) == ".t") {
    Item item{event_time, ""};
    item.number = number_in(text.substr(6, text.size() - 8), text);
    return add(std::move(item));
  }
  if (starts("end.")) return add({end, text.substr(4)});
  if (starts("counters.")) {
    const std::string name = text.substr(9);
    if (std::any_of(std::begin(record::counters), std::end(record::counters),
                    [&](const record::Counter& c) { return c.name == name; }))
      return add({counter, name});
    std::string known;
    for (const record::Counter& c : record::counters) known += std::string(known.empty() ? "" : ", ") + c.name;
    throw InputError("--collect " + text + ": counters are " + known);
  }
  const bool closed = !text.empty() && text.back() == ')';
  if (closed && (starts("min(") || starts("max("))) {
    Item item{starts("min(") ? smallest : largest, text};
    item.formula = text.substr(4, text.size() - 5);
    (void)compiled(item.formula, model, text);
    return add(std::move(item));
  }
  if (closed && starts("strobe(")) {
    const std::string inside = text.substr(7, text.size() - 8);
    const auto first = inside.find(','), second = inside.find(',', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      throw InputError("--collect " + text + ": must be strobe(COLUMN, PERIOD, COUNT)");
    Item item{strobe, trimmed(inside.substr(0, first))};
    item.formula = trimmed(inside.substr(first + 1, second - first - 1));
    (void)period_of(item.formula, model, item.name);
    item.number = number_in(trimmed(inside.substr(second + 1)), text);
    for (std::size_t i = 1; i <= item.number; ++i) columns_.push_back("strobe " + item.name + " " + std::to_string(i));
    items_.push_back(std::move(item));
    return;
  }
  throw InputError(
      "--collect '" + text +
      "': known are events.count, events.KIND, event.N.t, end.COLUMN, counters.NAME, min(FORMULA), max(FORMULA), "
      "strobe(COLUMN, PERIOD, COUNT)");
}

void Collector::prepare(ModelSpec& model) const {
  model.simulation.output = 2 * (model.simulation.end - model.simulation.start);  // rows at the ends and at events only
  std::vector<std::string>& columns = model.simulation.columns.emplace();
  for (const Item& item : items_) columns.push_back(item.name);
  model.simulation.event_words = false;
  // The model's own measures cost time; keep what is collected.
  std::erase_if(model.measures, [&](const MeasureSpec& m) {
    return std::none_of(items_.begin(), items_.end(), [&](const Item& item) { return item.name == m.name; });
  });
  for (const Item& item : items_) {
    if (item.what == Item::What::smallest || item.what == Item::What::largest) {
      MeasureSpec measure;
      measure.name = item.name;
      measure.value = compiled(item.formula, model, item.name);
      measure.where.file = "--collect";
      if (std::none_of(model.measures.begin(), model.measures.end(),
                       [&](const auto& m) { return m.name == measure.name; }))
        model.measures.push_back(std::move(measure));
    } else if (item.what == Item::What::strobe) {
      const double period = period_of(item.formula, model, item.name);
      const double last = std::floor(model.simulation.end / period * (1 + 1e-12));
      for (std::size_t i = 0; i < item.number; ++i) {
        const double t = (last - static_cast<double>(i)) * period;
        if (t >= model.simulation.start) model.simulation.sample_times.push_back(std::min(t, model.simulation.end));
      }
    }
  }
}

void Collector::read(const RunResult& result, const ModelSpec& model, std::vector<double>& out) const {
  const auto column = [&](const std::string& name) {
    const auto found = std::find(result.columns.begin(), result.columns.end(), name);
    if (found == result.columns.end())
      throw InputError("--collect: nothing called '" + name +
                       "' is recorded; `hstar run` writes the names into trajectory.csv");
    return static_cast<std::size_t>(found - result.columns.begin());
  };
  for (const Item& item : items_) {
    switch (item.what) {
      case Item::What::count:
        out.push_back(static_cast<double>(result.events.size()));
        break;
      case Item::What::kind:
        out.push_back(static_cast<double>(std::count_if(result.events.begin(), result.events.end(),
                                                        [&](const EventRecord& e) { return e.kind == item.name; })));
        break;
      case Item::What::event_time:
        out.push_back(item.number > result.events.size() ? none : result.events[item.number - 1].t);
        break;
      case Item::What::end_time:
        out.push_back(result.outcome.t);
        break;
      case Item::What::end:
        out.push_back(result.rows.empty() ? none : result.rows.back()[column(item.name)]);
        break;
      case Item::What::counter:
        for (const record::Counter& c : record::counters)
          if (c.name == item.name) out.push_back(static_cast<double>(c.in(result.counters)));
        break;
      case Item::What::smallest:
      case Item::What::largest: {
        const auto found =
            std::find_if(result.extremes.begin(), result.extremes.end(),
                         [&](const RunResult::Extreme& e) { return e.measure == item.name && e.mode.empty(); });
        const bool low = item.what == Item::What::smallest;
        out.push_back(found == result.extremes.end() ? none : low ? found->min : found->max);
        break;
      }
      case Item::What::strobe: {
        const std::size_t c = column(item.name);
        const double period = period_of(item.formula, model, item.name);
        const double last = std::floor(model.simulation.end / period * (1 + 1e-12));
        for (std::size_t i = item.number; i-- > 0;) {
          const double t = (last - static_cast<double>(i)) * period;
          const auto row = std::find_if(result.rows.begin(), result.rows.end(),
                                        [&](const auto& r) { return std::abs(r.front() - t) <= 1e-9 * period; });
          out.push_back(row == result.rows.end() ? none : (*row)[c]);
        }
        break;
      }
    }
  }
}

}  // namespace hstar::sweeping
