// src/analysis/sweep/sweep_parts.hpp
//
// The pieces of a sweep: which members there are, how one becomes a line, who computes which.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hstar/run.hpp"
#include "hstar/sweep.hpp"
#include "model/model_document.hpp"

namespace hstar::sweeping {

/// The values of all axes by member; the last axis changes fastest.
class Members {
 public:
  explicit Members(const SweepOptions& options);
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double value(std::size_t member, std::size_t axis) const;

 private:
  const SweepOptions& options_;
  std::size_t count_ = 1;
  std::vector<std::vector<double>> drawn_;  ///< Latin hypercube: by axis
};

/// What is collected, resolved against the model once; reading is const and may run in threads.
class Collector {
 public:
  /// @throws InputError for a quantity that the model does not have.
  Collector(const std::vector<std::string>& wanted, const ModelSpec& model);
  /// Columns of the table, one or more for each quantity.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// Makes the run record what is needed and nothing else.
  void prepare(ModelSpec& model) const;
  /// Appends the values to `out`, one a column.
  void read(const RunResult& result, const ModelSpec& model, std::vector<double>& out) const;

 private:
  struct Item {
    enum class What : unsigned char { count, kind, event_time, end, end_time, smallest, largest, strobe, counter } what;
    std::string name;       ///< kind, column, measure or counter
    std::string formula{};  ///< of min, max; the period of strobe [s]
    std::size_t number = 0;
  };
  void parse(const std::string& text, const ModelSpec& model);
  std::vector<Item> items_;
  std::vector<std::string> columns_;
};

/// One member, run: its line of the table without the line end.
class MemberRunner {
 public:
  MemberRunner(const std::string& model_file, const std::vector<Override>& overrides, const SweepOptions& options,
               const Members& members);
  [[nodiscard]] std::string line(std::size_t member) const;
  [[nodiscard]] std::string header() const;

 private:
  [[nodiscard]] std::vector<Override> overrides_of(std::size_t member) const;
  /// The model of the first member whose values it can have. @throws InputError what the last says if there is none.
  [[nodiscard]] ModelSpec first_sound() const;
  std::string file_;
  ModelDocument document_;
  std::vector<Override> overrides_;
  const SweepOptions& options_;
  const Members& members_;
  ModelSpec first_;
  Collector collector_;
};

[[nodiscard]] std::unique_ptr<SweepCrew> thread_crew(unsigned threads);

}  // namespace hstar::sweeping
