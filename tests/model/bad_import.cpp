// tests/model/bad_import.cpp: JSON that is none, and what an import of simEngine2D does not take.
#include "model/bad_inputs.hpp"
#include "model/models.hpp"

namespace hstar::test {
namespace {

// clang-format off
constexpr BadInput table[] = {
    {imported_pendulum, R"~("bodies": [)~", R"~("bodies": [ ,)~",
     R"~(m.toml:5:15: not valid JSON: a value is expected)~"},
    {imported_pendulum, R"~("mass": 10.0,)~", R"~("mass": 10/2,)~",
     R"~(m.toml:7:42: not valid JSON: '}' is expected (or a comma))~"},
    {imported_pendulum, R"~("jbar": 10.0)~", R"~("jbar": null)~",
     R"~(m.toml:7:54: not valid JSON: null has no meaning in a model; leave the name out)~"},
    {imported_pendulum, R"~("id": 1, "mass")~", R"~("name": "bob", "mass")~",
     R"~(m.toml:7:23: "name" is given twice; give it once)~"},
    {imported_pendulum, R"~("name": "Pendulum",)~", R"~("name": "Pendulum)~",
     R"~(m.toml:2:20: not valid JSON: a string must end on its line)~"},
    {imported_pendulum, R"~("mass": 10.0,)~", R"~("mass": -1,)~",
     R"~(m.toml:7:40: body "pend": mass = -1 kg must be > 0; give the mass in kg)~"},
    {imported_pendulum, R"~("mass": 10.0,)~", R"~()~",
     R"~(m.toml:6:5: body 1 "pend": "mass" is missing)~"},
    {imported_pendulum, R"~("jbar": 10.0,)~", R"~("inertia": 10.0,)~",
     R"~(m.toml:7:46: body 1 "pend": "inertia" is not taken; taken are: name, id, mass, jbar, q0, qd0, vis, ffo)~"},
    {imported_pendulum, R"~([0.6, -0.8, -0.9272952180016123])~", R"~([0.6, -0.8])~",
     R"~(m.toml:8:13: body 1 "pend": "q0" = [0.6, -0.8] must be a list of 3 numbers)~"},
    {imported_pendulum, R"~("fun": "0.1*sin(2*t)")~", R"~("fun": "0.1*heaviside(t)")~",
     R"~(m.toml:14:93: joint "absY": value: formula "0.1*heaviside(t)": unknown function "heaviside"; functions: sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, log10, sqrt, abs, sign, min, max, pow, floor, ceil, round, mod, noevent, smooth, clamp, step, pulse, ramp)~"},
    {imported_pendulum, R"~("fun": "0.1*sin(2*t)")~", R"~("fun": "NONE")~",
     R"~(m.toml:14:89: constraint 2 "absY": "fun" = "NONE" must be a function of t in quotes)~"},
    {imported_pendulum, R"~("type": "AbsoluteY", "body1": 1)~", R"~("type": "AbsoluteY", "body1": 2)~",
     R"~(m.toml:14:62: constraint 2 "absY": "body1" = 2: no body has that id)~"},
    {imported_pendulum, R"~("type": "AbsoluteY")~", R"~("type": "RelativeY")~",
     R"~(m.toml:14:41: constraint 2 "absY": "type" = "RelativeY" is not taken; taken are: AbsoluteX, AbsoluteY, AbsoluteAngle, RevoluteJoint, TranslationalJoint, RackPinion)~"},
    {imported_pendulum, R"~("type": "RSDA1")~", R"~("type": "PointForceFile")~",
     R"~(m.toml:17:41: force 1 "RSDA": "type" = "PointForceFile" is not taken; did you mean "PointForce"?)~"},
    {imported_pendulum, R"~("vis": { "xlim": [-6, 6] })~", R"~("contacts": [])~",
     R"~(m.toml:4:3: the model: "contacts" is not taken; taken are: name, gravity, bodies, constraints, forces, vis)~"},
    {imported_four_bar, R"~("id": 2, "mass")~", R"~("id": 1, "mass")~",
     R"~(m.toml:5:32: body 2 "coupler": "id" = 1 must be a whole number that no other body has)~"},
    {imported_four_bar, R"~("frame": "LRF")~", R"~("frame": "body")~",
     R"~(m.toml:19:82: force 4 "wind": "frame" = "body" must be "GRF" (global) or "LRF" (of the body))~"},
    {imported_four_bar, R"~("sP2": [-0.5, 0], "fun": "NONE")~", R"~("sP2": [-0.5, 0], "fun": "t")~",
     R"~(m.toml:9:112: constraint 1 "pin": "fun" = "t" is not taken: this constraint has no function of t; write "NONE")~"},
    {imported_four_bar, R"~("l0": 1.2)~", R"~("L0": 1.2)~",
     R"~(m.toml:17:118: force 2 "spring": "L0" is not taken; did you mean "l0"?)~"},
    {imported_four_bar, R"~("body1": 0, "sP1": [0, 0], "body2": 1)~", R"~("body1": 0, "sP1": [0, 0], "body2": 0)~",
     R"~(m.toml:9:56: joint "pin": both bodies are "ground"; give two different bodies)~"},
    {imported_rack, R"~("R2": 0.2)~", R"~("R2": 0)~",
     R"~(m.toml:11:89: constraint 4 "rp": sP1 and sQ1 must differ, and R2 must not be 0)~"},
    {"", R"~()~", R"~({})~",
     R"~(m.toml:1:1: the model is empty: "bodies" holds nothing)~"},
    {"", R"~()~", R"~({"bodies": []})~",
     R"~(m.toml:1:1: the model is empty: "bodies" holds nothing)~"},
    {"", R"~()~", R"~({"bodies": {"mass": 1}} x)~",
     R"~(m.toml:1:25: not valid JSON: there is text behind the end of the model)~"},
};
// clang-format on

}  // namespace

std::span<const BadInput> bad_import() { return table; }

}  // namespace hstar::test
