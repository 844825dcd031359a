// src/record/text.hpp
//
// Small pieces of text that result files are made of: numbers, CSV fields, JSON strings, hashes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hstar::record {

/// Appends the shortest decimal text that reads back as exactly this double.
void append_number(std::string& out, double value);

/// Appends a CSV field, quoted (RFC 4180) only where it must be.
void append_csv(std::string& out, std::string_view field);

/// Appends a JSON string with its quotes.
void append_json(std::string& out, std::string_view text);

/// Appends a JSON number; null where JSON has none (nan, infinities).
void append_json(std::string& out, double value);

/// FNV-1a, 64 bit (Fowler, Noll, Vo), continued from `hash`.
[[nodiscard]] std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 14695981039346656037ULL);

/// A mode for a reader: as it is ("stick/open"), or where it has more than eight parts how many there are of each, in
/// the order of their first ("3 stick, 381 open").
[[nodiscard]] std::string readable_mode(std::string_view mode);

/// The file name without its folders.
[[nodiscard]] std::string_view base_name(std::string_view path);

}  // namespace hstar::record
