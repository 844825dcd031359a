// include/hstar/stop.hpp
//
// A request to stop, heard inside of long computations. Who runs one says how to ask (StopScope); loops that may take
// seconds ask stop_requested() and give up. Giving up looks like any other failure to those in between; the run, which
// knows that it was asked, ends as `interrupted`.
#pragma once

#include <chrono>
#include <functional>

namespace hstar {

/// While it lives, stop_requested() of this thread asks `asked`, and the scopes around this one.
class StopScope {
 public:
  explicit StopScope(std::function<bool()> asked);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  friend bool stop_requested();
  bool requested();

  std::function<bool()> asked_;
  StopScope* outer_;
  bool requested_ = false;  ///< once said it stays said: what gave up is not to be taken for a result
  std::chrono::steady_clock::time_point next_{};
};

/// Has this thread's computation been asked to stop? Costs a look at the clock: for loops whose rounds take
/// microseconds or more. False where no scope lives.
[[nodiscard]] bool stop_requested();

/// The same for what is evaluated millions of times: looks at the clock once in 64 calls.
[[nodiscard]] bool stop_requested_meanwhile();

}  // namespace hstar
