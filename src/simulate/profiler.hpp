// src/simulate/profiler.hpp
//
// The three interfaces of the run loop with a clock in them. The loop does not know: it runs on these in place of the
// process, the flow and the observer where a profile is wanted (hstar/profile.hpp).
#pragma once

#include <memory>
#include <span>

#include "hstar/hybrid.hpp"
#include "hstar/profile.hpp"

namespace hstar {

class Profiler {
 public:
  Profiler(RunProfile& profile, HybridProcess& process, LoopObserver* observer, const LoopOptions& options);
  ~Profiler();

  [[nodiscard]] HybridProcess& process();
  [[nodiscard]] Flow& put_on(Flow& flow);
  [[nodiscard]] LoopObserver& observer();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hstar
