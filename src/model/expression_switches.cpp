// src/model/expression_switches.cpp
//
// What a run asks about the switches of a formula (Expression: switches), beside their conditions.
#include <algorithm>

#include "model/expression_program.hpp"

namespace hstar {

int Expression::switch_count() const { return program_ ? static_cast<int>(program_->switches.size()) : 0; }

bool Expression::is_floor(int which) const { return program_->code[program_->switches[which]].op == Op::floor; }

bool Expression::is_divisor(int which) const { return program_->code[program_->switches[which]].op == Op::quotient; }

int Expression::condition_degree(int which) const { return program_->switch_degree[which]; }

bool Expression::has_hidden_switches() const { return program_ && program_->hides; }

namespace {

/// The operations that the condition of a switch depends on.
std::vector<char> read_by(const Expression::Program& program, int which) {
  const std::vector<Instruction>& code = program.code;
  const std::size_t at = program.switches[which];
  std::vector<char> read(at, 0);
  const auto add_operands = [&](const Instruction& in, bool condition) {
    const int operands = operand_count(in.op);
    if (operands > 0 && !(condition && in.op == Op::quotient)) read[in.a] = 1;
    if (operands > 1) read[in.b] = 1;
    if (operands > 2) read[in.c] = 1;
  };
  add_operands(code[at], true);
  for (std::size_t i = at; i-- > 0;)
    if (read[i] != 0) add_operands(code[i], false);
  return read;
}

}  // namespace

bool Expression::condition_reads_only(int which, std::string_view name) const {
  const std::vector<char> read = read_by(*program_, which);
  for (std::size_t i = 0; i < read.size(); ++i)
    if (const Instruction& in = program_->code[i];
        read[i] != 0 && in.op == Op::variable && program_->variables[in.a] != name)
      return false;
  return true;
}

std::vector<int> Expression::switches_read(int which) const {
  const std::vector<char> read = read_by(*program_, which);
  std::vector<int> switches;
  for (std::size_t i = 0; i < read.size(); ++i)
    if (const Instruction& in = program_->code[i]; read[i] != 0 && switch_of(in) >= 0)
      switches.push_back(switch_of(in));
  return switches;
}

void Expression::find_live(const double* branches, char* live) const {
  const std::vector<Instruction>& code = program_->code;
  branches += first_switch_;
  // What has one value as long as no branch changes.
  double value[Program::max_registers];
  bool fixed[Program::max_registers], needed[Program::max_registers];
  const std::size_t n = code.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Instruction& in = code[i];
    const int operands = operand_count(in.op), which = switch_of(in);
    needed[i] = i + 1 == n;
    // (a relation, sign or floor has one value on its branch whatever its operands are)
    const bool by_branch =
        which >= 0 && in.op != Op::abs && in.op != Op::min && in.op != Op::max && in.op != Op::quotient;
    const bool same = (operands < 1 || fixed[in.a]) && (operands < 2 || fixed[in.b]) && (operands < 3 || fixed[in.c]);
    fixed[i] = by_branch || (in.op != Op::variable && same);
    if (!fixed[i])
      continue;
    else if (which >= 0)
      value[i] = on_branch(in.op, by_branch ? 0.0 : value[in.a], by_branch || operands < 2 ? 0.0 : value[in.b],
                           branches[which]);
    else
      value[i] = perform(in, operands > 0 ? value[in.a] : 0.0, operands > 1 ? value[in.b] : 0.0,
                         operands > 2 ? value[in.c] : 0.0);
  }
  for (std::size_t i = n; i-- > 0;) {
    const Instruction& in = code[i];
    const int operands = operand_count(in.op), which = switch_of(in);
    if (which >= 0) live[which] = 0;
    if (!needed[i] || operands == 0) continue;
    const bool decided = (fixed[in.a] || in.op == Op::quotient) && (operands < 2 || fixed[in.b]);
    if (which >= 0 && !decided) live[which] = 1;
    // One operand that decides is enough: the other matters when this one has changed.
    const double decides = in.op == Op::logical_and ? 0.0 : 1.0;
    const bool logical = in.op == Op::logical_and || in.op == Op::logical_or;
    if (in.op == Op::select && fixed[in.a]) {
      needed[in.a] = needed[value[in.a] != 0 ? in.b : in.c] = true;
    } else if (logical && fixed[in.a] && value[in.a] == decides) {
      needed[in.a] = true;
    } else if (logical && fixed[in.b] && value[in.b] == decides) {
      needed[in.b] = true;
    } else {
      needed[in.a] = true;
      if (operands > 1) needed[in.b] = true;
      if (operands > 2) needed[in.c] = true;
    }
  }
}

}  // namespace hstar
