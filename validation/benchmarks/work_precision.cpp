// validation/benchmarks/work_precision.cpp
#include "work_precision.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

namespace bench {
namespace {

/// Time of this thread: what else runs on the machine does not count.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double seconds(const std::function<void()>& work) {
  const double start = now();
  work();
  return now() - start;
}

}  // namespace

double event_error(const std::vector<double>& found, const std::vector<double>& truth) {
  if (found.size() != truth.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) worst = std::max(worst, std::abs(found[i] - truth[i]));
  return worst;
}

std::vector<Point> measure(const Contestant& contestant, const std::vector<double>& truth) {
  std::vector<Point> points;
  for (double exponent = -4; exponent > -13.1; exponent -= 0.5) {
    const double rtol = std::pow(10, exponent);
    const auto found = contestant.run(rtol);
    double least = std::numeric_limits<double>::infinity();
    double spent = 0;
    for (int i = 0; i < 200 && (i < 5 || spent < 0.03); ++i) {
      if (contestant.prepare) contestant.prepare(rtol);
      const double s = seconds([&] { contestant.timed ? contestant.timed(rtol) : void(contestant.run(rtol)); });
      least = std::min(least, s);
      spent += s;
    }
    points.push_back({rtol, event_error(found, truth), 1e6 * least, found.size()});
  }
  return points;
}

double time_at_error(const std::vector<Point>& points, double error) {
  std::size_t first = points.size();
  while (first > 0 && points[first - 1].error <= error) --first;
  if (first == points.size()) return std::numeric_limits<double>::quiet_NaN();
  const Point& good = points[first];
  if (first == 0 || !std::isfinite(points[first - 1].error)) return good.microseconds;
  const Point& bad = points[first - 1];
  const double part = std::log(error / good.error) / std::log(bad.error / good.error);
  return std::exp(std::log(good.microseconds) + part * std::log(bad.microseconds / good.microseconds));
}

}  // namespace bench
