// src/mechanism/spatial/build.hpp: bodies and contacts of a spatial model, from what is written to principal axes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mechanism/spatial/shapes.hpp"
#include "mechanism/system.hpp"

namespace hstar {

/// The body without its places in q and v.
[[nodiscard]] Body spatial_body(const SpatialBodySpec& spec);
/// A point and axes written in the body frame, in the principal axes that the system computes with.
void to_own_axes(const Body& body, SpatialMarkerSpec& marker);
/// A state in the axes that users see, in those that the system computes with: undoes System::as_written().
void to_own_axes(const System& system, double* y);
/// The parts of a written contact and their friction into system.contacts and system.frictions; `bodies` by name.
void add_contact(System& system, const SpatialContactSpec& spec, const std::vector<ContactPart>& parts,
                 const std::map<std::string, int>& bodies, int group);
/// Initial coordinates and velocities into y.
void start_spatial(const System& system, const Body& body, const SpatialBodySpec& spec, double* y);

}  // namespace hstar
