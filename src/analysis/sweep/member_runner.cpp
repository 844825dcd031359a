// src/analysis/sweep/member_runner.cpp: one member of a sweep, and the head of its table.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "analysis/sweep/sweep_parts.hpp"
#include "hstar/record.hpp"
#include "hstar/version.hpp"
#include "record/text.hpp"

namespace hstar::sweeping {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) throw InputError("cannot read '" + file + "': " + std::strerror(errno));
  return text;
}

}  // namespace

MemberRunner::MemberRunner(const std::string& model_file, const std::vector<Override>& overrides,
                           const SweepOptions& options, const Members& members)
    : file_(model_file),
      document_(text_of(model_file), model_file),
      overrides_(overrides),
      options_(options),
      members_(members),
      first_(first_sound()),
      collector_(options.collect, first_) {
  // What one member cannot record none can: say so before the work begins.
  ModelSpec trial = first_;
  collector_.prepare(trial);
  trial.simulation.stop_after_events = 1;
  std::vector<double> unused;
  collector_.read(run(trial), trial, unused);
}

ModelSpec MemberRunner::first_sound() const {
  for (std::size_t member = 1; member < members_.count(); ++member) try {
      return document_.with(overrides_of(member - 1));
    } catch (const InputError&) {  // a row of the table says so
    }
  return document_.with(overrides_of(members_.count() - 1));
}

std::vector<Override> MemberRunner::overrides_of(std::size_t member) const {
  std::vector<Override> all = overrides_;
  for (std::size_t axis = 0; axis < options_.axes.size(); ++axis)
    all.push_back({options_.axes[axis].path, number_text(members_.value(member, axis))});
  return all;
}

std::string MemberRunner::header() const {
  std::string out = "# hstar " HSTAR_VERSION ", sweep of " + std::string(record::base_name(file_)) + ", hash " +
                    model_hash(first_, overrides_) + "\n";
  for (const Override& change : overrides_) out += "# set: " + change.path + " = " + change.value + "\n";
  for (const SweepAxis& axis : options_.axes)
    out += "# vary: " + axis.path + ", " + std::to_string(axis.values.size()) + " values from " +
           number_text(axis.values.front()) + " to " + number_text(axis.values.back()) + "\n";
  if (options_.latin_hypercube > 0)
    out += "# Latin hypercube of " + std::to_string(options_.latin_hypercube) + ", seed " +
           std::to_string(options_.seed) + "\n";
  out += "# axes: " + std::to_string(options_.axes.size()) + "\n";
  out += "member";
  const auto field = [&out](const std::string& name) {
    out += ',';
    record::append_csv(out, name);
  };
  for (const SweepAxis& axis : options_.axes)
    field(axis.path.rfind("parameters.", 0) == 0 ? axis.path.substr(11) : axis.path);
  for (const std::string& column : collector_.columns()) field(column);
  return out + ",status,message\n";
}

std::string MemberRunner::line(std::size_t member) const {
  std::vector<double> values;
  std::string status, message;
  try {
    ModelSpec model = document_.with(overrides_of(member));
    collector_.prepare(model);
    const RunResult result = run(model);
    status = name(result.outcome.status);
    message = result.outcome.message;
    collector_.read(result, model, values);
  } catch (const InputError& error) {
    status = "bad_input";
    message = error.what();
  } catch (const std::exception& error) {
    status = "error";
    message = error.what();
  }
  values.resize(collector_.columns().size(), std::numeric_limits<double>::quiet_NaN());
  for (char& c : message)
    if (c == '\n' || c == '\r') c = ' ';
  std::string out = std::to_string(member);
  for (std::size_t axis = 0; axis < options_.axes.size(); ++axis) {
    out += ',';
    record::append_number(out, members_.value(member, axis));
  }
  for (const double value : values) {
    out += ',';
    record::append_number(out, value);
  }
  out += ',' + status + ',';
  record::append_csv(out, message);
  return out;
}

}  // namespace hstar::sweeping
