// src/cli/dask_crew.cpp
//
// Dask speaks Python: a child process hands out blocks of members to the cluster and prints the lines of the table as
// they come, each behind the number of its row.
#include "cli/dask_crew.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "hstar/error.hpp"

namespace hstar::cli {
namespace {

constexpr const char* script = R"py(
import subprocess, sys
try:
    from distributed import Client, as_completed
except ImportError:
    sys.exit("--crew dask://... needs the Python package distributed (Debian: python3-distributed), which "
             f"{sys.executable} does not have; HSTAR_PYTHON names another python3")
scheduler, folder, first, count, *command = sys.argv[1:]

def lines(command, folder, rows):
    done = subprocess.run([*command, "--lines", f"{rows[0]}:{rows[-1]}"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return list(zip(rows, done.stdout.splitlines()))

try:
    with Client(scheduler, timeout=30) as client:
        rows = list(range(int(first), int(count)))
        block = max(1, len(rows) // (8 * max(1, sum(client.nthreads().values()))))
        blocks = [rows[i:i + block] for i in range(0, len(rows), block)]
        for future in as_completed(client.map(lines, [command] * len(blocks), [folder] * len(blocks), blocks, pure=False)):
            for row, line in future.result():
                print(row, line, sep="\t", flush=True)
except Exception as error:
    sys.exit(f"Dask cluster {scheduler}: {error}")
)py";

/// A python3 with the script; what it prints can be read.
class Child {
 public:
  explicit Child(std::vector<std::string> arguments) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw InputError("no pipe to python3 can be opened");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failed = posix_spawnp(&id_, pointers.front(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed != 0) {
      close(ends[0]);
      throw InputError("--crew dask://... needs python3, which cannot be started");
    }
    out_ = fdopen(ends[0], "r");
  }
  ~Child() { wait(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] bool read_line(std::string& line) {
    line.clear();
    for (int c = std::getc(out_); c != EOF; c = std::getc(out_)) {
      if (c == '\n') return true;
      line += static_cast<char>(c);
    }
    return false;
  }
  void stop() const { kill(id_, SIGTERM); }
  /// Whether it has ended well.
  bool wait() {
    if (!out_) return false;
    std::fclose(std::exchange(out_, nullptr));
    int status = 0;
    return waitpid(id_, &status, 0) == id_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t id_ = 0;
  std::FILE* out_ = nullptr;
};

class Dask final : public SweepCrew {
 public:
  Dask(std::string scheduler, std::vector<std::string> command)
      : scheduler_(std::move(scheduler)), command_(std::move(command)) {}

  [[nodiscard]] bool writes() const override { return true; }
  [[nodiscard]] std::size_t agree(std::size_t first) override { return first; }

  void work(std::size_t first, std::size_t count, const std::function<std::string(std::size_t)>& /*line*/,
            const std::function<bool(std::size_t, std::string)>& done) override {
    if (first >= count) return;
    const char* python = std::getenv("HSTAR_PYTHON");
    std::vector<std::string> arguments{python ? python : "python3",
                                       "-c",
                                       script,
                                       scheduler_,
                                       std::filesystem::current_path().string(),
                                       std::to_string(first),
                                       std::to_string(count)};
    arguments.insert(arguments.end(), command_.begin(), command_.end());
    Child child(std::move(arguments));
    std::string text;
    while (child.read_line(text)) {
      const std::size_t tab = text.find('\t');
      if (tab == std::string::npos || tab == 0 || text.find_first_not_of("0123456789") < tab) continue;
      if (!done(std::stoul(text.substr(0, tab)), text.substr(tab + 1))) {
        child.stop();
        return;
      }
    }
    if (!child.wait()) throw InputError("the Dask crew has stopped (see above); the rows so far are in the table");
  }

 private:
  std::string scheduler_;
  std::vector<std::string> command_;
};

}  // namespace

std::unique_ptr<SweepCrew> dask_crew(const std::string& where, std::vector<std::string> command) {
  constexpr std::string_view scheme = "dask://";
  if (!where.starts_with(scheme) || where.size() == scheme.size())
    throw InputError("--crew '" + where + "': a crew is dask://HOST:PORT, the scheduler of a Dask cluster");
  return std::make_unique<Dask>("tcp://" + where.substr(scheme.size()), std::move(command));
}

}  // namespace hstar::cli
