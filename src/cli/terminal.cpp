// src/cli/terminal.cpp
#include "cli/terminal.hpp"

#include <fmt/core.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>

namespace hstar::cli {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

/// Until then a computation must have heard that it is to stop.
constexpr itimerval patience{{0, 0}, {0, 900'000}};

/// When it was asked. One request may come twice: `timeout` signals the program and then its group.
timespec asked_at{};
constexpr double same_request = 0.2;  // s: nobody presses Ctrl-C twice as fast

extern "C" void ask_to_stop(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double since =
      static_cast<double>(now.tv_sec - asked_at.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - asked_at.tv_nsec);
  if (stop_asked != 0 && since < same_request) return;
  if (stop_asked != 0) {  // asked again: at once
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  stop_asked = 1;
  asked_at = now;
  setitimer(ITIMER_REAL, &patience, nullptr);
}

/// It did not hear: one matrix, or a solver without an end of its own, takes longer. What is in the files stays there;
/// only what a signal handler may do is done.
extern "C" void stop_unheard(int) {
  constexpr std::string_view message =
      "\nhstar: stopped on request in the middle of a computation; the files hold what was written until then\n";
  const auto written = write(STDERR_FILENO, message.data(), message.size());
  _exit(written < 0 ? 3 : 1);
}

}  // namespace

ProgressBar::ProgressBar(bool wanted) : on_(wanted && isatty(STDERR_FILENO) != 0) {
  // Runs shorter than this never show a bar.
  next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
}

void ProgressBar::show(double t_start, double t, double t_end, std::size_t events) {
  if (!on_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  constexpr int width = 32;
  const double part = t_end > t_start ? std::clamp((t - t_start) / (t_end - t_start), 0.0, 1.0) : 0.0;
  const int full = static_cast<int>(part * width);
  fmt::print(stderr, "\r\033[K[{}{}] {:3.0f} %  t = {:.6g} of {:.6g} s, {} events", std::string(full, '#'),
             std::string(width - full, '.'), 100 * part, t, t_end, events);
  std::fflush(stderr);
  visible_ = true;
}

void ProgressBar::clear() {
  if (!visible_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  visible_ = false;
}

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = ask_to_stop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = stop_unheard;
  sigaction(SIGALRM, &action, nullptr);
}

void computation_has_ended() {
  constexpr itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

bool interrupted() { return stop_asked != 0; }

}  // namespace hstar::cli
