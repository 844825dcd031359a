// src/model/expression_compile.cpp
//
// Text -> program: a recursive-descent parser that emits operations as it reads, folds constants,
// shares equal subterms and drops what the value does not need. Errors carry the column of the token.
#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "model/excerpt.hpp"
#include "model/expression_program.hpp"
#include "model/nearest.hpp"

namespace hstar {
namespace {

struct FunctionEntry {
  const char* name;
  Op op;
  int arguments;
};

constexpr FunctionEntry functions[] = {
    {"sin", Op::sin, 1},     {"cos", Op::cos, 1},   {"tan", Op::tan, 1},     {"asin", Op::asin, 1},
    {"acos", Op::acos, 1},   {"atan", Op::atan, 1}, {"atan2", Op::atan2, 2}, {"sinh", Op::sinh, 1},
    {"cosh", Op::cosh, 1},   {"tanh", Op::tanh, 1}, {"exp", Op::exp, 1},     {"log", Op::log, 1},
    {"log10", Op::log10, 1}, {"sqrt", Op::sqrt, 1}, {"abs", Op::abs, 1},     {"sign", Op::sign, 1},
    {"min", Op::min, 2},     {"max", Op::max, 2},   {"pow", Op::power, 2},   {"floor", Op::floor, 1}};

/// Functions that are written as formulas of the others.
enum class Written : unsigned char { ceil, round, mod, noevent, smooth, clamp, step, pulse, ramp };
struct WrittenEntry {
  const char* name;
  Written what;
  int arguments;
  bool plain = false;  ///< without parentheses it is a name like any other
};
constexpr WrittenEntry written_functions[] = {
    {"ceil", Written::ceil, 1},       {"round", Written::round, 1},       {"mod", Written::mod, 2},
    {"noevent", Written::noevent, 1}, {"smooth", Written::smooth, 1},     {"clamp", Written::clamp, 3, true},
    {"step", Written::step, 2, true}, {"pulse", Written::pulse, 3, true}, {"ramp", Written::ramp, 3, true}};

/// Units, as numbers: 20*mm, 30*deg, 1500*rpm.
struct UnitEntry {
  const char* name;
  double value;
};
constexpr UnitEntry units[] = {
    {"mm", 1e-3}, {"ms", 1e-3}, {"deg", std::numbers::pi / 180}, {"rpm", std::numbers::pi / 30}};

const WrittenEntry* find_written(std::string_view name) {
  for (const WrittenEntry& f : written_functions)
    if (name == f.name) return &f;
  return nullptr;
}

const FunctionEntry* find_function(std::string_view name) {
  for (const FunctionEntry& f : functions)
    if (name == f.name) return &f;
  return nullptr;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Characters (not bytes) before byte `end` of UTF-8 text: columns are counted in characters.
int characters_before(std::string_view text, std::size_t end) {
  return static_cast<int>(std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end),
                                        [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

using Lookup = std::function<std::optional<double>(std::string_view)>;

class Compiler {
 public:
  Compiler(std::string_view text, const Location& where, const Lookup& lookup, std::string_view owner)
      : text_(text), where_(where), lookup_(lookup), owner_(owner) {
    if (const auto* names = lookup.target<NamesAndCurves>()) curves_ = names->curves, formulas_ = names->formulas;
  }

  void run(Expression::Program& program) {
    skip_blanks();
    if (at_end()) fail(0, "the formula is empty; write a number or a formula");
    const Node root = ternary();
    if (!at_end()) fail(at_, unexpected("end of the formula"));
    program.text = std::string(text_);
    program.where = where_;
    program.variables = variables_;
    program.first_use = first_use_;
    keep_needed(root, program);
    program.curves = called_;
  }

 private:
  using Node = std::uint16_t;

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

  [[noreturn]] void fail(std::size_t byte, const std::string& message) const {
    Location place = where_;
    if (place.line > 0) place.column += characters_before(text_, byte);
    const std::string owner = owner_.empty() ? "" : std::string(owner_) + ": ";
    throw InputError(place, fmt::format("{}formula \"{}\": {}", owner, model::excerpt(text_, byte), message));
  }

  [[nodiscard]] std::string unexpected(std::string_view expected) const {
    if (at_end()) return fmt::format("ends where {} is expected", expected);
    if (text_[at_] == '=' && !next_is("==")) return "\"=\" is not an operator; write == to compare";
    if (next_is("**")) return "\"**\" is not an operator; write ^ for powers";
    if (text_[at_] == '&' || text_[at_] == '|')
      return fmt::format("\"{0}\" is not an operator; write {0}{0}", text_[at_]);
    std::size_t end = at_ + 1;
    if (is_letter(text_[at_]) || is_digit(text_[at_]))
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.')) ++end;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    const bool unit = at_ > 0 && text_[at_ - 1] == ' ' && is_letter(word.front()) &&
                      text_.substr(0, at_).find_first_not_of("0123456789.eE+- ") == std::string_view::npos;
    return fmt::format("unexpected \"{}\" where {} is expected{}", word, expected,
                       unit ? "; numbers are in SI units and written without them" : "");
  }

  // ---- grammar, loosest binding first ----------------------------------------------------------
  Node ternary() {
    const Depth guard(*this);
    Node condition = disjunction();
    if (!next_is("?")) return condition;
    condition = truth(condition, at_);
    take("?");
    const Node yes = ternary();
    if (!take(":")) fail(at_, unexpected("\":\" of \"a ? b : c\""));
    const Node no = ternary();
    if (is_constant(condition)) return value_of(condition) != 0 ? yes : no;
    return emit(Op::select, at_, condition, yes, no);
  }

  Node disjunction() {
    Node x = conjunction();
    for (std::size_t token = at_; take("||"); token = at_)
      x = emit(Op::logical_or, token, truth(x, token), truth(conjunction(), token));
    return x;
  }

  Node conjunction() {
    Node x = comparison();
    for (std::size_t token = at_; take("&&"); token = at_)
      x = emit(Op::logical_and, token, truth(x, token), truth(comparison(), token));
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
    const Node result = emit(op, token, x, sum());
    const std::size_t second = at_;
    if (take_comparison(op)) fail(second, "comparisons do not chain; write a < b && b < c");
    return result;
  }

  // A condition changes sign at the poles of its quotients, too, without being zero: their divisors are switches of
  // their own there. (Those that cannot change sign are not.)

  /// What a condition reads.
  Node with_divisors(Node n, std::size_t token) {
    const Depth guard(*this);
    const Instruction in = code_[n];
    const int operands = operand_count(in.op);
    if (operands == 0 || can_switch(in.op)) return n;
    const Node a = with_divisors(in.a, token), b = operands > 1 ? with_divisors(in.b, token) : in.b,
               c = operands > 2 ? with_divisors(in.c, token) : in.c;
    if (in.op == Op::div) return over(token, a, b);
    if (in.op == Op::tan) return over(token, emit(Op::sin, token, a), emit(Op::cos, token, a));
    if (in.op == Op::power_int && in.k < 0) return power_of(token, over(token, constant(1, token), a), -in.k);
    return append({in.op, a, b, c, in.k, in.curve}, token);
  }
  Node over(std::size_t token, Node x, Node y) {
    const Depth guard(*this);
    const Instruction by = code_[y];
    const bool odd = by.op == Op::power_int && std::fmod(by.k, 2.0) != 0;
    if (is_constant(y) || (!odd && keeps_sign(y))) return emit(Op::div, token, x, y);
    // (Each factor by itself, so that no divisor has multiple zeros.)
    if (by.op == Op::mul) return over(token, over(token, x, by.a), by.b);
    if (by.op == Op::neg) return emit(Op::neg, token, over(token, x, by.a));
    if (by.op == Op::abs && by.k != kHidden)
      return emit(Op::mul, token, x, emit(Op::abs, token, over(token, constant(1, token), by.a)));
    if (by.op == Op::quotient) return over(token, emit(Op::mul, token, x, by.b), by.a);
    if (odd) return emit(Op::mul, token, x, power_of(token, over(token, constant(1, token), by.a), by.k));
    return append({Op::quotient, x, y, 0, 0.0}, token);
  }
  /// What has the sign of x: x^3 y is positive where x y is, and that is known far closer where x is zero.
  Node without_powers(Node n, std::size_t token) {
    const Depth guard(*this);
    const Instruction in = code_[n];
    if (in.op == Op::power_int && in.k > 0 && std::fmod(in.k, 2.0) != 0) return without_powers(in.a, token);
    if (in.op == Op::neg) return emit(Op::neg, token, without_powers(in.a, token));
    const bool chosen = (in.op == Op::min || in.op == Op::max) && in.k != kHidden;
    if (in.op != Op::mul && in.op != Op::div && in.op != Op::quotient && in.op != Op::select && !chosen) return n;
    const Node a = in.op == Op::select ? in.a : without_powers(in.a, token),
               b = in.op == Op::quotient ? in.b : without_powers(in.b, token),
               c = in.op == Op::select ? without_powers(in.c, token) : in.c;
    if (a == in.a && b == in.b && c == in.c) return n;
    if (chosen)
      return emit(Op::select, token, emit(in.op == Op::min ? Op::less_equal : Op::greater_equal, token, in.a, in.b), a,
                  b);
    return in.op == Op::quotient ? append({in.op, a, b, 0, in.k}, token) : emit(in.op, token, a, b, c);
  }
  Node power_of(std::size_t token, Node x, double k) { return emit_power(token, x, constant(k, token)); }
  /// Is never negative, whatever the variables are.
  [[nodiscard]] bool keeps_sign(Node n) const {
    const Instruction& in = code_[n];
    switch (in.op) {
      case Op::constant:
        return in.k >= 0;
      case Op::square:
      case Op::exp:
      case Op::cosh:
      case Op::sqrt:
      case Op::power_real:
        return true;
      case Op::power_int:
        return std::fmod(in.k, 2.0) == 0;
      case Op::add:
      case Op::mul:
        return keeps_sign(in.a) && keeps_sign(in.b);
      default:
        return false;
    }
  }

  Node sum() {
    Node x = product();
    for (std::size_t token = at_;; token = at_) {
      if (take("+")) {
        x = emit(Op::add, token, x, product());
      } else if (take("-")) {
        x = emit(Op::sub, token, x, product());
      } else {
        return x;
      }
    }
  }

  Node product() {
    Node x = prefix();
    for (std::size_t token = at_;; token = at_) {
      if (next_is("**")) fail(at_, unexpected(""));
      if (take("*")) {
        x = emit(Op::mul, token, x, prefix());
      } else if (take("/")) {
        x = emit(Op::div, token, x, prefix());
      } else {
        return x;
      }
    }
  }

  /// Unary operators bind looser than ^: -x^2 is -(x^2).
  Node prefix() {
    const Depth guard(*this);
    const std::size_t token = at_;
    if (take("-")) return emit(Op::neg, token, prefix());
    if (take("+")) return prefix();
    if (!next_is("!=") && take("!")) return emit(Op::logical_not, token, truth(prefix(), token));
    return power();
  }

  Node power() {
    const Node base = primary();
    const std::size_t token = at_;
    if (!take("^")) return base;
    return emit_power(token, base, prefix());  // right associative; 2^-x is allowed
  }

  Node primary() {
    const std::size_t token = at_;
    if (at_end()) fail(token, unexpected("a number, a name or \"(\""));
    if (is_digit(text_[at_]) || (text_[at_] == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])))
      return number();
    if (is_letter(text_[at_])) return name();
    if (take("(")) {
      const Node inside = ternary();
      if (!take(")"))
        fail(at_end() ? token : at_, at_end() ? "this \"(\" is never closed; add \")\"" : unexpected("\")\""));
      return inside;
    }
    fail(token, unexpected("a number, a name or \"(\""));
  }

  Node number() {
    const std::size_t token = at_;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const auto length = static_cast<std::size_t>(end - (text_.data() + at_));
    if (error == std::errc::result_out_of_range)
      fail(token, fmt::format("the number {} is outside the range of doubles", text_.substr(token, length)));
    at_ += length;
    if (!at_end() && is_letter(text_[at_]))
      fail(at_, fmt::format("\"{}\" follows a number directly; write * between them", text_[at_]));
    skip_blanks();
    return constant(value, token);
  }

  Node name() {
    const std::size_t token = at_;
    while (!at_end() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string_view word = text_.substr(token, at_ - token);
    skip_blanks();
    if (next_is("(")) return call(word, token);
    const WrittenEntry* written = find_written(word);
    if (find_function(word) != nullptr || (written != nullptr && !written->plain))
      fail(token, fmt::format("the function {0} needs its argument in parentheses; write {0}(...)", word));
    if (inside_ && word == inside_->index_name) return constant(inside_->index, token);
    if (formulas_)
      if (const auto found = formulas_->find(word); found != formulas_->end()) return named(found->second, token);
    if (lookup_) {
      if (const std::optional<double> value = lookup_(word)) return constant(*value, token);
    }
    if (word == "pi") return constant(std::numbers::pi, token);
    if (word == "e") return constant(std::numbers::e, token);
    for (const UnitEntry& unit : units)
      if (word == unit.name) return constant(unit.value, token);
    const auto known = std::find(variables_.begin(), variables_.end(), word);
    const auto slot = static_cast<std::uint16_t>(known - variables_.begin());
    if (known == variables_.end()) {
      variables_.emplace_back(word);
      first_use_.push_back(inside_ ? outer_use_ : characters_before(text_, token));
    }
    return append({Op::variable, slot, 0, 0, 0.0}, token);
  }

  /// What a name stands for, read in its place; columns remain those of the name.
  Node named(const NamedFormula& formula, std::size_t token) {
    const Depth guard(*this);
    if (!inside_) outer_use_ = characters_before(text_, token);
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
      fail(token, fmt::format("unknown function \"{}\"; {}", word, suggestion(word, callable(), "functions")));
    const bool hides = written && (written->what == Written::noevent || written->what == Written::smooth);
    const std::size_t open = at_;
    take("(");
    std::vector<Node> arguments;
    hidden_ += hides;
    if (!next_is(")")) {
      do arguments.push_back(ternary());
      while (take(","));
    }
    hidden_ -= hides;
    hides_ |= hides;
    if (!take(")"))
      fail(at_end() ? open : at_, at_end() ? "this \"(\" is never closed; add \")\"" : unexpected("\",\" or \")\""));
    // min and max take any number of arguments from two on.
    const bool many = f && (f->op == Op::min || f->op == Op::max);
    const auto given = static_cast<int>(arguments.size());
    const int wanted = f ? f->arguments : written ? written->arguments : 1;
    if (given != wanted && !(many && given > wanted))
      fail(token, fmt::format("{} takes {}{} argument{}, not {}", word, many ? "at least " : "", wanted,
                              wanted == 1 ? "" : "s", given));
    if (written) return emit_written(written->what, token, arguments);
    if (curve) return emit_curve(*curve, word, token, arguments[0]);
    if (f->op == Op::power) return emit_power(token, arguments[0], arguments[1]);
    if (f->arguments == 1) return emit(f->op, token, arguments[0]);
    Node x = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) x = emit(f->op, token, x, arguments[i]);
    return x;
  }

  Node emit_written(Written what, std::size_t token, const std::vector<Node>& x) {
    const auto floor_of = [&](Node n) { return emit(Op::floor, token, n); };
    switch (what) {
      case Written::ceil:  // -floor(-x)
        return emit(Op::neg, token, floor_of(emit(Op::neg, token, x[0])));
      case Written::round:  // halves upwards
        return floor_of(emit(Op::add, token, x[0], constant(0.5, token)));
      case Written::mod:  // x - y floor(x/y): of the sign of y
        return emit(Op::sub, token, x[0], emit(Op::mul, token, x[1], floor_of(emit(Op::div, token, x[0], x[1]))));
      case Written::clamp:
        return with_limits(emit(Op::min, token, emit(Op::max, token, x[0], x[1]), x[2]), token, x[1], x[2], true);
      case Written::step:
        return emit(Op::greater_equal, token, x[0], x[1]);
      case Written::pulse:
        return with_limits(
            emit(Op::logical_and, token, emit(Op::greater_equal, token, x[0], x[1]), emit(Op::less, token, x[0], x[2])),
            token, x[1], x[2], true);
      case Written::ramp: {
        const Node share = emit(Op::div, token, emit(Op::sub, token, x[0], x[1]), emit(Op::sub, token, x[2], x[1]));
        return with_limits(emit(Op::min, token, emit(Op::max, token, share, constant(0, token)), constant(1, token)),
                           token, x[1], x[2], false);
      }
      case Written::noevent:
      case Written::smooth:
        break;
    }
    return x[0];
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

  Node emit_curve(const Curve& curve, std::string_view word, std::size_t token, Node x) {
    if (is_constant(x)) {
      const double at = value_of(x), y = curve.value(at, std::floor(curve.position(at)));
      if (std::isnan(y)) fail(token, fmt::format("{} is beyond the table \"{}\"", at, word));
      return constant(y, token);
    }
    const Node position = append({Op::position, x, 0, 0, 0.0, &curve}, token);
    return append({Op::piece, x, emit(Op::floor, token, position), 0, 0.0, &curve}, token);
  }

  /// A number as a truth value: itself if it is a relation's, else whether it is not zero.
  Node truth(Node x, std::size_t token) {
    const Op op = code_[x].op;
    const bool is_truth = (op >= Op::less && op <= Op::not_equal) || (op >= Op::logical_and && op <= Op::logical_not);
    return is_truth || is_constant(x) ? x : emit(Op::not_equal, token, x, constant(0.0, token));
  }

  // ---- emitting --------------------------------------------------------------------------------
  [[nodiscard]] bool is_constant(Node n) const { return code_[n].op == Op::constant; }
  [[nodiscard]] double value_of(Node n) const { return code_[n].k; }
  [[nodiscard]] bool is(Node n, double k) const { return is_constant(n) && value_of(n) == k; }

  Node constant(double k, std::size_t token) { return append({Op::constant, 0, 0, 0, k}, token); }

  /// Adds an operation unless the same one is there already.
  Node append(const Instruction& in, std::size_t token) {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Instruction& old = code_[i];
      const bool same_k = old.k == in.k && std::signbit(old.k) == std::signbit(in.k);
      if (old.op == in.op && old.a == in.a && old.b == in.b && old.c == in.c && same_k && old.curve == in.curve)
        return static_cast<Node>(i);
    }
    if (code_.size() >= 8 * Expression::Program::max_registers) too_long(token);
    code_.push_back(in);
    token_.push_back(token);
    finite_.push_back(stays_finite(in));
    return static_cast<Node>(code_.size() - 1);
  }

  [[noreturn]] void too_long(std::size_t token) const {
    fail(token, fmt::format("the formula has more than {} operations; split it, for instance with parameters",
                            Expression::Program::max_registers));
  }

  Node emit(Op op, std::size_t token, Node x, Node y = 0, Node z = 0) {
    const int operands = operand_count(op);
    if (is_constant(x) && (operands < 2 || is_constant(y)) && (operands < 3 || is_constant(z)))
      return fold(op, token, x, y, 0.0);
    switch (op) {  // only what is exact whatever the variable is
      case Op::add:
        if (is(x, 0.0)) return y;
        if (is(y, 0.0)) return x;
        break;
      case Op::sub:
        if (is(y, 0.0)) return x;
        break;
      case Op::mul:
        if (is(x, 1.0)) return y;
        if (is(y, 1.0)) return x;
        // A term that a parameter switches off: F0*cos(Omega*t) with F0 = 0.
        if ((is(x, 0.0) && finite_[y]) || (is(y, 0.0) && finite_[x])) return constant(0.0, token);
        if (x == y) return append({Op::square, x, 0, 0, 0.0}, token);
        break;
      case Op::div:
        if (is(y, 1.0)) return x;
        if (is(y, 0.0))
          return refuse(append({op, x, y, 0, 0.0}, token), token,
                        fmt::format("division by zero: the divisor of \"{}\" is 0", symbol(token)));
        break;
      default:
        break;
    }
    if (!can_switch(op)) return append({op, x, y, z, 0.0}, token);
    if (hidden_ > 0) return append({op, x, y, z, kHidden}, token);
    x = with_divisors(x, token);
    if (operands > 1) y = with_divisors(y, token);
    if ((op <= Op::greater_equal && is(y, 0.0)) || op == Op::sign) x = without_powers(x, token);
    return append({op, x, y, z, 0.0}, token);
  }

  /// Neither NaN nor infinite for any values of the variables that do not overflow.
  [[nodiscard]] bool stays_finite(const Instruction& in) const {
    switch (in.op) {
      case Op::constant:
        return std::isfinite(in.k);
      case Op::variable:
        return true;
      case Op::power_int:
        return in.k >= 0 && finite_[in.a];
      case Op::neg:
      case Op::square:
      case Op::sin:
      case Op::cos:
      case Op::atan:
      case Op::tanh:
      case Op::abs:
      case Op::sign:
      case Op::floor:
        return finite_[in.a];
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::min:
      case Op::max:
        return finite_[in.a] && finite_[in.b];
      case Op::select:
        return finite_[in.a] && finite_[in.b] && finite_[in.c];
      default:
        return false;
    }
  }

  Node emit_power(std::size_t token, Node x, Node y) {
    if (!is_constant(y)) return emit(Op::power, token, x, y);
    const double k = value_of(y);
    const bool integer = std::abs(k) <= 1e6 && k == std::floor(k);
    const Op op = integer ? Op::power_int : Op::power_real;
    if (is_constant(x)) return fold(op, token, x, y, k);
    if (k == 0.0) return constant(1.0, token);
    if (k == 1.0) return x;
    if (k == 2.0) return append({Op::square, x, 0, 0, 0.0}, token);
    return append({op, x, 0, 0, k}, token);
  }

  Node fold(Op op, std::size_t token, Node x, Node y, double k) {
    const double result = apply(op, value_of(x), value_of(y), 0.0, k);
    const Node node = append({Op::constant, 0, 0, 0, result}, token);
    if (!std::isfinite(result)) {
      // Reported only if the value needs it: `m > 0 ? 1/m : 0` is right for m = 0.
      const std::string operands = op == Op::power_int || op == Op::power_real || operand_count(op) == 2
                                       ? fmt::format("{} and {}", value_of(x), value_of(y))
                                       : fmt::format("{}", value_of(x));
      const std::string outcome = std::isnan(result) ? "nan" : fmt::format("{}", result);  // never "-nan"
      const char* what = op == Op::div && value_of(y) == 0.0 ? "division by zero" : "not a finite number";
      refused_.emplace(
          node, std::pair(token, fmt::format("{}: \"{}\" of {} gives {}", what, symbol(token), operands, outcome)));
    }
    return node;
  }

  /// An error, but only if the value needs it (as above).
  Node refuse(Node node, std::size_t token, std::string why) {
    if (!is_constant(node)) refused_.emplace(node, std::pair(token, std::move(why)));
    return node;
  }

  /// Of clamp, pulse and ramp, if both limits are known.
  Node with_limits(Node node, std::size_t token, Node lo, Node hi, bool may_be_equal) {
    if (!is_constant(lo) || !is_constant(hi)) return node;
    const double a = value_of(lo), b = value_of(hi);
    if (a < b || (may_be_equal && a == b)) return node;
    return refuse(node, token,
                  fmt::format("the limits of \"{}\" are {} and {}; the first must be {}", symbol(token), a, b,
                              may_be_equal ? "no more than the second" : "less than the second"));
  }

  [[nodiscard]] std::string_view symbol(std::size_t token) const {
    std::size_t end = token;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(token, std::max<std::size_t>(end - token, 1));
  }

  // ---- finishing -------------------------------------------------------------------------------
  /// Copies the operations that `root` depends on, in order, and finds the polynomial degree.
  void keep_needed(Node root, Expression::Program& program) const {
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
        fail(bad->second.first, bad->second.second);
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

  static int larger(int a, int b) { return a < 0 || b < 0 ? -1 : std::max(a, b); }

  /// On fixed branches, at most.
  static int smooth_degree_of(const Instruction& in, const std::vector<Instruction>& code,
                              const std::vector<int>& degree) {
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

  static int degree_of(const Instruction& in, const std::vector<Instruction>& code, const std::vector<int>& degree) {
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

  /// Bounds the recursion of the parser, so that no text can overflow the stack.
  struct Depth {
    explicit Depth(Compiler& c) : compiler(c) {
      if (++c.depth_ > 200) c.fail(c.at_, "the formula is nested more than 100 levels deep; split it");
    }
    ~Depth() { --compiler.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    Compiler& compiler;
  };

  std::string_view text_;
  const Location& where_;
  const Lookup& lookup_;
  std::string_view owner_;
  const Curves* curves_ = nullptr;
  const NamedFormulas* formulas_ = nullptr;
  const NamedFormula* inside_ = nullptr;  ///< the named formula being read
  int outer_use_ = 0;                     ///< where its name stands
  std::size_t at_ = 0;
  int depth_ = 0;
  int hidden_ = 0;      ///< inside how many noevent() and smooth() the reading is
  bool hides_ = false;  ///< there were any
  std::vector<Instruction> code_;
  std::vector<std::size_t> token_;  ///< where each operation stands in the text
  std::vector<char> finite_;        ///< stays_finite by operation
  std::map<Node, std::pair<std::size_t, std::string>> refused_;
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

std::vector<std::string> Expression::function_names() {
  std::vector<std::string> names;
  for (const FunctionEntry& f : functions) names.emplace_back(f.name);
  for (const WrittenEntry& f : written_functions) names.emplace_back(f.name);
  return names;
}

}  // namespace hstar
