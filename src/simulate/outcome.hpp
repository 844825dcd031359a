// src/simulate/outcome.hpp: how runs end, in words.
#pragma once

#include <span>
#include <string_view>

#include "hstar/run.hpp"

namespace hstar {

struct RunStatusEntry {
  RunStatus status;
  std::string_view name, about;
};
[[nodiscard]] std::span<const RunStatusEntry> run_statuses() noexcept;

}  // namespace hstar
