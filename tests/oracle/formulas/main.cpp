// tests/oracle/formulas/main.cpp
//
// Random formulas of relations, abs, sign, min, max, floor, ceil, round and mod, up to six deep, of time and of states,
// as rates and forces: hstar's final state against that of brute force (piecewise.hpp). A switch that is integrated
// through shows there. Prints lines as oracle_cases does; scripts/oracle --formulas shares the cases out.
#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "formulas/formula.hpp"
#include "formulas/piecewise.hpp"
#include "hstar/run.hpp"

namespace {

using oracle::Formula;
using oracle::Integrated;
using oracle::Sides;
using Precise = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                              boost::multiprecision::et_off>;  // 50 digits

constexpr double end_time = 3.0;

struct Family {
  const char *name, *about;
  std::vector<std::string> variables;  ///< of the formula, in the order of values()
};

const Family families[] = {
    {"time", "a rate of t alone", {"t"}},
    {"state", "a rate of t and of states that are smooth", {"t", "x", "z"}},
    {"feedback", "a rate of t and of what it is the rate of", {"t", "y", "z"}},
    {"force", "a force on a body that a spring holds, of t and its place and speed", {"t", "m.x", "m.vx"}},
};
constexpr int family_count = 4;

struct Case {
  int family = 0;
  Formula formula;
  std::string integrator;
  double rtol = 1e-9;
};

Case make_case(std::uint64_t seed, std::uint64_t index) {
  oracle::Draw draw(seed, index);
  Case c;
  c.family = static_cast<int>(index % family_count);
  const char* methods[] = {"dopri5", "ode23", "dop853", "bulirsch_stoer", "rosenbrock4", "radau"};
  c.integrator = methods[draw.below(6)];
  c.formula = oracle::draw_formula(draw, 1 + draw.below(6), static_cast<int>(families[c.family].variables.size()));
  return c;
}

std::string toml(const Case& c) {
  const std::string f = oracle::text(c.formula, families[c.family].variables);
  char rtol[16];
  std::snprintf(rtol, sizeof rtol, "%.0e", c.rtol);
  std::string model =
      std::string("simulation = { end = 3, rtol = ") + rtol + ", integrator = \"" + c.integrator + "\" }\n";
  if (c.family == 3)
    return model +
           "body = [{ name = \"m\", mass = 1, position = [0.45, 0] }]\nforce = [{ name = \"push\", type = "
           "\"point_force\", body = \"m\", force = [\"-4*m.x - m.vx/2 + " +
           f + "\", 0] }]\n";
  return model +
         "state = [{ name = \"x\", initial = -1, rate = 0.75 }, { name = \"z\", initial = 1, rate = \"w\" }, { name = "
         "\"w\", rate = \"-16*z\" },\n  { name = \"y\", initial = 0.25, rate = \"" +
         f + (c.family == 2 ? " - y/2" : "") + "\" }]\n";
}

/// States as hstar names them: x, z, w, y of the automaton; m.x, m.vx of the body.
std::vector<std::string> states(const Case& c) {
  return c.family == 3 ? std::vector<std::string>{"m.x", "m.vx"} : std::vector<std::string>{"x", "z", "w", "y"};
}

/// `turned`: relative error of the rates and of the initial values, for the sensitivity; conditions are then off by
/// round-off.
template <class Number>
Integrated<Number> truth(const Case& c, double turned, double longest, double shortest) {
  std::vector<Number> values(families[c.family].variables.size());
  const auto formula = [&](Sides& sides) {
    sides.off = turned == 0 ? 0 : std::copysign(8 * std::numeric_limits<double>::epsilon(), turned);
    return oracle::value(c.formula, values, sides);
  };
  const Number more = Number(1) + Number(turned);
  if (c.family == 3) {
    const auto rates = [&](const std::vector<Number>& y, const Number& t, std::vector<Number>& out, Sides& sides) {
      values = {t, y[0], y[1]};
      out[0] = y[1] * more;
      out[1] = (formula(sides) - 4 * y[0] - y[1] / 2) * more;
    };
    return oracle::integrate_piecewise<Number>(rates, {Number(0.45) * more, Number(0)}, end_time, longest, shortest);
  }
  const auto rates = [&](const std::vector<Number>& y, const Number& t, std::vector<Number>& out, Sides& sides) {
    values[0] = t;
    if (c.family == 1) values = {t, y[0], y[1]};
    if (c.family == 2) values = {t, y[3], y[1]};
    out[0] = Number(0.75) * more;
    out[1] = y[2] * more;
    out[2] = -16 * y[1] * more;
    out[3] = (formula(sides) - (c.family == 2 ? Number(y[3] / 2) : Number(0))) * more;
  };
  return oracle::integrate_piecewise<Number>(rates, {-1 * more, 1 * more, Number(0), Number(0.25) * more}, end_time,
                                             longest, shortest);
}

struct Told {
  hstar::RunStatus status = hstar::RunStatus::not_finite;
  double t = 0;
  std::string why;
  std::vector<double> y;
};

Told run_hstar(const Case& c) {
  Told told;
  try {
    const hstar::RunResult r = hstar::run(hstar::parse_model(toml(c), "case.toml"));
    told.status = r.outcome.status;
    told.t = r.outcome.t;
    told.why = std::string(hstar::name(r.outcome.status)) + ": " + r.outcome.message;
    for (const std::string& wanted : states(c))
      for (std::size_t i = 0; i < r.state_names.size(); ++i)
        if (r.state_names[i] == wanted) told.y.push_back(r.y_end[i]);
  } catch (const std::exception& error) {
    told.why = error.what();
  }
  return told;
}

struct Verdict {
  const char* word = "right";
  std::size_t switches = 0;
  std::string details;
};

constexpr double grid = 1.0 / 1024, finer = 1.0 / 12000;  ///< nothing narrower than a stage of these is seen

double size_of(const std::vector<double>& y) {
  double size = 1;
  for (const double x : y) size = std::max(size, std::abs(x));
  return size;
}

template <class Number>
std::vector<double> numbers(const Integrated<Number>& result) {
  std::vector<double> y;
  for (const Number& x : result.y) y.push_back(static_cast<double>(x));
  return y;
}

/// What hstar tells is this result.
template <class Number>
bool agrees(const Case& c, const Told& told, const Integrated<Number>& result) {
  if (!std::isnan(result.sliding))
    return told.status == hstar::RunStatus::sliding_mode && std::abs(told.t - result.sliding) <= 1e-6;
  if (told.status != hstar::RunStatus::reached_end) return false;
  const std::vector<double> y = numbers(result);
  for (std::size_t i = 0; i < y.size(); ++i)
    if (!(std::abs(told.y[i] - y[i]) <= 100 * c.rtol * size_of(y))) return false;
  return true;
}

/// It is right if it is the result, or that of numbers turned by less than the tolerance and conditions by their
/// round-off. Otherwise, by how far these lie apart: wrong, or without a sure answer.
template <class Number>
Verdict judge(const Case& c, const Told& told, double longest, double shortest) {
  Verdict v;
  const Integrated<Number> right = truth<Number>(c, 0, longest, shortest);
  v.switches = right.switches;
  if (agrees(c, told, right)) return v;
  const std::vector<double> y = numbers(right);
  const double size = size_of(y);
  double bound = 100 * c.rtol * size;
  for (const double turned : {20 * c.rtol, -20 * c.rtol}) {
    const Integrated<Number> other = truth<Number>(c, turned, longest, shortest);
    if (agrees(c, told, other)) return v;
    if (std::isnan(other.sliding) != std::isnan(right.sliding)) return {"aside", v.switches, "may slide or not"};
    for (std::size_t i = 0; i < y.size(); ++i) bound = std::max(bound, 3 * std::abs(numbers(other)[i] - y[i]));
  }
  char line[300];
  if (!std::isnan(right.sliding)) {
    std::snprintf(line, sizeof line, "both sides drive back from t = %.12g: ", right.sliding);
    return {"wrong", v.switches, line + told.why};
  }
  if (right.rests) return {"aside", v.switches, "a condition rests within the round-off of its edge"};
  if (told.status != hstar::RunStatus::reached_end) return {"wrong", v.switches, told.why};
  if (bound > 1e-4 * size) return {"aside", v.switches, "too sensitive"};
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::abs(told.y[i] - y[i]) <= bound) continue;
    std::snprintf(line, sizeof line, "%s %s: %.15g is %.15g, bound %.1e", c.integrator.c_str(), states(c)[i].c_str(),
                  told.y[i], y[i], bound);
    return {"wrong", v.switches, line};
  }
  return v;
}

/// In 64-bit mantissas first; what is not right there on a finer grid, and what is wrong there in 50 digits.
Verdict judge_once(const Case& c) {
  const Told told = run_hstar(c);
  const Verdict quick = judge<long double>(c, told, grid, 1e-17);
  if (std::string(quick.word) == "right") return quick;
  const Verdict closer = judge<long double>(c, told, finer, 1e-17);
  if (std::string(closer.word) != "wrong") return closer;
  return judge<Precise>(c, told, grid, 1e-30);
}

/// What is too sensitive for the tolerance is asked again with the tightest one, and is right or wrong there.
Verdict judge(Case c) {
  const Verdict v = judge_once(c);
  if (std::string(v.word) != "aside") return v;
  c.rtol = 1e-12;
  return judge_once(c);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  if (verb == "families") {
    for (const Family& family : families) std::printf("%s\t%s\n", family.name, family.about);
  } else if (verb == "run" && argc == 5) {
    for (std::uint64_t index = number(3); index < number(4); ++index) {
      const Case c = make_case(number(2), index);
      std::printf("%llu\t%s\t", static_cast<unsigned long long>(index), families[c.family].name);
      std::fflush(stdout);
      Verdict v = judge(c);
      for (char& letter : v.details)
        if (letter == '\n' || letter == '\t') letter = ' ';
      std::printf("%s\t%zu\t%s\n", v.word, v.switches, v.details.c_str());
      std::fflush(stdout);
    }
  } else if (verb == "model" && argc == 4) {
    std::fputs(toml(make_case(number(2), number(3))).c_str(), stdout);
  } else {
    std::puts(
        "usage: oracle_formulas run SEED FIRST LAST     cases FIRST, FIRST + 1, ..., LAST - 1, one line each\n"
        "       oracle_formulas model SEED INDEX        the model file of one case\n"
        "       oracle_formulas families                names and what they are about");
    return 2;
  }
  return 0;
}
