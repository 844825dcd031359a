// include/hstar/step_history.hpp: what an integrator did, step by step, as a table.
#pragma once

#include <memory>
#include <string>

#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"

namespace hstar {

/// Writes a line for each step to a CSV file: the time it reached and its length, the order of its formula, the error
/// estimate in units of the tolerance, iterations, rejected tries, evaluations and Jacobians it took, and the event
/// after which its segment began.
class StepHistory final : public LoopObserver {
 public:
  /// `options` are those of the run.
  StepHistory(const std::string& path, const SimulationSpec& options);
  ~StepHistory() override;
  StepHistory(const StepHistory&) = delete;
  StepHistory& operator=(const StepHistory&) = delete;

  /// @throws FileError if the file cannot be written.
  void step(Flow& accepted, double t_until) override;
  void event(const EventRecord& record) override;
  /// @throws FileError if the disk did not take all.
  void finish();

 private:
  struct File;
  void open();
  std::unique_ptr<File> file_;
  double rtol_, atol_;
  bool varies_;  ///< the order, which is the degree of the interpolant then
  FlowCounters before_;
  std::string after_ = "start";
};

}  // namespace hstar
