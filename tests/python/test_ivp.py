"""What must hold: the situations in which SciPy's documentation shows events give the same answers here, the ones it
documents as missed are found, and an event may change the state and go on."""

import numpy as np
import pytest

import hstar


def test_exponential_decay():
    sol = hstar.solve_ivp(lambda t, y: -0.5 * y, [0, 10], [2, 4, 8], rtol=1e-8, atol=1e-10)
    assert sol.success and sol.status == 0
    assert np.allclose(sol.y[:, -1], np.array([2, 4, 8]) * np.exp(-5), rtol=1e-6)
    at = hstar.solve_ivp(lambda t, y: -0.5 * y, [0, 10], [2, 4, 8], t_eval=[0, 1, 2, 4, 10], rtol=1e-8)
    assert list(at.t) == [0, 1, 2, 4, 10] and at.y.shape == (3, 5)
    assert np.allclose(at.y[0], 2 * np.exp(-0.5 * at.t), rtol=1e-5)


def cannon(t, y):
    return [y[1], -0.5]


def hit_ground(t, y):
    return y[0]


def apex(t, y):
    return y[1]


def test_cannon_fired_upward():
    hit_ground.terminal, hit_ground.direction = True, -1
    sol = hstar.solve_ivp(cannon, [0, 100], [0, 10], events=hit_ground)
    assert sol.status == 1 and sol.success
    assert sol.t_events[0] == pytest.approx([40], rel=1e-6)
    assert sol.t[-1] == pytest.approx(40, rel=1e-6)

    sol = hstar.solve_ivp(cannon, [0, 100], [0, 10], events=(hit_ground, apex), dense_output=True)
    assert sol.t_events[1] == pytest.approx([20], rel=1e-6)
    assert sol.sol(sol.t_events[1][0]) == pytest.approx([100, 0], abs=1e-3)
    assert sol.y_events[0][0] == pytest.approx([0, -5 * 2], abs=1e-3)


def test_lotka_volterra_with_args():
    def lotkavolterra(t, z, a, b, c, d):
        x, y = z
        return [a * x - b * x * y, -c * y + d * x * y]

    sol = hstar.solve_ivp(lotkavolterra, [0, 15], [10, 5], args=(1.5, 1, 3, 1), dense_output=True, rtol=1e-9, atol=1e-9)
    x, y = sol.y
    invariant = x - 3 * np.log(x) + y - 1.5 * np.log(y)
    assert np.ptp(invariant) < 1e-6


def test_terminal_after_a_count():
    event = lambda t, y: np.sin(5 * t)  # noqa: E731
    event.terminal = 3
    sol = hstar.solve_ivp(lambda t, y: [1.0], [0.1, 10], [0.0], events=event)
    assert sol.status == 1
    assert sol.t_events[0] == pytest.approx(np.pi / 5 * np.arange(1, 4), abs=1e-9)


def test_two_crossings_in_one_step_are_not_missed():
    # y' = 1 is integrated in steps as long as the interval: no ends between which the sign changes.
    dip = lambda t, y: (t - 5.0) ** 2 - 1e-6  # noqa: E731
    sol = hstar.solve_ivp(lambda t, y: [1.0], [0, 10], [0.0], events=dip, first_step=9.0)
    assert sol.t_events[0] == pytest.approx([4.999, 5.001], abs=1e-9)


def test_direction():
    for direction, expected in ((1, [2 * np.pi]), (-1, [np.pi, 3 * np.pi]), (0, [np.pi, 2 * np.pi, 3 * np.pi])):
        wave = lambda t, y: y[0]  # noqa: E731
        wave.direction = direction
        sol = hstar.solve_ivp(lambda t, y: [y[1], -y[0]], [0.1, 10], [np.sin(0.1), np.cos(0.1)], events=wave, rtol=1e-9, atol=1e-9)
        assert sol.t_events[0] == pytest.approx(expected, abs=1e-6)


def test_backward_in_time():
    sol = hstar.solve_ivp(lambda t, y: [y[1], -y[0]], [10, 0.1], [np.sin(10), np.cos(10)], events=lambda t, y: y[0], rtol=1e-9, atol=1e-9)
    assert sol.t[0] == 10 and sol.t[-1] == pytest.approx(0.1)
    assert sol.y[0, -1] == pytest.approx(np.sin(0.1), abs=1e-6)
    assert sol.t_events[0] == pytest.approx([3 * np.pi, 2 * np.pi, np.pi], abs=1e-6)


def test_an_event_may_change_the_state_and_go_on():
    floor = lambda t, y: y[0]  # noqa: E731
    floor.direction = -1
    floor.change = lambda t, y: [0.0, -0.5 * y[1]]
    sol = hstar.solve_ivp(lambda t, y: [y[1], -9.81], [0, 1.1], [1.0, 0.0], events=floor, rtol=1e-10, atol=1e-12)
    first = np.sqrt(2 / 9.81)
    assert sol.success
    assert sol.t_events[0] == pytest.approx([first, 2 * first], abs=1e-10)


def test_a_function_that_jumps_at_known_times():
    # 100 N s^-1 for a tenth of a second: 10, in whatever way the function says where it jumps. SciPy steps over it.
    for pulse in (lambda t: 5 < t < 5.1, lambda t: 5 <= t < 5.1, lambda t: 5 <= t <= 5.1):
        sol = hstar.solve_ivp(lambda t, y: [100.0 if pulse(t) else 0.0], [0, 10], [0.0], discontinuities=[5, 5.1], rtol=1e-9)
        assert abs(sol.y[0, -1] - 10) < 1e-12 and sol.nfev < 200
        back = hstar.solve_ivp(lambda t, y: [100.0 if pulse(t) else 0.0], [10, 0], [10.0], discontinuities=[5, 5.1], rtol=1e-9)
        assert abs(back.y[0, -1]) < 1e-12


def test_a_jacobian_is_used():
    # y' = A y with eigenvalues -1 and -1000; the answer is known.
    a = np.array([[-500.5, 499.5], [499.5, -500.5]])
    for method in ("Radau", "BDF", "rosenbrock4"):
        without = hstar.solve_ivp(lambda t, y: a @ y, [0, 1], [2.0, 0.0], method=method, rtol=1e-6, atol=1e-9)
        exact = np.exp(-1) * np.array([1, 1])
        for jac in (a, lambda t, y: a):
            sol = hstar.solve_ivp(lambda t, y: a @ y, [0, 1], [2.0, 0.0], method=method, jac=jac, rtol=1e-6, atol=1e-9)
            assert np.allclose(sol.y[:, -1], exact, rtol=1e-4)
        assert np.allclose(without.y[:, -1], exact, rtol=1e-4)
    asked = []
    hstar.solve_ivp(lambda t, y: a @ y, [0, 1], [2.0, 0.0], method="Radau", jac=lambda t, y: asked.append(t) or a)
    assert asked


def test_each_component_has_its_own_atol():
    # A component of size 1e-6 beside one of size 1, with rtol of no use: each is right to its own atol.
    def fun(t, y):
        return [y[1], -y[0], y[3], -y[2]]

    def floor(t, y):
        return y[2]

    y0 = [1.0, 0.0, 1e-6, 0.0]
    sol = hstar.solve_ivp(fun, [0, 6], y0, atol=[1e-4, 1e-4, 1e-11, 1e-11], rtol=1e-13, events=floor, dense_output=True)
    assert np.array_equal(sol.y[:, 0], y0)
    assert abs(sol.y[2, -1] - 1e-6 * np.cos(6)) < 1e-9
    assert np.allclose(sol.t_events[0], [np.pi / 2, 3 * np.pi / 2], atol=1e-3)
    assert abs(sol.y_events[0][0][2]) < 1e-11
    assert abs(sol.sol(1.0)[2] - 1e-6 * np.cos(1)) < 1e-9
    loose = hstar.solve_ivp(fun, [0, 6], y0, atol=1e-4, rtol=1e-13)
    assert loose.nfev < sol.nfev


def test_an_empty_span_moves_nothing():
    sol = hstar.solve_ivp(lambda t, y: -y, [3, 3], [1.0, 2.0])
    assert sol.success and list(sol.t) == [3] and list(sol.y[:, -1]) == [1, 2]


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="method 'LSODA' is not there"):
        hstar.solve_ivp(lambda t, y: y, [0, 1], [1.0], method="LSODA")
    with pytest.raises(hstar.InputError, match="fun returned 2 values for a state of 1"):
        hstar.solve_ivp(lambda t, y: [1.0, 2.0], [0, 1], [1.0])
    with pytest.raises(ZeroDivisionError):
        hstar.solve_ivp(lambda t, y: [1 / 0], [0, 1], [1.0])
