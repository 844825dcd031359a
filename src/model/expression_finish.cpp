// src/model/expression_finish.cpp
//
// The program of a formula from its operations: those that the value needs, its switches and its polynomial degrees.
#include <algorithm>
#include <cmath>

#include "model/expression_operations.hpp"

namespace hstar {
namespace {

int larger(int a, int b) { return a < 0 || b < 0 ? -1 : std::max(a, b); }

int degree_of(const Instruction& in, const std::vector<Instruction>& code, const std::vector<int>& degree) {
  const auto product = [](int a, int b) { return a < 0 || b < 0 ? -1 : a + b; };
  switch (in.op) {
    case Op::constant:
      return 0;
    case Op::variable:
      return 1;
    case Op::add:
    case Op::sub:
      return degree[in.a] < 0 || degree[in.b] < 0 ? -1 : std::max(degree[in.a], degree[in.b]);
    case Op::mul:
      return product(degree[in.a], degree[in.b]);
    case Op::div:
      return code[in.b].op == Op::constant ? degree[in.a] : -1;
    case Op::neg:
      return degree[in.a];
    case Op::square:
      return product(degree[in.a], degree[in.a]);
    case Op::power_int: {
      const bool polynomial = in.k >= 0 && degree[in.a] >= 0 && degree[in.a] * in.k <= 1000;
      return polynomial ? degree[in.a] * static_cast<int>(in.k) : -1;
    }
    default:
      return -1;
  }
}

/// On fixed branches, at most.
int smooth_degree_of(const Instruction& in, const std::vector<Instruction>& code, const std::vector<int>& degree) {
  if (in.op == Op::select) return larger(degree[in.b], degree[in.c]);
  if (in.op == Op::piece) return degree[in.a] < 0 ? -1 : in.curve->degree() * degree[in.a];
  if (!can_switch(in.op)) {
    const bool logical = in.op >= Op::logical_and && in.op <= Op::logical_not;
    return logical ? larger(degree[in.a], degree[in.b]) : degree_of(in, code, degree);
  }
  if (in.k == kHidden || in.op == Op::quotient) return -1;
  if (in.op == Op::abs) return degree[in.a];
  return in.op == Op::min || in.op == Op::max ? larger(degree[in.a], degree[in.b]) : 0;
}

}  // namespace

void ExpressionOperations::keep_needed(Node root, Expression::Program& program) const {
  std::vector<char> needed(code_.size(), 0);
  needed[root] = 1;
  for (std::size_t i = root + 1U; i-- > 0;) {
    if (needed[i] == 0) continue;
    const Instruction& in = code_[i];
    const int operands = operand_count(in.op);
    if (operands > 0) needed[in.a] = 1;
    if (operands > 1) needed[in.b] = 1;
    if (operands > 2) needed[in.c] = 1;
  }
  std::vector<Node> moved(code_.size(), 0);
  std::vector<int> degree, smooth;  // polynomial degrees, and those on fixed branches
  for (std::size_t i = 0; i <= root; ++i) {
    if (needed[i] == 0) continue;
    if (const auto bad = refused_.find(static_cast<Node>(i)); bad != refused_.end())
      text_.fail(bad->second.first, bad->second.second);
    Instruction in = code_[i];
    const int operands = operand_count(in.op);
    if (in.op != Op::variable) in.a = operands > 0 ? moved[in.a] : Node{0};
    in.b = operands > 1 ? moved[in.b] : Node{0};
    in.c = operands > 2 ? moved[in.c] : Node{0};
    moved[i] = static_cast<Node>(program.code.size());
    if (program.code.size() >= Expression::Program::max_registers) too_long(token_[i]);
    degree.push_back(degree_of(in, program.code, degree));
    smooth.push_back(smooth_degree_of(in, program.code, smooth));
    if (can_switch(in.op) && in.k != kHidden) {
      in.k = static_cast<double>(program.switches.size());
      program.switches.push_back(static_cast<std::uint16_t>(program.code.size()));
      program.switch_degree.push_back(in.op == Op::quotient ? smooth[in.b]
                                      : operands == 2       ? larger(smooth[in.a], smooth[in.b])
                                                            : smooth[in.a]);
    }
    program.code.push_back(in);
  }
  program.degree = degree.back();
  program.hides = hides_;
}

}  // namespace hstar
