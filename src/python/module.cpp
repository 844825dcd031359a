// src/python/module.cpp
//
// hstar._core: what the Python package is made of. Names and conveniences for users are in hstar/*.py.
#include <fmt/core.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>

#include "hstar/assemble.hpp"
#include "hstar/compare.hpp"
#include "hstar/elimination.hpp"
#include "hstar/equilibrium.hpp"
#include "hstar/hybrid.hpp"
#include "hstar/inspect.hpp"
#include "hstar/inverse.hpp"
#include "hstar/kinematics.hpp"
#include "hstar/natural_modes.hpp"
#include "hstar/record.hpp"
#include "hstar/report.hpp"
#include "hstar/sweep.hpp"
#include "hstar/validate.hpp"
#include "hstar/version.hpp"
#include "model/keys.hpp"
#include "python/callbacks.hpp"
#include "python/dense_store.hpp"
#include "python/plain_process.hpp"
#include "record/counters.hpp"
#include "report/mode_bands.hpp"

namespace py = pybind11;

namespace hstar::python {
namespace {

using namespace py::literals;

/// Ctrl-C, asked for a few times a second without holding the interpreter's lock in between.
class Interrupts {
 public:
  bool asked() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return stopped_;
    next_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) {
      PyErr_Clear();
      stopped_ = true;
    }
    return stopped_;
  }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  bool stopped_ = false;
};

/// Keeps the interpolants of a run, and asks for Ctrl-C.
class DenseListener : public LoopObserver {
 public:
  explicit DenseListener(DenseStore& dense) : dense_(dense) {}
  void segment_begin(double, std::span<const double> y) override { dense_.set_size(y.size()); }
  void step(Flow& accepted, double t_until) override { dense_.add(accepted, t_until); }
  bool stop_requested() override { return interrupts_.asked(); }

 private:
  DenseStore& dense_;
  Interrupts interrupts_;
};

/// Of plain functions there is no recorder: rows are the steps' ends.
class PlainRecorder final : public DenseListener {
 public:
  PlainRecorder(DenseStore& dense, RunResult& result) : DenseListener(dense), result_(result) {}
  void segment_begin(double t, std::span<const double> y) override {
    DenseListener::segment_begin(t, y);
    row(t, y);
  }
  void step(Flow& accepted, double t_until) override {
    DenseListener::step(accepted, t_until);
    if (t_until == accepted.t1()) row(t_until, accepted.y1());
  }
  void segment_end(double t, std::span<const double> y) override {
    if (result_.rows.empty() || result_.rows.back().front() != t) row(t, y);
  }
  void event(const EventRecord& record) override { result_.events.push_back(record); }

 private:
  void row(double t, std::span<const double> y) {
    std::vector<double> line{t};
    line.insert(line.end(), y.begin(), y.end());
    result_.rows.push_back(std::move(line));
  }
  RunResult& result_;
};

struct Solution {
  RunResult result;
  ModelSpec model;
  std::vector<Override> overrides;  ///< of the model's text
  std::shared_ptr<DenseStore> dense;
};

/// Rows as one array (rows x columns) that owns its memory.
py::array_t<double> table(const RunResult& result) {
  const auto columns = result.rows.empty() ? result.columns.size() : result.rows.front().size();
  py::array_t<double> out({result.rows.size(), columns});
  double* to = out.mutable_data();
  for (const auto& row : result.rows) to = std::copy(row.begin(), row.end(), to);
  return out;
}

py::array_t<double> read_dense(const DenseStore& dense, const py::array_t<double>& t) {
  const auto times = t.unchecked<1>();
  py::array_t<double> out({static_cast<std::size_t>(times.shape(0)), dense.size()});
  for (py::ssize_t i = 0; i < times.shape(0); ++i)
    dense.at(times(i), out.mutable_data() + static_cast<std::size_t>(i) * dense.size());
  return out;
}

/// All of a dense store as (size, pieces, values), and back; one row of `pieces`: t0, t1, nodes, first.
py::tuple dense_state(const Solution& s) {
  std::vector<std::array<double, 4>> pieces;
  for (const DenseStore::Piece& p : s.dense->pieces())
    pieces.push_back({p.t0, p.t1, static_cast<double>(p.nodes), static_cast<double>(p.first)});
  const std::vector<double>& values = s.dense->values();
  return py::make_tuple(s.dense->size(), pieces,
                        py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data()));
}

void restore_dense(Solution& s, std::size_t size, const std::vector<std::array<double, 4>>& rows,
                   const py::array_t<double>& values) {
  std::vector<DenseStore::Piece> pieces;
  for (const auto& [t0, t1, nodes, first] : rows)
    pieces.push_back({t0, t1, static_cast<std::size_t>(nodes), static_cast<std::size_t>(first)});
  s.dense->restore(size, std::move(pieces), {values.data(), values.data() + values.size()});
}

std::unique_ptr<Solution> stored_solution(const std::string& path) {
  StoredRun stored = read_hdf5(path);
  auto solution = std::make_unique<Solution>();
  solution->result = std::move(stored.result);
  solution->model = std::move(stored.model);
  solution->overrides = std::move(stored.overrides);
  solution->dense = std::make_shared<DenseStore>();
  return solution;
}

/// Every key of a section of the model file: name -> (unit, default, meaning).
/// What an editor is told a key of a model in code may be; formulas are texts.
std::string python_type(const model::KeySpec& key) {
  using model::Kind;
  switch (key.kind) {
    case Kind::text:
    case Kind::name:
    case Kind::body:
      return "str";
    case Kind::word: {
      std::string words;
      for (const char c : std::string(key.choices)) words += c == ' ' ? "\", \"" : std::string(1, c);
      return key.choices.empty() ? "str" : "Literal[\"" + words + "\"]";
    }
    case Kind::boolean:
      return "bool";
    case Kind::integer:
    case Kind::number:
    case Kind::formula:
      return "Number";
    case Kind::triples:
    case Kind::pairs:
    case Kind::tensor:
      return "Sequence[Any]";
    case Kind::bodies:
      return "Sequence[str]";
    case Kind::table:
      return key.name == "friction" ? "Friction" : "Mapping[str, Any]";
    case Kind::tables:
      return "Sequence[Mapping[str, Any]]";
    case Kind::resets:
      return "Mapping[str, Number]";
    default:
      return "Sequence[Number]";
  }
}

/// Key -> (unit, default, line about it, type) of a section, in the plane and in space; what differs is joined.
py::dict keys_of(const std::string& name) {
  py::dict out;
  for (const model::SectionSpec* spec : {&model::section(name), &model::spatial_section(name)})
    for (const model::KeySpec& key : spec->keys) {
      const py::str word{std::string(key.name)};
      std::string unit(key.unit), standard(key.standard), about(key.about), type = python_type(key);
      if (out.contains(word)) {
        const auto before = py::cast<std::array<std::string, 4>>(out[word]);
        if (about != before[2]) about = before[2] + "; in space " + about;
        if (unit != before[0]) unit = before[0] + ", in space " + unit;
        standard = before[1];
        if (type != before[3]) type = before[3] + " | " + type;
      }
      out[word] = py::make_tuple(unit, standard, about, type);
    }
  return out;
}

py::list extremes_of(const RunResult& result) {
  py::list out;
  for (const RunResult::Extreme& e : result.extremes)
    out.append(py::dict("measure"_a = e.measure, "mode"_a = e.mode, "min"_a = e.min, "t_min"_a = e.t_min,
                        "max"_a = e.max, "t_max"_a = e.t_max));
  return out;
}

/// Element -> [(from, to, mode), ...]; a run that made no rows has none.
py::dict modes_of(const Solution& s) {
  py::dict out;
  if (s.result.rows.empty()) return out;
  for (const report::ModeBand& band :
       report::mode_bands(s.result, s.result.rows.front().front(), s.result.rows.back().front())) {
    py::list intervals;
    for (const report::ModeInterval& i : band.intervals) intervals.append(py::make_tuple(i.from, i.to, i.mode));
    out[py::str(band.element)] = std::move(intervals);
  }
  return out;
}

py::list compare_model(const std::string& model, const std::vector<Override>& overrides,
                       const CompareOptions& options) {
  const Comparison all = compare(model, overrides, options);
  py::list rows;
  for (const CompareRow& r : all.rows)
    rows.append(py::dict("formulation"_a = r.formulation, "integrator"_a = r.integrator, "rtol"_a = r.rtol,
                         "step"_a = r.step, "status"_a = std::string(name(r.outcome.status)),
                         "steps"_a = r.counters.flow.steps, "evaluations"_a = r.counters.flow.evaluations,
                         "seconds"_a = r.seconds, "position_error"_a = r.position_error,
                         "velocity_error"_a = r.velocity_error, "energy_drift"_a = r.energy_drift,
                         "event_error"_a = r.event_error, "end_error"_a = r.end_error, "failure"_a = r.failure));
  return rows;
}

py::dict counters_of(const RunCounters& c) {
  py::dict d;
  for (const record::Counter& counter : record::counters) d[counter.name] = counter.in(c);
  return d;
}

py::list events_of(const RunResult& result) {
  py::list out;
  for (const EventRecord& e : result.events) {
    py::dict d;
    d["index"] = e.index;
    d["t"] = e.t;
    d["t_lo"] = e.t_lo;
    d["t_hi"] = e.t_hi;
    d["dt_error"] = e.dt_error;
    d["kind"] = e.kind;
    d["element"] = e.element;
    d["mode_before"] = e.mode_before;
    d["mode_after"] = e.mode_after;
    d["gap_velocity_before"] = e.gap_velocity_before;
    d["gap_velocity_after"] = e.gap_velocity_after;
    d["impulse_n"] = e.impulse_n;
    d["impulse_t"] = e.impulse_t;
    d["energy_loss"] = e.energy_loss;
    d["optional"] = e.optional;
    d["note"] = e.note;
    d["y_before"] = py::array_t<double>(static_cast<py::ssize_t>(e.y_before.size()), e.y_before.data());
    d["y_after"] = py::array_t<double>(static_cast<py::ssize_t>(e.y_after.size()), e.y_after.data());
    out.append(std::move(d));
  }
  return out;
}

std::unique_ptr<Solution> run_model(ModelSpec model, std::vector<Override> overrides) {
  auto solution = std::make_unique<Solution>();
  solution->model = std::move(model);
  solution->overrides = std::move(overrides);
  solution->dense = std::make_shared<DenseStore>();
  solution->dense->write_as(build_system(solution->model));
  DenseListener listener(*solution->dense);
  const py::gil_scoped_release unlocked;
  solution->result = run(solution->model, nullptr, &listener);
  return solution;
}

/// One event function of solve_ivp.
struct PlainEvent {
  py::function g;
  int direction;      ///< +1 rising, -1 falling, 0 either
  long terminal;      ///< the run ends at the terminal-th occurrence; 0: never
  py::object change;  ///< callable (t, y) -> new y, or None
};

std::unique_ptr<Solution> run_plain(const py::function& fun, double t0, double t1, const std::vector<double>& y0,
                                    const std::string& integrator, double rtol, double atol, double max_step,
                                    double first_step, const std::vector<PlainEvent>& events, const py::object& jac,
                                    std::vector<double> jumps) {
  auto solution = std::make_unique<Solution>();
  RunResult& result = solution->result;
  const std::size_t n = y0.size();
  const auto array = [n](const double* y) {
    return py::array_t<double>(static_cast<py::ssize_t>(n), y);  // a copy: the caller may keep it
  };
  PlainProcess::Jacobian jacobian;
  if (!jac.is_none())
    jacobian = [&](double t, const double* y, double* by_y) {
      const auto matrix = py::cast<py::array_t<double, py::array::c_style | py::array::forcecast>>(jac(t, array(y)));
      if (static_cast<std::size_t>(matrix.size()) != n * n)
        throw InputError("jac returned " + std::to_string(matrix.size()) + " values; a state of " + std::to_string(n) +
                         " has " + std::to_string(n * n));
      std::copy(matrix.data(), matrix.data() + n * n, by_y);
    };
  const auto rates_of = [&](double t, const double* y, double* ydot) {
    const auto rates = py::cast<py::array_t<double, py::array::c_style | py::array::forcecast>>(fun(t, array(y)));
    if (static_cast<std::size_t>(rates.size()) != n)
      throw InputError("fun returned " + std::to_string(rates.size()) + " values for a state of " + std::to_string(n));
    std::copy(rates.data(), rates.data() + n, ydot);
  };
  PlainProcess process(n, rates_of, jacobian, std::move(jumps));
  std::vector<long> seen(events.size(), 0);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const PlainEvent& e = events[i];
    hstar::events::GuardInfo info;
    info.name = std::to_string(i);
    info.crossing = e.direction > 0   ? hstar::events::Crossing::rising
                    : e.direction < 0 ? hstar::events::Crossing::falling
                                      : hstar::events::Crossing::either;
    FunctionProcess::Effect effect;
    if (e.terminal > 0 || !e.change.is_none())
      effect = [&, i](double t, std::span<double> y) {
        const PlainEvent& event = events[i];
        if (!event.change.is_none()) {
          const auto next = py::cast<py::array_t<double, py::array::c_style | py::array::forcecast>>(
              event.change(t, array(y.data())));
          if (static_cast<std::size_t>(next.size()) != n)
            throw InputError("change of event " + std::to_string(i) + " returned " + std::to_string(next.size()) +
                             " values for a state of " + std::to_string(n));
          std::copy(next.data(), next.data() + n, y.data());
        }
        return event.terminal == 0 || ++seen[i] < event.terminal;
      };
    process.guards().add_guard(
        std::move(info),
        [&, i](double t, std::span<const double> y) { return py::cast<double>(events[i].g(t, array(y.data()))); }, "",
        std::move(effect));
  }
  LoopOptions options;
  options.integrator = integrator;
  options.t_start = t0;
  options.flow.t_end = t1;
  options.flow.rtol = rtol;
  options.flow.atol = atol;
  options.flow.first_step = first_step;
  if (max_step > 0) options.flow.max_step = max_step;
  result.y_end = y0;
  solution->dense = std::make_shared<DenseStore>();
  PlainRecorder recorder(*solution->dense, result);
  result.outcome = run_process(process, result.y_end, options, &recorder, result.counters);
  return solution;
}

py::dict eliminate(const std::vector<double>& a, std::size_t rows, std::size_t columns, const std::vector<double>& b,
                   std::size_t leading_rows) {
  Elimination e;
  Elimination::Options options;
  options.leading_rows = leading_rows;
  e.factor(a, rows, columns, options);
  std::vector<std::vector<double>> echelon(e.rank(), std::vector<double>(columns));
  for (std::size_t i = 0; i < e.rank(); ++i)
    for (std::size_t j = 0; j < columns; ++j) echelon[i][j] = e.echelon(i, j);
  const auto list = [](auto span) { return std::vector(span.begin(), span.end()); };
  py::dict out("rank"_a = e.rank(), "pivots"_a = list(e.pivots()), "row_order"_a = list(e.row_order()),
               "column_order"_a = list(e.column_order()), "echelon"_a = echelon);
  if (b.empty()) return out;
  if (b.size() != rows) throw InputError(fmt::format("b has {} numbers, A has {} rows", b.size(), rows));
  std::vector<double> right = b;
  e.forward(right);
  out["b"] = right;
  out["x"] = e.solve(b);
  return out;
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The compiled part of hstar; use the functions of the package `hstar`.";
  m.attr("__version__") = HSTAR_VERSION;
  py::register_exception<InputError>(m, "InputError", PyExc_ValueError);

  py::class_<ModelSpec>(m, "ModelSpec")
      .def_readonly("title", &ModelSpec::title)
      .def_readonly("text", &ModelSpec::text)
      .def_readonly("parameters", &ModelSpec::parameters);

  py::class_<Solution>(m, "Solution")
      .def_property_readonly("columns", [](const Solution& s) { return s.result.columns; })
      .def_property_readonly("units", [](const Solution& s) { return s.result.units; })
      .def_property_readonly("table", [](const Solution& s) { return table(s.result); })
      .def_property_readonly("events", [](const Solution& s) { return events_of(s.result); })
      .def_property_readonly("modes", &modes_of)
      .def_property_readonly("state_names", [](const Solution& s) { return s.result.state_names; })
      .def_property_readonly("y_end", [](const Solution& s) { return s.result.y_end; })
      .def_property_readonly("notices", [](const Solution& s) { return s.result.notices; })
      .def_property_readonly("stats", [](const Solution& s) { return counters_of(s.result.counters); })
      .def_property_readonly("status", [](const Solution& s) { return std::string(name(s.result.outcome.status)); })
      .def_property_readonly("success", [](const Solution& s) { return s.result.outcome.success(); })
      .def_property_readonly("message", [](const Solution& s) { return s.result.outcome.message; })
      .def_property_readonly("mode_end", [](const Solution& s) { return s.result.outcome.mode; })
      .def_property_readonly("t_end", [](const Solution& s) { return s.result.outcome.t; })
      .def_property_readonly("parameters", [](const Solution& s) { return s.model.parameters; })
      .def_property_readonly("options", [](const Solution& s) { return options_as_run(s.model, s.result); })
      .def_property_readonly("model_text", [](const Solution& s) { return s.model.text; })
      .def_property_readonly("extremes", [](const Solution& s) { return extremes_of(s.result); })
      .def_property_readonly("has_dense", [](const Solution& s) { return !s.dense->empty(); })
      .def("dense_state", &dense_state)
      .def("restore_dense", &restore_dense)
      .def("write_hdf5",
           [](const Solution& s, const std::string& path) { write_hdf5(s.result, s.model, s.overrides, true, path); })
      .def("at", [](const Solution& s, const py::array_t<double>& t) { return read_dense(*s.dense, t); })
      .def("inspect",
           [](const Solution& s, double t, double step) {
             return inspection_json(inspect(s.model, {t, step}));
           })
      .def("write_report", [](const Solution& s, const std::string& path) { write_report(s.result, s.model, path); })
      .def("write_files", [](const Solution& s, const std::string& folder) {
        FileSink files(s.model, s.overrides, folder);
        files.begin(std::span(s.result.columns).subspan(1), std::span(s.result.units).subspan(1));
        for (const auto& row : s.result.rows) files.row(row.front(), std::span(row).subspan(1));
        for (const EventRecord& e : s.result.events) files.event(e);
        files.end(s.result.outcome, s.result.counters);
        write_summary(s.result, s.model, s.overrides, folder);
      });

  const auto overrides = [](const std::vector<std::pair<std::string, std::string>>& changes) {
    std::vector<Override> all;
    for (const auto& [path, value] : changes) all.push_back({path, value});
    return all;
  };
  m.def("read_model",
        [overrides](const std::string& path, const std::vector<std::pair<std::string, std::string>>& set) {
          return read_model(path, overrides(set));
        });
  m.def("parse_model", [overrides](const std::string& text, const std::string& name,
                                   const std::vector<std::pair<std::string, std::string>>& set) {
    return parse_model(text, name, overrides(set));
  });
  m.def("read_solution", &stored_solution);
  m.def("keys_of", &keys_of);
  m.def("compare",
        [overrides](const std::string& path, const std::vector<std::pair<std::string, std::string>>& set,
                    const std::vector<std::string>& formulations, const std::vector<std::string>& integrators,
                    const std::vector<double>& rtol, const std::vector<double>& steps) {
          CompareOptions options;
          options.formulations = formulations;
          options.integrators = integrators;
          options.tolerances = rtol;
          options.steps = steps;
          return compare_model(path, overrides(set), options);
        });
  m.def("validate", [](const std::vector<std::string>& targets, const std::string& folder) {
    std::ostringstream text;
    ValidateOptions options;
    options.targets = targets;
    options.folder = folder;
    const int short_ones = validate(options, text);
    return py::make_tuple(short_ones, text.str());
  });
  m.def("add_force", &add_force);
  m.def("add_guard", &add_guard);
  m.def("describe_model", [](const ModelSpec& model) { return describe_model(model); });
  m.def("assemble", [](const ModelSpec& model, const std::vector<std::string>& keep,
                       const std::vector<std::pair<std::string, double>>& weights) {
    return assembly_json(assemble(model, {keep, weights}));
  });
  m.def("equilibrium", [](const ModelSpec& model, bool nearest, const std::vector<std::string>& touching,
                          const std::vector<std::string>& coordinates, bool intervals,
                          const std::vector<std::string>& vary, const py::function& remake) {
    const auto changed = [&](const std::string& parameter, double value) {
      try {
        return remake(parameter, value).cast<ModelSpec>();
      } catch (const py::error_already_set& error) {
        // A value the model cannot have ends the interval, as on the command line.
        if (error.matches(PyExc_ValueError)) throw InputError(py::str(error.value()).cast<std::string>());
        throw;
      }
    };
    return equilibrium_json(find_equilibrium(model, {nearest, touching, intervals, coordinates, vary, changed}));
  });
  m.def("inspect", [](const ModelSpec& model, const std::optional<double>& t, double step) {
    return inspection_json(inspect(model, {t.value_or(model.simulation.start), step}));
  });
  m.def("eliminate", &eliminate);
  m.def("inverse", [](const ModelSpec& model) { return inverse_json(inverse_dynamics(model)); });
  m.def("modes",
        [](const ModelSpec& model, bool given, bool nearest, bool friction, const std::vector<std::string>& touching) {
          return natural_modes_json(natural_modes(model, {given, nearest, friction, touching}));
        });
  m.def("kinematics", [](const ModelSpec& model) {
    const KinematicsResult r = analyse_kinematics(model);
    py::list singular;
    for (const SingularPosition& s : r.singular)
      singular.append(py::dict("t"_a = s.t, "t_error"_a = s.t_error, "row"_a = s.row, "passed"_a = s.passed));
    return py::dict("columns"_a = r.columns, "units"_a = r.units, "rows"_a = r.rows, "singular"_a = singular,
                    "notices"_a = r.notices, "reached_end"_a = r.reached_end);
  });
  m.def("run_model", [overrides](const ModelSpec& model, const std::vector<std::pair<std::string, std::string>>& set) {
    return run_model(model, overrides(set));
  });
  m.def("run_plain", [](const py::function& fun, double t0, double t1, const std::vector<double>& y0,
                        const std::string& integrator, double rtol, double atol, double max_step, double first_step,
                        const py::list& events, const py::object& jac, const std::vector<double>& jumps) {
    std::vector<PlainEvent> plain;
    for (const auto& item : events) {
      const auto e = py::cast<py::tuple>(item);
      plain.push_back({py::cast<py::function>(e[0]), py::cast<int>(e[1]), py::cast<long>(e[2]), py::object(e[3])});
    }
    return run_plain(fun, t0, t1, y0, integrator, rtol, atol, max_step, first_step, plain, jac, jumps);
  });
}

}  // namespace hstar::python
