// tests/support/plane_contact.hpp: a ball on a fixed plane as an element of a spatial system, written from its
// definition, for tests of what is done with contacts; and the run of a system made by hand.
#pragma once

#include <memory>
#include <vector>

#include "hstar/hybrid.hpp"
#include "simulate/options.hpp"
#include "transition/mechanism_process.hpp"

namespace hstar::scene {

/// Ball of radius R about a point of its body on the plane through the origin across n. R = 0: a point.
class BallOnPlane final : public Contact {
 public:
  BallOnPlane(const Triad& plane, const Vec3& point, double radius) : plane_(plane), point_(point), radius_(radius) {}
  [[nodiscard]] double gap(const Kinematics& k) const override {
    return dot(plane_.h, k.spatial_of(second).point(point_)) - radius_;
  }
  [[nodiscard]] int directions() const override { return 2; }
  void all_rows_at(const Kinematics& k, Row& normal, Row* tangents) const override {
    // The velocity of the point that touches: v + A (omega_bar x s) + omega x (-R n).
    const auto& b = k.spatial_of(second);
    const Vec3 turning = b.A * cross(b.omega_bar, cross(b.omega_bar, point_));
    const auto fill = [&](const Vec3& along, Row& row) {
      const Vec3 seen = b.bar(along), arm = cross(point_, seen) - radius_ * b.bar(cross(plane_.h, along));
      for (std::size_t i = 0; i < 3; ++i) {
        row.J[1][i] = along[i];
        row.J[1][3 + i] = arm[i];
      }
      row.nu = 0;
      row.gamma = -dot(along, turning);
    };
    fill(plane_.h, normal);
    fill(plane_.f, tangents[0]);
    fill(plane_.g, tangents[1]);
  }
  void turning_rows_at(const Kinematics& k, bool spinning, Row* rows) const override {
    const auto& b = k.spatial_of(second);
    const auto fill = [&](const Vec3& axis, Row& row) {
      const Vec3 seen = b.bar(axis);
      for (std::size_t i = 0; i < 3; ++i) row.J[1][3 + i] = seen[i];
      row.nu = row.gamma = 0;
    };
    if (spinning) {
      fill(plane_.h, rows[0]);
    } else {
      fill(plane_.f, rows[0]);
      fill(plane_.g, rows[1]);
    }
  }
  void rows_at(const Kinematics&, Row&, Row&) const override {}
  void slopes(const Kinematics&, RowSlope&, RowSlope&) const override {}
  [[nodiscard]] bool gap_is_linear(bool, bool) const override { return false; }
  [[nodiscard]] double length_scale(const Kinematics& k) const override {
    return norm(k.spatial_of(second).r) + norm(point_) + radius_;
  }

 private:
  Triad plane_;
  Vec3 point_;
  double radius_;
};

struct SpatialScene {
  ModelSpec model;
  std::shared_ptr<System> system;

  /// Bodies, joints and forces of a model text.
  explicit SpatialScene(const std::string& text)
      : model(parse_model(text, "test")), system(std::const_pointer_cast<System>(build_system(model))) {}

  static FrictionSpec coulomb(double mu_static, double mu_kinetic) {
    FrictionSpec f;
    f.mu_static = mu_static;
    f.mu_kinetic = mu_kinetic;
    return f;
  }
  void contact(const std::string& name, int body, const Triad& plane, const Vec3& point, double radius,
               const FrictionSpec& friction) {
    auto contact = std::make_unique<BallOnPlane>(plane, point, radius);
    contact->name = name;
    contact->second = body;
    system->contact_constant.push_back(0);
    system->contact_friction.push_back(static_cast<int>(system->frictions.size()));
    system->contacts.push_back(std::move(contact));
    FrictionUnit unit;
    unit.contact = static_cast<int>(system->contacts.size()) - 1;
    unit.directions = 2;
    unit.law = FrictionLaw(friction);
    system->frictions.push_back(std::move(unit));
  }
  /// Rolling or spinning friction of the last contact: moments up to lever N.
  void turning(FrictionPart part, double lever) {
    FrictionUnit unit;
    unit.contact = static_cast<int>(system->contacts.size()) - 1;
    unit.part = part;
    unit.directions = part == FrictionPart::rolling ? 2 : 1;
    unit.law = FrictionLaw(coulomb(1, 1));
    unit.lever = lever;
    unit.turns = true;
    system->frictions.push_back(std::move(unit));
  }
};

struct SpatialRun {
  RunOutcome outcome;
  std::vector<EventRecord> events;
  std::vector<double> y;
  RunCounters counters;
};

inline SpatialRun run(const SpatialScene& scene) {
  class Events final : public LoopObserver {
   public:
    explicit Events(std::vector<EventRecord>& into) : into_(into) {}
    void event(const EventRecord& e) override { into_.push_back(e); }

   private:
    std::vector<EventRecord>& into_;
  };
  SpatialRun r;
  const auto& model = scene.model;
  MechanismProcess process(scene.system, formulation_in_use(model, *scene.system), formulation_options(model),
                           impact_options(model));
  r.y = scene.system->initial_state();
  Events events(r.events);
  r.outcome = run_process(process, r.y, loop_options(model, *scene.system), &events, r.counters);
  r.outcome.mode = process.mode_text();
  return r;
}

}  // namespace hstar::scene
