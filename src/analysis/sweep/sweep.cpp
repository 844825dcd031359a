// src/analysis/sweep/sweep.cpp
//
// Rows go to the file in the order of the members, whoever computed them; so the file always holds the first rows of
// the whole table, and what is there needs no bookkeeping to go on from.
#include "hstar/sweep.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "analysis/sweep/sweep_parts.hpp"
#include "hstar/file_error.hpp"
#include "hstar/stop.hpp"

namespace hstar {
namespace {

/// The table on disk: what of it is there, and further rows in order.
class Table {
 public:
  Table(const std::string& path, const std::string& header, std::size_t members, bool fresh) : path_(path) {
    if (!fresh) take_up(header, members);
    std::ios::openmode mode = std::ios::binary | (done_ > 0 ? std::ios::app : std::ios::trunc);
    file_.open(path, mode);
    if (done_ == 0) file_ << header << std::flush;
    check();
  }

  [[nodiscard]] std::size_t done() const { return done_; }
  [[nodiscard]] std::size_t failed() const { return failed_; }

  void add(std::size_t member, std::string line) {
    waiting_.emplace(member, std::move(line));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == done_; first = waiting_.begin()) {
      failed_ += is_failure(first->second);
      file_ << first->second << '\n';
      waiting_.erase(first);
      ++done_;
    }
    file_.flush();
    check();
  }

 private:
  static bool is_failure(const std::string& line) {
    for (const char* good : {",reached_end,", ",terminal_event,", ",stopped_after_events,", ",rest,"})
      if (line.find(good) != std::string::npos) return false;
    return true;
  }

  /// Keeps the whole rows of an earlier part of the same sweep; cuts off a row that a kill left unfinished.
  void take_up(const std::string& header, std::size_t members) {
    std::ifstream in(path_, std::ios::binary);
    if (!in) return;
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    in.close();
    if (text.empty() || (header.rfind(text, 0) == 0 && text.size() < header.size())) return;
    if (text.rfind(header, 0) != 0)
      throw InputError("'" + path_ +
                       "' holds something else than a part of this sweep; name another file with -o, or --fresh");
    std::size_t whole = header.size();
    while (done_ < members) {
      const auto end = text.find('\n', whole);
      if (end == std::string::npos) break;
      const std::string line = text.substr(whole, end - whole);
      if (line.rfind(std::to_string(done_) + ",", 0) != 0) break;
      failed_ += is_failure(line);
      whole = end + 1;
      ++done_;
    }
    std::filesystem::resize_file(path_, whole);
  }

  void check() {
    if (!file_) throw FileError::writing(path_, errno);
  }

  std::string path_;
  std::ofstream file_;
  std::size_t done_ = 0, failed_ = 0;
  std::map<std::size_t, std::string> waiting_;
};

}  // namespace

SweepResult sweep(const std::string& model_file, const std::vector<Override>& overrides, const SweepOptions& options) {
  const sweeping::Members members(options);
  const sweeping::MemberRunner runner(model_file, overrides, options, members);
  const auto threads = sweeping::thread_crew(options.threads);
  SweepCrew& crew = options.crew ? *options.crew : *threads;
  const auto stop = [&] { return options.stop_requested && options.stop_requested(); };
  const auto line = [&](std::size_t member) {
    const StopScope scope(stop);
    return runner.line(member);
  };
  SweepResult result;
  result.members = members.count();
  if (!crew.writes()) {
    crew.work(crew.agree(0), members.count(), line, [](std::size_t, const std::string&) { return true; });
    return result;
  }
  Table table(options.file, runner.header(), members.count(), options.fresh);
  result.resumed = table.done();
  std::size_t computed = 0;
  crew.work(crew.agree(table.done()), members.count(), line, [&](std::size_t member, std::string text) {
    if (stop()) return false;
    table.add(member, std::move(text));
    ++computed;
    return !options.progress || options.progress(table.done(), members.count(), computed);
  });
  result.written = table.done();
  result.failed = table.failed();
  result.complete = result.written == result.members;
  return result;
}

}  // namespace hstar
