// src/record/hdf5_write.cpp
//
// run.h5: everything of a run in one file, laid out as docs/results.md says. It is always written whole beside the
// old one and then put in its place, so that at every moment a complete file is there.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "hstar/record.hpp"
#include "record/counters.hpp"
#include "record/hdf5.hpp"
#include "record/text.hpp"
#include "record/version.hpp"

namespace hstar {
namespace {

using record::H5;

class Writer {
 public:
  explicit Writer(std::string path) : path_(std::move(path)), file_(create(path_)) {}

  void attribute(hid_t at, const char* name, const std::string& text) {
    const H5 type = record::text_type(), space(H5Screate(H5S_SCALAR), H5Sclose);
    const H5 a(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* value = text.c_str();
    check(H5Awrite(a, type, &value));
  }
  void attribute(hid_t at, const char* name, double value) {
    const H5 space(H5Screate(H5S_SCALAR), H5Sclose);
    const H5 a(H5Acreate2(at, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(a, H5T_NATIVE_DOUBLE, &value));
  }
  H5 group(const char* name) {
    const H5 options(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_obj_track_times(options, false);  // the same run, the same bytes
    H5 g(H5Gcreate2(file_, name, H5P_DEFAULT, options, H5P_DEFAULT), H5Gclose);
    if (!g.there()) fail();
    return g;
  }
  H5 numbers(hid_t at, const char* name, const std::vector<double>& values) {
    const hsize_t size = values.size();
    return data(at, name, H5T_NATIVE_DOUBLE, 1, &size, values.data());
  }
  /// `values` row by row.
  void matrix(hid_t at, const char* name, const std::vector<double>& values, std::size_t rows, std::size_t columns) {
    const hsize_t size[2] = {rows, columns};
    data(at, name, H5T_NATIVE_DOUBLE, 2, size, values.data());
  }
  void counts(hid_t at, const char* name, const std::vector<long long>& values) {
    const hsize_t size = values.size();
    data(at, name, H5T_NATIVE_LLONG, 1, &size, values.data());
  }
  void texts(hid_t at, const char* name, const std::vector<std::string>& values) {
    const H5 type = record::text_type();
    const hsize_t size = values.size();
    const auto list = pointers(values);
    data(at, name, type, 1, &size, list.data());
  }
  [[nodiscard]] hid_t root() const { return file_; }
  void close() {
    if (!file_.close()) fail();
  }

 private:
  static H5 create(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are told by us
    const H5 options(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(options, false);
    H5 file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, options, H5P_DEFAULT), H5Fclose);
    if (!file.there()) throw InputError("cannot write '" + path + "': " + std::strerror(errno));
    return file;
  }
  H5 data(hid_t at, const char* name, hid_t type, int rank, const hsize_t* size, const void* values) {
    const H5 space(H5Screate_simple(rank, size, nullptr), H5Sclose), options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(options, false);
    H5 set(H5Dcreate2(at, name, type, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose);
    if (!set.there()) fail();
    if (size[0] > 0 && (rank == 1 || size[1] > 0)) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    return set;
  }
  static std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> list;
    list.reserve(texts.size());
    for (const std::string& text : texts) list.push_back(text.c_str());
    return list;
  }
  void check(herr_t result) const {
    if (result < 0) fail();
  }
  [[noreturn]] void fail() const {
    throw InputError("cannot write '" + path_ + "': HDF5 could not (is the disk full?)");
  }

  std::string path_;
  H5 file_;
};

void write_head(Writer& out, const RunResult& result, const ModelSpec& model, const std::vector<Override>& overrides,
                bool finished) {
  const hid_t root = out.root();
  out.attribute(root, "program", std::string("hstar ") + record::version);
  out.attribute(root, "title", model.title);
  out.attribute(root, "model_file", model.file);
  out.attribute(root, "model_hash", model_hash(model, overrides));
  out.attribute(root, "model", model.text);
  std::vector<std::string> paths, values;
  for (const Override& change : overrides) {
    paths.push_back(change.path);
    values.push_back(change.value);
  }
  out.texts(root, "set_paths", paths);
  out.texts(root, "set_values", values);
  out.attribute(root, "finished", finished ? 1.0 : 0.0);
  out.attribute(root, "status", finished ? std::string(name(result.outcome.status)) : "unfinished");
  out.attribute(root, "message", result.outcome.message);
  out.attribute(root, "mode", result.outcome.mode);
  out.attribute(root, "last_event", result.outcome.last_event);
  out.attribute(root, "t", result.outcome.t);
  out.texts(root, "notices", result.notices);
  const H5 options = out.group("options");
  for (const auto& [option, value] : options_as_run(model)) out.attribute(options, option.c_str(), value);
  const H5 parameters = out.group("parameters");
  for (const auto& [parameter, value] : model.parameters) out.attribute(parameters, parameter.c_str(), value);
}

void write_trajectory(Writer& out, const RunResult& result) {
  const H5 group = out.group("trajectory");
  const std::size_t columns = result.columns.empty() ? 0 : result.columns.size() - 1;
  std::vector<double> t, values;
  t.reserve(result.rows.size());
  values.reserve(result.rows.size() * columns);
  std::vector<long long> first;  // rows that begin a segment: the start, and the later of two rows at one time
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const auto& row = result.rows[i];
    if (i == 0 || row.front() == result.rows[i - 1].front()) first.push_back(static_cast<long long>(i));
    t.push_back(row.front());
    values.insert(values.end(), row.begin() + 1, row.end());
  }
  const H5 times = out.numbers(group, "t", t);
  out.attribute(times, "unit", "s");
  out.matrix(group, "values", values, t.size(), columns);
  const auto after_t = [](const std::vector<std::string>& all) {
    return std::vector<std::string>(all.begin() + (all.empty() ? 0 : 1), all.end());
  };
  out.texts(group, "columns", after_t(result.columns));
  out.texts(group, "units", after_t(result.units));
  out.counts(group, "segment_first_row", first);
  out.numbers(group, "state_end", result.y_end);
  out.texts(group, "state_names", result.state_names);
}

void write_events(Writer& out, const RunResult& result) {
  const H5 group = out.group("events");
  const auto number = [&](const char* name, const char* unit, auto get) {
    std::vector<double> values;
    for (const EventRecord& e : result.events) values.push_back(get(e));
    const H5 set = out.numbers(group, name, values);
    out.attribute(set, "unit", unit);
  };
  const auto text = [&](const char* name, std::string EventRecord::*member) {
    std::vector<std::string> values;
    for (const EventRecord& e : result.events) values.push_back(e.*member);
    out.texts(group, name, values);
  };
  std::vector<long long> index, optional;
  for (const EventRecord& e : result.events) {
    index.push_back(static_cast<long long>(e.index));
    optional.push_back(e.optional);
  }
  out.counts(group, "index", index);
  out.counts(group, "optional", optional);
  number("t", "s", [](const EventRecord& e) { return e.t; });
  number("t_lo", "s", [](const EventRecord& e) { return e.t_lo; });
  number("t_hi", "s", [](const EventRecord& e) { return e.t_hi; });
  number("dt_error", "s", [](const EventRecord& e) { return e.dt_error; });
  number("gap_velocity_before", "m/s or rad/s", [](const EventRecord& e) { return e.gap_velocity_before; });
  number("gap_velocity_after", "m/s or rad/s", [](const EventRecord& e) { return e.gap_velocity_after; });
  number("impulse_n", "N s", [](const EventRecord& e) { return e.impulse_n; });
  number("impulse_t", "N s", [](const EventRecord& e) { return e.impulse_t; });
  number("energy_loss", "J", [](const EventRecord& e) { return e.energy_loss; });
  text("kind", &EventRecord::kind);
  text("element", &EventRecord::element);
  text("mode_before", &EventRecord::mode_before);
  text("mode_after", &EventRecord::mode_after);
  text("note", &EventRecord::note);
  const std::size_t n = result.events.empty() ? 0 : result.events.front().y_before.size();
  for (const bool after : {false, true}) {
    std::vector<double> states;
    for (const EventRecord& e : result.events) {
      std::vector<double> y = after ? e.y_after : e.y_before;
      y.resize(n, std::numeric_limits<double>::quiet_NaN());
      states.insert(states.end(), y.begin(), y.end());
    }
    out.matrix(group, after ? "y_after" : "y_before", states, result.events.size(), n);
  }
}

void write_extremes(Writer& out, const RunResult& result) {
  const H5 group = out.group("extremes");
  std::vector<std::string> measure, mode;
  std::vector<double> values[4];
  for (const RunResult::Extreme& e : result.extremes) {
    measure.push_back(e.measure);
    mode.push_back(e.mode);
    const double all[4] = {e.min, e.t_min, e.max, e.t_max};
    for (int i = 0; i < 4; ++i) values[i].push_back(all[i]);
  }
  out.texts(group, "measure", measure);
  out.texts(group, "mode", mode);
  const char* const names[4] = {"min", "t_min", "max", "t_max"};
  for (int i = 0; i < 4; ++i) out.numbers(group, names[i], values[i]);
}

void write_counters(Writer& out, const RunResult& result) {
  const H5 group = out.group("counters");
  for (const record::Counter& counter : record::counters)
    out.attribute(group, counter.name, static_cast<double>(counter.in(result.counters)));
}

}  // namespace

void write_hdf5(const RunResult& result, const ModelSpec& model, const std::vector<Override>& overrides, bool finished,
                const std::string& path) {
  const std::string beside = path + ".part";
  Writer out(beside);
  write_head(out, result, model, overrides, finished);
  write_trajectory(out, result);
  write_events(out, result);
  write_extremes(out, result);
  write_counters(out, result);
  out.close();
  if (std::rename(beside.c_str(), path.c_str()) != 0)
    throw InputError("cannot write '" + path + "': " + std::strerror(errno));
}

}  // namespace hstar
