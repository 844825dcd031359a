// tests/support/plane_rows.hpp
//
// Contact problems of the plane: rows (N, T) by contact, each with one unit of one direction.
#pragma once

#include "contact/problem.hpp"

namespace support {

inline void set_plane_rows(hstar::contact::Problem& p, int contacts) {
  p.resize(contacts, contacts, 2 * contacts);
  for (int i = 0; i < contacts; ++i) {
    const auto k = static_cast<std::size_t>(i);
    p.contact[k].row = 2 * i;
    p.unit[k].contact = i;
    p.unit[k].row = 2 * i + 1;
    p.unit[k].directions = 1;
  }
}

}  // namespace support
