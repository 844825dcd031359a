// validation/benchmarks/discs.cpp
//
// Elastic discs in a box (discs.toml) as a crowd, at one density: impacts a second, events.csv among it, the memory of
// the whole process, and what is left over of energy and momentum. Processor time of one core; reading is told apart.
#include <sys/resource.h>

#include <cstdio>
#include <ctime>
#include <string>

#include "hstar/model_spec.hpp"
#include "hstar/record.hpp"
#include "hstar/run.hpp"
#include "hstar/thinned_run.hpp"

namespace {

double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double megabytes() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return static_cast<double>(use.ru_maxrss) / 1024;
}

void measure(int n, double end, const std::string& folder) {
  const std::vector<hstar::Override> changed{{"parameters.n", std::to_string(n)},
                                             {"simulation.end", std::to_string(end)},
                                             {"simulation.output", std::to_string(end)}};
  const double begun = now();
  const hstar::ModelSpec model = hstar::read_model(std::string(HSTAR_SOURCE_DIR) + "/validation/benchmarks/discs.toml",
                                                   changed, hstar::ReadPairs::together);
  const double read = now();
  hstar::FileSink files(model, changed, folder);
  const hstar::ThinnedRun run = hstar::run_thinned(model, files, {});
  const double took = now() - read;
  std::printf("%7d %9zu %8.2f %8.2f %10.0f %8.1f  %s\n", n, run.events, read - begun, took,
              static_cast<double>(run.events) / took, megabytes(), run.result.notices.front().c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string folder = count > 1 ? arguments[1] : "/tmp/hstar_discs";
  std::printf("  discs   impacts  read, s   run, s  impacts/s       MB\n");
  measure(100, 2000, folder);
  measure(1000, 200, folder);
  measure(10000, 45, folder);
  measure(30000, 15, folder);
}
