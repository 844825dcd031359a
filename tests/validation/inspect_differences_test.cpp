// tests/validation/inspect_differences_test.cpp
//
// The numbers of `hstar inspect` are those of the model: on every model of validation/, examples/ and docs/course, at
// the start and on the way,
//   Phi_q  is the derivative of Phi by each displacement, of rows of velocities (stick) that of Phi_q v - nu by v,
//   nu     is -dPhi/dt at a fixed place,
//   gamma  is minus the derivative of Phi_q v - nu along the motion with v kept,
//   f_y    of plain states is the derivative of f.
// Here they are differences of Phi, Phi_q v - nu and f at places around, extrapolated to the place itself: nothing of
// the derivatives that are shown is used. At the start all models are looked at, later on those that validate.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

#include "formulation/dae_problem.hpp"
#include "hstar/inspect.hpp"
#include "simulate/model_process.hpp"
#include "simulate/options.hpp"

using namespace hstar;

namespace {

using Vector = std::vector<double>;
using Function = std::function<Vector(double)>;

class Nobody final : public EventLog {
 public:
  bool wanted() const override { return false; }
  void add(EventRecord) override {}
};

std::vector<std::filesystem::path> model_files() {
  // References, models that are refused on purpose, and one whose rate, sign(v), jumps where it starts.
  const std::set<std::string> others{"accept.toml",
                                     "reference.toml",
                                     "lecture_numbers.toml",
                                     "taylor.toml",
                                     "traces.toml",
                                     "coulomb_naive.toml",
                                     "web_cutter_fourbar.toml",
                                     "dotted_key_crash.toml",
                                     "rest_rows_fill_memory.toml"};
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"/examples", "/validation", "/docs/course"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(HSTAR_SOURCE_DIR + std::string(folder)))
      if (entry.path().extension() == ".toml" && !others.contains(entry.path().filename().string()))
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Derivatives at 0 by differences over +-h and +-h/2, extrapolated; what they are apart is how far they can be
/// trusted.
struct Difference {
  Vector value, doubt;
};
Difference differentiate(const Function& f, double h) {
  const auto central = [&](double d) {
    Vector out = f(d);
    const Vector below = f(-d);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (out[i] - below[i]) / (2 * d);
    return out;
  };
  const Vector wide = central(h), narrow = central(0.5 * h);
  Difference out{narrow, narrow};
  for (std::size_t i = 0; i < wide.size(); ++i) {
    out.value[i] = (4 * narrow[i] - wide[i]) / 3;
    out.doubt[i] = std::abs(narrow[i] - wide[i]);
  }
  return out;
}

double largest(const Vector& values) {
  double out = 0;
  for (const double x : values) out = std::max(out, std::abs(x));
  return out;
}

/// A mechanism in the mode and at the state in which `inspect` shows it.
class Place {
 public:
  Place(const ModelSpec& model, double t)
      : t_(t), system_(build_system(model)), process_(model_process(model, system_)), y_(system_->initial_state()) {
    if (t == model.simulation.start) {
      Nobody nobody;
      REQUIRE(process_->start(t, y_, nobody).then != Settled::Then::fail);
    } else {
      ModelSpec until = model;
      until.simulation.end = t;
      RunCounters counters;
      REQUIRE(run_counted(*process_, y_, loop_options(until, *system_), nullptr, counters).success());
    }
    if (system_->nv == 0) return;
    dae_ = std::make_unique<MechanismDae>(system_, process_->mode(), DaeForm::index3);
    dae_->share_slide_references(process_->equations());
    equations_ = std::make_unique<ModeEquations>(system_);
    equations_->motion.share_references(process_->equations().motion);
    equations_->rows.choose(process_->mode());
    REQUIRE(dae_->begin(t, y_.data()));
  }

  [[nodiscard]] const Vector& y() const { return y_; }
  Vector rates_at(const Vector& y) {
    Vector out(y.size());
    REQUIRE(process_->rates(t_, y.data(), out.data()));
    return out;
  }
  [[nodiscard]] std::size_t velocities() const { return static_cast<std::size_t>(system_->nv); }
  [[nodiscard]] std::size_t places() const { return static_cast<std::size_t>(system_->nq); }
  /// Phi and Phi_q v - nu, `displacement` away and with v changed by `faster`, dt later.
  std::pair<Vector, Vector> rows_at(const Vector& displacement, const Vector& faster, double dt) {
    Vector moved = y_;
    dae_->displace(y_.data(), displacement.data(), moved.data());
    for (std::size_t i = 0; i < faster.size(); ++i) moved[places() + i] += faster[i];
    equations_->evaluate(t_ + dt, moved.data());
    equations_->rows.fill();
    const int m = equations_->rows.count();
    std::pair<Vector, Vector> out{Vector(static_cast<std::size_t>(m)), {}};
    equations_->rows.positions(out.first.data());
    for (int i = 0; i < m; ++i) out.second.push_back(equations_->motion.free_speed(equations_->rows[i]));
    return out;
  }

 private:
  double t_;
  std::shared_ptr<const System> system_;
  std::unique_ptr<MechanismProcess> process_;
  Vector y_;
  std::unique_ptr<MechanismDae> dae_;
  std::unique_ptr<ModeEquations> equations_;
};

const NamedTable& table(const Inspection& i, const std::string& name) {
  const NamedTable* found = i.find(name);
  if (found == nullptr) FAIL("no table " << name);
  return *found;
}

/// Extrapolation leaves a small part of the doubt.
void agrees(double shown, const Difference& d, std::size_t i, double size) {
  CHECK(std::abs(shown - d.value[i]) <= 1e-7 * size + d.doubt[i]);
}

void check_mechanism(const ModelSpec& model, double t) {
  const Inspection shown = inspect(model, {t, 0});
  if (shown.find("Phi_q") == nullptr) return;
  Place place(model, t);
  const NamedTable &phi_q = table(shown, "Phi_q"), &nu = table(shown, "nu"), &gamma = table(shown, "gamma");
  const std::size_t n = place.velocities(), m = phi_q.rows.size();
  const Vector none(n), v(place.y().begin() + static_cast<std::ptrdiff_t>(place.places()),
                          place.y().begin() + static_cast<std::ptrdiff_t>(place.places() + n));
  REQUIRE(place.rows_at(none, none, 0).first.size() == m);
  const auto is_position = [&](std::size_t r) { return phi_q.rows[r].find("(stick") == std::string::npos; };
  const Vector here = place.rows_at(none, none, 0).first;
  for (std::size_t r = 0; r < m; ++r) {
    INFO(phi_q.rows[r]);
    CHECK(table(shown, "Phi").at(r) == (is_position(r) ? here[r] : 0));
  }
  const double h = 1e-3;
  for (std::size_t j = 0; j < n; ++j) {
    Vector along(n);
    const auto scaled = [&](double d) {
      along[j] = d;
      return along;
    };
    const Difference by_place = differentiate([&](double d) { return place.rows_at(scaled(d), none, 0).first; }, h);
    const Difference by_speed = differentiate([&](double d) { return place.rows_at(none, scaled(d), 0).second; }, h);
    for (std::size_t r = 0; r < m; ++r) {
      INFO(phi_q.rows[r] << " by " << phi_q.columns[j]);
      if (is_position(r)) agrees(phi_q.at(r, j), by_place, r, 1);
      agrees(phi_q.at(r, j), by_speed, r, 1);
    }
  }
  const Difference by_time = differentiate([&](double d) { return place.rows_at(none, none, d).first; }, h);
  const double dt = h / std::max(1.0, largest(v));
  const Difference along = differentiate(
      [&](double d) {
        Vector way = v;
        for (double& x : way) x *= d;
        return place.rows_at(way, none, d).second;
      },
      dt);
  for (std::size_t r = 0; r < m; ++r) {
    INFO(phi_q.rows[r]);
    if (is_position(r)) agrees(-nu.at(r), by_time, r, std::max(1.0, largest(v)));
    agrees(-gamma.at(r), along, r, std::max(1.0, largest(v) * largest(v)));
  }
}

void check_states(const ModelSpec& model, double t) {
  const NamedTable f_y = table(inspect(model, {t, 0}), "f_y");
  Place place(model, t);
  const double size = largest(place.y()), h = size > 0 ? 1e-3 * size : 1e-3;
  const double entries = largest(f_y.values);
  for (std::size_t j = 0; j < place.y().size(); ++j) {
    const Difference by_state = differentiate(
        [&](double d) {
          Vector y = place.y();
          y[j] += d;
          return place.rates_at(y);
        },
        h);
    for (std::size_t r = 0; r < place.y().size(); ++r) {
      INFO(f_y.rows[r] << " " << f_y.columns[j]);
      agrees(f_y.at(r, j), by_state, r, entries);
    }
  }
}

}  // namespace

TEST_CASE("on every model of plain states f_y is the derivative of f") {
  std::size_t shown = 0;
  for (const std::filesystem::path& path : model_files()) {
    const ModelSpec model = read_model(path.string());
    if (model.has_bodies()) continue;
    INFO(path.string());
    check_states(model, model.simulation.start);
    ++shown;
  }
  CHECK(shown >= 20);
}

TEST_CASE("on every model Phi_q, nu and gamma are derivatives of Phi") {
  std::size_t shown = 0;
  for (const std::filesystem::path& path : model_files()) {
    const ModelSpec model = read_model(path.string());
    if (!model.has_bodies()) continue;
    const bool validates = path.parent_path().parent_path().filename() == "validation";
    for (const double part : validates ? Vector{0.0, 0.01} : Vector{0.0}) {
      const SimulationSpec& s = model.simulation;
      INFO(path.string() << " at " << part << " of its time");
      check_mechanism(model, s.start + part * (s.end - s.start));
      ++shown;
    }
  }
  CHECK(shown >= 250);
}
