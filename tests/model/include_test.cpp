// tests/model/include_test.cpp
//
// A model in several files is the model that all of them say together: sections of included files come first, and what
// the including file says of parameters and the run counts. Mistakes are told at their place in their own file.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "hstar/model_spec.hpp"
#include "support/said.hpp"

using namespace hstar;

namespace {

/// Files in a folder of their own, gone with it.
class Folder {
 public:
  explicit Folder(const std::map<std::string, std::string>& files)
      : path_(std::filesystem::temp_directory_path() / "hstar_include_test") {
    std::filesystem::remove_all(path_);
    for (const auto& [name, text] : files) {
      std::filesystem::create_directories((path_ / name).parent_path());
      std::ofstream(path_ / name) << text;
    }
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// What reading "m.toml" says, with the folder as ~.
  [[nodiscard]] std::string said() const {
    std::string text = support::said([&] { static_cast<void>(read_model(file("m.toml"))); });
    for (std::size_t at = 0; (at = text.find(path_.string())) != std::string::npos;)
      text.replace(at, path_.string().size(), "~");
    return text;
  }

 private:
  std::filesystem::path path_;
};

const std::string parts = R"toml(
[parameters]
m = 2
g = 10
[simulation]
end = 5
rtol = 1e-5
[[body]]
name = "first"
mass = "m"
)toml";

}  // namespace

TEST_CASE("sections of included files come first, the file itself has the last word", "[model]") {
  const Folder folder({{"m.toml", R"toml(
include = ["parts/bodies.toml"]
[parameters]
m = 3
[simulation]
end = 7
[[body]]
name = "second"
mass = "m + g"
)toml"},
                       {"parts/bodies.toml", "include = [\"deeper.toml\"]\ngravity = [0, -1]\n" + parts},
                       {"parts/deeper.toml", R"toml(
[[table]]
name = "load"
file = "load.csv"
[[state]]
name = "s"
rate = "load(t)"
)toml"},
                       {"parts/load.csv", "0, 1\n1, 2\n"}});
  const ModelSpec model = read_model(folder.file("m.toml"));
  REQUIRE(model.bodies.size() == 2);
  CHECK(model.bodies[0].name == "first");
  CHECK(model.bodies[0].mass == 3.0);
  CHECK(model.bodies[1].mass == 13.0);
  CHECK(model.gravity[1] == -1.0);
  CHECK(model.simulation.end == 7.0);
  CHECK(model.simulation.rtol == 1e-5);
  REQUIRE(model.states.size() == 1);
  // What is recorded is complete: it is read without the files, and says the same.
  const ModelSpec again = parse_model(model.text, folder.file("elsewhere.toml"));
  CHECK(again.bodies[1].mass == 13.0);
  const double at_end = 1.0;
  CHECK(again.states[0].rate.value(&at_end) == model.states[0].rate.value(&at_end));
}

TEST_CASE("mistakes in included files are told at their places", "[model]") {
  const std::string run = "[simulation]\nend = 1\n";
  CHECK(Folder({{"m.toml", "include = \"a.toml\"\n" + run}}).said() ==
        "~/m.toml:1:12: include = \"a.toml\" must be a list of files, as [\"parts.toml\"]");
  CHECK(Folder({{"m.toml", "include = [\"a.toml\"]\n" + run}}).said() ==
        "~/m.toml:1:13: include: \"a.toml\" cannot be read (~/a.toml: No such file or directory); paths are relative "
        "to the "
        "file that includes");
  CHECK(Folder({{"m.toml", "include = [\"a.toml\"]\n" + run}, {"a.toml", "include = [\"m.toml\"]\n"}}).said() ==
        "~/a.toml:1:13: include: \"m.toml\" includes itself; remove one of the two");
  CHECK(Folder({{"m.toml", "include = [\"a.toml\", \"b.toml\"]\n" + run},
                {"a.toml", "[parameters]\nm = 1\n"},
                {"b.toml", "[parameters]\nm = 2\n"}})
            .said() ==
        "~/b.toml:2:1: m is given in ~/a.toml:2:1 too; leave out one of them, or give it in the model itself");
  CHECK(Folder({{"m.toml", "include = [\"a.toml\"]\n" + run}, {"a.toml", "[[body]]\nname = \"b\"\nmass = -1\n"}})
            .said() == "~/a.toml:3:8: body \"b\": mass = -1 kg must be > 0; give the mass in kg");
  CHECK(
      Folder({{"m.toml", "include = [\"a.toml\"]\n" + run}, {"a.toml", "[[body\n"}}).said().starts_with("~/a.toml:1:"));
}
