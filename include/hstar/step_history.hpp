// include/hstar/step_history.hpp: what an integrator did, step by step, as a table.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"

namespace hstar {

/// What a run of a model knows of its mechanism while it steps.
class StepReader {
 public:
  struct Residuals {
    double position = 0, velocity = 0;  ///< largest |Phi| [m or rad] and |Phi_q v - nu| [m/s or rad/s] of the joints
  };
  virtual ~StepReader() = default;
  [[nodiscard]] virtual std::string mode() const = 0;  ///< of all elements, "stick/slip+"
  [[nodiscard]] virtual Residuals residuals(double t, std::span<const double> y) = 0;
};

/// An observer to which hstar::run gives a reader before the first step; it is there until the run ends.
class ReadingObserver : public LoopObserver {
 public:
  virtual void read_from(StepReader& reader) = 0;
};

/// Writes a line for each step to a CSV file: the time it reached and its length, the order of its formula, the error
/// estimate in units of the tolerance, iterations, rejected tries, evaluations and Jacobians it took, what it leaves of
/// the constraints, its mode, and the event after which its segment began.
class StepHistory final : public ReadingObserver {
 public:
  /// `options` are those of the run.
  StepHistory(const std::string& path, const SimulationSpec& options);
  ~StepHistory() override;
  StepHistory(const StepHistory&) = delete;
  StepHistory& operator=(const StepHistory&) = delete;

  /// @throws FileError if the file cannot be written.
  void read_from(StepReader& reader) override { reader_ = &reader; }
  void step(Flow& accepted, double t_until) override;
  void segment_end(double t, std::span<const double> y) override;
  void event(const EventRecord& record) override;
  /// @throws FileError if the disk did not take all.
  void finish();

 private:
  struct File;
  void open();
  /// The rest of the line of the step that ended there.
  void complete(double t, std::span<const double> y);
  std::unique_ptr<File> file_;
  StepReader* reader_ = nullptr;
  double rtol_, atol_;
  bool varies_;  ///< the order, which is the degree of the interpolant then
  FlowCounters before_;
  std::string after_ = "start";
};

}  // namespace hstar
