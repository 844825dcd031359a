// src/record/spool.cpp
#include "record/spool.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "hstar/file_error.hpp"

namespace hstar::record {
namespace {

constexpr std::size_t block_numbers = 1 << 16, block_events = 1 << 12;
/// In place of its size: a text is that of the event before. (Modes of many contacts are long, and most stay.)
constexpr std::size_t as_before = SIZE_MAX;

/// Visits every member of an event once, in the same order for writing and reading. A new member does not compile until
/// it is here.
void each_member(auto& event, auto&& plain, auto&& words, auto&& list) {
  auto& [index, t, t_lo, t_hi, dt_error, kind, element, mode_before, mode_after, gap_velocity_before,
         gap_velocity_after, impulse_n, impulse_t, energy_loss, system_mode_before, system_mode_after, optional, books,
         note, y_before, y_after] = event;
  plain(index);
  plain(optional);
  plain(books);
  for (auto* x :
       {&t, &t_lo, &t_hi, &dt_error, &gap_velocity_before, &gap_velocity_after, &impulse_n, &impulse_t, &energy_loss})
    plain(*x);
  const std::array texts{&kind, &element, &mode_before, &mode_after, &system_mode_before, &system_mode_after, &note};
  static_assert(std::tuple_size_v<std::remove_const_t<decltype(texts)>> == event_texts);
  for (auto* text : texts) words(*text);
  list(y_before);
  list(y_after);
}

}  // namespace

NamelessFile::NamelessFile(const std::string& folder) : folder_(folder) {
  std::string path = folder + "/.spool-XXXXXX";
  const int handle = mkstemp(path.data());
  if (handle < 0) fail();
  unlink(path.c_str());
  file_.reset(fdopen(handle, "w+b"));
  if (!file_) {
    close(handle);
    fail();
  }
}

void NamelessFile::append(const void* data, std::size_t bytes) {
  if (reading_ && std::fseek(file_.get(), 0, SEEK_END) != 0) fail();
  reading_ = false;
  if (std::fwrite(data, 1, bytes, file_.get()) != bytes) fail();
}

void NamelessFile::rewind() {
  if (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0) fail();
  reading_ = true;
}

void NamelessFile::read(void* data, std::size_t bytes) {
  if (std::fread(data, 1, bytes, file_.get()) != bytes) fail();
}

void NamelessFile::fail() const {
  throw FileError("cannot write an intermediate file in '" + folder_ + "': " + std::strerror(errno));
}

void RowSpool::add(double t, std::span<const double> values) {
  width_ = values.size() + 1;
  file_.append(&t, sizeof t);
  file_.append(values.data(), values.size_bytes());
  ++count_;
}

void RowSpool::each_block(const std::function<void(std::span<const double>)>& take) {
  file_.rewind();
  const std::size_t most = std::max<std::size_t>(1, block_numbers / std::max<std::size_t>(1, width_));
  std::vector<double> block;
  for (std::size_t done = 0; done < count_; done += most) {
    block.resize(std::min(most, count_ - done) * width_);
    file_.read(block.data(), block.size() * sizeof(double));
    take(block);
  }
}

void ResultTrace::each_row_block(const std::function<void(std::span<const double>)>& take) {
  std::vector<double> block;
  for (const std::vector<double>& row : result_.rows) {
    block.insert(block.end(), row.begin(), row.end());
    if (block.size() < block_numbers) continue;
    take(block);
    block.clear();
  }
  if (!block.empty()) take(block);
}

void EventSpool::add(const EventRecord& event) {
  if (count_++ == 0) states_ = event.y_before.size();
  packed_.clear();
  const auto put = [&](const auto& x) {
    static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(x)>>);
    packed_.append(reinterpret_cast<const char*>(&x), sizeof x);
  };
  const auto put_list = [&](const auto& list) {
    put(list.size());
    packed_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof list[0]);
  };
  auto before = texts_.begin();
  const auto put_text = [&](const std::string& text) {
    if (text == *before) {
      put(as_before);
    } else {
      put_list(text);
      *before = text;
    }
    ++before;
  };
  each_member(event, put, put_text, put_list);
  file_.append(packed_.data(), packed_.size());
}

void EventSpool::each_block(const std::function<void(std::span<const EventRecord>)>& take) {
  file_.rewind();
  const auto get = [&](auto& x) { file_.read(&x, sizeof x); };
  const auto get_numbers = [&](auto& list, std::size_t size) {
    list.resize(size);
    file_.read(list.data(), size * sizeof list[0]);
  };
  const auto get_list = [&](auto& list) {
    std::size_t size = 0;
    get(size);
    get_numbers(list, size);
  };
  Texts texts;
  auto before = texts.begin();
  const auto get_text = [&](std::string& text) {
    std::size_t size = 0;
    get(size);
    if (size != as_before) get_numbers(*before, size);
    text = *before++;
  };
  std::vector<EventRecord> block;
  for (std::size_t done = 0; done < count_; done += block_events) {
    block.resize(std::min(block_events, count_ - done));
    for (EventRecord& event : block) {
      before = texts.begin();
      each_member(event, get, get_text, get_list);
    }
    take(block);
  }
}

}  // namespace hstar::record
