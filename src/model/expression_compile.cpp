// src/model/expression_compile.cpp
//
// Text -> program: a recursive-descent parser that emits operations as it reads. Errors carry the column of the token.
#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <numbers>
#include <tuple>

#include "model/expression_words.hpp"
#include "model/nearest.hpp"

namespace hstar {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

using Lookup = std::function<std::optional<double>(std::string_view)>;

class Compiler {
 public:
  Compiler(std::string_view text, const Location& where, const Lookup& lookup, std::string_view owner)
      : formula_{text, where, owner}, lookup_(lookup) {
    if (const auto* names = lookup.target<NamesAndCurves>()) curves_ = names->curves, formulas_ = names->formulas;
  }

  void run(Expression::Program& program) {
    skip_blanks();
    if (at_end()) formula_.fail(0, "the formula is empty; write a number or a formula");
    const Node root = ternary();
    if (!at_end()) formula_.fail(at_, unexpected("end of the formula"));
    program.text = std::string(text_);
    program.where = formula_.where;
    program.variables = variables_;
    program.first_use = first_use_;
    o_.keep_needed(root, program);
    program.curves = called_;
  }

 private:
  // ---- reading ---------------------------------------------------------------------------------
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
  }
  /// Takes `token` if it comes next.
  bool take(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    skip_blanks();
    return true;
  }
  [[nodiscard]] bool next_is(std::string_view token) const { return text_.substr(at_, token.size()) == token; }

  [[nodiscard]] std::string unexpected(std::string_view expected) const {
    if (at_end()) return fmt::format("ends where {} is expected", expected);
    if (text_[at_] == '=' && !next_is("==")) return "\"=\" is not an operator; write == to compare";
    if (next_is("**")) return "\"**\" is not an operator; write ^ for powers";
    if (text_[at_] == '&' || text_[at_] == '|')
      return fmt::format("\"{0}\" is not an operator; write {0}{0}", text_[at_]);
    std::size_t end = at_ + 1;
    if (FormulaText::is_letter(text_[at_]) || FormulaText::is_digit(text_[at_]))
      while (end < text_.size() &&
             (FormulaText::is_letter(text_[end]) || FormulaText::is_digit(text_[end]) || text_[end] == '.'))
        ++end;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    const bool unit = at_ > 0 && text_[at_ - 1] == ' ' && FormulaText::is_letter(word.front()) &&
                      text_.substr(0, at_).find_first_not_of("0123456789.eE+- ") == std::string_view::npos;
    return fmt::format("unexpected \"{}\" where {} is expected{}", word, expected,
                       !unit             ? ""
                       : find_unit(word) ? fmt::format("; write *{}", word)
                                         : "; numbers are in SI units and written without them");
  }

  // ---- grammar, loosest binding first ----------------------------------------------------------
  Node ternary() {
    const FormulaDepth guard(formula_, at_);
    Node condition = disjunction();
    if (!next_is("?")) return condition;
    condition = emit_truth(o_, condition, at_);
    take("?");
    const Node yes = ternary();
    if (!take(":")) formula_.fail(at_, unexpected("\":\" of \"a ? b : c\""));
    const Node no = ternary();
    if (o_.is_constant(condition)) return o_.value_of(condition) != 0 ? yes : no;
    return o_.emit(Op::select, at_, condition, yes, no);
  }

  Node disjunction() {
    Node x = conjunction();
    for (std::size_t token = at_; take("||"); token = at_)
      x = o_.emit(Op::logical_or, token, emit_truth(o_, x, token), emit_truth(o_, conjunction(), token));
    return x;
  }

  Node conjunction() {
    Node x = comparison();
    for (std::size_t token = at_; take("&&"); token = at_)
      x = o_.emit(Op::logical_and, token, emit_truth(o_, x, token), emit_truth(o_, comparison(), token));
    return x;
  }

  bool take_comparison(Op& op) {
    if (take("<=")) return op = Op::less_equal, true;
    if (take(">=")) return op = Op::greater_equal, true;
    if (take("==")) return op = Op::equal, true;
    if (take("!=")) return op = Op::not_equal, true;
    if (take("<")) return op = Op::less, true;
    if (take(">")) return op = Op::greater, true;
    return false;
  }

  Node comparison() {
    const Node x = sum();
    const std::size_t token = at_;
    Op op{};
    if (!take_comparison(op)) return x;
    const Node result = o_.emit(op, token, x, sum());
    const std::size_t second = at_;
    if (take_comparison(op)) formula_.fail(second, "comparisons do not chain; write a < b && b < c");
    return result;
  }

  Node sum() {
    Node x = product();
    for (std::size_t token = at_;; token = at_) {
      if (take("+")) {
        x = o_.emit(Op::add, token, x, product());
      } else if (take("-")) {
        x = o_.emit(Op::sub, token, x, product());
      } else {
        return x;
      }
    }
  }

  Node product() {
    Node x = prefix();
    for (std::size_t token = at_;; token = at_) {
      if (next_is("**")) formula_.fail(at_, unexpected(""));
      if (take("*")) {
        x = o_.emit(Op::mul, token, x, prefix());
      } else if (take("/")) {
        x = o_.emit(Op::div, token, x, prefix());
      } else {
        return x;
      }
    }
  }

  /// Unary operators bind looser than ^: -x^2 is -(x^2).
  Node prefix() {
    const FormulaDepth guard(formula_, at_);
    const std::size_t token = at_;
    if (take("-")) return o_.emit(Op::neg, token, prefix());
    if (take("+")) return prefix();
    if (!next_is("!=") && take("!")) return o_.emit(Op::logical_not, token, emit_truth(o_, prefix(), token));
    return power();
  }

  Node power() {
    const Node base = primary();
    const std::size_t token = at_;
    if (!take("^")) return base;
    return o_.emit_power(token, base, prefix());  // right associative; 2^-x is allowed
  }

  Node primary() {
    const std::size_t token = at_;
    if (at_end()) formula_.fail(token, unexpected("a number, a name or \"(\""));
    if (FormulaText::is_digit(text_[at_]) ||
        (text_[at_] == '.' && at_ + 1 < text_.size() && FormulaText::is_digit(text_[at_ + 1])))
      return number();
    if (FormulaText::is_letter(text_[at_])) return name();
    if (take("(")) {
      const Node inside = ternary();
      if (!take(")"))
        formula_.fail(at_end() ? token : at_, at_end() ? "this \"(\" is never closed; add \")\"" : unexpected("\")\""));
      return inside;
    }
    formula_.fail(token, unexpected("a number, a name or \"(\""));
  }

  Node number() {
    const std::size_t token = at_;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const auto length = static_cast<std::size_t>(end - (text_.data() + at_));
    if (error == std::errc::result_out_of_range)
      formula_.fail(token, fmt::format("the number {} is outside the range of doubles", text_.substr(token, length)));
    at_ += length;
    if (!at_end() && FormulaText::is_letter(text_[at_]))
      formula_.fail(at_, fmt::format("\"{}\" follows a number directly; write * between them", text_[at_]));
    skip_blanks();
    return o_.constant(value, token);
  }

  Node name() {
    const std::size_t token = at_;
    while (!at_end() && (FormulaText::is_letter(text_[at_]) || FormulaText::is_digit(text_[at_]) || text_[at_] == '.'))
      ++at_;
    const std::string_view word = text_.substr(token, at_ - token);
    skip_blanks();
    if (next_is("(")) return call(word, token);
    const WrittenEntry* written = find_written(word);
    if (find_function(word) != nullptr || (written != nullptr && !written->plain))
      formula_.fail(token, fmt::format("the function {0} needs its argument in parentheses; write {0}(...)", word));
    if (inside_)
      if (const double* number = find_index(inside_->indices, word)) return o_.constant(*number, token);
    if (formulas_)
      if (const auto found = formulas_->find(word); found != formulas_->end()) return named(found->second, token);
    if (lookup_) {
      if (const std::optional<double> value = lookup_(word)) return o_.constant(*value, token);
    }
    if (word == "pi") return o_.constant(std::numbers::pi, token);
    if (word == "e") return o_.constant(std::numbers::e, token);
    if (const std::optional<double> unit = find_unit(word)) return o_.constant(*unit, token);
    const auto known = std::find(variables_.begin(), variables_.end(), word);
    const auto slot = static_cast<std::uint16_t>(known - variables_.begin());
    if (known == variables_.end()) {
      variables_.emplace_back(word);
      first_use_.push_back(inside_ ? outer_use_ : formula_.characters_before(token));
    }
    return o_.append({Op::variable, slot, 0, 0, 0.0}, token);
  }

  /// What a name stands for, read in its place; columns remain those of the name.
  Node named(const NamedFormula& formula, std::size_t token) {
    const FormulaDepth guard(formula_, at_);
    if (!inside_) outer_use_ = formula_.characters_before(token);
    const auto outside = std::tuple(text_, at_, inside_);
    text_ = formula.text;
    at_ = 0;
    inside_ = &formula;
    skip_blanks();
    const Node result = ternary();
    std::tie(text_, at_, inside_) = outside;
    return result;
  }

  Node call(std::string_view word, std::size_t token) {
    const FunctionEntry* f = find_function(word);
    const WrittenEntry* written = find_written(word);
    const Curve* curve = f || written ? nullptr : find_curve(word);
    if (f == nullptr && written == nullptr && curve == nullptr)
      formula_.fail(token, fmt::format("unknown function \"{}\"; {}", word, suggestion(word, callable(), "functions")));
    const bool hides = written && (written->what == Written::noevent || written->what == Written::smooth);
    const std::size_t open = at_;
    take("(");
    std::vector<Node> arguments;
    if (hides) o_.hide(true);
    if (!next_is(")")) {
      do arguments.push_back(ternary());
      while (take(","));
    }
    if (hides) o_.hide(false);
    if (!take(")"))
      formula_.fail(at_end() ? open : at_,
                    at_end() ? "this \"(\" is never closed; add \")\"" : unexpected("\",\" or \")\""));
    // min and max take any number of arguments from two on.
    const bool many = f && (f->op == Op::min || f->op == Op::max);
    const auto given = static_cast<int>(arguments.size());
    const int wanted = f ? f->arguments : written ? written->arguments : 1;
    if (given != wanted && !(many && given > wanted))
      formula_.fail(token, fmt::format("{} takes {}{} argument{}, not {}", word, many ? "at least " : "", wanted,
                                       wanted == 1 ? "" : "s", given));
    if (written) return emit_written(o_, written->what, token, arguments);
    if (curve) return emit_curve(o_, *curve, word, token, arguments[0]);
    if (f->op == Op::power) return o_.emit_power(token, arguments[0], arguments[1]);
    if (f->op == Op::atan2 && !o_.is_hidden()) return emit_angle(o_, token, arguments[0], arguments[1]);
    if (f->arguments == 1) return o_.emit(f->op, token, arguments[0]);
    Node x = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) x = o_.emit(f->op, token, x, arguments[i]);
    return x;
  }

  /// Of a table of the model. The program keeps it.
  const Curve* find_curve(std::string_view word) {
    const auto found = curves_ ? curves_->find(word) : Curves::const_iterator{};
    if (!curves_ || found == curves_->end()) return nullptr;
    called_.push_back(found->second);
    return found->second.get();
  }
  [[nodiscard]] std::vector<std::string> callable() const {
    std::vector<std::string> names = Expression::function_names();
    if (curves_)
      for (const auto& entry : *curves_) names.push_back(entry.first);
    return names;
  }

  FormulaText formula_;
  std::string_view& text_ = formula_.text;
  ExpressionOperations o_{formula_};
  const Lookup& lookup_;
  const Curves* curves_ = nullptr;
  const NamedFormulas* formulas_ = nullptr;
  const NamedFormula* inside_ = nullptr;  ///< the named formula being read
  int outer_use_ = 0;                     ///< where its name stands
  std::size_t at_ = 0;
  std::vector<std::string> variables_;
  std::vector<int> first_use_;
  std::vector<std::shared_ptr<const Curve>> called_;
};

}  // namespace

Expression Expression::constant(double value) {
  auto program = std::make_shared<Program>();
  program->text = fmt::format("{}", value);
  program->code.push_back({Op::constant, 0, 0, 0, value});
  Expression e;
  e.program_ = std::move(program);
  return e;
}

Expression Expression::compile(std::string_view text, const Location& where, const Lookup& lookup,
                               std::string_view owner) {
  auto program = std::make_shared<Program>();
  Compiler(text, where, lookup, owner).run(*program);
  Expression e;
  e.program_ = std::move(program);
  return e;
}

}  // namespace hstar
