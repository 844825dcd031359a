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


def test_vary_gives_the_interval_of_a_parameter_for_files_and_models_in_code():
    # statics_space/turned_incline: the angle of an incline with a side force, four corners.
    incline = os.path.join(STATICS, "statics_space/turned_incline/model.toml")
    end = math.asin(math.sqrt((0.25 - (2 / (3 * 9.81)) ** 2) / 1.25))
    found = hstar.equilibrium(incline, vary=["alpha"], coordinates=["block.x"])
    angles = next(i for i in found["intervals"] if i["name"] == "alpha")
    assert angles["least"] == pytest.approx(-end, rel=1e-11) and angles["largest"] == pytest.approx(end, rel=1e-11)
    wide = hstar.equilibrium(incline, vary=["alpha"], coordinates=["block.x"], set={"parameters.H": 0.0})
    assert wide["intervals"][-1]["largest"] == pytest.approx(math.atan(0.5), rel=1e-11)

    # A ball joint with friction in a model in code: mu r m g bears M about the vertical.
    model = hstar.Model("Arm", dimension=3, gravity=[0, 0, -10], M=0.01).simulation(end=1)
    model.body("arm", mass=0.7, inertia=[0.004, 0.005, 0.002])
    model.joint("ball", type="spherical", bodies=["ground", "arm"], friction=dict(mu=0.5, radius=0.06))
    model.force("hand", type="torque", body="arm", torque=[0, 0, "M"])
    found = hstar.equilibrium(model, vary=["M"], coordinates=["arm.x"])
    moment = found["intervals"][-1]
    assert moment["largest"] == pytest.approx(0.5 * 0.06 * 7, rel=1e-11)
    assert found["elements"][0]["friction"]["tz"] == pytest.approx(-0.01, rel=1e-11)
    weight = hstar.equilibrium(incline, vary=["m"], coordinates=["block.x"])["intervals"][-1]
    assert weight["least"] == pytest.approx(2 / (9.81 * math.sqrt((0.5 * math.cos(0.2)) ** 2 - math.sin(0.2) ** 2)), rel=1e-10)
    with pytest.raises(hstar.InputError, match="there is no parameter 'N' to vary; the parameters are M"):
        hstar.equilibrium(model, vary=["N"])


def test_inspection_shows_the_equations_as_arrays():
    """M a = Q + Phi_q^T lambda with the numbers of an independent sum, at the start, on the way and from a run; names stand beside."""
    crank = os.path.join(STATICS, "p13_slider_crank/model.toml")
    run = hstar.run(crank, integrator="newmark", formulation="index3", fixed_step=0.001, end=0.3)
    for found in (hstar.inspect(crank), hstar.inspect(crank, 0.25), run.inspect(0.25)):
        assert found["Phi_q"].shape == (len(found.rows["Phi"]), len(found.columns["Phi_q"]))
        left, right = found["M"] * found["a"], found["Q"] + found["Phi_q"].T @ found["lambda"] + found.get("friction", 0)
        assert left == pytest.approx(right, abs=1e-9 * max(abs(found["Q"])))
        assert found["Phi_q"] @ found["a"] == pytest.approx(found["gamma"], abs=1e-9 * max(abs(found["a"])))
    assert run.inspect(0.25, step=0.001)["iteration"].shape == (len(found["a"]) + len(found["Phi"]),) * 2
    with pytest.raises(KeyError, match="there is no table 'mass'; there are: q, v, a"):
        found["mass"]
    with pytest.raises(hstar.InputError, match="t = 9 s must be in"):
        run.inspect(9)
    # In words that hold at this door, too: no options of the command line.
    with pytest.raises(hstar.InputError, match="inspect: a step needs an integrator with an iteration matrix.*the integrator is dopri5$"):
        hstar.run(crank, integrator="dopri5", end=0.1).inspect(0.05, step=0.001)


def test_elimination_of_any_matrix():
    """The largest entry is the first pivot; a solution, the rank of a singular matrix, and a right side that does not fit."""
    found = hstar.eliminate([[2, 1, 1], [4, 3, 3], [8, 7, 9]], [7, 19, 49])
    assert found["rank"] == 3 and found["x"] == pytest.approx([1, 2, 3])
    assert found["pivots"][0] == 9 and found["column_order"][0] == 2 and found["row_order"][0] == 2
    assert hstar.eliminate([[1, 2], [2, 4]])["rank"] == 1
    with pytest.raises(hstar.InputError, match="b has 1 numbers, A has 2 rows"):
        hstar.eliminate([[1, 2], [2, 4]], [1])
