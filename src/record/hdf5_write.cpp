// src/record/hdf5_write.cpp
//
// run.h5: everything of a run in one file, laid out as docs/results.md says. It is always written whole beside the
// old one and then put in its place, so that at every moment a complete file is there.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hstar/file_error.hpp"
#include "hstar/record.hpp"
#include "hstar/version.hpp"
#include "record/counters.hpp"
#include "record/hdf5.hpp"
#include "record/hdf5_write.hpp"
#include "record/text.hpp"

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
    return list(at, name, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  void counts(hid_t at, const char* name, const std::vector<long long>& values) {
    list(at, name, H5T_NATIVE_LLONG, values.size(), values.data());
  }
  void texts(hid_t at, const char* name, const std::vector<std::string>& values) {
    const H5 type = record::text_type();
    const auto texts = pointers(values);
    list(at, name, type, texts.size(), texts.data());
  }
  [[nodiscard]] hid_t root() const { return file_; }
  void close() {
    if (!file_.close()) fail();
  }
  H5 empty(hid_t at, const char* name, hid_t type, std::span<const hsize_t> size) {
    const H5 space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose),
        options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(options, false);
    H5 set(H5Dcreate2(at, name, type, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose);
    if (!set.there()) fail();
    return set;
  }
  void check(herr_t result) const {
    if (result < 0) fail();
  }

 private:
  static H5 create(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are told by us
    const H5 options(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(options, false);
    H5 file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, options, H5P_DEFAULT), H5Fclose);
    if (!file.there()) throw FileError::writing(path, errno);
    return file;
  }
  H5 list(hid_t at, const char* name, hid_t type, std::size_t size, const void* values) {
    const hsize_t length = size;
    H5 set = empty(at, name, type, {&length, 1});
    if (size > 0) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    return set;
  }
  static std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> list;
    list.reserve(texts.size());
    for (const std::string& text : texts) list.push_back(text.c_str());
    return list;
  }
  [[noreturn]] void fail() const {
    throw FileError("cannot write '" + path_ + "': HDF5 could not (is the disk full?)");
  }

  std::string path_;
  H5 file_;
};

/// A dataset of known size that is filled from its first row on.
class Dataset {
 public:
  Dataset(Writer& out, hid_t at, const char* name, hid_t type, std::vector<hsize_t> size)
      : out_(out), type_(type), size_(std::move(size)), set_(out.empty(at, name, type, size_)) {}

  [[nodiscard]] hid_t id() const { return set_; }
  [[nodiscard]] std::size_t written() const { return written_; }
  void append(const void* rows, std::size_t count) {
    std::vector<hsize_t> block = size_, begin(size_.size(), 0);
    block[0] = count;
    begin[0] = written_;
    written_ += count;
    if (std::find(block.begin(), block.end(), 0U) != block.end()) return;
    const H5 there(H5Screate_simple(static_cast<int>(size_.size()), size_.data(), nullptr), H5Sclose),
        here(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
    out_.check(H5Sselect_hyperslab(there, H5S_SELECT_SET, begin.data(), nullptr, block.data(), nullptr));
    out_.check(H5Dwrite(set_, type_, here, there, H5P_DEFAULT, rows));
  }

 private:
  Writer& out_;
  hid_t type_;
  std::vector<hsize_t> size_;
  H5 set_;
  std::size_t written_ = 0;
};

void write_head(Writer& out, const RunResult& result, const ModelSpec& model, const std::vector<Override>& overrides,
                bool finished) {
  const hid_t root = out.root();
  out.attribute(root, "program", "hstar " HSTAR_VERSION);
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
  for (const auto& [option, value] : options_as_run(model, result)) out.attribute(options, option.c_str(), value);
  const H5 parameters = out.group("parameters");
  for (const auto& [parameter, value] : model.parameters) out.attribute(parameters, parameter.c_str(), value);
}

void write_trajectory(Writer& out, const RunResult& result, record::Trace& trace) {
  const H5 group = out.group("trajectory");
  const std::size_t width = result.columns.size();  // t and the columns behind it
  std::vector<long long> first;  // rows that begin a segment: the start, and the later of two rows at one time
  Dataset times(out, group, "t", H5T_NATIVE_DOUBLE, {trace.rows()});
  out.attribute(times.id(), "unit", "s");
  std::vector<double> block;
  double last = std::numeric_limits<double>::quiet_NaN();
  trace.each_row_block([&](std::span<const double> rows) {
    block.clear();
    for (std::size_t at = 0; at < rows.size(); at += width) {
      if (times.written() + block.size() == 0 || rows[at] == last)
        first.push_back(static_cast<long long>(times.written() + block.size()));
      last = rows[at];
      block.push_back(last);
    }
    times.append(block.data(), block.size());
  });
  Dataset values(out, group, "values", H5T_NATIVE_DOUBLE, {trace.rows(), width == 0 ? 0 : width - 1});
  trace.each_row_block([&](std::span<const double> rows) {
    block.clear();
    for (std::size_t at = 0; at < rows.size(); at += width) {
      const auto row = rows.subspan(at + 1, width - 1);
      block.insert(block.end(), row.begin(), row.end());
    }
    values.append(block.data(), width == 0 ? 0 : rows.size() / width);
  });
  const auto after_t = [](const std::vector<std::string>& all) {
    return std::vector<std::string>(all.begin() + (all.empty() ? 0 : 1), all.end());
  };
  out.texts(group, "columns", after_t(result.columns));
  out.texts(group, "units", after_t(result.units));
  out.counts(group, "segment_first_row", first);
  out.numbers(group, "state_end", result.y_end);
  out.texts(group, "state_names", result.state_names);
}

/// Reads the events once, however many columns they have.
void write_events(Writer& out, record::Trace& trace) {
  const H5 group = out.group("events");
  std::vector<std::function<void(std::span<const EventRecord>)>> columns;
  const auto column = [&](const char* name, hid_t type, auto example, auto get) {
    const auto set = std::make_shared<Dataset>(out, group, name, type, std::vector<hsize_t>{trace.events()});
    columns.push_back(
        [set, get, block = std::vector<decltype(example)>()](std::span<const EventRecord> events) mutable {
          block.clear();
          for (const EventRecord& e : events) block.push_back(get(e));
          set->append(block.data(), block.size());
        });
    return set->id();
  };
  const auto count = [&](const char* name, auto get) { column(name, H5T_NATIVE_LLONG, 0LL, get); };
  const auto number_of = [&](const char* name, const char* unit, auto get) {
    out.attribute(column(name, H5T_NATIVE_DOUBLE, 0.0, get), "unit", unit);
  };
  const auto number = [&](const char* name, const char* unit, double EventRecord::*member) {
    number_of(name, unit, [member](const EventRecord& e) { return e.*member; });
  };
  const H5 text_type = record::text_type();
  const auto text = [&](const char* name, std::string EventRecord::*member) {
    const char* const none = nullptr;
    column(name, text_type, none, [member](const EventRecord& e) { return (e.*member).c_str(); });
  };
  count("index", [](const EventRecord& e) { return static_cast<long long>(e.index); });
  count("optional", [](const EventRecord& e) { return static_cast<long long>(e.optional); });
  number("t", "s", &EventRecord::t);
  number("t_lo", "s", &EventRecord::t_lo);
  number("t_hi", "s", &EventRecord::t_hi);
  number("dt_error", "s", &EventRecord::dt_error);
  number("gap_velocity_before", "m/s or rad/s", &EventRecord::gap_velocity_before);
  number("gap_velocity_after", "m/s or rad/s", &EventRecord::gap_velocity_after);
  number("impulse_n", "N s", &EventRecord::impulse_n);
  number("impulse_t", "N s", &EventRecord::impulse_t);
  number("energy_loss", "J", &EventRecord::energy_loss);
  number_of("momentum_residual", "1", [](const EventRecord& e) { return e.books.momentum; });
  number_of("energy_residual", "1", [](const EventRecord& e) { return e.books.energy; });
  number_of("cone_residual", "1", [](const EventRecord& e) { return e.books.cone; });
  text("kind", &EventRecord::kind);
  text("element", &EventRecord::element);
  text("mode_before", &EventRecord::mode_before);
  text("mode_after", &EventRecord::mode_after);
  text("note", &EventRecord::note);
  const std::size_t n = trace.states();
  for (const auto& [name, member] :
       {std::pair("y_before", &EventRecord::y_before), std::pair("y_after", &EventRecord::y_after)}) {
    const auto set =
        std::make_shared<Dataset>(out, group, name, H5T_NATIVE_DOUBLE, std::vector<hsize_t>{trace.events(), n});
    columns.push_back(
        [set, n, member = member, block = std::vector<double>()](std::span<const EventRecord> events) mutable {
          block.assign(events.size() * n, std::numeric_limits<double>::quiet_NaN());
          for (std::size_t i = 0; i < events.size(); ++i) {
            const std::vector<double>& y = events[i].*member;
            std::copy_n(y.begin(), std::min(n, y.size()), block.begin() + static_cast<std::ptrdiff_t>(i * n));
          }
          set->append(block.data(), events.size());
        });
  }
  trace.each_event_block([&](std::span<const EventRecord> events) {
    for (const auto& take : columns) take(events);
  });
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

namespace record {

void write_hdf5(const RunResult& result, Trace& trace, const ModelSpec& model, const std::vector<Override>& overrides,
                bool finished, const std::string& path) {
  const std::string beside = path + ".part";
  try {
    Writer out(beside);
    write_head(out, result, model, overrides, finished);
    write_trajectory(out, result, trace);
    write_events(out, trace);
    write_extremes(out, result);
    write_counters(out, result);
    out.close();
    if (std::rename(beside.c_str(), path.c_str()) != 0) throw FileError::writing(path, errno);
  } catch (const FileError&) {
    std::remove(beside.c_str());
    throw;
  }
}

}  // namespace record

void write_hdf5(const RunResult& result, const ModelSpec& model, const std::vector<Override>& overrides, bool finished,
                const std::string& path) {
  record::ResultTrace trace(result);
  record::write_hdf5(result, trace, model, overrides, finished, path);
}

}  // namespace hstar
