// src/mechanism/spatial/build.hpp: bodies and contacts of a spatial model, from what is written to principal axes.
#pragma once

#include "mechanism/spatial/contact.hpp"
#include "mechanism/spatial/shapes.hpp"
#include "mechanism/system.hpp"

namespace hstar {

/// The body without its places in q and v.
[[nodiscard]] Body spatial_body(const SpatialBodySpec& spec);
/// A point and axes written in the body frame, in the principal axes that the system computes with.
void to_own_axes(const Body& body, SpatialMarkerSpec& marker);
/// A contact of `first` with `second`; `shape` is the one that the part's first feature belongs to.
[[nodiscard]] std::unique_ptr<SpatialContact> make_spatial_contact(const ContactPart& part, const Body& first,
                                                                   const Body& second, const SpatialShapeSpec& shape);
/// Initial coordinates and velocities into y.
void start_spatial(const System& system, const Body& body, const SpatialBodySpec& spec, double* y);

}  // namespace hstar
