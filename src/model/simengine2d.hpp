// src/model/simengine2d.hpp
//
// Models and analyses in the JSON of simEngine2D (the MATLAB code of the ME 451 course, University of Wisconsin; files
// .adm and .acf) as documents of ours. Every value keeps its place in the JSON file, so that messages name that.
//
// Taken: name, gravity; bodies (name, id, mass, jbar, q0, qd0); constraints AbsoluteX, AbsoluteY, AbsoluteAngle,
// RevoluteJoint, TranslationalJoint, RackPinion; forces PointForce, Torque, RSDA (RSDA1, RSDA2), TSDA; functions of t
// as strings; of an analysis tend, outputSteps and, of Dynamics, stepSize. Body 0 is the ground. What only draws (vis,
// ffo) and steps of other analyses are left out and said in a notice; anything else is an error at its place.
#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"

namespace hstar::model {

struct Imported {
  Value document;                    ///< as a model file would be
  std::vector<std::string> notices;  ///< what was renamed, assumed or left out
};

/// `analysis` may be null. @throws InputError naming the place of what is not taken.
[[nodiscard]] Imported import_simengine2d(const Value& model, const Value* analysis);

}  // namespace hstar::model
