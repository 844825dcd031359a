// src/mechanism/spatial/user_force.cpp: a force of a program's own in space; its slopes are central differences.
#include "mechanism/spatial/user_elements.hpp"
#include "mechanism/system.hpp"

namespace hstar {
namespace {

using Views = std::array<SpatialBodyView, most_user_bodies>;
using Loads = std::array<SpatialBodyLoad, most_user_bodies>;

class OwnForce final : public Force {
 public:
  OwnForce(std::shared_ptr<const UserForce> force, std::vector<int> bodies)
      : force_(std::move(force)), bodies_(std::move(bodies)) {}

  void apply(const Kinematics& k, double* f) const override {
    const Loads loads = loads_at(k, views(k));
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      for (std::size_t c = 0; c < 6; ++c) f[6 * static_cast<std::size_t>(bodies_[i]) + c] += component(loads[i], c);
  }

  void slopes(const Kinematics& k, ForceSlopes& out) const override {
    Views at = views(k);
    for (std::size_t j = 0; j < bodies_.size(); ++j)
      for (int c = 0; c < 12; ++c) {
        const SpatialBodyView here = at[j];
        const Body& body = (*k.bodies)[bodies_[j]];
        const double h = spatial_step(here, c);
        at[j] = moved(here, body, c, h);
        const Loads above = loads_at(k, at);
        at[j] = moved(here, body, c, -h);
        const Loads below = loads_at(k, at);
        at[j] = here;
        auto& entries = c < 6 ? out.by_position : out.by_velocity;
        for (std::size_t i = 0; i < bodies_.size(); ++i)
          for (std::size_t row = 0; row < 6; ++row)
            entries.push_back({6 * bodies_[i] + static_cast<int>(row), 6 * bodies_[j] + c % 6,
                               (component(above[i], row) - component(below[i], row)) / (2 * h)});
      }
  }

 private:
  static double component(const SpatialBodyLoad& load, std::size_t c) {
    return c < 3 ? load.force[c] : load.torque_bar[c - 3];
  }
  [[nodiscard]] Views views(const Kinematics& k) const {
    Views all;
    for (std::size_t i = 0; i < bodies_.size(); ++i) all[i] = spatial_view(k, bodies_[i]);
    return all;
  }
  /// Torques in the axes that the system computes with.
  [[nodiscard]] Loads loads_at(const Kinematics& k, const Views& at) const {
    Loads loads{};
    call_user(*this, "force", [&] {
      force_->apply_in_space(k.t, std::span(at).first(bodies_.size()), std::span(loads).first(bodies_.size()));
    });
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      loads[i].torque_bar = to_system_axes((*k.bodies)[bodies_[i]], loads[i].torque_bar);
    return loads;
  }

  std::shared_ptr<const UserForce> force_;
  std::vector<int> bodies_;
};

}  // namespace

std::unique_ptr<Force> make_spatial_user_force(std::shared_ptr<const UserForce> force, std::vector<int> bodies) {
  return std::make_unique<OwnForce>(std::move(force), std::move(bodies));
}

}  // namespace hstar
