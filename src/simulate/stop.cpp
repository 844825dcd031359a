// src/simulate/stop.cpp
#include "hstar/stop.hpp"

#include <utility>

namespace hstar {
namespace {

constinit thread_local StopScope* innermost = nullptr;
/// Asking may take a lock (the interpreter's, from Python): not more often than nobody notices.
constexpr std::chrono::milliseconds pause{20};

}  // namespace

StopScope::StopScope(std::function<bool()> asked) : asked_(std::move(asked)), outer_(innermost) { innermost = this; }

StopScope::~StopScope() { innermost = outer_; }

bool StopScope::requested() {
  if (requested_) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + pause;
  requested_ = asked_() || (outer_ != nullptr && outer_->requested());
  return requested_;
}

bool stop_requested_meanwhile() {
  thread_local unsigned calls = 0;
  return ++calls % 64 == 0 && stop_requested();
}

bool stop_requested() { return innermost != nullptr && innermost->requested(); }

}  // namespace hstar
