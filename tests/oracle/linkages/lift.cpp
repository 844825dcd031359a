// tests/oracle/linkages/lift.cpp
//
// usage: lift_linkage MODEL     writes the planar model as one in space (support/lifted.hpp), its plane turned so that
// nothing lies along an axis.
#include <cstdio>
#include <exception>

#include "hstar/model_spec.hpp"
#include "mechanism/spatial/euler_parameters.hpp"
#include "support/lifted.hpp"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  try {
    const hstar::Mat3 turn = hstar::rotation_matrix({0.8, 0.4, 0.2, 0.4});
    std::fputs(support::lifted(hstar::read_model(arguments[1]), turn).c_str(), stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
