// src/record/text_file.hpp: whole files of text, written as results are: complete or not at all.
#pragma once

#include <string>
#include <string_view>

namespace hstar::record {

/// Writes beside `path` and renames: whoever reads sees the old file or the new one. Devices, pipes and what a symbolic
/// link points to (`-o /dev/stdout`) are written directly. @throws FileError; nothing is left beside `path` then.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace hstar::record
