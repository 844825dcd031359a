// include/hstar/thinned_run.hpp
#pragma once

#include <cstddef>
#include <vector>

#include "hstar/event_tally.hpp"
#include "hstar/run.hpp"

namespace hstar {

/// How much of a run its result may keep in memory.
struct KeepLimits {
  std::size_t numbers = 4'000'000;  ///< of rows: then every second one goes, again and again; both of a jump or none
  std::size_t events = 20'000;      ///< half of them from the beginning, half from the end
};

/// A run of any length in bounded memory: all rows and events go to the sink, `result` keeps what a page can show.
struct ThinnedRun {
  RunResult result;
  std::size_t rows = 0, events = 0;  ///< that there were
  EventTally tally;                  ///< of all events
};

/// hstar::run with a result that keeps no more than `limits`. @throws InputError for a model that cannot be built.
[[nodiscard]] ThinnedRun run_thinned(const ModelSpec& model, RunSink& sink, const KeepLimits& limits = {},
                                     LoopObserver* also = nullptr);

}  // namespace hstar
