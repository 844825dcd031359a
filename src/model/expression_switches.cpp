// src/model/expression_switches.cpp
//
// What a run asks about the switches of a formula (Expression: switches), beside their conditions.
#include <algorithm>

#include "model/expression_program.hpp"

namespace hstar {

int Expression::switch_count() const { return program_ ? static_cast<int>(program_->switches.size()) : 0; }

bool Expression::is_floor(int which) const { return program_->code[program_->switches[which]].op == Op::floor; }

int Expression::condition_degree(int which) const { return program_->switch_degree[which]; }

bool Expression::has_hidden_switches() const { return program_ && program_->hides; }

bool Expression::condition_reads_only(int which, std::string_view name) const {
  const std::vector<Instruction>& code = program_->code;
  const std::size_t at = program_->switches[which];
  std::vector<char> read(at + 1, 0);
  read[at] = 1;
  for (std::size_t i = at + 1; i-- > 0;) {
    const Instruction& in = code[i];
    if (read[i] == 0) continue;
    if (in.op == Op::variable && program_->variables[in.a] != name) return false;
    const int operands = operand_count(in.op);
    if (operands > 0) read[in.a] = 1;
    if (operands > 1) read[in.b] = 1;
    if (operands > 2) read[in.c] = 1;
  }
  return true;
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
    const bool by_branch = which >= 0 && in.op != Op::abs && in.op != Op::min && in.op != Op::max;
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
    const bool decided = fixed[in.a] && (operands < 2 || fixed[in.b]);
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
