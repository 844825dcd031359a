// include/hstar/method.hpp: what an integrator is made of, as `hstar method` prints it.
#pragma once

#include <string>

namespace hstar {

/// Name, source, order, coefficients and stability of an integrator of `hstar list`. @throws InputError for an unknown
/// name.
[[nodiscard]] std::string method_text(const std::string& name);

}  // namespace hstar
