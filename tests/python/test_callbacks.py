"""What must hold: forces and guards that are Python functions give the motion of the same ones in formulas, under explicit and
implicit methods, with friction; a guard may change the state; errors inside a function come out as they are."""

import math

import numpy as np
import pytest

import hstar


def oscillator(integrator="dopri5"):
    model = hstar.Model("oscillator", gravity=[0, 0])
    model.simulation(end=3, integrator=integrator, rtol=1e-9)
    model.body("mass", mass=2.0, position=[1, 0])
    return model


@pytest.mark.parametrize("integrator", ["dopri5", "dop853", "rosenbrock4"])
def test_a_force_that_is_a_function(integrator):
    model = oscillator(integrator).force("spring", body="mass", function=lambda t, q, v: [-50 * q[0], 0, 0])
    sol = model.run()
    assert sol.success
    assert sol["mass.x"][-1] == pytest.approx(math.cos(15), abs=1e-6)


def test_a_function_on_two_bodies():
    model = hstar.Model("two masses", gravity=[0, 0])
    model.simulation(end=2, rtol=1e-10, integrator="dop853")
    model.body("a", mass=1.0, position=[-1, 0]).body("b", mass=3.0, position=[1, 0])

    def spring(t, q, v):
        assert q.shape == (2, 3) and v.shape == (2, 3)
        pull = 12 * (q[1, 0] - q[0, 0])
        return np.array([[pull, 0, 0], [-pull, 0, 0]])

    sol = model.force("spring", bodies=["a", "b"], function=spring).run()
    distance = sol["b.x"] - sol["a.x"]
    assert distance[-1] == pytest.approx(2 * math.cos(4 * 2), abs=1e-7)  # reduced mass 3/4: omega = 4


def sled():
    model = hstar.Model("sled", gravity=[0, -9.81])
    model.simulation(end=5, integrator="dop853", rtol=1e-10)
    model.body("sled", mass=12.5)
    model.joint("plate", type="translational", bodies=["ground", "sled"], friction=dict(mu_static=0.4, mu_kinetic=0.3))
    return model


def test_friction_and_implicit_methods():
    formula = sled().force("spring", type="point_force", body="sled", force=["742.5*(0.034*t - sled.x)", 0]).run()
    for options in ({}, {"integrator": "ida", "rtol": 1e-8}):
        function = sled().force("spring", body="sled", function=lambda t, q, v: [742.5 * (0.034 * t - q[0]), 0, 0]).run(**options)
        assert function.success
        assert [e["kind"] for e in function.events] == [e["kind"] for e in formula.events]
        assert len(formula.events) > 4
        for a, b in zip(function.events, formula.events):
            assert a["t"] == pytest.approx(b["t"], abs=1e-5 if options else 1e-9)


def test_a_guard_that_is_a_function():
    model = oscillator().force("spring", body="mass", function=lambda t, q, v: [-50 * q[0], 0, 0])
    model.guard("zero", function=lambda t, y: y[0], crossing="falling", kind="through")
    model.guard("late", function=lambda t, y: t - 2.5, terminal=True)
    sol = model.run()
    assert sol.status == "terminal_event" and sol.t[-1] == pytest.approx(2.5, abs=1e-12)
    times = [e["t"] for e in sol.events if e["kind"] == "through"]
    assert times == pytest.approx([math.pi / 10, math.pi / 10 + 2 * math.pi / 5], abs=1e-8)


def test_a_guard_that_changes_the_state():
    model = hstar.Model("ball", gravity=[0, -9.81])
    model.simulation(end=1.1, rtol=1e-10)
    model.body("ball", mass=1.0, position=[0, 1.0])
    model.guard("floor", function=lambda t, y: y[1], crossing="falling", change=lambda t, y: [y[0], 0.0, y[2], -0.5 * y[3]])
    sol = model.run()
    first = math.sqrt(2 / 9.81)
    assert [e["t"] for e in sol.events] == pytest.approx([first, 2 * first], abs=1e-9)


def test_errors_come_out_as_they_are():
    with pytest.raises(ZeroDivisionError):
        oscillator().force("f", body="mass", function=lambda t, q, v: [1 / 0, 0, 0]).run()
    with pytest.raises(hstar.InputError, match=r'force "f": its function returned 2 values'):
        oscillator().force("f", body="mass", function=lambda t, q, v: [0, 0]).run()
    with pytest.raises(hstar.InputError, match=r'unknown body "nobody"'):
        oscillator().force("f", body="nobody", function=lambda t, q, v: [0, 0, 0]).run()
    with pytest.raises(KeyError):
        oscillator().guard("g", function=lambda t, y: {}["x"]).run()
    with pytest.raises(TypeError, match="stiffness"):
        oscillator().force("f", body="mass", function=lambda t, q, v: [0, 0, 0], stiffness=3)
    with pytest.raises(ValueError, match="cannot be written"):
        oscillator().force("f", body="mass", function=lambda t, q, v: [0, 0, 0]).to_toml()
