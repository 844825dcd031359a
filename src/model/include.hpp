// src/model/include.hpp
#pragma once

#include <string>

#include "model/document.hpp"

namespace hstar::model {

/// Takes the files that `include = [...]` names into the document: their sections come before its own, their
/// parameters, [simulation] and keys of the top count where it has none. False if there is no such key.
/// @throws InputError at the place of a file that cannot be read, includes itself, or says what another one says.
bool include_files(Value& document, const std::string& name);

}  // namespace hstar::model
