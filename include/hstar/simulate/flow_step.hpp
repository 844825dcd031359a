// include/hstar/simulate/flow_step.hpp: a flow's last step in the form the event monitor looks at. The only
// place where flow and guards meet.
#pragma once

#include "hstar/events/dense_step.hpp"
#include "hstar/flow.hpp"

namespace hstar {

/// `FlowType` is Flow, or a final class derived from it, whose functions the compiler can then inline.
template <class FlowType>
class FlowStep final : public events::DenseStep {
 public:
  explicit FlowStep(FlowType& flow) : flow_(flow) {}
  [[nodiscard]] double t0() const override { return flow_.t0(); }
  [[nodiscard]] double t1() const override { return flow_.t1(); }
  [[nodiscard]] std::size_t size() const override { return flow_.y1().size(); }
  [[nodiscard]] int degree() const override { return flow_.degree(); }
  void at(double t, std::span<double> y) const override { flow_.at(t, y); }
  bool finish_at(double t, std::span<double> y) override { return flow_.finish_at(t, y) == StepResult::accepted; }
  [[nodiscard]] std::span<const double> row(int r) const override { return flow_.row(r); }
  [[nodiscard]] std::span<const double> powers() const override { return flow_.powers(); }
  [[nodiscard]] std::span<const std::size_t> moving() const override { return flow_.moving(); }
  [[nodiscard]] std::span<const double> error() const override { return flow_.error(); }
  [[nodiscard]] std::span<const double> y0() const { return flow_.y0(); }
  [[nodiscard]] std::span<const double> y1() const { return flow_.y1(); }

 private:
  FlowType& flow_;
};

}  // namespace hstar
