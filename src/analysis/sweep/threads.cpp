// src/analysis/sweep/threads.cpp: members taken by threads one after the other.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "analysis/sweep/sweep_parts.hpp"

namespace hstar::sweeping {
namespace {

class Threads final : public SweepCrew {
 public:
  explicit Threads(unsigned threads)
      : threads_(threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency())) {}

  [[nodiscard]] bool writes() const override { return true; }
  [[nodiscard]] std::size_t agree(std::size_t first) override { return first; }

  void work(std::size_t first, std::size_t count, const std::function<std::string(std::size_t)>& line,
            const std::function<bool(std::size_t, std::string)>& done) override {
    std::atomic<std::size_t> next{first};
    std::atomic<bool> go_on{true};
    std::mutex writing;
    std::exception_ptr trouble;
    const auto one = [&] {
      try {
        while (go_on) {
          const std::size_t member = next++;
          if (member >= count) return;
          std::string text = line(member);
          const std::lock_guard lock(writing);
          if (go_on && !done(member, std::move(text))) go_on = false;
        }
      } catch (...) {
        const std::lock_guard lock(writing);
        if (!trouble) trouble = std::current_exception();
        go_on = false;
      }
    };
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads_; ++i) others.emplace_back(one);
    one();
    others.clear();
    if (trouble) std::rethrow_exception(trouble);
  }

 private:
  unsigned threads_;
};

}  // namespace

std::unique_ptr<SweepCrew> thread_crew(unsigned threads) { return std::make_unique<Threads>(threads); }

}  // namespace hstar::sweeping
