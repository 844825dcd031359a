// tests/oracle/cases/run_hstar.cpp: the only file of the oracle that knows hstar: a model's text in, events out.
#include "cases/run_hstar.hpp"

#include <algorithm>
#include <sstream>

#include "hstar/run.hpp"

namespace oracle {

namespace {

/// Elements that changed at the same instant may stand in the note of a line: "with f1, f2", "also floor: stick".
void add_noted(const hstar::EventRecord& record, std::vector<ToldEvent>& events) {
  std::istringstream parts(record.note);
  for (std::string part; std::getline(parts, part, ';');) {
    part.erase(0, part.find_first_not_of(' '));
    const bool with = part.rfind("with ", 0) == 0, also = part.rfind("also ", 0) == 0;
    if (!with && !also) continue;
    std::istringstream items(part.substr(5));
    for (std::string item; std::getline(items, item, ',');) {
      item.erase(0, item.find_first_not_of(' '));
      const std::size_t colon = item.find(": ");
      // (An element that strikes several times at one instant is told in lines and notes: once is enough.)
      const bool told = std::any_of(events.begin(), events.end(), [&](const ToldEvent& e) {
        return e.t == record.t && e.kind == record.kind && e.element == item;
      });
      if (with && !told) events.push_back({record.t, record.kind, item});
      if (also && colon != std::string::npos) {
        const std::string word = item.substr(colon + 2);
        events.push_back({record.t, word.substr(0, word.find(' ')), item.substr(0, colon)});
      }
    }
  }
}

}  // namespace

Run run_hstar(const Model& model) {
  const hstar::RunResult result = hstar::run(hstar::parse_model(toml(model), "case.toml"));
  Run run;
  run.reached_end = result.outcome.status == hstar::RunStatus::reached_end;
  run.outcome = std::string(hstar::name(result.outcome.status)) + ": " + result.outcome.message;
  for (const hstar::EventRecord& record : result.events) {
    run.events.push_back({record.t, record.kind, record.element});
    add_noted(record, run.events);
  }
  const auto state = [&](const std::string& name) {
    for (std::size_t i = 0; i < result.state_names.size(); ++i)
      if (result.state_names[i] == name) return result.y_end[i];
    return 0.0;
  };
  for (const Body& body : model.bodies)
    if (!body.motion)
      for (const char* what : {".x", ".y", ".vx", ".vy"}) run.final_state.push_back(state(body.name + what));
  return run;
}

}  // namespace oracle
