#!/usr/bin/env python3
"""Closed form of a ball that rolling and spinning friction bring to rest: see README.md."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from mpmath import cos, mpf, sin

import spatial_truth


def state(p, t):
    """x, y, vx, vy, omega in global axes."""
    a = p["r"] * p["g"] / (p["R"] * (1 + p["kappa"]))
    spin = p["s"] * p["g"] / (p["kappa"] * p["R"] ** 2)
    t_roll, t_spin = min(t, p["v0"] / a), min(t, p["wz0"] / spin)
    way, v = p["v0"] * t_roll - a * t_roll**2 / 2, p["v0"] - a * t_roll
    c, s = cos(p["phi"]), sin(p["phi"])
    return [way * c, way * s, v * c, v * s, -v * s / p["R"], v * c / p["R"], p["wz0"] - spin * t_spin], p["v0"] / a, p["wz0"] / spin


def solve(p):
    _, t_roll, t_spin = state(p, mpf(0))
    events = []
    for t, before, after in ((t_spin, "stick,roll,spin", "stick,roll"), (t_roll, "stick,roll", "stick")):
        x = state(p, t)[0]
        events.append(dict(t=t, kind="stick", mode_before=before, mode_after=after, before=x, after=x))
    return events, state(p, end(p))[0]


def end(p):
    return mpf(6)


spatial_truth.write(
    "reference.toml", "spatial_rolling_ball", "A rolling and spinning ball comes to rest by rolling and spinning friction",
    """A homogeneous ball rolls without sliding over a horizontal table and spins about the vertical. Rolling friction, a moment
r N against the horizontal part of its angular velocity, and spinning friction, s N against the vertical part, bring both to rest.""",
    "(1 + kappa) m R v' = -r m g; kappa m R^2 omega_z' = -s m g",
    "closed form: v' = -r g / (R (1 + kappa)), omega_z' = -s g / (kappa R^2)",
    dict(m="0.17", R="0.03", kappa="0.4", mu="0.25", r="0.0005", s="0.00025", v0="0.3", phi="0.7", wz0="11", g="9.81"),
    dict(m="kg", R="m", kappa="I = kappa m R^2", mu="static and kinetic", r="m, moment of rolling friction over the normal force",
         s="m, moment of spinning friction over the normal force", v0="m/s", phi="rad, direction of rolling", wz0="rad/s", g="m/s^2"),
    ["x", "y", "vx", "vy", "wx", "wy", "wz"],
    lambda p: state(p, mpf(0))[0], "stick,roll,spin", solve, end,
    conventions="Angular velocity in global axes; z is up. `stick`: spinning ends, then rolling.")
