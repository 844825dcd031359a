// include/hstar/method.hpp: what an integrator is made of, as `hstar method` prints it.
#pragma once

#include <string>

namespace hstar {

/// Name, source, order, coefficients and stability of an integrator of `hstar list`. @throws InputError for an unknown
/// name.
[[nodiscard]] std::string method_text(const std::string& name);
/// SVG: its stability region in the plane of z = h lambda, of one-step methods beside the order star |R(z)| > |exp z|
/// (Wanner, Hairer & Norsett 1978). `max_order` of bdf and ode113, 0: their own. @throws InputError for an unknown
/// name, and for methods of second-order equations.
[[nodiscard]] std::string method_picture(const std::string& name, int max_order = 0);

}  // namespace hstar
