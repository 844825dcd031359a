// include/hstar/record.hpp
//
// Result files of a run: trajectory.csv and events.csv, written while the run goes on, and
// summary.json and run.h5 at its end. The same run gives the same bytes: no dates, no wall times, and doubles
// in the shortest form that reads back exactly.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hstar/event_tally.hpp"
#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

namespace hstar {

/// Shortest decimal text that reads back as exactly this double: "0.1", "1e-09", "-inf", "nan".
[[nodiscard]] std::string number_text(double value);

/// 16 hexadecimal digits (FNV-1a, 64 bit) of the model's text and the overrides: results with equal
/// hashes come from equal input.
[[nodiscard]] std::string model_hash(const ModelSpec& model, const std::vector<Override>& overrides = {});

/// Every option of a run and the value it has, defaults resolved: ("rtol", "1e-09"), ...
[[nodiscard]] std::vector<std::pair<std::string, std::string>> options_as_run(const ModelSpec& model);
/// The same after the run, with what it has chosen.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> options_as_run(const ModelSpec& model,
                                                                              const RunResult& result);

/// Writes FOLDER/trajectory.csv and FOLDER/events.csv row by row. Both are complete lines up to the
/// last event, or two seconds before, whenever the program is killed. Old results in the folder are removed at `begin`.
class FileSink : public RunSink {
 public:
  /// Creates the folder if needed, and locks it. @throws FileError if it cannot be written or another run has it.
  FileSink(const ModelSpec& model, std::vector<Override> overrides, std::string folder);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void begin(std::span<const std::string> columns, std::span<const std::string> units) override;
  void row(double t, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  void progress(double t, double t_end) override;
  /// Flushes and closes the two tables. @throws FileError if the disk did not take them.
  void end(const RunOutcome& outcome, const RunCounters& counters) override;

 private:
  struct Table;
  class Lock;
  const ModelSpec& model_;
  std::vector<Override> overrides_;
  std::string folder_;
  std::unique_ptr<Lock> lock_;
  std::unique_ptr<Table> trajectory_, events_;
  void flush(std::chrono::steady_clock::time_point now);
  std::chrono::steady_clock::time_point next_flush_{}, next_event_flush_{};
  bool waiting_ = false;  ///< an event has not been flushed yet
};

/// A run and its model as a file holds them.
struct StoredRun {
  RunResult result;
  ModelSpec model;
  std::vector<Override> overrides;
};

/// Writes everything of a run into one HDF5 file (docs/results.md), whole beside the old one and then in its place: at
/// every moment a complete file is there. `finished` false: the run goes on. @throws InputError if it cannot be
/// written.
void write_hdf5(const RunResult& result, const ModelSpec& model, const std::vector<Override>& overrides, bool finished,
                const std::string& path);
/// @throws InputError naming what cannot be read.
[[nodiscard]] StoredRun read_hdf5(const std::string& path);

/// Keeps FILE up to date while a run goes on, every two seconds or, if writing takes longer than a fifth of one, so
/// seldom that it costs a tenth of the time. Rows and events wait on the disk, beside FILE, not in memory.
class Hdf5Sink : public RunSink {
 public:
  Hdf5Sink(const ModelSpec& model, std::vector<Override> overrides, std::string path);
  ~Hdf5Sink() override;
  Hdf5Sink(const Hdf5Sink&) = delete;
  Hdf5Sink& operator=(const Hdf5Sink&) = delete;
  void begin(std::span<const std::string> columns, std::span<const std::string> units) override;
  void row(double t, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  void progress(double t, double t_end) override;
  /// Writes FILE for the last time: all rows and events that came, and the rest of `result`, whose own rows and events
  /// may be fewer.
  void finish(const RunResult& result);
  /// All rows that came, t first in each.
  void each_row(const std::function<void(std::span<const double> row)>& take);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes FOLDER/summary.json: outcome, options as run, counters, what the events come to, extremes, notices, final
/// state and mode. @throws InputError if it cannot be written.
void write_summary(const RunResult& result, const ModelSpec& model, const std::vector<Override>& overrides,
                   const std::string& folder);
/// The same where `result` does not keep all events: `events` has counted all.
void write_summary(const RunResult& result, const EventTally& events, const ModelSpec& model,
                   const std::vector<Override>& overrides, const std::string& folder);

}  // namespace hstar
