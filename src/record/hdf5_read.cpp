// src/record/hdf5_read.cpp: what hdf5_write.cpp wrote, read back for `hstar report`.
#include "hstar/record.hpp"
#include "record/counters.hpp"
#include "record/hdf5.hpp"

namespace hstar {
namespace {

using record::H5;

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), file_(open(path)) {}

  [[nodiscard]] std::string text(const char* object, const char* name) const {
    const H5 a(H5Aopen_by_name(file_, object, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    if (!a.there()) fail(std::string(object) + "@" + name);
    const H5 space(H5Aget_space(a), H5Sclose);
    return strings(space, name, [&](hid_t type, void* to) { return H5Aread(a, type, to); }).at(0);
  }
  [[nodiscard]] double number(const char* object, const char* name) const {
    const H5 a(H5Aopen_by_name(file_, object, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    double value = 0;
    if (!a.there() || H5Aread(a, H5T_NATIVE_DOUBLE, &value) < 0) fail(std::string(object) + "@" + name);
    return value;
  }
  [[nodiscard]] std::vector<double> numbers(const char* name) const {
    const H5 set(H5Dopen2(file_, name, H5P_DEFAULT), H5Dclose);
    if (!set.there()) fail(name);
    const H5 space(H5Dget_space(set), H5Sclose);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    if (!values.empty() && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      fail(name);
    return values;
  }
  [[nodiscard]] std::vector<std::string> words(const char* name) const {
    const H5 set(H5Dopen2(file_, name, H5P_DEFAULT), H5Dclose);
    if (!set.there()) fail(name);
    const H5 space(H5Dget_space(set), H5Sclose);
    return strings(space, name,
                   [&](hid_t type, void* to) { return H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); });
  }

 private:
  static H5 open(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5 file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.there()) throw InputError("cannot read '" + path + "' as an HDF5 file");
    return file;
  }
  template <class Read>
  [[nodiscard]] std::vector<std::string> strings(hid_t space, const std::string& name, const Read& read) const {
    const H5 type = record::text_type();
    std::vector<char*> raw(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    if (raw.empty()) return {};
    if (read(type, raw.data()) < 0) fail(name);
    std::vector<std::string> out(raw.begin(), raw.end());
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw.data());
    return out;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("'" + path_ + "' is not a result file of hstar: " + what + " cannot be read");
  }

  std::string path_;
  H5 file_;
};

RunStatus status_of(const std::string& text) {
  for (int i = 0; i < 32; ++i)
    if (name(static_cast<RunStatus>(i)) == text) return static_cast<RunStatus>(i);
  return RunStatus::interrupted;  // a run that was killed
}

}  // namespace

StoredRun read_hdf5(const std::string& path) {
  const Reader in(path);
  StoredRun stored;
  const auto paths = in.words("/set_paths"), values = in.words("/set_values");
  for (std::size_t i = 0; i < paths.size() && i < values.size(); ++i) stored.overrides.push_back({paths[i], values[i]});
  stored.model = parse_model(in.text("/", "model"), in.text("/", "model_file"), stored.overrides, ReadPairs::together);
  RunResult& r = stored.result;
  r.outcome.status = status_of(in.text("/", "status"));
  r.outcome.t = in.number("/", "t");
  r.outcome.mode = in.text("/", "mode");
  r.outcome.message = in.text("/", "message");
  r.outcome.last_event = in.text("/", "last_event");
  r.notices = in.words("/notices");

  r.columns = in.words("/trajectory/columns");
  r.units = in.words("/trajectory/units");
  const std::size_t columns = r.columns.size();
  r.columns.insert(r.columns.begin(), "t");
  r.units.insert(r.units.begin(), "s");
  const auto t = in.numbers("/trajectory/t"), table = in.numbers("/trajectory/values");
  for (std::size_t i = 0; i < t.size(); ++i) {
    std::vector<double> row{t[i]};
    row.insert(row.end(), table.begin() + static_cast<std::ptrdiff_t>(i * columns),
               table.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns));
    r.rows.push_back(std::move(row));
  }
  r.state_names = in.words("/trajectory/state_names");
  r.y_end = in.numbers("/trajectory/state_end");

  const auto index = in.numbers("/events/index");
  r.events.resize(index.size());
  const auto number = [&](const char* name, auto set) {
    const auto all = in.numbers(name);
    for (std::size_t i = 0; i < r.events.size(); ++i) set(r.events[i], all[i]);
  };
  const auto text = [&](const char* name, std::string EventRecord::*member) {
    const auto all = in.words(name);
    for (std::size_t i = 0; i < r.events.size(); ++i) r.events[i].*member = all[i];
  };
  number("/events/index", [](EventRecord& e, double x) { e.index = static_cast<std::size_t>(x); });
  number("/events/optional", [](EventRecord& e, double x) { e.optional = x != 0; });
  number("/events/t", [](EventRecord& e, double x) { e.t = x; });
  number("/events/t_lo", [](EventRecord& e, double x) { e.t_lo = x; });
  number("/events/t_hi", [](EventRecord& e, double x) { e.t_hi = x; });
  number("/events/dt_error", [](EventRecord& e, double x) { e.dt_error = x; });
  number("/events/gap_velocity_before", [](EventRecord& e, double x) { e.gap_velocity_before = x; });
  number("/events/gap_velocity_after", [](EventRecord& e, double x) { e.gap_velocity_after = x; });
  number("/events/impulse_n", [](EventRecord& e, double x) { e.impulse_n = x; });
  number("/events/impulse_t", [](EventRecord& e, double x) { e.impulse_t = x; });
  number("/events/energy_loss", [](EventRecord& e, double x) { e.energy_loss = x; });
  number("/events/momentum_residual", [](EventRecord& e, double x) { e.books.momentum = x; });
  number("/events/energy_residual", [](EventRecord& e, double x) { e.books.energy = x; });
  number("/events/cone_residual", [](EventRecord& e, double x) { e.books.cone = x; });
  const auto state = [&](const char* name, std::vector<double> EventRecord::*member) {
    const auto all = in.numbers(name);
    const std::size_t n = r.events.empty() ? 0 : all.size() / r.events.size();
    for (std::size_t i = 0; i < r.events.size(); ++i)
      (r.events[i].*member)
          .assign(all.begin() + static_cast<std::ptrdiff_t>(i * n),
                  all.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
  };
  state("/events/y_before", &EventRecord::y_before);
  state("/events/y_after", &EventRecord::y_after);
  text("/events/kind", &EventRecord::kind);
  text("/events/element", &EventRecord::element);
  text("/events/mode_before", &EventRecord::mode_before);
  text("/events/mode_after", &EventRecord::mode_after);
  text("/events/note", &EventRecord::note);

  const auto measure = in.words("/extremes/measure"), mode = in.words("/extremes/mode");
  const auto low = in.numbers("/extremes/min"), t_low = in.numbers("/extremes/t_min");
  const auto high = in.numbers("/extremes/max"), t_high = in.numbers("/extremes/t_max");
  for (std::size_t i = 0; i < measure.size(); ++i)
    r.extremes.push_back({measure[i], mode[i], low[i], t_low[i], high[i], t_high[i]});

  for (const record::Counter& counter : record::counters)
    counter.in(r.counters) = static_cast<std::size_t>(in.number("/counters", counter.name));
  return stored;
}

}  // namespace hstar
