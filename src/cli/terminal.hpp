// src/cli/terminal.hpp
//
// What depends on a person sitting there: the progress bar and Ctrl-C.
#pragma once

#include <chrono>
#include <cstddef>

namespace hstar::cli {

/// A line on standard error that says how far a run is; nothing at all if that is not a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double t_start, double t, double t_end, std::size_t events);
  void clear();

 private:
  bool on_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// From now on the first Ctrl-C (or SIGTERM) only asks to stop; a second one kills, and so does a second in which
/// nobody heard.
void catch_interrupts();
/// What follows, writing results, may take its time.
void computation_has_ended();
[[nodiscard]] bool interrupted();

}  // namespace hstar::cli
