// include/hstar/profile.hpp
//
// Where the time of a run goes: `hstar run --profile`. Nothing is measured where no ProfileScope lives.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hstar {

struct RunProfile {
  /// Each moment belongs to one part: the time of steps is without that of the rates they ask for.
  enum class Part : unsigned char {
    isolation,  ///< and the loop itself: what is none of the others
    steps,
    restarts,
    rates,
    reading,
    polishing,
    guards,
    transitions,
    checks,
    output
  };
  static constexpr std::array<std::string_view, 10> names = {"isolation of roots, loop",
                                                             "steps",
                                                             "restarts of the method",
                                                             "rates (right-hand side)",
                                                             "reading of steps",
                                                             "polishing",
                                                             "guards",
                                                             "transitions",
                                                             "checks of accepted steps",
                                                             "rows, events"};
  struct Share {
    std::size_t calls = 0;
    double seconds = 0;
  };
  std::array<Share, names.size()> parts{};

  struct Mode {
    std::string mode;
    std::size_t segments = 0, steps = 0;
    double time = 0;     ///< of the motion [s]
    double seconds = 0;  ///< of the computation, its transitions included
  };
  std::vector<Mode> modes;  ///< the longest computation first
  double seconds = 0;       ///< of the run
  std::string stiffness;    ///< a sentence, or nothing
};

/// While it lives, runs of this thread add to a profile.
class ProfileScope {
 public:
  explicit ProfileScope(RunProfile& profile);
  ~ProfileScope();
  ProfileScope(const ProfileScope&) = delete;
  ProfileScope& operator=(const ProfileScope&) = delete;
  /// nullptr: nobody wants one.
  [[nodiscard]] static RunProfile* wanted();

 private:
  RunProfile* outer_;
};

[[nodiscard]] std::string profile_table(const RunProfile& profile);

}  // namespace hstar
