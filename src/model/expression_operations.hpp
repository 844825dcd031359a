// src/model/expression_operations.hpp
//
// The operations of a formula as they are emitted: constants are folded, equal terms shared, and what the value does
// not need is dropped in the end. `token` is the place in the text that an operation stands for.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/expression_program.hpp"
#include "model/formula_text.hpp"

namespace hstar {

class ExpressionOperations {
 public:
  using Node = std::uint16_t;
  explicit ExpressionOperations(FormulaText& text) : text_(text) {}

  [[nodiscard]] FormulaText& text() { return text_; }
  [[nodiscard]] const Instruction& operation(Node n) const { return code_[n]; }
  [[nodiscard]] bool is_constant(Node n) const { return code_[n].op == Op::constant; }
  [[nodiscard]] double value_of(Node n) const { return code_[n].k; }
  [[nodiscard]] bool is(Node n, double k) const { return is_constant(n) && value_of(n) == k; }
  /// A number or infinite, for any values of the variables but some at poles.
  [[nodiscard]] bool has_value(Node n) const { return has_value_[n] != 0; }

  Node constant(double k, std::size_t token) { return append({Op::constant, 0, 0, 0, k}, token); }
  /// Adds an operation unless the same one is there already.
  Node append(const Instruction& in, std::size_t token);
  /// The result of an operation, which is a constant if its operands are. Conditions of switches are put into the form
  /// in which a run follows them (ExpressionConditions).
  Node emit(Op op, std::size_t token, Node x, Node y = 0, Node z = 0);
  Node emit_power(std::size_t token, Node x, Node y);
  /// An error, but only if the value needs it: `m > 0 ? 1/m : 0` is right for m = 0.
  Node refuse(Node node, std::size_t token, std::string why);

  /// Reading inside noevent() or smooth() begins or ends.
  void hide(bool begins) { hidden_ += begins ? 1 : -1, hides_ = true; }
  [[nodiscard]] bool is_hidden() const { return hidden_ > 0; }

  /// Copies the operations that `root` depends on, in order, and finds the polynomial degree.
  void keep_needed(Node root, Expression::Program& program) const;

 private:
  [[noreturn]] void too_long(std::size_t token) const;
  Node fold(Op op, std::size_t token, Node x, Node y, double k);

  FormulaText& text_;
  std::vector<Instruction> code_;
  std::vector<std::size_t> token_;  ///< where each operation stands in the text
  std::vector<char> finite_;        ///< no value of it is NaN or infinite
  std::vector<char> has_value_;
  std::map<Node, std::pair<std::size_t, std::string>> refused_;
  int hidden_ = 0;      ///< inside how many noevent() and smooth() the reading is
  bool hides_ = false;  ///< there were any
};

}  // namespace hstar
