// tests/oracle/main.cpp
//
// Runs cases of the oracle and prints one line each: index, family, verdict, number of events, details, between tabs.
// scripts/oracle shares the cases out, survives crashes and hangs, and makes the table.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "cases/families.hpp"
#include "cases/run_hstar.hpp"

namespace {

int usage() {
  std::puts(
      "usage: oracle_cases run SEED FIRST LAST     cases FIRST, FIRST + 1, ..., LAST - 1, one line each\n"
      "       oracle_cases model SEED INDEX        the model file of one case\n"
      "       oracle_cases explain SEED INDEX      what is true and what hstar tells\n"
      "       oracle_cases families                names and what they are about");
  return 2;
}

std::string on_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return text;
}

oracle::Run run_safely(const oracle::Model& model) {
  try {
    return oracle::run_hstar(model);
  } catch (const std::exception& error) {
    oracle::Run run;
    run.outcome = error.what();
    return run;
  }
}

void judge(std::uint64_t seed, std::uint64_t index) {
  const oracle::Model model = oracle::make_case(seed, index);
  // A crash or a hang is told by the line that is begun and not ended.
  std::printf("%llu\t%s\t", static_cast<unsigned long long>(index), model.family.c_str());
  std::fflush(stdout);
  const oracle::Expected expected = oracle::expect(model);
  std::string details = expected.aside;
  const char* word = "aside";
  if (expected.aside.empty()) {
    details = oracle::verdict(expected, run_safely(model));
    word = details.empty() ? "right" : expected.close.empty() ? "wrong" : "aside";
    if (!details.empty() && !expected.close.empty()) details = expected.close + "; else " + details;
  }
  std::printf("%s\t%zu\t%s\n", word, expected.answer.events.size(), on_one_line(details).c_str());
  std::fflush(stdout);
}

void explain(std::uint64_t seed, std::uint64_t index) {
  const oracle::Model model = oracle::make_case(seed, index);
  const oracle::Expected expected = oracle::expect(model);
  std::printf("%s\ntrue%s%s\n", oracle::toml(model).c_str(),
              expected.aside.empty() ? "" : ", but too close to call: ", expected.aside.c_str());
  const char* told[] = {"", "  (one of the last)", "  (may be told)"};
  for (std::size_t k = 0; k < expected.answer.events.size(); ++k) {
    const oracle::Event& e = expected.answer.events[k];
    std::printf("%20.15Lf  %-9s %-9s +/- %.1e%s\n", e.t, e.kind.c_str(), e.element.c_str(),
                k < expected.time_bound.size() ? expected.time_bound[k] : 0.0, told[static_cast<int>(e.told)]);
  }
  for (std::size_t i = 0; i < expected.answer.final_state.size(); ++i)
    std::printf("state %zu = %.15g +/- %.1e\n", i, expected.answer.final_state[i],
                i < expected.state_bound.size() ? expected.state_bound[i] : 0.0);
  const oracle::Run run = run_safely(model);
  std::printf("\nhstar: %s\n", run.outcome.c_str());
  for (const oracle::ToldEvent& e : run.events)
    std::printf("%20.15f  %-9s %-9s\n", e.t, e.kind.c_str(), e.element.c_str());
  for (std::size_t i = 0; i < run.final_state.size(); ++i) std::printf("state %zu = %.15g\n", i, run.final_state[i]);
  if (!expected.close.empty()) std::printf("\nclose: %s\n", expected.close.c_str());
  std::printf("\nverdict: %s\n", expected.aside.empty() ? oracle::verdict(expected, run).c_str() : "set aside");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  if (verb == "families") {
    for (const oracle::Family& family : oracle::families())
      std::printf("%s\t%s\n", family.name.c_str(), family.about.c_str());
  } else if (verb == "run" && argc == 5) {
    for (std::uint64_t index = number(3); index < number(4); ++index) judge(number(2), index);
  } else if (verb == "model" && argc == 4) {
    std::fputs(oracle::toml(oracle::make_case(number(2), number(3))).c_str(), stdout);
  } else if (verb == "explain" && argc == 4) {
    explain(number(2), number(3));
  } else {
    return usage();
  }
  return 0;
}
