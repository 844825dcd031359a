// src/model/keys.cpp
//
// The tables behind keys.hpp: what models of both dimensions have, and planar bodies, joints, forces and contacts
// (the spatial ones: keys_spatial.cpp). A new key is one line here and one line where its section is read.
#include "model/keys.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "hstar/impact_law.hpp"
#include "mechanism/planar/forces.hpp"
#include "mechanism/planar/joints.hpp"
#include "model/keys_spatial.hpp"
#include "model/nearest.hpp"

namespace hstar::model {
namespace {

// One key, one or two lines.
// clang-format off
constexpr KeySpec top_keys[] = {
    {.name = "title", .kind = Kind::text, .standard = optional, .about = "a line that says what the model is"},
    {.name = "include", .kind = Kind::texts, .standard = optional,
     .about = "files that hold parts of the model, paths relative to this one: their sections come first, and what this file says "
              "of parameters, simulation and the top counts"},
    {.name = "dimension", .kind = Kind::integer, .range = {.low = 2, .high = 3}, .standard = "2",
     .about = "2 for a planar model, 3 for a spatial one, whose bodies, joints, forces and contacts have keys of their own"},
    {.name = "gravity", .kind = Kind::vector, .unit = "m/s^2", .standard = "[0, 0]",
     .about = "the acceleration of gravity as [x, y], with dimension = 3 as [x, y, z]"},
};

constexpr KeySpec simulation_keys[] = {
    {.name = "start", .kind = Kind::number, .unit = "s", .standard = "0", .about = "the time the run starts"},
    {.name = "end", .kind = Kind::number, .unit = "s", .standard = required,
     .about = "the time the run ends (after start)"},
    {.name = "integrator", .kind = Kind::word, .standard = "dopri5",
     .about = "the integrator (hstar list shows them; ode45 is dopri5)"},
    {.name = "formulation", .kind = Kind::word, .standard = optional, .choices = "direct baumgarte partition_simple partition_full projection index3 ggl index1",
     .about = "how constraints are kept (docs/dae-methods.md); default: projection with constraints, direct without"},
    {.name = "baumgarte_alpha", .kind = Kind::number, .unit = "1/s", .range = positive, .standard = optional,
     .about = "the feedback of velocity errors of constraints in formulation baumgarte (default: chosen, and printed)"},
    {.name = "baumgarte_beta", .kind = Kind::number, .unit = "1/s", .range = positive, .standard = optional,
     .about = "the feedback of position errors of constraints in formulation baumgarte (default: baumgarte_alpha)"},
    {.name = "rtol", .kind = Kind::number, .range = {.low = 1e-14, .high = 0.1},
     .standard = "1e-6",
     .about = "the relative tolerance of the integrator",
     .alias = "RelTol"},
    {.name = "atol", .kind = Kind::number, .range = positive, .standard = optional,
     .about = "the absolute tolerance (in the unit of each state; default rtol/1000)", .alias = "AbsTol"},
    {.name = "max_step", .kind = Kind::number, .unit = "s", .range = positive, .standard = optional,
     .about = "the largest step (default: none)"},
    {.name = "first_step", .kind = Kind::number, .unit = "s", .range = positive, .standard = optional,
     .about = "the first step (default: chosen by the integrator)"},
    {.name = "fixed_step", .kind = Kind::number, .unit = "s", .range = not_negative, .standard = "0",
     .about = "the length of every step (no error control); 0 means error control"},
    {.name = "newton", .kind = Kind::word, .standard = "modified", .choices = "full modified quasi functional",
     .about = "the matrix of implicit methods: exact in each iteration, exact and kept, without force terms, none"},
    {.name = "max_order", .kind = Kind::integer, .range = {.low = 1, .high = 12}, .standard = optional,
     .about = "the largest order of bdf, at most 6, and of ode113 (default: 5 and 12); with fixed_step their order (default: 5)"},
    {.name = "newmark_beta", .kind = Kind::number, .range = {.low = 0, .high = 1}, .standard = "0.3025",
     .about = "the parameter beta of newmark"},
    {.name = "newmark_gamma", .kind = Kind::number, .range = {.low = 0.5, .high = 1}, .standard = "0.6",
     .about = "the parameter gamma of newmark; second order only for 0.5"},
    {.name = "hht_alpha", .kind = Kind::number, .range = {.low = -0.33333333333333331, .high = 0}, .standard = "-0.1",
     .about = "the damping parameter of hht"},
    {.name = "rho_infinity", .kind = Kind::number, .range = {.low = 0, .high = 1}, .standard = "0.8",
     .about = "the spectral radius of generalized_alpha for what the step cannot resolve"},
    {.name = "islands", .kind = Kind::boolean, .standard = "true",
     .about = "integrator exact: bodies that only forces couple move by themselves, where the model allows it, so that an "
              "event costs what it touches"},
    {.name = "multiple_impact", .kind = Kind::word, .standard = "simultaneous", .choices = "simultaneous sequential sequential_forward sequential_backward",
     .about = "how several contacts collide at one instant: as one problem, or one after the other: of those that approach "
              "the fastest, the first or the last in the model"},
    {.name = "impact_energy", .kind = Kind::word, .standard = "report", .choices = "report error",
     .about = "what an impact law that gains energy does: is reported in the ledger, or ends the run"},
    {.name = "sliding", .kind = Kind::word, .standard = "error", .choices = "error filippov",
     .about = "what holds where both sides of a switch in a formula drive back to it: nothing, and the run ends; or the "
              "combination of both sides that stays there"},
    {.name = "output", .kind = Kind::number, .unit = "s", .range = not_negative, .standard = "0",
     .about = "the report interval (never shortens a step; at most 1e8 rows), or \"steps\": a row at every step; 0 means "
              "so many rows that straight lines between them miss no column by more than 0.2 % of its range"},
    {.name = "accelerations", .kind = Kind::boolean, .standard = "false",
     .about = "true to record the accelerations of bodies, too, and in space the rates of Euler parameters (p_dot)"},
    {.name = "multipliers", .kind = Kind::boolean, .standard = "false",
     .about = "true to record the multipliers of the joints' constraints, too: pin.lambda1, pin.lambda2, in the order of "
              "`hstar inspect`"},
    {.name = "stop_after_events", .kind = Kind::integer, .range = not_negative, .standard = "0",
     .about = "the number of events after which the run stops (not counting those that leave the motion "
              "as it is, of guards that only record); 0 means none"},
    {.name = "max_events_per_instant", .kind = Kind::integer, .range = {.low = 1},
     .standard = "100",
     .about = "the number of mode changes at one instant that ends the run"},
};

constexpr KeySpec body_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the body"},
    {.name = "mass", .kind = Kind::number, .unit = "kg", .range = positive, .standard = optional, .types = "free",
     .about = "the mass (required without a shape)"},
    {.name = "inertia", .kind = Kind::number, .unit = "kg m^2", .range = not_negative, .standard = optional,
     .types = "free",
     .about = "the moment of inertia about the centre of mass; without it and without a shape the body is a point mass "
              "without angle; 0 is for bodies that joints hold"},
    {.name = "shape", .kind = Kind::word, .standard = optional, .types = "free", .choices = "rectangle disc",
     .about = "a homogeneous shape that gives mass and inertia"},
    {.name = "density", .kind = Kind::number, .unit = "kg/m^2", .range = positive, .standard = optional, .types = "free",
     .about = "the mass per area of the shape"},
    {.name = "sides", .kind = Kind::pair, .unit = "m", .standard = optional, .types = "free",
     .about = "the sides of a rectangle along the body's x and y"},
    {.name = "radius", .kind = Kind::number, .unit = "m", .range = positive, .standard = optional, .types = "free",
     .about = "the radius of a disc"},
    {.name = "position", .kind = Kind::pair, .unit = "m", .standard = "[0, 0]", .types = "free",
     .about = "the initial position of the centre of mass as [x, y]"},
    {.name = "angle", .kind = Kind::number, .unit = "rad", .standard = "0", .types = "free",
     .about = "the initial angle"},
    {.name = "velocity", .kind = Kind::pair, .unit = "m/s", .standard = "[0, 0]", .types = "free",
     .about = "the initial velocity of the centre of mass as [x, y]"},
    {.name = "angular_velocity", .kind = Kind::number, .unit = "rad/s", .standard = "0", .types = "free",
     .about = "the initial angular velocity"},
    {.name = "motion", .kind = Kind::table, .standard = optional, .types = "prescribed",
     .about = "the prescribed motion; such a body has no mass and no initial values"},
};

constexpr KeySpec motion_keys[] = {
    {.name = "x", .kind = Kind::formula, .scope = Scope::time, .unit = "m", .standard = "0",
     .about = "x as a formula of t"},
    {.name = "y", .kind = Kind::formula, .scope = Scope::time, .unit = "m", .standard = "0",
     .about = "y as a formula of t"},
    {.name = "angle", .kind = Kind::formula, .scope = Scope::time, .unit = "rad", .standard = "0",
     .about = "the angle as a formula of t"},
};

constexpr std::string_view two_body_joints =
    "revolute translational fixed distance relative_angle relative_translation";

const KeySpec joint_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the joint"},
    {.name = "type", .kind = Kind::word, .standard = required, .choices = types_of(planar_joints()),
     .about = "the type of the joint"},
    {.name = "bodies", .kind = Kind::bodies, .standard = required, .types = two_body_joints,
     .about = "the two bodies, first and second"},
    {.name = "points", .kind = Kind::pairs, .unit = "m", .standard = "[[0, 0], [0, 0]]",
     .types = "revolute translational fixed distance relative_translation",
     .about = "one point in each body's coordinates as [[xa, ya], [xb, yb]]"},
    {.name = "body", .kind = Kind::body, .standard = required, .types = "absolute_x absolute_y absolute_angle",
     .about = "the body that is driven"},
    {.name = "point", .kind = Kind::pair, .unit = "m", .standard = "[0, 0]", .types = "absolute_x absolute_y",
     .about = "the driven point in the body's coordinates"},
    {.name = "axis", .kind = Kind::pair, .standard = "[1, 0]", .types = "translational relative_translation",
     .about = "the direction of sliding in the first body's frame (any length but zero)"},
    {.name = "angle", .kind = Kind::number, .unit = "rad", .standard = "0", .types = "fixed translational",
     .about = "the angle of the second body relative to the first"},
    {.name = "length", .kind = Kind::formula, .scope = Scope::time, .unit = "m", .range = positive,
     .standard = required, .types = "distance",
     .about = "the distance of the two points (constant or a formula of t)"},
    {.name = "value", .kind = Kind::formula, .scope = Scope::time, .unit = "m or rad", .standard = required,
     .types = "absolute_x absolute_y absolute_angle relative_angle relative_translation",
     .about = "the driven coordinate as a formula of t"},
    {.name = "equation", .kind = Kind::formula, .scope = Scope::place, .standard = required, .types = "equation",
     .about = "the formula that is zero"},
    {.name = "limits", .kind = Kind::bounds, .standard = optional, .types = "revolute translational",
     .about = "the least and the largest slide [m] or angle [rad] as [lo, hi], stops at both ends; inf or -inf is none"},
    {.name = "restitution", .kind = Kind::number, .range = {.low = 0.0, .high = 1.0}, .standard = optional,
     .types = "revolute translational", .about = "the coefficient of restitution of the stops (default: 0)"},
    {.name = "friction", .kind = Kind::table, .standard = optional, .types = "revolute translational",
     .about = "the friction of the joint"},
};

constexpr std::string_view dry_laws = "coulomb stribeck";

constexpr KeySpec friction_keys[] = {
    {.name = "law", .kind = Kind::word, .standard = "coulomb", .choices = "coulomb stribeck viscous table",
     .about = "the friction law"},
    {.name = "mu_static", .kind = Kind::formula, .scope = Scope::measured, .range = not_negative, .standard = optional,
     .types = "coulomb stribeck table",
     .about = "the coefficient while stuck, at least mu_kinetic (law table: by default its first mu)"},
    {.name = "mu_kinetic", .kind = Kind::formula, .scope = Scope::measured, .range = not_negative, .standard = optional, .types = dry_laws,
     .about = "the coefficient while sliding (law stribeck: at high speed)"},
    {.name = "mu", .kind = Kind::formula, .scope = Scope::measured, .range = not_negative, .standard = optional, .types = dry_laws,
     .about = "mu_static and mu_kinetic in one"},
    {.name = "stribeck_velocity", .kind = Kind::number, .unit = "m/s or rad/s", .range = positive,
     .standard = required, .types = "stribeck",
     .about = "the speed v_s of the Stribeck curve; mu(v) = mu_kinetic + (mu_static - mu_kinetic) exp(-(|v|/v_s)^n)"},
    {.name = "stribeck_exponent", .kind = Kind::number, .range = positive, .standard = "1", .types = "stribeck",
     .about = "the exponent n of the Stribeck law"},
    {.name = "viscous", .kind = Kind::number, .unit = "N s/m or N m s/rad", .range = not_negative, .standard = "0",
     .about = "the force added per sliding speed"},
    {.name = "table", .kind = Kind::pairs, .standard = required, .types = "table",
     .about = "rows [speed, mu], speeds increasing from 0; linear between them, constant beyond"},
    {.name = "normal_force", .kind = Kind::formula, .scope = Scope::measured, .unit = "N", .range = not_negative,
     .standard = optional, .types = "coulomb stribeck table",
     .about = "a prescribed normal force (in place of the reaction): a brake, a clutch"},
    {.name = "friction_force", .kind = Kind::formula, .scope = Scope::measured, .unit = "N", .range = not_negative,
     .standard = optional, .types = "coulomb",
     .about = "the largest friction force itself, in place of mu and a normal force (joints only)"},
    {.name = "radius", .kind = Kind::number, .unit = "m", .range = positive, .standard = optional,
     .about = "the radius of the pin, shaft or ball (joints that turn only, required there)"},
    {.name = "thrust_radius", .kind = Kind::number, .unit = "m", .range = positive, .standard = optional,
     .about = "the radius at which the axial force of a revolute joint rubs (with dimension = 3; beside radius or in its place)"},
    {.name = "rolling", .kind = Kind::number, .unit = "m", .range = positive, .standard = optional,
     .types = "coulomb stribeck table",
     .about = "the largest moment that resists rolling, over the normal force (contacts with dimension = 3 only)"},
    {.name = "spinning", .kind = Kind::number, .unit = "m", .range = positive, .standard = optional,
     .types = "coulomb stribeck table",
     .about = "the largest moment that resists spinning about the normal, over the normal force (contacts with dimension = 3 only)"},
};

const KeySpec force_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the force"},
    {.name = "type", .kind = Kind::word, .standard = required, .choices = types_of(planar_forces()),
     .about = "the type of the force"},
    {.name = "body", .kind = Kind::body, .standard = optional, .types = "point_force torque",
     .about = "the body acted on"},
    {.name = "bodies", .kind = Kind::bodies, .standard = optional, .types = "torque rotational_spring_damper",
     .about = "two bodies: the torque acts on the second, the opposite one on the first"},
    {.name = "point", .kind = Kind::pair, .unit = "m", .standard = "[0, 0]", .types = "point_force",
     .about = "the point acted on in the body's coordinates"},
    {.name = "force", .kind = Kind::formulas, .scope = Scope::measured, .unit = "N", .standard = required,
     .types = "point_force", .about = "the force as [fx, fy]"},
    {.name = "frame", .kind = Kind::word, .standard = "global", .types = "point_force", .choices = "global body",
     .about = "the axes of the force"},
    {.name = "torque", .kind = Kind::formula, .scope = Scope::measured, .unit = "N m", .standard = required,
     .types = "torque", .about = "the torque, counterclockwise"},
    {.name = "between", .kind = Kind::tables, .standard = required, .types = "spring_damper",
     .about = "the two ends as [{ body, point }, { body, point }]"},
    {.name = "axis", .kind = Kind::pair, .standard = optional, .types = "spring_damper",
     .about = "a direction in the first body's frame; the spring then acts along it only, and its length is the "
              "signed coordinate of the second point"},
    {.name = "stiffness", .kind = Kind::formula, .scope = Scope::element, .unit = "N/m or N m/rad", .standard = "0",
     .types = "spring_damper rotational_spring_damper", .about = "the stiffness"},
    {.name = "damping", .kind = Kind::formula, .scope = Scope::element, .unit = "N s/m or N m s/rad", .standard = "0",
     .types = "spring_damper rotational_spring_damper", .about = "the damping"},
    {.name = "free_length", .kind = Kind::formula, .scope = Scope::element, .unit = "m", .standard = "0",
     .types = "spring_damper", .about = "the length without force"},
    {.name = "free_angle", .kind = Kind::formula, .scope = Scope::element, .unit = "rad", .standard = "0",
     .types = "rotational_spring_damper",
     .about = "the angle of the second body relative to the first without torque"},
    {.name = "actuator", .kind = Kind::formula, .scope = Scope::element, .unit = "N or N m", .standard = "0",
     .types = "spring_damper rotational_spring_damper", .about = "a force added to the spring's and the damper's"},
};

constexpr KeySpec end_keys[] = {
    {.name = "body", .kind = Kind::body, .standard = required, .about = "the body"},
    {.name = "point", .kind = Kind::formulas, .scope = Scope::time, .unit = "m", .standard = "[0, 0]",
     .about = "the point in the body's coordinates; on ground formulas of t are allowed"},
};

const KeySpec contact_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the contact"},
    {.name = "between", .kind = Kind::tables, .standard = optional,
     .about = "the two shapes"},
    {.name = "gap", .kind = Kind::formula, .scope = Scope::place, .unit = "m", .standard = optional,
     .about = "the gap in coordinates of one or two bodies, in place of between"},
    {.name = "slide", .kind = Kind::formula, .scope = Scope::place, .unit = "m", .standard = optional,
     .about = "with gap: the sliding in coordinates; its rate is the sliding velocity (needed for friction)"},
    {.name = "restitution", .kind = Kind::number, .range = {.low = 0.0, .high = 1.0},
     .standard = "0",
     .about = "the coefficient of restitution"},
    {.name = "restitution_tangential", .kind = Kind::number, .range = {.low = 0.0, .high = 1.0},
     .standard = "0",
     .about = "the same of the sliding velocity, with friction (impact_law newton)"},
    {.name = "impact_law", .kind = Kind::word, .standard = "newton", .choices = impact_law_words(), .about = "the impact law"},
    {.name = "friction", .kind = Kind::table, .standard = optional, .about = "the friction of the contact"},
};

constexpr KeySpec shape_keys[] = {
    {.name = "body", .kind = Kind::body, .standard = required, .about = "the body the shape is fixed to"},
    {.name = "shape", .kind = Kind::word, .standard = required, .choices = "line circle point hole polygon segment arc slot", .about = "the shape"},
    {.name = "point", .kind = Kind::pair, .unit = "m", .standard = "[0, 0]",
     .about = "a point of the line, the centre, or the origin of corners and ends, in the body's coordinates"},
    {.name = "corners", .kind = Kind::pairs, .unit = "m", .standard = required, .types = "polygon",
     .about = "the corners of the convex polygon, counterclockwise"},
    {.name = "ends", .kind = Kind::pairs, .unit = "m", .standard = required, .types = "segment slot",
     .about = "the two ends: of the segment, which is touched from the left; of the middle line of the slot"},
    {.name = "angles", .kind = Kind::pair, .unit = "rad", .standard = required, .types = "arc",
     .about = "where the arc begins and ends, counterclockwise in the body's frame"},
    {.name = "normal", .kind = Kind::pair, .standard = "[0, 1]", .types = "line",
     .about = "the outward normal in the body's frame (any length but zero)"},
    {.name = "surface_velocity", .kind = Kind::formula, .scope = Scope::time, .unit = "m/s", .standard = optional,
     .types = "line segment",
     .about = "the speed of the surface along the tangent (the normal turned by -90 degrees): a belt"},
    {.name = "radius", .kind = Kind::number, .unit = "m", .range = positive, .standard = required,
     .types = "circle hole arc slot", .about = "the radius; of a slot: half its width"},
};

constexpr KeySpec state_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the state"},
    {.name = "initial", .kind = Kind::number, .standard = "0", .about = "the initial value"},
    {.name = "rate", .kind = Kind::formula, .scope = Scope::measured, .standard = optional,
     .about = "the time derivative as a formula (required unless discrete)"},
    {.name = "discrete", .kind = Kind::boolean, .standard = "false",
     .about = "true for a state that only resets change"},
};

constexpr KeySpec guard_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the guard"},
    {.name = "when", .kind = Kind::formula, .scope = Scope::reaction, .standard = optional,
     .about = "the formula whose sign change is the event"},
    {.name = "crossing", .kind = Kind::word, .standard = "either", .choices = "rising falling either",
     .about = "the direction of the sign change that counts"},
    {.name = "times", .kind = Kind::numbers, .unit = "s", .standard = optional,
     .about = "the times of time events in increasing order (in place of when)"},
    {.name = "every", .kind = Kind::number, .unit = "s", .range = positive, .standard = optional,
     .about = "the interval of periodic time events (in place of when)"},
    {.name = "from", .kind = Kind::number, .unit = "s", .standard = optional,
     .about = "with every: the first of them (default: the start of the run; at the start itself none is told)"},
    {.name = "until", .kind = Kind::number, .unit = "s", .standard = optional,
     .about = "with every: none comes later (default: the end of the run)"},
    {.name = "kind", .kind = Kind::text, .standard = optional,
     .about = "the word written to events.csv (default: guard_up or guard_down, of times: time)"},
    {.name = "reset", .kind = Kind::resets, .standard = optional,
     .about = "new values of states as { state = formula of the values just before }"},
    {.name = "terminal", .kind = Kind::boolean, .standard = "false", .about = "true to end the run at this event"},
    {.name = "g_tol", .kind = Kind::number, .range = not_negative, .standard = "0",
     .about = "the |when| that counts as zero; 0 means round-off"},
};

constexpr KeySpec controller_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required,
     .about = "the name of the controller, in formulas its output"},
    {.name = "type", .kind = Kind::word, .standard = required, .choices = "pid", .about = "the type of the controller"},
    {.name = "setpoint", .kind = Kind::formula, .scope = Scope::measured, .standard = "0",
     .about = "what the measured quantity should be"},
    {.name = "measurement", .kind = Kind::formula, .scope = Scope::measured, .standard = required,
     .about = "the measured quantity"},
    {.name = "kp", .kind = Kind::number, .standard = "0", .about = "the output per error, setpoint - measurement"},
    {.name = "ki", .kind = Kind::number, .unit = "1/s", .standard = "0", .about = "the output per integral of the error"},
    {.name = "kd", .kind = Kind::number, .unit = "s", .standard = "0",
     .about = "the output per rate of the error, by the difference to the sample before, or of the filtered error"},
    {.name = "every", .kind = Kind::number, .unit = "s", .range = positive, .standard = optional,
     .about = "the period of sampling; without it the controller is continuous"},
    {.name = "filter", .kind = Kind::number, .unit = "s", .range = positive, .standard = optional,
     .about = "the time constant of the filter before the derivative (continuous with kd, required there)"},
    {.name = "tracking", .kind = Kind::number, .unit = "s", .range = positive, .standard = optional,
     .about = "the time constant with which the integral is drawn back from a limit (continuous; default: kp/ki)"},
    {.name = "from", .kind = Kind::number, .unit = "s", .standard = optional,
     .about = "the first sample (default: the start of the run; at the start itself none is taken)"},
    {.name = "until", .kind = Kind::number, .unit = "s", .standard = optional,
     .about = "no sample comes later (default: the end of the run)"},
    {.name = "limits", .kind = Kind::pair, .standard = optional,
     .about = "the least and the largest output as [lo, hi]; at a limit the integral grows no further towards it"},
    {.name = "initial", .kind = Kind::number, .standard = "0", .about = "the output before the first sample, or the integral at the start"},
};

constexpr KeySpec table_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required,
     .about = "the name of the table; formulas call it as a function of one number"},
    {.name = "points", .kind = Kind::pairs, .standard = optional, .about = "the rows [x, y], x increasing"},
    {.name = "file", .kind = Kind::text, .standard = optional,
     .about = "a CSV file with the rows (in place of points), its path relative to the model file; lines that begin with # "
              "and a first line of names are skipped"},
    {.name = "columns", .kind = Kind::numbers, .standard = optional,
     .about = "the numbers of the columns of x and y in the file (default: [1, 2])"},
    {.name = "interpolation", .kind = Kind::word, .standard = "linear", .choices = "constant linear akima monotone",
     .about = "what holds between the rows: the value of the last one, a straight line, Akima's cubic, or a cubic that "
              "is monotone where the rows are"},
    {.name = "beyond", .kind = Kind::word, .standard = "hold", .choices = "hold periodic error",
     .about = "what holds outside of the rows: the value of the nearest, the rows over and over, or nothing: the run "
              "ends there"},
};

constexpr KeySpec system_keys[] = {
    {.name = "name", .kind = Kind::text, .standard = "x", .about = "what the unknowns are called: x1, x2, ..., their rates x1_rate, ..."},
    {.name = "M", .kind = Kind::matrix, .standard = optional, .about = "the mass matrix, regular"},
    {.name = "M_file", .kind = Kind::text, .standard = optional,
     .about = "a Matrix Market file with it, its path relative to the model file"},
    {.name = "C", .kind = Kind::matrix, .standard = optional, .about = "the damping matrix (default: none)"},
    {.name = "C_file", .kind = Kind::text, .standard = optional, .about = "a Matrix Market file with it"},
    {.name = "K", .kind = Kind::matrix, .standard = optional, .about = "the stiffness matrix (default: none)"},
    {.name = "K_file", .kind = Kind::text, .standard = optional, .about = "a Matrix Market file with it"},
    {.name = "force", .kind = Kind::formula_list, .scope = Scope::measured, .standard = optional,
     .about = "the right-hand side, one formula for each row"},
    {.name = "initial", .kind = Kind::numbers, .standard = optional, .about = "the unknowns at the start (default: 0)"},
    {.name = "initial_rate", .kind = Kind::numbers, .standard = optional, .about = "their rates at the start (default: 0)"},
};

constexpr KeySpec measure_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the recorded column"},
    {.name = "value", .kind = Kind::formula, .scope = Scope::reaction, .standard = required,
     .about = "the formula that is recorded; its extremes over the run are kept"},
    {.name = "unit", .kind = Kind::text, .standard = optional, .about = "the unit written in the header"},
};
// clang-format on

constexpr std::array<SectionSpec, 17> plane_sections = {{
    {"model", "top of the file", false, "", "What the model is.", top_keys},
    {"parameters",
     "[parameters]",
     false,
     "",
     "`name = number` or `name = \"formula of other parameters\"`. Parameters may be used in every formula.",
     {}},
    {"simulation", "[simulation]", false, "", "The run and its tolerances.", simulation_keys},
    {"body", "[[body]]", true, "",
     "A rigid body, a point mass (neither `inertia` nor `shape`) or a body with prescribed motion (`motion`). "
     "\"ground\" is predefined: "
     "fixed, at the origin.",
     body_keys},
    {"motion", "motion = { ... }", false, "", "Prescribed motion of a body (belt, shaken plate, driver).", motion_keys},
    {"joint", "[[joint]]", true, "type", "A constraint between two bodies, or a driver.", joint_keys},
    {"friction", "friction = { ... }", false, "law", "Friction of a joint or a contact.", friction_keys},
    {"force", "[[force]]", true, "type", "A force or torque besides gravity.", force_keys},
    {"end", "between = [{ ... }, { ... }] of a force", false, "", "One end of a spring.", end_keys},
    {"contact", "[[contact]]", true, "", "A one-sided contact with impact and friction.", contact_keys},
    {"shape", "between = [{ ... }, { ... }] of a contact", false, "shape", "One of the two shapes.", shape_keys},
    {"state", "[[state]]", true, "", "A state of a hybrid automaton: its rate is a formula.", state_keys},
    {"system", "[system]", false, "",
     "M x'' + C x' + K x = force, a linear system such as a finite-element model, from matrices; formulas of forces "
     "may "
     "use the unknowns.",
     system_keys},
    {"guard", "[[guard]]", true, "",
     "An event of the user's own. Without `reset` and `terminal` it is only recorded and leaves the motion untouched.",
     guard_keys},
    {"measure", "[[measure]]", true, "", "An extra recorded column.", measure_keys},
    {"controller", "[[controller]]", true, "type",
     "A controller. One that samples holds its output, a state of its name, between samples. `name_integral`, "
     "`name_error` "
     "and "
     "`name_samples` are states, too.",
     controller_keys},
    {"table", "[[table]]", true, "",
     "A curve through given points, a function for formulas: `load(t)`. Its knots are events (switches) like kinks.",
     table_keys},
}};

}  // namespace

std::string Range::text() const {
  const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
  if (has_low && has_high) return fmt::format("in {}{}, {}]", above ? "(" : "[", low, high);
  if (has_low) return fmt::format("{} {}", above ? ">" : ">=", low);
  if (has_high) return fmt::format("<= {}", high);
  return {};
}

const KeySpec* SectionSpec::find(std::string_view key) const {
  for (const KeySpec& k : keys)
    if (k.name == key || (!k.alias.empty() && k.alias == key)) return &k;
  return nullptr;
}

const KeySpec& SectionSpec::at(std::string_view key) const {
  const KeySpec* k = find(key);
  assert(k != nullptr && "a key that is read must be in the table");
  return *k;
}

std::vector<std::string> SectionSpec::key_names() const {
  std::vector<std::string> names;
  for (const KeySpec& k : keys) names.emplace_back(k.name);
  return names;
}

std::span<const SectionSpec> sections() {
  static const std::vector<SectionSpec> all = [] {
    std::vector<SectionSpec> joined(plane_sections.begin(), plane_sections.end());
    joined.insert(joined.end(), spatial_sections().begin(), spatial_sections().end());
    return joined;
  }();
  return all;
}

const SectionSpec& section(std::string_view name) {
  for (const SectionSpec& s : sections())
    if (s.name == name) return s;
  assert(false && "no such section");
  return sections()[0];
}

const SectionSpec& spatial_section(std::string_view name) {
  const std::string spatial = "spatial_" + std::string(name);
  for (const SectionSpec& s : sections())
    if (s.name == spatial) return s;
  return section(name);
}

const SectionSpec* sub_section(const SectionSpec& parent, std::string_view key) {
  if (parent.name.starts_with("spatial")) return &spatial_section(key == "between" ? "shape" : key);
  if (key == "friction" || key == "motion") return &section(key);
  if (key == "between") return &section(parent.name == "force" ? "end" : "shape");
  return nullptr;
}

bool contains_word(std::string_view list, std::string_view word) {
  const std::vector<std::string> words = words_of(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

namespace {
/// "give the mass in kg".
std::string remedy(const KeySpec& key) {
  const std::string_view what = key.about.substr(0, std::min(key.about.find(';'), key.about.find(" (")));
  return fmt::format("give {}{}", what, key.unit.empty() ? "" : fmt::format(" in {}", key.unit));
}
}  // namespace

std::string refusal(std::string_view owner, const KeySpec& key, std::string_view value, std::string_view problem) {
  return fmt::format("{}: {} = {} {}; {}", owner, key.name, value, problem, remedy(key));
}

std::string number_refusal(std::string_view owner, const KeySpec& key, double value, std::string_view shown) {
  if (!std::isfinite(value)) return refusal(owner, key, shown, "must be a finite number or a formula in quotes");
  if (key.range.contains(value)) return {};
  return refusal(owner, key, fmt::format("{}{}{}", shown, key.unit.empty() ? "" : " ", key.unit),
                 "must be " + key.range.text());
}

std::string missing_text(std::string_view owner, const KeySpec& key) {
  return fmt::format("{}: {} is missing; {}", owner, key.name, remedy(key));
}

std::string word_refusal(std::string_view owner, const KeySpec& key, const std::string& value) {
  if (key.choices.empty() || contains_word(key.choices, value)) return {};
  return fmt::format("{}: {} = \"{}\" is unknown; {}", owner, key.name, value,
                     suggestion(value, words_of(key.choices), "choose one of"));
}

}  // namespace hstar::model
