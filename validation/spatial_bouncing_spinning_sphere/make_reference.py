#!/usr/bin/env python3
"""Closed form of a sphere that bounces with spin about all axes: see README.md."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from mpmath import mpf, sqrt

import spatial_truth

IMPACTS = 40
LATE = mpf(10) ** -5  # impacts with less than this speed [m/s] may be left out: the solver knows the limit by then


def impact(p, v, w):
    """Velocities after the impact, and whether the contact sticks in it."""
    u = [v[0] - p["R"] * w[1], v[1] + p["R"] * w[0]]
    s = sqrt(u[0] ** 2 + u[1] ** 2)
    normal = p["m"] * (1 + p["e"]) * -v[2]
    to_stick = p["m"] * s * p["kappa"] / (1 + p["kappa"])
    sticks = to_stick <= p["mu"] * normal
    size = to_stick if sticks else p["mu"] * normal
    P = [-size * u[0] / s, -size * u[1] / s] if s > 0 else [mpf(0), mpf(0)]
    I = p["kappa"] * p["m"] * p["R"] ** 2
    # The torque of P at -R e_z: R (P_y, -P_x, 0).
    return ([v[0] + P[0] / p["m"], v[1] + P[1] / p["m"], -p["e"] * v[2]],
            [w[0] + p["R"] * P[1] / I, w[1] - p["R"] * P[0] / I, w[2]], sticks)


def solve(p):
    r, v, w = [mpf(0), mpf(0), p["h"] + p["R"]], [p["vx0"], p["vy0"], mpf(0)], [p["wx0"], p["wy0"], p["wz0"]]
    t, flight, events, sticks = mpf(0), sqrt(2 * p["h"] / p["g"]), [], []
    for _ in range(IMPACTS):
        t += flight
        r = [r[0] + v[0] * flight, r[1] + v[1] * flight, p["R"]]
        down = [v[0], v[1], v[2] - p["g"] * flight]
        up, spin, stuck = impact(p, down, w)
        sticks.append(stuck)
        events.append(dict(t=t, kind="impact", mode_before="flight", mode_after="flight", before=r + down + w,
                           after=r + up + spin, optional=-down[2] < LATE))
        v, w, flight = up, spin, 2 * up[2] / p["g"]
    assert sticks[0] is False and True in sticks and sticks == sorted(sticks), "first slip, then stick"
    # Once the contact has stuck, x and y go on at constant speed: the limit is closed.
    limit = t + flight / (1 - p["e"])
    rest = limit - t
    x = [r[0] + v[0] * rest, r[1] + v[1] * rest, p["R"], v[0], v[1], mpf(0)] + w
    events.append(dict(t=limit, kind="zeno", mode_before="flight", mode_after="roll", before=x, after=x))
    go = end(p) - limit
    return events, [x[0] + x[3] * go, x[1] + x[4] * go] + x[2:]


def end(p):
    return mpf(4)


def last_gap(p):
    events, _ = solve(p)
    return events[-2]["t"], events[-1]["t"], "impact"


if __name__ == "__main__":
    spatial_truth.write(
        "reference.toml", "spatial_bouncing_spinning_sphere",
        "Sphere bouncing with spin out of its plane of flight: slipping impacts, sticking ones, then rolling",
        """A homogeneous sphere is thrown over a rough plane with spin about all axes. At every impact its point of contact slides
to another side than it flies, so that it leaves the plane of its flight; at first it slides through the impact, later it sticks
in it. The impacts accumulate, and from there on it rolls.""",
        """flight: v' = -g e_z, omega' = 0
impact: v_z+ = -e v_z-, P_n = m (1 + e) |v_z-|; u = v_T - R (omega x e_z); P_T = -min(mu P_n, m |u| kappa / (1 + kappa)) u / |u|
m (v+ - v-) = P, I (omega+ - omega-) = -R e_z x P_T""",
        "closed form, flight by flight; t_zeno = t_n + 2 v_n / (g (1 - e))",
        dict(m="0.2", R="0.05", kappa="0.4", e="0.7", mu="0.06", h="1", vx0="2", vy0="0", wx0="-40", wy0="-15", wz0="25",
             g="9.81"),
        dict(m="kg", R="m", kappa="I = kappa m R^2", e="Newton restitution", mu="static and kinetic",
             h="m, clearance at the start", vx0="m/s", vy0="m/s", wx0="rad/s, global axes", wy0="rad/s", wz0="rad/s",
             g="m/s^2"),
        ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"],
        lambda p: [0, 0, p["h"] + p["R"], p["vx0"], p["vy0"], 0, p["wx0"], p["wy0"], p["wz0"]], "flight", solve, end,
        conventions="Angular velocity in global axes; z is up. Late impacts are optional. At the accumulation point the "
        "contact sticks already: 'zeno' goes to rolling.", extra=[last_gap])
