// src/model/nearest.hpp
//
// "did you mean": the known name closest to a misspelt one. Used for keys, names, functions, paths
// and by the command line for verbs and options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hstar {

/// The candidate nearest to `given` (optimal string alignment distance, letters of the other case
/// cost little), or "" when none is near enough to be meant: at most a third of its letters may
/// differ, and at least one may. Else the first candidate that begins with `given`. Of equally near ones one that
/// begins with `given`, else the first.
[[nodiscard]] std::string nearest_name(std::string_view given, std::span<const std::string> candidates);

/// `did you mean "x"?`, or `known names: a, b, c` (at most `show`) when nothing is near, or "there are none".
[[nodiscard]] std::string suggestion(std::string_view given, std::span<const std::string> candidates,
                                     std::string_view known_as = "known names", std::size_t show = 30);

/// "a, b, c"
[[nodiscard]] std::string joined(std::span<const std::string> words, std::string_view between = ", ");

/// Words of a space separated list.
[[nodiscard]] std::vector<std::string> words_of(std::string_view list);

}  // namespace hstar
