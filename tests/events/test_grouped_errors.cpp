// tests/events/test_grouped_errors.cpp
//
// In a large state, guards that say what they depend on have their errors estimated together; the estimates, and
// with them all roots, must be those of guards asked one by one, for far fewer evaluations. A guard that depends on all
// of the state, as forces of a pile do, is not asked along with those that depend on a few components.
#include <catch2/catch.hpp>

#include "clock_step.hpp"

using namespace clock_test;

namespace {

constexpr std::size_t components = 200, guards = components - 2;

/// y_j = sin(t + j), each with an error of its own; every ninth has none.
class Waves final : public DenseStep {
 public:
  Waves() : error_(components) {
    for (std::size_t j = 0; j < components; ++j)
      error_[j] = j % 9 == 4 ? 0.0 : 1e-7 * (1.0 + static_cast<double>(j % 5));
  }
  double t0() const override { return 0.0; }
  double t1() const override { return 1.0; }
  std::size_t size() const override { return components; }
  int degree() const override { return 0; }
  void at(double t, std::span<double> y) const override {
    for (std::size_t j = 0; j < y.size(); ++j) y[j] = std::sin(t + static_cast<double>(j));
  }
  bool finish_at(double t, std::span<double> y) override {
    at(t, y);
    return true;
  }
  std::span<const double> error() const override { return error_; }

 private:
  std::vector<double> error_;
};

/// g_i = y_i - 2 y_(i+1) + 3 y_(i+2), in a few shapes; `sparse` says so.
class Neighbours final : public GuardSet {
 public:
  explicit Neighbours(bool sparse) : sparse_(sparse), info_(guards, guard("g", Crossing::either, Role::passive)) {
    for (std::size_t i = 0; i < guards; ++i)
      for (std::size_t j = i; j < i + 3; ++j) index_.push_back(j);
    info_[7].enabled = false;
  }
  std::size_t guard_count() const override { return guards; }
  const GuardInfo& info(std::size_t i) const override { return info_[i]; }
  bool values(double, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    for (std::size_t k = 0; k < which.size(); ++k) {
      const std::size_t i = which[k];
      g[k] = y[i] - 2.0 * y[i + 1] + 3.0 * y[i + 2];
    }
    ++calls;
    return true;
  }
  std::span<const std::size_t> depends_on(std::size_t i) const override {
    return sparse_ && i != 5 ? std::span(index_).subspan(3 * i, 3) : std::span<const std::size_t>{};
  }
  std::size_t calls = 0;

 private:
  bool sparse_;
  std::vector<GuardInfo> info_;
  std::vector<std::size_t> index_;
};

/// The same beside one that depends on everything, and is nowhere near zero.
class BesideWhole final : public GuardSet {
 public:
  BesideWhole() : near_(true), info_(guard("whole", Crossing::either, Role::passive)), all_(components) {
    for (std::size_t j = 0; j < components; ++j) all_[j] = j;
  }
  std::size_t guard_count() const override { return guards + 1; }
  const GuardInfo& info(std::size_t i) const override { return i < guards ? near_.info(i) : info_; }
  bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    for (std::size_t k = 0; k < which.size(); ++k) {
      if (which[k] < guards) {
        if (!near_.values(t, y, which.subspan(k, 1), g.subspan(k, 1))) return false;
        continue;
      }
      ++whole_calls;
      g[k] = 1e3;
      for (const double x : y) g[k] += x;
    }
    return true;
  }
  std::span<const std::size_t> depends_on(std::size_t i) const override {
    return i < guards ? near_.depends_on(i) : std::span<const std::size_t>(all_);
  }
  std::size_t whole_calls = 0;

 private:
  Neighbours near_;
  GuardInfo info_;
  std::vector<std::size_t> all_;
};

/// Dips to `least` above zero half-way through the step; the step's errors move it by 6e-8 in all.
class Dip final : public GuardSet {
 public:
  explicit Dip(double least) : least_(least), info_(guard("dip", Crossing::either, Role::passive)) {}
  std::size_t guard_count() const override { return 1; }
  const GuardInfo& info(std::size_t) const override { return info_; }
  bool values(double t, std::span<const double> y, std::span<const std::size_t>, std::span<double> g) override {
    g[0] = least_ + 0.01 * (t - 0.5) * (t - 0.5);
    for (std::size_t j = 0; j < y.size(); ++j) g[0] += 1e-3 * std::fabs(y[j] - std::sin(t + static_cast<double>(j)));
    ++calls;
    return true;
  }
  std::size_t calls = 0;

 private:
  double least_;
  GuardInfo info_;
};

std::size_t calls_of_a_dip(double least) {
  Waves step;
  Dip dip(least);
  Monitor monitor(dip, components);
  std::vector<double> y(components);
  step.at(0.0, y);
  monitor.restart(0.0, y);
  monitor.look(step);
  return dip.calls;
}

}  // namespace

TEST_CASE("errors of a guard are measured where it dips to near zero for them") {
  CHECK(calls_of_a_dip(1.0) < 40);           // samples of the step, and a glance
  CHECK(calls_of_a_dip(1e-7) > components);  // nearer than ten times the error: by each component
}

TEST_CASE("errors estimated together are those estimated one by one") {
  Waves step;
  Neighbours together(true), one_by_one(false);
  Monitor a(together, components), b(one_by_one, components);
  std::vector<double> y(components);
  step.at(0.0, y);
  a.restart(0.0, y);
  b.restart(0.0, y);
  const Look &found = a.look(step), &expected = b.look(step);
  REQUIRE(expected.passive.size() > 30);
  REQUIRE(found.passive.size() == expected.passive.size());
  for (std::size_t i = 0; i < found.passive.size(); ++i) {
    const Root &r = found.passive[i], &s = expected.passive[i];
    CHECK(r.guard == s.guard);
    CHECK(r.t == s.t);
    CHECK(r.direction == s.direction);
    CHECK(s.dt_error > 1e-8);
    CHECK(r.dt_error == Approx(s.dt_error).epsilon(1e-7));
  }
  CHECK(20 * together.calls < one_by_one.calls);
}

TEST_CASE("a guard of the whole state is not asked along with those of a few components") {
  Waves step;
  BesideWhole beside;
  Neighbours alone(true);
  Monitor a(beside, components), b(alone, components);
  std::vector<double> y(components);
  step.at(0.0, y);
  a.restart(0.0, y);
  b.restart(0.0, y);
  const std::size_t found = a.look(step).passive.size();
  CHECK(found == b.look(step).passive.size());
  CHECK(found > 30);
  // Samples of the step; its errors alone would take 2 * 200 more.
  CHECK(beside.whole_calls < components);
}
