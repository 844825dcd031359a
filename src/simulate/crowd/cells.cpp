// src/simulate/crowd/cells.cpp
#include "simulate/crowd/cells.hpp"

#include <algorithm>
#include <cmath>

namespace hstar::crowd {

Cells::Cells(std::size_t discs, double width, std::array<double, 2> low, std::array<double, 2> high)
    : width_(width), low_(low), next_(discs, -1), previous_(discs, -1), at_(discs), wrapped_(discs) {
  // (At least four a side: three around a disc are then three different lists.)
  constexpr double least = 4, most = 1 << 20;
  const double lists = static_cast<double>(discs) + least * least;
  std::array<double, 2> wanted{};
  for (std::size_t i = 0; i < 2; ++i) wanted[i] = std::clamp(std::ceil((high[i] - low[i]) / width), least, most);
  const double too_many = std::sqrt(std::max(1.0, wanted[0] * wanted[1] / lists));
  for (std::size_t i = 0; i < 2; ++i)
    count_[i] = static_cast<std::int64_t>(std::max(least, std::floor(wanted[i] / too_many)));
  first_.assign(static_cast<std::size_t>(count_[0] * count_[1]), -1);
}

void Cells::put(int disc, std::array<double, 2> position) {
  for (std::size_t i = 0; i < 2; ++i) {
    at_[disc][i] = static_cast<std::int64_t>(std::floor((position[i] - low_[i]) / width_));
    const std::int64_t rest = at_[disc][i] % count_[i];
    wrapped_[disc][i] = rest < 0 ? rest + count_[i] : rest;
  }
  put_in(disc);
}

void Cells::step(int disc, int axis, bool up) {
  take_out(disc);
  at_[disc][axis] += up ? 1 : -1;
  wrapped_[disc][axis] = beside(wrapped_[disc][axis], up ? 1 : -1, axis);
  put_in(disc);
}

void Cells::put_in(int disc) {
  int& first = first_[list(wrapped_[disc])];
  next_[disc] = first;
  previous_[disc] = -1;
  if (first >= 0) previous_[first] = disc;
  first = disc;
}

void Cells::take_out(int disc) {
  const int before = previous_[disc], after = next_[disc];
  (before >= 0 ? next_[before] : first_[list(wrapped_[disc])]) = after;
  if (after >= 0) previous_[after] = before;
}

}  // namespace hstar::crowd
