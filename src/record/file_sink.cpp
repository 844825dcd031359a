// src/record/file_sink.cpp
//
// trajectory.csv and events.csv, line by line.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "hstar/record.hpp"
#include "record/text.hpp"
#include "record/version.hpp"

namespace hstar {

/// A text file written in whole lines; remembers its name for messages.
struct FileSink::Table {
  std::string path;
  std::FILE* file = nullptr;
  std::string line;  ///< reused for every line

  explicit Table(std::string where) : path(std::move(where)), file(std::fopen(path.c_str(), "wb")) {
    if (file == nullptr) throw InputError("cannot write '" + path + "': " + std::strerror(errno));
  }
  ~Table() {
    if (file != nullptr) std::fclose(file);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void write_line() {
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), file);
    line.clear();
  }
  void comment(std::string_view text) {
    line += "# ";
    for (const char c : text) line += c == '\n' || c == '\r' ? ' ' : c;
    write_line();
  }
  void flush() { std::fflush(file); }
  void close() {
    const bool failed = std::fflush(file) != 0 || std::ferror(file) != 0;
    const int why = errno;
    std::fclose(file);
    file = nullptr;
    if (failed) throw InputError("cannot write '" + path + "': " + std::strerror(why));
  }
};

namespace {

void write_header(auto& table, const ModelSpec& model, const std::vector<Override>& overrides) {
  table.comment(std::string("hstar ") + record::version);
  if (!model.title.empty()) table.comment("title: " + model.title);
  table.comment("model: " + std::string(record::base_name(model.file)) + ", hash " + model_hash(model, overrides));
  for (const Override& change : overrides) table.comment("set: " + change.path + " = " + change.value);
  std::string options;
  for (const auto& [name, value] : options_as_run(model))
    options += (options.empty() ? "" : ", ") + name + " = " + value;
  table.comment("options: " + options);
}

}  // namespace

FileSink::FileSink(const ModelSpec& model, std::vector<Override> overrides, std::string folder)
    : model_(model), overrides_(std::move(overrides)), folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (!std::filesystem::is_directory(folder_)) {
    throw InputError("cannot create the folder '" + folder_ + "'" + (error ? ": " + error.message() : ""));
  }
}

FileSink::~FileSink() = default;

void FileSink::begin(std::span<const std::string> columns, std::span<const std::string> units) {
  // What belongs to an earlier run must not stand beside the new tables if this one is killed.
  std::error_code ignored;
  std::filesystem::remove(folder_ + "/summary.json", ignored);
  std::filesystem::remove(folder_ + "/report.html", ignored);
  std::filesystem::remove(folder_ + "/run.h5", ignored);

  trajectory_ = std::make_unique<Table>(folder_ + "/trajectory.csv");
  write_header(*trajectory_, model_, overrides_);
  std::string unit_list = "units: t [s]";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    unit_list += ", " + columns[i] + " [" + (i < units.size() && !units[i].empty() ? units[i] : "1") + "]";
  }
  trajectory_->comment(unit_list);
  trajectory_->line = "t";
  for (const std::string& column : columns) {
    trajectory_->line += ',';
    record::append_csv(trajectory_->line, column);
  }
  trajectory_->write_line();

  events_ = std::make_unique<Table>(folder_ + "/events.csv");
  write_header(*events_, model_, overrides_);
  events_->comment("units: times [s], gap velocities [m/s] (revolute joints [rad/s]), impulses [N s], energy [J]");
  events_->line =
      "t,t_lo,t_hi,dt_error,kind,element,where,mode_before,mode_after,gap_velocity_before,gap_velocity_after,"
      "impulse_n,impulse_t,energy_loss,note";
  events_->write_line();
  events_->flush();
}

void FileSink::row(double t, std::span<const double> values) {
  std::string& line = trajectory_->line;
  record::append_number(line, t);
  for (const double value : values) {
    line += ',';
    record::append_number(line, value);
  }
  trajectory_->write_line();
}

void FileSink::event(const EventRecord& e) {
  std::string& line = events_->line;
  const auto number = [&line](double value) {
    record::append_number(line, value);
    line += ',';
  };
  const auto word = [&line](std::string_view text) {
    record::append_csv(line, text);
    line += ',';
  };
  for (const double value : {e.t, e.t_lo, e.t_hi, e.dt_error}) number(value);
  word(e.kind);
  word(e.element);
  word(e.element);  // `where`, as compare_events.py calls it
  word(e.mode_before);
  word(e.mode_after);
  for (const double value : {e.gap_velocity_before, e.gap_velocity_after, e.impulse_n, e.impulse_t, e.energy_loss}) {
    number(value);
  }
  record::append_csv(line, e.note);
  events_->write_line();
  events_->flush();
  trajectory_->flush();
}

void FileSink::progress(double, double) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_flush_) return;
  next_flush_ = now + std::chrono::seconds(2);
  trajectory_->flush();
}

void FileSink::end(const RunOutcome&, const RunCounters&) {
  if (trajectory_ == nullptr) return;  // the run ended before it began
  trajectory_->close();
  events_->close();
}

}  // namespace hstar
