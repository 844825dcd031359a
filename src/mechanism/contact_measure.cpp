// src/mechanism/contact_measure.cpp
#include "mechanism/contact_measure.hpp"

#include <array>

#include "mechanism/spatial/contact.hpp"
#include "mechanism/spatial/signal_slopes.hpp"

namespace hstar {
namespace {

class ContactMeasure final : public Force {
 public:
  explicit ContactMeasure(const Contact& contact) : contact_(contact) {}
  void apply(const Kinematics&, double*) const override {}
  void slopes(const Kinematics&, ForceSlopes&) const override {}
  [[nodiscard]] bool is_affine(std::span<const BodyFreedom>) const override { return true; }
  void output_slope(int which, const Kinematics& k, OutputSlope& out) const override {
    const Row row = normal(k);
    out = OutputSlope{};
    out.body = row.body;
    if (k.columns == 6) {
      std::array<SpatialRowSlope, 3> slope;
      static_cast<const SpatialContact&>(contact_).slopes(k, slope.data());
      return add_output_slope(which, row, slope[0], k.spatial_of(contact_.first), k.spatial_of(contact_.second), out);
    }
    for (int b = 0; b < 6; ++b) (which == 0 ? out.by_position : out.by_velocity)[b] = row.J[b / 3][b % 3];
    if (which == 0) return;
    RowSlope slope, unused;
    contact_.slopes(k, slope, unused);
    for (int b = 0; b < 6; ++b)
      for (std::size_t a = 0; a < 6; ++a)
        out.by_position[b] +=
            k.velocity(static_cast<std::size_t>(row.body[a / 3]), static_cast<int>(a % 3)) * slope.J[a][b];
  }
  [[nodiscard]] double output(int which, const Kinematics& k) const override {
    if (which == 0) return contact_.gap(k);
    if (which == 2) return 0;
    const Row row = normal(k);
    return row.speed(k) - row.nu;
  }

 private:
  [[nodiscard]] Row normal(const Kinematics& k) const {
    Row row;
    std::array<Row, 2> tangents;
    row.body = tangents[0].body = tangents[1].body = {contact_.first, contact_.second};
    contact_.all_rows_at(k, row, tangents.data());
    return row;
  }
  const Contact& contact_;
};

}  // namespace

std::unique_ptr<Force> make_contact_measure(const Contact& contact) {
  return std::make_unique<ContactMeasure>(contact);
}

}  // namespace hstar
