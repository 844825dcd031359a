// include/hstar/compiled.hpp
//
// A run compiled together with one process of one's own: where the compiler sees the right-hand side and the guards it
// leaves out every call between them and the integrator. The same loop, steps, control and monitor as run_process; for
// small, cheap right-hand sides several times faster (validation/benchmarks).
//
//   class Ball final : public hstar::HybridProcess {
//    public:
//     static constexpr std::size_t state_size = 2;   // optional: lets the states live in std::array
//     bool rates(double t, const double* y, double* ydot) override { ... }   // in the class, so that it can be inlined
//     ...
//   };
//   hstar::run_compiled(ball, y, options, nullptr, counters);
#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "hstar/hybrid.hpp"
#include "hstar/integrator/one_step_flow.hpp"
#include "hstar/integrator/runge_kutta.hpp"
#include "hstar/integrator/tableau/dop853.hpp"
#include "hstar/integrator/tableau/dopri5.hpp"
#include "hstar/integrator/tableau/ode23.hpp"
#include "hstar/simulate/run_loop.hpp"

namespace hstar {

/// A HybridProcess whose functions nobody can override any more.
template <class Process>
concept CompiledProcess = std::derived_from<Process, HybridProcess> && std::is_final_v<Process>;

namespace detail {

template <class Process>
struct StateOf {
  using type = std::vector<double>;
};
template <class Process>
requires requires { std::array<double, Process::state_size>{}; }
struct StateOf<Process> {
  using type = std::array<double, Process::state_size>;
};

template <class Tableau, class Process>
RunOutcome run_with(Process& process, std::span<double> y, const LoopOptions& options, LoopObserver* observer,
                    RunCounters& counters) {
  using State = typename StateOf<Process>::type;
  using FlowType = integrator::OneStepFlow<integrator::RungeKutta<Tableau, State>, Process>;
  FlowType flow(process, options.flow);
  return run_loop(process, flow, y, options, observer, counters);
}

}  // namespace detail

/// run_process for a process whose class is known: compiled with it for the integrators dopri5, dop853 and ode23 (and
/// their aliases); any other integrator, and a process that is solved as a DAE, runs as in run_process. Results are
/// those of run_process bit for bit; for dopri5, where Odeint adds in another order, to the tolerance.
/// @throws InputError for bad options; numerical ends are returned.
template <CompiledProcess Process>
RunOutcome run_compiled(Process& process, std::span<double> y, const LoopOptions& options, LoopObserver* observer,
                        RunCounters& counters) {
  if constexpr (requires { Process::state_size; }) assert(process.size() == Process::state_size);
  const IntegratorEntry* entry = find_integrator(options.integrator);
  if (entry && !process.dae()) {
    check_interval(options);
    if (entry->name == "dopri5")
      return detail::run_with<integrator::Dopri5Tableau>(process, y, options, observer, counters);
    if (entry->name == "dop853") return detail::run_with<integrator::Dop853>(process, y, options, observer, counters);
    if (entry->name == "ode23") return detail::run_with<integrator::Ode23>(process, y, options, observer, counters);
  }
  return run_process(process, y, options, observer, counters);
}

}  // namespace hstar
