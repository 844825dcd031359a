// events/src/resolver.hpp
//
// Turns candidates into roots: decides touches on the integrator's own solution, polishes crossings,
// and chooses the earliest active event with every guard that fires there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "isolator.hpp"
#include "polish.hpp"

namespace hstar::events::detail {

/// A root with the time that its guard's tolerance leaves open.
struct Located : Root {
  double give = 0.0;  ///< g_tol / |dg/dt| [s]
};

class Resolver {
 public:
  Resolver(std::size_t guards, std::size_t state_size, Sampler& sampler, const MonitorOptions& options);

  /// Fills look.active and look.passive. False if a guard could not be evaluated.
  bool run(std::span<const std::size_t> enabled, std::vector<Followed>& followed, std::vector<Candidate>& candidates,
           Look& look);
  [[nodiscard]] std::span<const double> event_state() const { return event_state_; }
  /// At the event that the last run found, what has not fired is on the side of zero where it has been seen: no root
  /// before has been missed.
  [[nodiscard]] bool keeps_sides(std::span<const std::size_t> enabled, const std::vector<Followed>& followed) const;

 private:
  bool decide(const Candidate& c, const Followed& f, std::vector<Located>& out);
  bool cross(const Candidate& c, const Followed& f, std::vector<Located>& out);
  bool touch(const Candidate& c, const Followed& f, std::vector<Located>& out);
  bool half(const Candidate& c, const Followed& f, double t_deep, double g_deep, bool first, std::vector<Located>& out);
  /// The root of a guard that leaves zero to its other side before `beyond`: where the step begins; where that has been
  /// an event before, the last instant at which it is within its tolerance.
  bool leave(const Candidate& c, const Followed& f, double beyond, Located& root);
  bool with_error(Located& root, double slope, double g_tol);
  bool reach(const Candidate& c, double best, double best_proxy, bool& near);
  bool find_active(const std::vector<Followed>& followed, const std::vector<Candidate>& candidates);
  bool fire(std::span<const std::size_t> enabled, std::vector<Followed>& followed,
            const std::vector<Candidate>& candidates, Look& look);
  double blur(std::size_t guard, const Followed& f, double t);
  void remember_signs(std::span<const std::size_t> enabled, std::vector<Followed>& followed,
                      const std::vector<Candidate>& candidates, double t);
  bool record_passive(std::vector<Followed>& followed, const std::vector<Candidate>& candidates, Look& look);

  Sampler& sampler_;
  const MonitorOptions& options_;
  std::vector<Located> roots_, passive_roots_;
  std::vector<double> g_event_;  ///< by guard
  std::vector<double> row_;
  std::vector<double> event_state_;
  std::vector<unsigned char> fired_;
};

}  // namespace hstar::events::detail
