// src/record/json_writer.hpp
//
// Writes indented JSON; commas and line ends are its business only.
#pragma once

#include <string>
#include <string_view>

#include "record/text.hpp"

namespace hstar::record {

class JsonWriter {
 public:
  void open(std::string_view key, char bracket) {
    start(key);
    text_ += bracket;
    depth_ += 2;
    first_ = true;
  }
  void close(char bracket) {
    depth_ -= 2;
    if (!first_) new_line();
    text_ += bracket;
    first_ = false;
  }
  void item(std::string_view key, std::string_view value) {
    start(key);
    append_json(text_, value);
  }
  void item(std::string_view key, const std::string& value) { item(key, std::string_view(value)); }
  void item(std::string_view key, const char* value) { item(key, std::string_view(value)); }
  void item(std::string_view key, double value) {
    start(key);
    append_json(text_, value);
  }
  void item(std::string_view key, std::size_t value) {
    start(key);
    text_ += std::to_string(value);
  }
  void item(std::string_view key, bool value) {
    start(key);
    text_ += value ? "true" : "false";
  }
  void null(std::string_view key) {
    start(key);
    text_ += "null";
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void new_line() {
    text_ += '\n';
    text_.append(static_cast<std::size_t>(depth_), ' ');
  }
  void start(std::string_view key) {
    if (!first_) text_ += ',';
    if (depth_ > 0) new_line();
    first_ = false;
    if (key.empty()) return;
    append_json(text_, key);
    text_ += ": ";
  }
  std::string text_;
  int depth_ = 0;
  bool first_ = true;
};

}  // namespace hstar::record
