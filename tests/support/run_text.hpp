// tests/support/run_text.hpp: a model written in a test, run, and its columns by name.
#pragma once

#include <string>

#include "hstar/hybrid.hpp"
#include "hstar/run.hpp"

namespace support {

hstar::RunResult run_text(const std::string& text, hstar::RunSink* sink = nullptr);

/// The same with the events of switches in formulas.
hstar::RunResult run_with_switches(const std::string& text);

/// Where the column stands. @throws std::runtime_error if there is none.
std::size_t column(const hstar::RunResult& r, const std::string& name);

/// Final value of a state.
double final_value(const hstar::RunResult& r, const std::string& name);

std::size_t count(const hstar::RunResult& r, const std::string& kind);

/// @throws std::runtime_error if there is none. An empty `element` stands for any.
const hstar::EventRecord& first_event(const hstar::RunResult& r, const std::string& kind,
                                      const std::string& element = {});

/// A number as a model file has it, with all its digits.
std::string digits(double x);

}  // namespace support
