// include/hstar/check_model.hpp
#pragma once

#include "hstar/model_spec.hpp"

namespace hstar {

/// Checks a model that a program filled in as a model file is checked: ranges, words, names, bodies, points, friction,
/// shapes. Every run and analysis does so first. @throws InputError with the element, the key, the value and its bound.
void check_model(const ModelSpec& spec);

}  // namespace hstar
