"""What must hold: the analyses give in Python what they give on the command line, for files and models in code, in the
plane and in space."""

import math
import os
import pathlib

import pytest

import hstar

STATICS = os.path.join(pathlib.Path(__file__).resolve().parents[2], "validation")


def gate(**joint):
    model = hstar.Model("Gate", dimension=3, gravity=[0, 0, -10]).simulation(end=1, output=0.5)
    model.body("bob", mass=1.5, inertia=[0.02, 0.03, 0.04], position=[0, 0, -0.3])
    return model.joint("hinge", type="revolute", bodies=["ground", "bob"], at=[0, 0, 0], axis=[0, 1, 0], **joint)


def test_modes_and_equilibrium_of_a_spatial_model_in_code():
    found = hstar.modes(gate())
    assert found["stability"] == "stable"
    assert math.isclose(found["modes"][0]["frequency"], math.sqrt(4.5 / (0.03 + 0.135)), rel_tol=1e-12)
    assert hstar.equilibrium(gate())["reactions"]["hinge.fz"] == pytest.approx(15, rel=1e-13)


def test_inverse_and_kinematics():
    model = gate().joint("motor", type="rotation", bodies=["ground", "bob"], axis=[0, 1, 0], value="2*t")
    torque = hstar.inverse(model)["rows"][-1]["force"][0]
    assert math.isclose(torque, 4.5 * math.sin(2), rel_tol=1e-12)
    table = hstar.kinematics(model)
    assert table["reached_end"] and table["rows"][-1][table["columns"].index("bob.wy")] == pytest.approx(2)


def test_assembly_keeps_what_is_to_be_kept():
    bars = os.path.join(STATICS, "statics/four_bar/model.toml")
    result = hstar.assemble(bars, keep=["crank.angle"], weights={"rocker.angle": 10})
    crank = next(c for c in result["coordinates"] if c["name"] == "crank.angle")
    assert crank["kept"] and crank["assembled"] == crank["estimate"]
    with pytest.raises(hstar.InputError, match="no coordinate 'cranc'"):
        hstar.assemble(bars, keep=["cranc"])
