// src/analysis/sweep/table.cpp
#include "analysis/sweep/table.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "hstar/error.hpp"
#include "hstar/file_error.hpp"

namespace hstar::sweeping {
namespace {

bool is_failure(std::string_view line) {
  for (const char* good : {",reached_end,", ",terminal_event,", ",stopped_after_events,", ",rest,"})
    if (line.find(good) != std::string_view::npos) return false;
  return true;
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The line that begins at `at`, which goes behind it; empty: none that is whole.
std::string_view next_line(std::string_view text, std::size_t& at) {
  const auto end = text.find('\n', at);
  if (end == std::string_view::npos) return {};
  const std::string_view line = text.substr(at, end - at);
  at = end + 1;
  return line;
}

bool is_line_of(std::string_view line, std::size_t member) { return line.starts_with(std::to_string(member) + ","); }

/// The whole rows of a table's text, in order, from the first one on; `end`: what lies behind them.
std::vector<std::string_view> rows_of(std::string_view text, const std::string& header, const Rows& rows,
                                      std::size_t& end) {
  std::vector<std::string_view> lines;
  end = header.size();
  while (lines.size() < rows.count()) {
    std::size_t after = end;
    const std::string_view line = next_line(text, after);
    if (!is_line_of(line, rows.member(lines.size()))) break;
    lines.push_back(line);
    end = after;
  }
  return lines;
}

}  // namespace

Table::Table(const std::string& path, const std::string& header, Rows rows, bool fresh)
    : path_(path), waiting_path_(path + ".waiting"), rows_(rows) {
  if (!fresh) {
    take_up(header);
    take_up_waiting(header);
  }
  file_.open(path, std::ios::binary | (done_ > 0 ? std::ios::app : std::ios::trunc));
  if (done_ == 0) file_ << header;
  write_what_follows();
  if (waiting_.empty()) std::filesystem::remove(waiting_path_);
}

const std::string* Table::finished(std::size_t row) const {
  const auto at = finished_.find(row);
  return at == finished_.end() ? nullptr : &at->second;
}

void Table::add(std::size_t row, std::string line) {
  if (row < done_) return;
  const bool waits = row > done_ && finished_.find(row) == finished_.end();
  if (waits && !waiting_file_.is_open()) waiting_file_.open(waiting_path_, std::ios::binary | std::ios::app);
  if (waits && !(waiting_file_ << line << '\n' << std::flush)) throw FileError::writing(waiting_path_, errno);
  waiting_.emplace(row, std::move(line));
  write_what_follows();
  if (done_ < rows_.count()) return;
  waiting_file_.close();
  std::filesystem::remove(waiting_path_);
}

void Table::write_what_follows() {
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == done_; first = waiting_.begin()) {
    failed_ += is_failure(first->second);
    file_ << first->second << '\n';
    waiting_.erase(first);
    ++done_;
  }
  if (!file_.flush()) throw FileError::writing(path_, errno);
}

void Table::take_up(const std::string& header) {
  const std::string text = contents(path_);
  if (text.empty() || (header.starts_with(text) && text.size() < header.size())) return;
  if (!text.starts_with(header))
    throw InputError("'" + path_ +
                     "' holds something else than a part of this sweep; name another file with -o, or --fresh");
  std::size_t whole = 0;
  for (const std::string_view line : rows_of(text, header, rows_, whole)) {
    failed_ += is_failure(line);
    ++done_;
  }
  // (A row that a kill left unfinished is cut off.)
  std::filesystem::resize_file(path_, whole);
}

void Table::take_up_waiting(const std::string& header) {
  // (Without a table of this sweep nobody knows whose rows they are.)
  if (!contents(path_).starts_with(header)) return;
  const std::string text = contents(waiting_path_);
  std::size_t at = 0;
  for (std::string_view line = next_line(text, at); !line.empty(); line = next_line(text, at)) {
    std::size_t member = 0;
    for (const char c : line.substr(0, line.find(','))) member = 10 * member + static_cast<std::size_t>(c - '0');
    if (member < rows_.first || (member - rows_.first) % rows_.stride != 0 || member >= rows_.members) continue;
    const std::size_t row = (member - rows_.first) / rows_.stride;
    if (row >= done_ && is_line_of(line, member)) waiting_.emplace(row, line);
  }
  finished_ = waiting_;
  if (std::filesystem::exists(waiting_path_)) std::filesystem::resize_file(waiting_path_, at);
}

std::string part_file(const std::string& file, std::size_t part, std::size_t parts) {
  return file + "." + std::to_string(part + 1) + "-of-" + std::to_string(parts);
}

bool is_whole(const std::string& file, const std::string& header, std::size_t members) {
  const std::string text = contents(file);
  std::size_t end = 0;
  return text.starts_with(header) && rows_of(text, header, {members}, end).size() == members && end == text.size();
}

bool join_parts(const std::string& file, const std::string& header, std::size_t members, std::size_t parts) {
  std::vector<std::string> texts;
  std::vector<std::vector<std::string_view>> lines;
  for (std::size_t part = 0; part < parts; ++part) texts.push_back(contents(part_file(file, part, parts)));
  for (std::size_t part = 0; part < parts; ++part) {
    const Rows rows{members, part, parts};
    std::size_t end = 0;
    if (rows.count() == 0) {
      lines.emplace_back();
      continue;
    }
    if (!texts[part].starts_with(header)) return is_whole(file, header, members);
    lines.push_back(rows_of(texts[part], header, rows, end));
    if (lines.back().size() < rows.count()) return is_whole(file, header, members);
  }
  // (Jobs that end together may both be here, and write the same bytes.)
  const std::string made = file + ".joined-" + std::to_string(getpid());
  std::ofstream out(made, std::ios::binary);
  out << header;
  for (std::size_t member = 0; member < members; ++member) out << lines[member % parts][member / parts] << '\n';
  out.close();
  if (!out) throw FileError::writing(made, errno);
  std::filesystem::rename(made, file);
  for (std::size_t part = 0; part < parts; ++part) std::filesystem::remove(part_file(file, part, parts));
  return true;
}

}  // namespace hstar::sweeping
