// src/analysis/assemble.cpp: rough estimates onto the constraints, and the report of what moved.
#include "hstar/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analysis/held_velocities.hpp"
#include "analysis/statics/positions.hpp"
#include "formulation/consistent_restart.hpp"
#include "hstar/elimination.hpp"
#include "record/json_writer.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;

/// "joint "B" (0.12 m), joint "C" (0.1 m), together 0.22 m apart".
std::string open_joints(const ForceBalance& m, const Vector& gaps, std::span<const HeldCoordinate> held) {
  const System& s = m.system();
  std::string text;
  double together = 0, largest = 0;
  const double limit = 1e-6 * gaps.lpNorm<Eigen::Infinity>();
  int count = 0;
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    const double gap = gaps.segment(s.joint_row[j], s.joints[j]->rows()).norm();
    if (gap <= limit) continue;
    text += fmt::format("{}joint \"{}\" by {:.6g}", count++ ? ", " : "", s.joints[j]->name, gap);
    together += gap;
    largest = std::max(largest, gap);
  }
  for (std::size_t i = 0; i < held.size(); ++i)
    if (const double gap = std::abs(gaps[s.rows + static_cast<long>(i)]); gap > limit)
      text += fmt::format("{}{} by {:.6g}", count++ ? ", " : "", m.coordinates().name(held[i].coordinate), gap);
  return count > 1 && together > largest ? text + fmt::format("; together {:.6g}", together) : text;
}

/// Joints whose equations hold with an axis the wrong way round: no position of theirs.
std::vector<std::string> turned_over(const ForceBalance& m) {
  std::vector<std::string> out;
  for (const auto& joint : m.system().joints)
    if (joint->turned_over(m.equations().motion.kinematics())) out.push_back("joint \"" + joint->name + "\"");
  return out;
}

/// Closes from the estimate; from elsewhere around it if that ends in a dead end (where residuals do not get less).
ClosedPositions close_from(ForceBalance& m, std::span<const HeldCoordinate> held, const Vector& weight,
                           bool& elsewhere) {
  const std::vector<double> estimate = m.y;
  const auto close = [&] {
    ClosedPositions out = close_positions(m, held, weight);
    out.closed = out.closed && turned_over(m).empty();
    return out;
  };
  ClosedPositions best = close();
  std::vector<double> best_y = m.y;
  std::uint64_t seed = 1;
  const auto random = [&] {  // in [-1, 1): Steele & Vigna's splitmix
    seed += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
  };
  elsewhere = false;
  for (int attempt = 0; attempt < 24 && !best.closed; ++attempt) {
    const double spread = attempt < 8 ? 0.1 : attempt < 16 ? 0.5 : 1.5;
    m.y = estimate;
    Vector shift(m.system().nv);
    for (int i = 0; i < shift.size(); ++i) shift[i] = spread * random() * m.size()[i];
    m.move(shift);
    const ClosedPositions next = close();
    if (!next.closed && !(next.residual < (1 - 1e-6) * best.residual)) continue;
    best = next;
    best_y = m.y;
    elsewhere = next.closed;
  }
  m.y = best_y;
  return best;
}

void find_rank(ForceBalance& m, Assembly& out) {
  m.evaluate(Vector::Zero(m.rows()));
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows =
      m.coordinates().as_written<Eigen::MatrixXd>(m.size().asDiagonal() * m.jacobian().transpose()).transpose();
  for (long i = 0; i < rows.rows(); ++i)
    if (const double norm = rows.row(i).norm(); norm > 0) rows.row(i) /= norm;
  out.rows = m.rows();
  Elimination e;
  if (out.rows > 0)
    e.factor({rows.data(), static_cast<std::size_t>(rows.size())}, static_cast<std::size_t>(rows.rows()),
             static_cast<std::size_t>(rows.cols()), {.tolerance = 1e-9});
  out.rank = static_cast<int>(e.rank());
  for (std::size_t i = e.rank(); i < e.rows(); ++i) out.redundant.push_back(m.equations().rows.name(e.row_order()[i]));
  std::vector<int> free;
  for (int i = 0; i < m.system().nv; ++i) {
    const auto d = e.dependent();
    if (out.rows == 0 || std::find(d.begin(), d.end(), i) == d.end()) free.push_back(i);
  }
  for (const int i : free) out.free.push_back(m.coordinates().freedom_name(i));
}

/// Place in v of a velocity, -1 if the name is that of something else.
int velocity_named(const System& s, const std::string& name) {
  const std::vector<std::string> names = s.state_names();
  const auto first = names.begin() + s.nq, last = first + s.nv, found = std::find(first, last, name);
  if (found == last) return -1;
  const int at = static_cast<int>(found - first);
  for (const Body& body : s.bodies)
    if (body.has_own_axes && at >= body.dof + 3 && at < body.dof + 6)
      throw InputError("keep " + name +
                       ": the angular velocity of a body whose axes are not principal cannot be kept by component");
  return at;
}

/// Where all four Euler parameters of a body are named, the largest follows from the others, and its equation would be
/// degenerate where it is 1. -1: they are not.
int implied_parameter(const ForceBalance& m, const std::vector<int>& named, const std::vector<double>& values) {
  int largest = -1, count = 0;
  for (const int i : named) {
    if (i >= m.system().nq || !m.coordinates().unit(i).empty()) continue;
    ++count;
    const auto size = [&](int j) { return std::abs(values[j]); };
    if (largest < 0 || size(i) > size(largest)) largest = i;
  }
  return count == 4 ? largest : -1;
}

/// By what angle and about what axis each orientation was turned.
void report_turns(ForceBalance& m, const std::vector<double>& estimate, Assembly& out) {
  const Eigen::VectorXd back = m.coordinates().as_written(m.away(estimate));
  for (const Body& body : m.system().bodies) {
    if (body.prescribed) continue;
    const Eigen::Vector3d turn = -back.segment<3>(body.dof + 3);
    const double angle = turn.norm();
    if (angle <= 1e-12) continue;
    out.turns.push_back({body.name, angle, {turn[0] / angle, turn[1] / angle, turn[2] / angle}});
  }
}

}  // namespace

Assembly assemble(const ModelSpec& model, const AssembleOptions& options) {
  const auto system = build_system(model);
  if (system->nq == 0) throw InputError("the model has no free bodies; there is nothing to assemble");
  ForceBalance m(system, model.simulation.start);
  const std::vector<double> estimate = m.y;
  Vector weight = Vector::Ones(m.system().nv);
  for (const auto& [name, value] : options.weights) {
    if (!(value > 0) || !std::isfinite(value))
      throw InputError(
          fmt::format("weight {} = {} must be > 0; the larger, the less the coordinate moves", name, value));
    for (const int i : m.coordinates().freedoms_named(name)) weight[i] = value;
  }
  std::vector<HeldCoordinate> held;
  const int count = m.coordinates().count();
  std::vector<double> before;
  for (int i = 0; i < count; ++i) before.push_back(m.coordinate(i));
  std::vector<char> kept(before.size(), 0);
  std::vector<int> held_velocities;
  for (const std::string& name : options.keep) {
    if (const int v = velocity_named(*system, name); v >= 0) {
      held_velocities.push_back(v);
      continue;
    }
    const std::vector<int> named = m.coordinates().named(name);
    const int implied = implied_parameter(m, named, before);
    for (const int i : named) {
      if (!kept[i] && i != implied) held.push_back({i, before[i]});
      kept[i] = 1;
    }
  }

  Assembly out;
  bool elsewhere = false;
  const ClosedPositions closed = close_from(m, held, weight, elsewhere);
  if (const auto wrong = turned_over(m); closed.residual <= 1e-10 && !wrong.empty())
    throw InputError(
        fmt::format("the mechanism closes only with an axis turned over: {}; turn the estimates of its bodies",
                    fmt::join(wrong, ", ")));
  if (!closed.closed)
    throw InputError(fmt::format(
        "the mechanism cannot be assembled{}: at best these stay open: {} (m or rad); the constraints contradict each "
        "other, lengths do not reach, or the estimates are too far off",
        held.empty() ? "" : " with the kept coordinates", open_joints(m, closed.gaps, held)));
  if (elsewhere)
    out.notices.emplace_back(
        "from the estimate itself the mechanism does not close; this is a configuration around it");
  for (const PositionIterate& at : closed.iterates) {
    m.y = at.y;
    out.iterates.push_back({at.residual, {}});
    for (int i = 0; i < count; ++i) out.iterates.back().coordinates.push_back(m.coordinate(i));
  }
  nearest_positions(m, held, weight, estimate);
  find_rank(m, out);

  ModeEquations equations(system);
  ConsistentRestart restart(equations);
  std::vector<double> y = m.y;
  if (!held_velocities.empty())
    analysis::velocities_with_held(*system, m.equations().motion.kinematics(), held_velocities, y.data());
  else if (!restart.velocities(m.mode, m.t, y.data()))
    throw InputError("inconsistent initial velocities: " + restart.why());
  m.y = y;
  const auto add = [&](std::vector<AssembledCoordinate>& list, AssembledCoordinate c) {
    const double size = c.unit == "m" ? system->length : 1.0;
    c.moved = std::abs(c.assembled - c.estimate) > 1e-12 * (size + std::abs(c.assembled));
    list.push_back(std::move(c));
  };
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    add(out.coordinates,
        {m.coordinates().name(i), m.coordinates().unit(i), before[at], m.coordinate(i), kept[at] != 0});
  }
  std::vector<double> old = estimate;
  if (system->is_spatial()) {
    report_turns(m, estimate, out);
    system->as_written(old.data());
    system->as_written(y.data());
  }
  const std::vector<std::string> names = system->state_names(), units = system->state_units();
  for (auto i = static_cast<std::size_t>(system->nq); i < static_cast<std::size_t>(system->nq + system->nv); ++i)
    add(out.velocities, {names[i], units[i], old[i], y[i],
                         std::find(held_velocities.begin(), held_velocities.end(), static_cast<int>(i) - system->nq) !=
                             held_velocities.end()});
  return out;
}

std::string assembly_text(const Assembly& a) {
  std::string text = fmt::format("{:<24}{:>22}{:>22}{:>14}\n", "", "estimate", "assembled", "moved by");
  for (const auto* list : {&a.coordinates, &a.velocities})
    for (const AssembledCoordinate& c : *list)
      text +=
          fmt::format("{:<24}{:>22.12g}{:>22.12g}{:>14} {}{}\n", c.name, c.estimate, c.assembled,
                      c.moved ? fmt::format("{:.4g}", c.assembled - c.estimate) : "", c.unit, c.kept ? "  kept" : "");
  for (const AssembledTurn& t : a.turns)
    text += fmt::format("{} turned by {:.6g} rad about ({:.6g}, {:.6g}, {:.6g}), body axes\n", t.body, t.angle,
                        t.axis[0], t.axis[1], t.axis[2]);
  text += fmt::format("\nconstraints: {} rows, rank {}\n", a.rows, a.rank);
  for (const std::string& row : a.redundant) text += "redundant: " + row + "\n";
  text += a.free.empty() ? "free: nothing, the drivers determine the motion\n"
                         : fmt::format("free: {} ({} degrees of freedom)\n", fmt::join(a.free, ", "), a.free.size());
  for (const std::string& notice : a.notices) text += "notice: " + notice + "\n";
  return text;
}

std::string assembly_trace(const Assembly& a) {
  std::string text = fmt::format("{:>4} {:>12} {:>12} {:>12}", "k", "|r_k|", "r_k/r_k-1", "r_k/r_k-1^2");
  for (const AssembledCoordinate& c : a.coordinates) text += fmt::format("{:>22}", c.name);
  text += '\n';
  for (std::size_t k = 0; k < a.iterates.size(); ++k) {
    const double r = a.iterates[k].residual, before = k > 0 ? a.iterates[k - 1].residual : 0.0;
    const auto ratio = [&](double of) { return of > 0 ? fmt::format("{:.3g}", r / of) : std::string("-"); };
    text += fmt::format("{:>4} {:>12.4e} {:>12} {:>12}", k, r, ratio(before), ratio(before * before));
    for (const double x : a.iterates[k].coordinates) text += fmt::format("{:>22.15g}", x);
    text += '\n';
  }
  return text + '\n';
}

std::string assembly_json(const Assembly& a) {
  record::JsonWriter json;
  json.open("", '{');
  for (const auto& [key, list] : {std::pair{"coordinates", &a.coordinates}, {"velocities", &a.velocities}}) {
    json.open(key, '[');
    for (const AssembledCoordinate& c : *list) {
      json.open("", '{');
      json.item("name", c.name);
      json.item("unit", c.unit);
      json.item("estimate", c.estimate);
      json.item("assembled", c.assembled);
      json.item("kept", c.kept);
      json.item("moved", c.moved);
      json.close('}');
    }
    json.close(']');
  }
  if (!a.turns.empty()) {
    json.open("turns", '[');
    for (const AssembledTurn& t : a.turns) {
      json.open("", '{');
      json.item("body", t.body);
      json.item("angle", t.angle);
      json.open("axis", '[');
      for (const double x : t.axis) json.item("", x);
      json.close(']');
      json.close('}');
    }
    json.close(']');
  }
  json.item("rows", static_cast<std::size_t>(a.rows));
  json.item("rank", static_cast<std::size_t>(a.rank));
  const auto words = [&](const char* key, const std::vector<std::string>& list) {
    json.open(key, '[');
    for (const std::string& word : list) json.item("", word);
    json.close(']');
  };
  words("redundant", a.redundant);
  words("free", a.free);
  words("notices", a.notices);
  json.close('}');
  return json.text() + "\n";
}

}  // namespace hstar
