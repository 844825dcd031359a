// events/src/guard.cpp
#include "hstar/events/guard.hpp"

#include <stdexcept>
#include <utility>

namespace hstar::events {

std::size_t FunctionGuards::add(GuardInfo info, Function g) {
  if (!g) throw std::invalid_argument("guard '" + info.name + "' has no function; pass one that can be called");
  infos_.push_back(std::move(info));
  functions_.push_back(std::move(g));
  return infos_.size() - 1;
}

bool FunctionGuards::values(double t, std::span<const double> y, std::span<const std::size_t> which,
                            std::span<double> g) {
  for (std::size_t k = 0; k < which.size(); ++k) g[k] = functions_[which[k]](t, y);
  return true;
}

}  // namespace hstar::events
