// src/record/spool.hpp
//
// Rows and events of a run on the disk in place of memory: a run of a million events takes no more memory than one of
// ten. The files stand beside the results, have no name and go with the process, however it ends.
#pragma once

#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hstar/run.hpp"

namespace hstar::record {

/// A file without a name: written at its end, read from its beginning.
class NamelessFile {
 public:
  explicit NamelessFile(const std::string& folder);  ///< @throws FileError
  void append(const void* data, std::size_t bytes);  ///< @throws FileError
  /// The next read begins at the beginning.
  void rewind();
  void read(void* data, std::size_t bytes);  ///< as many as were written. @throws FileError

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void fail() const;
  std::string folder_;
  std::unique_ptr<std::FILE, Close> file_;
  bool reading_ = false;
};

class RowSpool {
 public:
  explicit RowSpool(const std::string& folder) : file_(folder) {}
  /// All rows have the width of the first.
  void add(double t, std::span<const double> values);
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t width() const { return width_; }  ///< t and values
  /// From the first on, in blocks: rows one after the other, t first in each.
  void each_block(const std::function<void(std::span<const double> rows)>& take);

 private:
  NamelessFile file_;
  std::size_t count_ = 0, width_ = 0;
};

constexpr std::size_t event_texts = 7;  ///< members of an EventRecord that are texts

class EventSpool {
 public:
  explicit EventSpool(const std::string& folder) : file_(folder) {}
  void add(const EventRecord& event);
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Length of the states on both sides of the first event.
  [[nodiscard]] std::size_t states() const { return states_; }
  /// From the first on, in blocks.
  void each_block(const std::function<void(std::span<const EventRecord> events)>& take);

 private:
  using Texts = std::array<std::string, event_texts>;

  NamelessFile file_;
  std::size_t count_ = 0, states_ = 0;
  Texts texts_;         ///< of the last
  std::string packed_;  ///< scratch
};

/// Where the rows and events of a run are. Both are read as often as asked, from the first on, in blocks.
class Trace {
 public:
  virtual ~Trace() = default;
  [[nodiscard]] virtual std::size_t rows() const = 0;
  [[nodiscard]] virtual std::size_t events() const = 0;
  [[nodiscard]] virtual std::size_t states() const = 0;  ///< length of the states on both sides of an event
  virtual void each_row_block(const std::function<void(std::span<const double> rows)>& take) = 0;
  virtual void each_event_block(const std::function<void(std::span<const EventRecord> events)>& take) = 0;
};

class SpooledTrace final : public Trace {
 public:
  explicit SpooledTrace(const std::string& folder) : rows_(folder), events_(folder) {}
  void add(double t, std::span<const double> values) { rows_.add(t, values); }
  void add(const EventRecord& event) { events_.add(event); }
  [[nodiscard]] std::size_t rows() const override { return rows_.count(); }
  [[nodiscard]] std::size_t events() const override { return events_.count(); }
  [[nodiscard]] std::size_t states() const override { return events_.states(); }
  void each_row_block(const std::function<void(std::span<const double>)>& take) override { rows_.each_block(take); }
  void each_event_block(const std::function<void(std::span<const EventRecord>)>& take) override {
    events_.each_block(take);
  }

 private:
  RowSpool rows_;
  EventSpool events_;
};

/// Those of a result in memory.
class ResultTrace final : public Trace {
 public:
  explicit ResultTrace(const RunResult& result) : result_(result) {}
  [[nodiscard]] std::size_t rows() const override { return result_.rows.size(); }
  [[nodiscard]] std::size_t events() const override { return result_.events.size(); }
  [[nodiscard]] std::size_t states() const override {
    return result_.events.empty() ? 0 : result_.events.front().y_before.size();
  }
  void each_row_block(const std::function<void(std::span<const double>)>& take) override;
  void each_event_block(const std::function<void(std::span<const EventRecord>)>& take) override {
    take(result_.events);
  }

 private:
  const RunResult& result_;
};

}  // namespace hstar::record
