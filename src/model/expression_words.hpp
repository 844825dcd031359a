// src/model/expression_words.hpp
//
// The words of formulas: functions, those that are written as formulas of the others, and units.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/expression_operations.hpp"

namespace hstar {

struct FunctionEntry {
  const char* name;
  Op op;
  int arguments;
};

/// Functions that are written as formulas of the others.
enum class Written : unsigned char { ceil, round, mod, noevent, smooth, clamp, step, pulse, ramp };
struct WrittenEntry {
  const char* name;
  Written what;
  int arguments;
  bool plain = false;  ///< without parentheses it is a name like any other
};

/// A null pointer if there is none of that name.
const FunctionEntry* find_function(std::string_view name);
const WrittenEntry* find_written(std::string_view name);
/// A unit as a number: 20*mm, 30*deg, 1500*rpm.
std::optional<double> find_unit(std::string_view name);

using Node = ExpressionOperations::Node;
/// atan2(y, x), which jumps where y passes through zero behind the origin: from there each side is an angle of its own.
Node emit_angle(ExpressionOperations& o, std::size_t token, Node y, Node x);
Node emit_written(ExpressionOperations& o, Written what, std::size_t token, const std::vector<Node>& x);
/// Of a table of the model.
Node emit_curve(ExpressionOperations& o, const Curve& curve, std::string_view word, std::size_t token, Node x);
/// A number as a truth value: itself if it is a relation's, else whether it is not zero.
Node emit_truth(ExpressionOperations& o, Node x, std::size_t token);

}  // namespace hstar
