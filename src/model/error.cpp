// src/model/error.cpp
//
// How a place in a model file is written in front of a message.
#include "hstar/error.hpp"

namespace hstar {

std::string Location::text() const {
  if (line <= 0) return file;
  std::string s = file + ":" + std::to_string(line);
  if (column > 0) s += ":" + std::to_string(column);
  return s;
}

namespace {
std::string with_place(const Location& where, const std::string& message) {
  const std::string place = where.text();
  return place.empty() ? message : place + ": " + message;
}
}  // namespace

InputError::InputError(const Location& where, const std::string& message)
    : std::runtime_error(with_place(where, message)) {}

}  // namespace hstar
