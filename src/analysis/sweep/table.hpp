// src/analysis/sweep/table.hpp
//
// The table of a sweep on disk. Rows stand in the order of the members, whoever computed them; one that is finished
// before its turn stands in FILE.waiting until then, so that whatever kills a sweep, no finished member is lost. Jobs
// of an array have a table each (FILE.2-of-16), of every parts-th member; who finishes last joins them.
#pragma once

#include <cstddef>
#include <fstream>
#include <map>
#include <string>

namespace hstar::sweeping {

/// Which members a table has: first, first + stride, ... below `members`.
struct Rows {
  std::size_t members = 0, first = 0, stride = 1;
  [[nodiscard]] std::size_t count() const { return first < members ? (members - first - 1) / stride + 1 : 0; }
  [[nodiscard]] std::size_t member(std::size_t row) const { return first + row * stride; }
};

class Table {
 public:
  /// Goes on with the rows of an earlier part of the same sweep unless `fresh`. @throws InputError if the file holds
  /// something else, FileError if it cannot be written.
  Table(const std::string& path, const std::string& header, Rows rows, bool fresh);

  [[nodiscard]] std::size_t done() const { return done_; }      ///< rows of the table
  [[nodiscard]] std::size_t failed() const { return failed_; }  ///< of these, runs that ended short
  /// The line of a row that an earlier sweep finished before its turn; nullptr: none. (What add() gets later is not
  /// here.)
  [[nodiscard]] const std::string* finished(std::size_t row) const;

  void add(std::size_t row, std::string line);

 private:
  void take_up(const std::string& header);
  void take_up_waiting(const std::string& header);
  void write_what_follows();

  std::string path_, waiting_path_;
  Rows rows_;
  std::ofstream file_, waiting_file_;
  std::size_t done_ = 0, failed_ = 0;
  std::map<std::size_t, std::string> waiting_, finished_;
};

/// The table of part `part` of `parts` of the sweep whose table is `file`.
[[nodiscard]] std::string part_file(const std::string& file, std::size_t part, std::size_t parts);
/// True if the file has this header and every member's row.
[[nodiscard]] bool is_whole(const std::string& file, const std::string& header, std::size_t members);
/// Makes `file` of its parts, which are removed, if all of them are complete; else, or if another job has done it,
/// changes nothing. True if the file is whole now.
bool join_parts(const std::string& file, const std::string& header, std::size_t members, std::size_t parts);

}  // namespace hstar::sweeping
