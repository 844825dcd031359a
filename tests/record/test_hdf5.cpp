// tests/record/test_hdf5.cpp
//
// What must hold: run.h5 is the same whether the rows and events of a run waited on the disk or in memory, and
// everything of an event comes back from it.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "hstar/record.hpp"

using namespace hstar;

namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("rows and events that waited on the disk make the same run.h5", "[record][hdf5]") {
  const std::string folder = HSTAR_BINARY_DIR "/test_hdf5";
  std::filesystem::create_directories(folder);
  const ModelSpec model = parse_model(R"(
gravity = [0, -9.81]
simulation = { end = 3, output = 0.01 }
body = [{ name = "ball", mass = 1, position = [0, 1] }]
[[contact]]
name = "floor"
between = [{ body = "ground", shape = "line" }, { body = "ball", shape = "point" }]
restitution = 0.8
)",
                                      "ball.toml");
  Hdf5Sink sink(model, {}, folder + "/disk.h5");
  RunResult result = run(model, &sink);
  REQUIRE(result.events.size() > 2);
  // What no run of this model has, behind its own events.
  EventRecord strange = result.events.front();
  strange.index = result.events.size() + 1;
  strange.optional = true;
  strange.note = "a note";
  strange.books = {1e-3, 2e-3, 3e-3};
  result.events.push_back(strange);
  sink.event(strange);
  sink.finish(result);
  write_hdf5(result, model, {}, true, folder + "/memory.h5");
  CHECK(bytes_of(folder + "/disk.h5") == bytes_of(folder + "/memory.h5"));

  const RunResult read = read_hdf5(folder + "/disk.h5").result;
  CHECK(read.rows == result.rows);
  REQUIRE(read.events.size() == result.events.size());
  const EventRecord& last = read.events.back();
  CHECK(last.index == strange.index);
  CHECK(last.t == strange.t);
  CHECK(last.kind == strange.kind);
  CHECK(last.element == strange.element);
  CHECK(last.mode_after == strange.mode_after);
  CHECK(last.impulse_n == strange.impulse_n);
  CHECK(last.energy_loss == strange.energy_loss);
  CHECK(last.optional);
  CHECK(last.note == "a note");
  CHECK(last.books.momentum == 1e-3);
  CHECK(last.books.energy == 2e-3);
  CHECK(last.books.cone == 3e-3);
  std::filesystem::remove_all(folder);
}
