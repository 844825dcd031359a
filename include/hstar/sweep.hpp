// include/hstar/sweep.hpp
//
// Many runs of one model with other values: a grid, lists or a Latin hypercube; what is collected of each is a row of
// a table. The table does not depend on how many threads or MPI ranks wrote it, and an interrupted sweep goes on where
// it stopped: rows are written in order, the ones that are there are not computed again.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

/// One quantity that varies: a parameter or any path that --set takes, and its values.
struct SweepAxis {
  std::string path;
  std::vector<double> values;  ///< of a Latin hypercube: lowest and highest
};

/// "mu=0.1:0.9:200" (both ends, 200 values), "k=1e2:1e5:4:log", "mu=0.2,0.3,0.5". A name without dots is a parameter.
/// @throws InputError naming what cannot be read.
[[nodiscard]] SweepAxis parse_axis(const std::string& text);

/// What is kept of a run:
///   events.count, events.KIND    how many events (of one kind), those that change the motion
///   event.N.t                    time of the N-th of them [s]; NaN if there are fewer
///   end.COLUMN, end.t            value at the end of the run
///   min(F), max(F)               smallest and largest value over the run of a formula of recorded quantities
///   strobe(COLUMN, PERIOD, N)    the last N values at multiples of PERIOD [s], a formula of parameters: N columns
///                                (bifurcation diagrams)
/// Who computes the members: threads of this process, unless a program brings its own crew (the hstar tool: MPI ranks).
class SweepCrew {
 public:
  virtual ~SweepCrew() = default;
  /// False where another process writes the table.
  [[nodiscard]] virtual bool writes() const = 0;
  /// First member to compute, as the writer knows it.
  [[nodiscard]] virtual std::size_t agree(std::size_t first) = 0;
  /// Computes line(member) for all members in [first, count) and hands each to done, in any order, never two at once;
  /// stops early when it returns false.
  virtual void work(std::size_t first, std::size_t count, const std::function<std::string(std::size_t)>& line,
                    const std::function<bool(std::size_t, std::string)>& done) = 0;
};

struct SweepOptions {
  std::vector<SweepAxis> axes;
  std::vector<std::string> collect{"events.count", "end.t"};
  std::size_t latin_hypercube = 0;  ///< > 0: that many members, each axis from its lowest to its highest value
  unsigned long seed = 1;           ///< of the Latin hypercube
  unsigned threads = 0;             ///< 0: as many as the machine has
  SweepCrew* crew = nullptr;        ///< nullptr: threads
  std::string file = "sweep.csv";   ///< table, written row by row
  bool fresh = false;               ///< begin anew even if the file holds a part of this sweep
  /// One job of an array of `parts`: it computes the members part, part + parts, ... into FILE.<part + 1>-of-<parts>,
  /// and the job that ends last joins the parts to the table that one job would have written.
  std::size_t part = 0, parts = 1;
  /// Rows that are there, rows in all, members computed now; false stops with what is there. Called from the writer.
  std::function<bool(std::size_t done, std::size_t all, std::size_t computed)> progress;
  std::function<bool()> stop_requested;  ///< asked within runs, from every thread; members that it ends are no rows
};

struct SweepResult {
  std::size_t members = 0, written = 0, resumed = 0, failed = 0;  ///< of this job
  bool complete = false;
  bool joined = false;  ///< of an array: all parts are there and the table is whole
  std::string file;     ///< the table, or this job's part of it
};

/// @throws InputError for a model, an axis or a quantity that cannot be; a run that ends short is a row with its
/// reason.
SweepResult sweep(const std::string& model_file, const std::vector<Override>& overrides, const SweepOptions& options);

/// The lines of members first to last alone, computed here and written nowhere: what a crew elsewhere asks for.
/// @throws InputError as sweep(), or if there are not so many members.
[[nodiscard]] std::vector<std::string> sweep_lines(const std::string& model_file,
                                                   const std::vector<Override>& overrides, const SweepOptions& options,
                                                   std::size_t first, std::size_t last);

/// An SVG picture of a sweep's table: a curve for each collected quantity over one axis, points for strobe(), a map of
/// the first quantity over two axes. `log`: "x", "y" or "xy", the axes in decades. @throws InputError if the table
/// cannot be read or holds nothing to draw.
void write_sweep_picture(const std::string& csv, const std::string& svg, const std::string& log = {});

}  // namespace hstar
