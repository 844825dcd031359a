// src/formulation/kept_rows.hpp
//
// Rows of contacts in space where the motion was evaluated last: an event asks for each of them many times there.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mechanism/system.hpp"

namespace hstar {

struct ContactRows {
  Row normal;
  std::array<Row, 2> tangents;
};

class KeptRows {
 public:
  explicit KeptRows(const System& system) : system_(system) {
    if (!system.is_spatial()) return;
    // (By coordinates and velocities alone, with nothing to fold into them.)
    const auto is_given = [&](int body) { return system.bodies[body].prescribed && !system.bodies[body].fixed; };
    for (const auto& contact : system.contacts)
      kept_.push_back({!is_given(contact->first) && !is_given(contact->second) && !contact->runs(), 0, {}});
  }
  /// nullptr: they are not kept.
  [[nodiscard]] const ContactRows* find(const Kinematics& k, int contact) {
    if (kept_.empty() || !kept_[contact].keeps || k.version == 0) return nullptr;
    Kept& kept = kept_[contact];
    if (kept.version != k.version) {
      const Contact& of = *system_.contacts[contact];
      kept = {true, k.version, {}};
      ContactRows& rows = kept.rows;
      rows.normal.body = rows.tangents[0].body = rows.tangents[1].body = of.bodies();
      of.all_rows_at(k, rows.normal, rows.tangents.data());
    }
    return &kept.rows;
  }

 private:
  struct Kept {
    bool keeps;
    std::uint64_t version;  ///< of the kinematics
    ContactRows rows;
  };
  const System& system_;
  std::vector<Kept> kept_;  ///< by contact; empty in the plane
};

}  // namespace hstar
