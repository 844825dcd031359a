// src/record/file_sink.cpp
//
// trajectory.csv and events.csv, line by line.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "hstar/file_error.hpp"
#include "hstar/record.hpp"
#include "hstar/version.hpp"
#include "record/text.hpp"

namespace hstar {

/// While it lives no other run writes into the folder. The lock is the kernel's: it ends with the process, however that
/// ends, and leaves no file behind.
class FileSink::Lock {
 public:
  explicit Lock(const std::string& folder) : handle_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (handle_ >= 0 && flock(handle_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(handle_);
      throw FileError("another run writes into the folder '" + folder + "'; give this one another folder");
    }
  }
  ~Lock() {
    if (handle_ >= 0) close(handle_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int handle_;  ///< -1: a folder that may be written but not read; there is no lock then
};

/// A text file written in whole lines, so that it ends with one if the program is killed; remembers its name for
/// messages.
struct FileSink::Table {
  std::string path;
  std::FILE* file = nullptr;
  std::string line;     ///< reused for every line
  std::string pending;  ///< whole lines that are not in the file yet

  explicit Table(std::string where) : path(std::move(where)), file(std::fopen(path.c_str(), "wb")) {
    if (file == nullptr) throw FileError::writing(path, errno);
    std::setvbuf(file, nullptr, _IONBF, 0);
  }
  ~Table() {
    if (file == nullptr) return;
    write_pending();
    std::fclose(file);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void write_line() {
    constexpr std::size_t most_pending = 1 << 16;
    line += '\n';
    pending += line;
    line.clear();
    if (pending.size() > most_pending) write_pending();
  }
  void write_pending() {
    std::fwrite(pending.data(), 1, pending.size(), file);
    pending.clear();
  }
  void comment(std::string_view text) {
    line += "# ";
    for (const char c : text) line += c == '\n' || c == '\r' ? ' ' : c;
    write_line();
  }
  void flush() {
    errno = 0;
    write_pending();
    if (std::fflush(file) != 0 || std::ferror(file) != 0) throw FileError::writing(path, errno != 0 ? errno : EIO);
  }
  void close() {
    flush();
    std::fclose(file);
    file = nullptr;
  }
};

namespace {

void write_header(auto& table, const ModelSpec& model, const std::vector<Override>& overrides) {
  table.comment("hstar " HSTAR_VERSION);
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
    throw FileError("cannot create the folder '" + folder_ + "'" + (error ? ": " + error.message() : ""));
  }
  lock_ = std::make_unique<Lock>(folder_);
}

FileSink::~FileSink() = default;

void FileSink::begin(std::span<const std::string> columns, std::span<const std::string> units) {
  // What belongs to an earlier run must not stand beside the new tables if this one is killed.
  // A symbolic link is removed, not what it points to.
  std::error_code ignored;
  for (const char* name : {"trajectory.csv", "events.csv", "summary.json", "report.html", "plot.svg", "run.h5",
                           "steps.csv", "summary.json.part", "report.html.part", "run.h5.part"})
    std::filesystem::remove(folder_ + "/" + name, ignored);

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
      "impulse_n,impulse_t,energy_loss,momentum_residual,energy_residual,cone_residual,note";
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
  for (const double value : {e.gap_velocity_before, e.gap_velocity_after, e.impulse_n, e.impulse_t, e.energy_loss,
                             e.books.momentum, e.books.energy, e.books.cone})
    number(value);
  record::append_csv(line, e.note);
  events_->write_line();
  // (Where events come thick and fast, each in the file at once would cost more than itself.)
  const auto now = std::chrono::steady_clock::now();
  if (now < next_event_flush_) {
    waiting_ = true;
    return;
  }
  flush(now);
}

void FileSink::flush(std::chrono::steady_clock::time_point now) {
  next_event_flush_ = now + std::chrono::milliseconds(5);
  next_flush_ = now + std::chrono::seconds(2);
  waiting_ = false;
  events_->flush();
  trajectory_->flush();
}

void FileSink::progress(double, double) {
  const auto now = std::chrono::steady_clock::now();
  if (now < (waiting_ ? next_event_flush_ : next_flush_)) return;
  flush(now);
}

void FileSink::end(const RunOutcome&, const RunCounters&) {
  if (trajectory_ == nullptr) return;  // the run ended before it began
  trajectory_->close();
  events_->close();
}

}  // namespace hstar
