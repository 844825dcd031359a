// src/record/hdf5_sink.cpp: run.h5 while a run goes on.
#include <algorithm>
#include <chrono>
#include <filesystem>

#include "hstar/record.hpp"
#include "record/hdf5_write.hpp"

namespace hstar {
namespace {

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

struct Hdf5Sink::Impl {
  using Clock = std::chrono::steady_clock;
  const ModelSpec& model;
  std::vector<Override> overrides;
  std::string path;
  record::SpooledTrace trace{folder_of(path)};
  RunResult so_far{};                              ///< all but rows and events
  static constexpr std::chrono::seconds least{2};  ///< between two times that it is written
  Clock::time_point next = Clock::now() + least;

  void write() {
    const auto begun = Clock::now();
    record::write_hdf5(so_far, trace, model, overrides, false, path);
    // However large the file grows, writing it takes at most a thirtieth of the time.
    next = Clock::now() + std::max<Clock::duration>(least, 29 * (Clock::now() - begun));
  }
};

Hdf5Sink::Hdf5Sink(const ModelSpec& model, std::vector<Override> overrides, std::string path)
    : impl_(new Impl{model, std::move(overrides), std::move(path)}) {}
Hdf5Sink::~Hdf5Sink() = default;

void Hdf5Sink::begin(std::span<const std::string> columns, std::span<const std::string> units) {
  impl_->so_far.columns.assign(1, "t");
  impl_->so_far.units.assign(1, "s");
  impl_->so_far.columns.insert(impl_->so_far.columns.end(), columns.begin(), columns.end());
  impl_->so_far.units.insert(impl_->so_far.units.end(), units.begin(), units.end());
  impl_->write();
  impl_->next = Impl::Clock::now() + Impl::least;  // (what an empty file costs tells nothing)
}

void Hdf5Sink::row(double t, std::span<const double> values) { impl_->trace.add(t, values); }

void Hdf5Sink::event(const EventRecord& record) {
  impl_->trace.add(record);
  RunResult& r = impl_->so_far;
  if (r.state_names.empty())  // the state is what comes first in a row
    r.state_names.assign(r.columns.begin() + 1,
                         r.columns.begin() + 1 + static_cast<std::ptrdiff_t>(record.y_before.size()));
}

void Hdf5Sink::progress(double t, double) {
  if (Impl::Clock::now() < impl_->next) return;
  impl_->so_far.outcome.t = t;
  impl_->write();
}

void Hdf5Sink::finish(const RunResult& result) {
  record::write_hdf5(result, impl_->trace, impl_->model, impl_->overrides, true, impl_->path);
}

void Hdf5Sink::each_row(const std::function<void(std::span<const double>)>& take) {
  const std::size_t width = impl_->so_far.columns.size();
  impl_->trace.each_row_block([&](std::span<const double> rows) {
    for (std::size_t i = 0; i + width <= rows.size(); i += width) take(rows.subspan(i, width));
  });
}

}  // namespace hstar
