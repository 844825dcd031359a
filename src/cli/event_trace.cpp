// src/cli/event_trace.cpp
#include "cli/event_trace.hpp"

#include <fmt/core.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

namespace hstar::cli {

void EventTrace::event(const EventRecord& e) {
  fmt::print(out_, "event {}: {} {} at t = {:.17g} s in [{:.17g}, {:.17g}], error {:.2g}{}\n", e.index, e.kind,
             e.element, e.t, e.t_lo, e.t_hi, e.dt_error, e.optional ? ", the motion goes on unchanged" : "");
  if (!e.system_mode_before.empty()) fmt::print(out_, "  mode  {} -> {}\n", e.system_mode_before, e.system_mode_after);
  const std::size_t known = std::min({e.y_before.size(), e.y_after.size(), names_.size()});
  for (std::size_t i = 0; i < known; ++i)
    if (e.y_before[i] != e.y_after[i])
      fmt::print(out_, "  jump  {} {:.17g} -> {:.17g}\n", names_[i], e.y_before[i], e.y_after[i]);
  if (e.impulse_n != 0 || e.impulse_t != 0 || e.energy_loss != 0)
    fmt::print(out_, "  impulse  normal {:.6g} N s, tangential {:.6g} N s, loss {:.6g} J\n", e.impulse_n, e.impulse_t,
               e.energy_loss);
  fmt::print(out_, "  books  momentum {:.2g}, energy {:.2g}, cones {:.2g}\n", e.books.momentum, e.books.energy,
             e.books.cone);
  if (!e.note.empty()) fmt::print(out_, "  note  {}\n", e.note);
}

}  // namespace hstar::cli
