// src/analysis/assemble.cpp: rough estimates onto the constraints, and the report of what moved.
#include "hstar/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analysis/statics/positions.hpp"
#include "formulation/consistent_restart.hpp"
#include "hstar/elimination.hpp"
#include "record/json_writer.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;

/// Coordinates that a name stands for: one, or all of a body.
std::vector<int> coordinates_named(const ForceBalance& m, const std::string& name) {
  std::vector<int> out;
  for (int i = 0; i < m.system().nq; ++i)
    if (m.coordinate_name(i) == name || m.coordinate_name(i).starts_with(name + ".")) out.push_back(i);
  if (out.empty()) out.push_back(m.find_coordinate(name));
  return out;
}

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
      text += fmt::format("{}{} by {:.6g}", count++ ? ", " : "", m.coordinate_name(held[i].coordinate), gap);
  return count > 1 && together > largest ? text + fmt::format("; together {:.6g}", together) : text;
}

/// Closes from the estimate; from elsewhere around it if that ends in a dead end (where residuals do not get less).
ClosedPositions close_from(ForceBalance& m, std::span<const HeldCoordinate> held, const Vector& weight,
                           bool& elsewhere) {
  const std::vector<double> estimate = m.y;
  ClosedPositions best = close_positions(m, held, weight);
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
    Vector shift(m.freedoms());
    for (int i = 0; i < shift.size(); ++i) shift[i] = spread * random() * m.size()[i];
    m.move(shift);
    const ClosedPositions next = close_positions(m, held, weight);
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
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = m.jacobian() * m.size().asDiagonal();
  for (long i = 0; i < rows.rows(); ++i)
    if (const double norm = rows.row(i).norm(); norm > 0) rows.row(i) /= norm;
  out.rows = m.rows();
  Elimination e;
  if (out.rows > 0)
    e.factor({rows.data(), static_cast<std::size_t>(rows.size())}, static_cast<std::size_t>(rows.rows()),
             static_cast<std::size_t>(rows.cols()), {.tolerance = 1e-9});
  out.rank = static_cast<int>(e.rank());
  for (std::size_t i = e.rank(); i < e.rows(); ++i) out.redundant.push_back(m.row_name(e.row_order()[i]));
  std::vector<int> free;
  for (int i = 0; i < m.freedoms(); ++i) {
    const auto d = e.dependent();
    if (out.rows == 0 || std::find(d.begin(), d.end(), i) == d.end()) free.push_back(i);
  }
  for (const int i : free) out.free.push_back(m.coordinate_name(i));
}

}  // namespace

Assembly assemble(const ModelSpec& model, const AssembleOptions& options) {
  const auto system = build_system(model);
  if (system->nq == 0) throw InputError("the model has no free bodies; there is nothing to assemble");
  ForceBalance m(system, model.simulation.start);
  const std::vector<double> estimate = m.y;
  Vector weight = Vector::Ones(m.freedoms());
  for (const auto& [name, value] : options.weights) {
    if (!(value > 0) || !std::isfinite(value))
      throw InputError(
          fmt::format("weight {} = {} must be > 0; the larger, the less the coordinate moves", name, value));
    for (const int i : coordinates_named(m, name)) weight[i] = value;
  }
  std::vector<HeldCoordinate> held;
  std::vector<char> kept(estimate.size(), 0);
  for (const std::string& name : options.keep)
    for (const int i : coordinates_named(m, name)) {
      if (!kept[static_cast<std::size_t>(i)]) held.push_back({i, m.coordinate(i)});
      kept[static_cast<std::size_t>(i)] = 1;
    }

  Assembly out;
  bool elsewhere = false;
  const ClosedPositions closed = close_from(m, held, weight, elsewhere);
  if (!closed.closed)
    throw InputError(fmt::format(
        "the mechanism cannot be assembled{}: at best these stay open: {} (m or rad); the constraints contradict each "
        "other, lengths do not reach, or the estimates are too far off",
        held.empty() ? "" : " with the kept coordinates", open_joints(m, closed.gaps, held)));
  if (elsewhere)
    out.notices.emplace_back(
        "from the estimate itself the mechanism does not close; this is a configuration around it");
  nearest_positions(m, held, weight, estimate);
  find_rank(m, out);

  ModeEquations equations(system);
  ConsistentRestart restart(equations);
  std::vector<double> y = m.y;
  if (!restart.velocities(m.mode, m.t, y.data())) throw InputError("inconsistent initial velocities: " + restart.why());
  const std::vector<std::string> names = system->state_names(), units = system->state_units();
  const auto positions = static_cast<std::size_t>(system->nq), speeds = static_cast<std::size_t>(m.freedoms());
  for (std::size_t i = 0; i < positions + speeds; ++i) {
    AssembledCoordinate c{names[i], units[i], estimate[i], y[i], kept[i] != 0};
    const double size = units[i] == "m" ? system->length : 1.0;
    c.moved = std::abs(c.assembled - c.estimate) > 1e-12 * (size + std::abs(c.assembled));
    (i < positions ? out.coordinates : out.velocities).push_back(std::move(c));
  }
  return out;
}

std::string assembly_text(const Assembly& a) {
  std::string text = fmt::format("{:<24}{:>22}{:>22}{:>14}\n", "", "estimate", "assembled", "moved by");
  for (const auto* list : {&a.coordinates, &a.velocities})
    for (const AssembledCoordinate& c : *list)
      text +=
          fmt::format("{:<24}{:>22.12g}{:>22.12g}{:>14} {}{}\n", c.name, c.estimate, c.assembled,
                      c.moved ? fmt::format("{:.4g}", c.assembled - c.estimate) : "", c.unit, c.kept ? "  kept" : "");
  text += fmt::format("\nconstraints: {} rows, rank {}\n", a.rows, a.rank);
  for (const std::string& row : a.redundant) text += "redundant: " + row + "\n";
  text += a.free.empty() ? "free: nothing, the drivers determine the motion\n"
                         : fmt::format("free: {} ({} degrees of freedom)\n", fmt::join(a.free, ", "), a.free.size());
  for (const std::string& notice : a.notices) text += "notice: " + notice + "\n";
  return text;
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
