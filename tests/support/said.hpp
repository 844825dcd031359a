// tests/support/said.hpp: what an input error says.
#pragma once

#include <string>

#include "hstar/error.hpp"

namespace support {

/// "no error" if there is none.
template <class Act>
std::string said(const Act& act) {
  try {
    act();
  } catch (const hstar::InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace support
