"""What must hold: the drag sled built in code and read from its file gives the same bits, and the events of the closed
form; sol(t) is as accurate as the run; errors are Python exceptions with the texts of the command line; a run that ends
short gives back what it has."""

import math
import os
import pathlib

import numpy as np
import pytest

import hstar

SOURCE = str(pathlib.Path(__file__).resolve().parents[2])
SLED = os.path.join(SOURCE, "validation/p02_sled_metal/model.toml")


def test_from_code_and_from_file_the_same_bits():
    model = hstar.Model("Drag sled", gravity=[0.0, "-g"], m=12.5, g=9.81, k=742.5, V=0.034, mu_s=0.4, mu_d=0.3, c=0.0, c_s=0.0)
    model.simulation(end=60.0, integrator="dop853", rtol=1e-9, output=0.01)
    model.body("sled", mass="m")
    model.joint("plate", type="translational", bodies=["ground", "sled"], axis=[1.0, 0.0],
                friction=dict(law="coulomb", mu_static="mu_s", mu_kinetic="mu_d"))
    ends = [{"body": "ground", "point": ["V*t", 0.0]}, {"body": "sled"}]
    model.force("spring", type="spring_damper", between=ends, axis=[1.0, 0.0], stiffness="k", damping="c_s", free_length=0.0)
    model.force("damper", type="spring_damper", between=[{"body": "ground"}, {"body": "sled"}], axis=[1.0, 0.0],
                stiffness=0.0, damping="c", free_length=0.0)
    model.measure("acceleration", value="abs(sled.ax)", unit="m/s^2")
    a, b = model.run(), hstar.run(SLED)
    assert a.columns == b.columns and a.t.size > 6000
    assert a._table.tobytes() == b._table.tobytes()
    assert [e["t"] for e in a.events] == [e["t"] for e in b.events]


def test_modes_of_those_that_notes_name():
    # Both corners of the lowest block slide together, one is told in a note: in the same direction.
    sol = hstar.run(os.path.join(SOURCE, "examples/12_stack_of_blocks.toml"))
    assert sol.modes["foot.corner1"] == sol.modes["foot.corner2"]
    assert [mode for _, _, mode in sol.modes["foot.corner1"]] == ["stick", "slip+", "stick", "slip-", "stick", "slip+", "stick"]


def test_drag_sled_closed_form():
    sol = hstar.run(SLED, rtol=1e-10, integrator="dop853")
    assert sol.success and sol.status == "reached_end"
    events = [e for e in sol.events if not e["optional"]]
    assert len(events) == 81
    m, k, g, pull, mu_s, mu_k = 12.5, 742.5, 9.81, 0.034, 0.4, 0.3
    omega = math.sqrt(k / m)
    slip = 2 * (math.pi - math.atan((mu_s - mu_k) * m * g * omega / (k * pull))) / omega
    stick = 2 * (mu_s - mu_k) * m * g / (k * pull)
    t = mu_s * m * g / (k * pull)
    for i, event in enumerate(events):
        assert event["kind"] == ("slip" if i % 2 == 0 else "stick")
        assert abs(event["t"] - t) < 1e-8
        t += slip if i % 2 == 0 else stick
    bands = list(sol.modes.values())[0]
    assert bands[0][2] == "stick" and abs(bands[0][1] - events[0]["t"]) == 0


def test_dense_output_is_as_accurate_as_the_run():
    sol = hstar.run(os.path.join(SOURCE, "examples/02_coulomb_oscillator.toml"), rtol=1e-11)
    w, a = 5.0, 0.25 * 2 * 9.81 / 50  # first half swing
    t = np.linspace(0, math.pi / w * 0.999, 57)
    x = sol(t)[sol.state_names.index("mass.x")]
    assert np.max(np.abs(x - (a + (1 - a) * np.cos(w * t)))) < 1e-8
    with pytest.raises(ValueError, match="the run covers"):
        sol(1e9)
    with pytest.raises(KeyError, match="mass.z"):
        sol["mass.z"]


def test_files_and_report(tmp_path):
    sol = hstar.run(os.path.join(SOURCE, "examples/02_coulomb_oscillator.toml"))
    sol.to_csv(tmp_path)
    sol.report(tmp_path / "report.html")
    rows = [line for line in (tmp_path / "trajectory.csv").read_text().splitlines() if not line.startswith("#")]
    assert len(rows) == sol.t.size + 1
    assert (tmp_path / "report.html").read_text().endswith("</html>\n")


def test_errors_are_exceptions_with_the_same_texts():
    with pytest.raises(hstar.InputError, match=r"nowhere\.toml"):
        hstar.run("nowhere.toml")
    with pytest.raises(ValueError, match="mass"):
        hstar.Model("x").simulation(end=1).body("a", mass=-1).run()
    with pytest.raises(TypeError, match="unknown option 'tolerance'"):
        hstar.run(SLED, tolerance=1)


def test_a_run_that_ends_short_keeps_what_it_has():
    model = hstar.Model("y' = y^2 ends at t = 1").simulation(end=2).state("y", initial=1, rate="y^2")
    sol = model.run()
    assert not sol.success and sol.message
    assert abs(sol.t[-1] - 1) < 1e-3 and sol.t.size > 5


def test_modes_after_impacts_and_their_limit():
    # A sled on a rough plate is drawn against a stop: each impact turns its slip round, and at the limit it sticks, to the end.
    m = hstar.Model("stop", gravity=[0, -9.81]).simulation(end=4, rtol=1e-9).body("sled", mass=1, velocity=[1, 0])
    m.joint("plate", type="translational", bodies=["ground", "sled"], friction=dict(mu=0.1))
    m.force("pull", type="point_force", body="sled", force=[3, 0]).contact("stop", gap="0.2 - sled.x", restitution=0.5)
    sol = m.run()
    assert sol.modes["stop"][-1][2] == "closed" and sol.modes["plate"][-1][2] == "stick"
    impact = next(e["t"] for e in sol.events if e["kind"] == "impact")
    assert (impact, "slip-") in [(begin, mode) for begin, _, mode in sol.modes["plate"]]
    plate = sol.modes["plate"]
    assert plate[0][0] == 0 and all(a[1] == b[0] for a, b in zip(plate, plate[1:])) and plate[-1][1] == 4
