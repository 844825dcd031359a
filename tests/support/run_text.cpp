// tests/support/run_text.cpp
#include "support/run_text.hpp"

#include <cstdio>
#include <stdexcept>

namespace support {

hstar::RunResult run_text(const std::string& text, hstar::RunSink* sink) {
  return hstar::run(hstar::parse_model(text, "test"), sink);
}

hstar::RunResult run_with_switches(const std::string& text) {
  class Wants final : public hstar::LoopObserver {
    [[nodiscard]] bool wants_switches() const override { return true; }
  } wants;
  return hstar::run(hstar::parse_model(text, "test"), nullptr, &wants);
}

std::size_t column(const hstar::RunResult& r, const std::string& name) {
  for (std::size_t i = 0; i < r.columns.size(); ++i)
    if (r.columns[i] == name) return i;
  throw std::runtime_error("no column " + name);
}

double final_value(const hstar::RunResult& r, const std::string& name) {
  for (std::size_t i = 0; i < r.state_names.size(); ++i)
    if (r.state_names[i] == name) return r.y_end[i];
  throw std::runtime_error("no state " + name);
}

std::size_t count(const hstar::RunResult& r, const std::string& kind) {
  std::size_t n = 0;
  for (const auto& e : r.events) n += e.kind == kind;
  return n;
}

const hstar::EventRecord& first_event(const hstar::RunResult& r, const std::string& kind, const std::string& element) {
  for (const auto& e : r.events)
    if (e.kind == kind && (element.empty() || e.element == element)) return e;
  throw std::runtime_error("no event " + kind + " of " + element);
}

std::string digits(double x) {
  char out[40];
  std::snprintf(out, sizeof out, "%.17g", x);
  const std::string s = out;
  return s.find_first_of(".en") == std::string::npos ? s + ".0" : s;
}

}  // namespace support
