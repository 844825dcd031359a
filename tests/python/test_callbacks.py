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


TOP = dict(mass=1.3, inertia=[[0.9, 0.2, -0.1], [0.2, 0.7, 0.15], [-0.1, 0.15, 1.1]], angular_velocity=[1, -2, 3], velocity=[0.1, 0, 0.2])


def top():
    model = hstar.Model("top", dimension=3, gravity=[0, 0, -9.81])
    model.simulation(end=1.5, integrator="dop853", rtol=1e-11)
    return model.body("top", **TOP)


@pytest.mark.parametrize("frame", ["global", "body"])
def test_a_force_and_a_torque_in_space(frame):
    formula = top()
    formula.force("push", type="point_force", body="top", point=[0.3, -0.1, 0.2], frame=frame, force=["-2*top.x", "3*sin(t)", "top.vy*top.e1"])
    formula.force("turn", type="torque", body="top", frame=frame, torque=["-0.1*top.wx", "0.2*top.e2", 0.05])

    def load(t, q, v):
        assert q.shape == (7,) and v.shape == (6,)
        return [-2 * q[0], 3 * math.sin(t), v[1] * q[4], -0.1 * v[3], 0.2 * q[5], 0.05]

    function = top().force("load", body="top", point=[0.3, -0.1, 0.2], frame=frame, function=load)
    one, other = formula.run(), function.run()
    for name in one.state_names:
        assert other[name][-1] == pytest.approx(one[name][-1], abs=1e-9), name
    implicit = function.run(integrator="ida", rtol=1e-8)
    assert implicit["top.x"][-1] == pytest.approx(one["top.x"][-1], abs=1e-5)


def test_a_function_on_two_bodies_in_space():
    model = hstar.Model("two bodies", dimension=3, gravity=[0, 0, 0])
    model.simulation(end=1, rtol=1e-11, integrator="dop853")
    model.body("a", **TOP).body("b", position=[1, 0.5, 0], **TOP)
    points = np.array([[0.3, -0.2, 0.1], [-0.4, 0.1, 0.5]])

    def rotation(e0, e1, e2, e3):
        e = np.array([e1, e2, e3])
        skew = np.array([[0, -e3, e2], [e3, 0, -e1], [-e2, e1, 0]])
        return (2 * e0 * e0 - 1) * np.eye(3) + 2 * (np.outer(e, e) + e0 * skew)

    def spring(t, q, v):
        assert q.shape == (2, 7) and v.shape == (2, 6)
        ends = [q[i, :3] + rotation(*q[i, 3:]) @ points[i] for i in range(2)]
        d = ends[1] - ends[0]
        pull = 30 * (1 - 0.9 / np.linalg.norm(d)) * d
        return np.array([[*pull, 0, 0, 0], [*-pull, 0, 0, 0]])

    one = model.force("spring", bodies=["a", "b"], points=points.tolist(), function=spring).run()
    model = hstar.Model("two bodies", dimension=3, gravity=[0, 0, 0])
    model.simulation(end=1, rtol=1e-11, integrator="dop853")
    model.body("a", **TOP).body("b", position=[1, 0.5, 0], **TOP)
    model.force("spring", type="spring_damper", bodies=["a", "b"], points=points.tolist(), stiffness=30, free_length=0.9)
    other = model.run()
    for name in one.state_names:
        assert other[name][-1] == pytest.approx(one[name][-1], abs=1e-10), name


def test_a_guard_in_space_sees_the_state_as_it_is_recorded():
    seen = []

    def change(t, y):
        seen.append((t, y.copy()))
        return y

    model = top().guard("down", function=lambda t, y: y[2] + 1, crossing="falling", change=change)
    sol = model.run()
    (t, y), = seen
    assert y[2] == pytest.approx(-1, abs=1e-9)
    assert y == pytest.approx(sol(t), abs=1e-9)


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
    with pytest.raises(ZeroDivisionError):
        top().force("f", body="top", function=lambda t, q, v: [1 / 0] * 6).run()
    with pytest.raises(hstar.InputError, match=r'force "f": its function returned 3 values; \[fx, fy, fz, tx, ty, tz\] of 1 bodies are 6'):
        top().force("f", body="top", function=lambda t, q, v: [0, 0, 0]).run()
    with pytest.raises(hstar.InputError, match=r'unknown body "nobody"'):
        top().force("f", body="nobody", function=lambda t, q, v: [0] * 6).run()
    with pytest.raises(hstar.InputError, match=r'frame = "own" must be global or body'):
        top().force("f", body="top", frame="own", function=lambda t, q, v: [0] * 6).run()
    with pytest.raises(hstar.InputError, match=r'2 points for 1 bodies'):
        top().force("f", bodies=["top"], points=[[0, 0, 0], [1, 0, 0]], function=lambda t, q, v: [0] * 6).run()
    with pytest.raises(hstar.InputError, match=r'are for models with dimension = 3'):
        oscillator().force("f", body="mass", frame="body", function=lambda t, q, v: [0, 0, 0]).run()
    for model, size in ((oscillator(), 3), (top(), 6)):
        bad = model.force("f", body="mass" if size == 3 else "top", function=lambda t, q, v: [math.sqrt(0.5 - t) if t < 0.5 else math.nan] * size).run()
        assert bad.status == "not_finite" and 'force "f" is not finite' in bad.message
