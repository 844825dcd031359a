// tests/analysis/kinematics_columns.hpp: a value of a kinematic table by the name of its column.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "hstar/kinematics.hpp"

inline double at(const hstar::KinematicsResult& r, std::size_t row, const std::string& column) {
  for (std::size_t i = 0; i < r.columns.size(); ++i)
    if (r.columns[i] == column) return r.rows[row][i];
  FAIL("no column " << column);
  return 0;
}
