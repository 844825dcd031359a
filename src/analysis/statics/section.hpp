// src/analysis/statics/section.hpp
//
// Along one parameter: how far a property goes on to hold. From a value where it does the parameter is carried on in
// growing steps until it does not; the end is then found by bisection and the secant rule on the property's margin.
#pragma once

#include <functional>
#include <string>

namespace hstar {

/// What is found at one value of the parameter.
struct SectionPoint {
  bool exists = false;  ///< the position exists; margin means something
  double margin = 0;    ///< the property holds where >= 0; continuous
  std::string why;      ///< if it does not exist, or what gives at the end
};

struct SectionOptions {
  double first_step = 0, longest_step = 0;  ///< > 0
  double furthest = 0;                      ///< so far from the start the search ends
  double threshold = 0;                     ///< the property holds where margin >= threshold
};

struct SectionEnd {
  double value = 0;
  bool bounded = false;  ///< false: it holds as far as was searched, up to `value`
  std::string why;
};

/// One end of the interval around `start` in which the property holds. direction: +1 or -1.
[[nodiscard]] SectionEnd section_end(const std::function<SectionPoint(double)>& at, double start, int direction,
                                     const SectionOptions& options);

}  // namespace hstar
