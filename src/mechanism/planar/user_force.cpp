// src/mechanism/planar/user_force.cpp: a force of a program's own; its slopes are central differences.
#include "mechanism/planar/user_elements.hpp"

namespace hstar {
namespace {

using Views = std::array<BodyView, most_user_bodies>;
using Loads = std::array<Load, most_user_bodies>;

class OwnForce final : public Force {
 public:
  OwnForce(std::shared_ptr<const UserForce> force, std::vector<int> bodies)
      : force_(std::move(force)), bodies_(std::move(bodies)) {}

  void apply(const Kinematics& k, double* f) const override {
    const Loads loads = loads_at(k.t, views(k));
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      double* const at = f + 3 * bodies_[i];
      at[0] += loads[i].fx;
      at[1] += loads[i].fy;
      at[2] += loads[i].torque;
    }
  }

  void slopes(const Kinematics& k, ForceSlopes& out) const override {
    Views at = views(k);
    for (std::size_t j = 0; j < bodies_.size(); ++j)
      for (int c = 0; c < 6; ++c) {
        double& x = component(at[j], c);
        const double here = x, h = difference_step(here);
        x = here + h;
        const Loads above = loads_at(k.t, at);
        x = here - h;
        const Loads below = loads_at(k.t, at);
        x = here;
        auto& entries = c < 3 ? out.by_position : out.by_velocity;
        const int column = 3 * bodies_[j] + c % 3;
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
          const int row = 3 * bodies_[i];
          entries.push_back({row, column, (above[i].fx - below[i].fx) / (2 * h)});
          entries.push_back({row + 1, column, (above[i].fy - below[i].fy) / (2 * h)});
          entries.push_back({row + 2, column, (above[i].torque - below[i].torque) / (2 * h)});
        }
      }
  }

 private:
  [[nodiscard]] Views views(const Kinematics& k) const {
    Views all;
    for (std::size_t i = 0; i < bodies_.size(); ++i) all[i] = view(k.of(bodies_[i]));
    return all;
  }
  [[nodiscard]] Loads loads_at(double t, const Views& at) const {
    Loads loads{};
    call_user(*this, "force",
              [&] { force_->apply(t, std::span(at).first(bodies_.size()), std::span(loads).first(bodies_.size())); });
    return loads;
  }

  std::shared_ptr<const UserForce> force_;
  std::vector<int> bodies_;
};

}  // namespace

std::unique_ptr<Force> make_user_force(std::shared_ptr<const UserForce> force, std::vector<int> bodies) {
  return std::make_unique<OwnForce>(std::move(force), std::move(bodies));
}

}  // namespace hstar
