// src/model/expression_sweep.hpp
//
// Values of all operations of a formula, one after the other.
#pragma once

#include "mechanism/held_branch.hpp"
#include "model/expression_program.hpp"

namespace hstar {

/// x to an integer power.
double integer_power(double x, double k) noexcept;
inline double sign_of(double x) noexcept { return static_cast<double>(x > 0) - static_cast<double>(x < 0); }

/// Forward sweep of values into r; returns the last.
inline double sweep(const std::vector<Instruction>& code, const double* vars, double* r) noexcept {
  const Instruction* in = code.data();
  const std::size_t n = code.size();
  for (std::size_t i = 0; i < n; ++i, ++in) {
    switch (in->op) {
      case Op::constant:
        r[i] = in->k;
        break;
      case Op::variable:
        r[i] = vars[in->a];
        break;
      case Op::add:
        r[i] = r[in->a] + r[in->b];
        break;
      case Op::sub:
        r[i] = r[in->a] - r[in->b];
        break;
      case Op::mul:
        r[i] = r[in->a] * r[in->b];
        break;
      case Op::div:
        r[i] = r[in->a] / r[in->b];
        break;
      case Op::neg:
        r[i] = -r[in->a];
        break;
      case Op::square:
        r[i] = r[in->a] * r[in->a];
        break;
      case Op::select:
        r[i] = r[in->a] != 0 ? r[in->b] : r[in->c];
        break;
      default: {
        // Unused operands point at register 0, which is always written by now (leaves come first).
        r[i] = perform(*in, r[in->a], r[in->b], r[in->c]);
      }
    }
  }
  return r[n - 1];
}

/// The same for the first n operations with switches on their branches.
inline double sweep_on_branches(const std::vector<Instruction>& code, std::size_t n, const double* vars,
                                const double* branches, double* r) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    const Instruction& in = code[i];
    const int which = switch_of(in);
    if (in.op == Op::variable)
      r[i] = vars[in.a];
    else if (which >= 0)
      r[i] = on_branch(in.op, r[in.a], r[in.b], branches[which]);
    else
      r[i] = perform(in, r[in.a], r[in.b], r[in.c]);
  }
  return r[n - 1];
}

/// One of the switches of a formula that is held on its surface; null: none is.
inline const double* find_held(const Expression::Program& program, const double* branches) {
  for (std::size_t which = 0; which < program.switches.size(); ++which)
    if (program.code[program.switches[which]].op != Op::floor && is_held_branch(branches[which]))
      return branches + which;
  return nullptr;
}

/// Branches of all switches where those that are held are on the side that has the share, or on the other one; those
/// whose conditions read them are where these then are.
inline void take_side(const Expression::Program& program, const double* vars, const double* branches, bool other,
                      double* taken) noexcept {
  double r[Expression::Program::max_registers];
  bool depends[Expression::Program::max_registers];
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& in = program.code[i];
    const int which = switch_of(in), operands = operand_count(in.op);
    depends[i] = (operands > 0 && depends[in.a]) || (operands > 1 && depends[in.b]) || (operands > 2 && depends[in.c]);
    if (in.op == Op::variable) {
      r[i] = vars[in.a];
    } else if (which < 0) {
      r[i] = perform(in, r[in.a], r[in.b], r[in.c]);
    } else {
      const bool held = in.op != Op::floor && is_held_branch(branches[which]);
      const double g = condition_of(in, r[in.a], r[in.b]);
      taken[which] = held         ? side_of(branches[which], other)
                     : depends[i] ? (in.op == Op::floor ? std::floor(g) : sign_of(g))
                                  : branches[which];
      r[i] = on_branch(in.op, r[in.a], r[in.b], taken[which]);
      depends[i] |= held;
    }
  }
}

}  // namespace hstar
