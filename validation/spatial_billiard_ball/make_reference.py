#!/usr/bin/env python3
"""Closed form of a ball with side and top spin on a table: see README.md."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from mpmath import mpf, sqrt

import spatial_truth


def state(p, t):
    """x, y, vx, vy, omega (global axes) at t while the ball slides."""
    u = [p["vx0"] - p["R"] * p["wy0"], p["vy0"] + p["R"] * p["wx0"]]  # velocity of the ball at the table
    s = sqrt(u[0] ** 2 + u[1] ** 2)
    d = [u[0] / s, u[1] / s]
    a = p["mu"] * p["g"]
    spin = a / (p["kappa"] * p["R"])  # mu m g R / I
    return [p["vx0"] * t - a * d[0] * t * t / 2, p["vy0"] * t - a * d[1] * t * t / 2, p["vx0"] - a * d[0] * t,
            p["vy0"] - a * d[1] * t, p["wx0"] - spin * d[1] * t, p["wy0"] + spin * d[0] * t, p["wz0"]], s


def solve(p):
    _, s = state(p, mpf(0))
    t = s / (p["mu"] * p["g"] * (1 + 1 / p["kappa"]))
    x, _ = state(p, t)
    rest = spatial_end(p) - t
    final = [x[0] + x[2] * rest, x[1] + x[3] * rest] + x[2:]
    return [dict(t=t, kind="stick", mode_before="slide", mode_after="roll", before=x, after=x)], final


def spatial_end(p):
    return mpf(3)


spatial_truth.write(
    "reference.toml", "spatial_billiard_ball", "Billiard ball with side and top spin: a parabola, then a straight line",
    """A homogeneous ball slides on a horizontal table with Coulomb friction, with spin about all three axes. Its point of
contact slides in a direction that stays the same, so that its centre describes a parabola, until it rolls, straight on.""",
    """v' = -mu g d, omega' = mu m g R / I (e_z x d), u = v - R (omega x e_z) = s d, s' = -(1 + 1/kappa) mu g, d' = 0
rolling: v' = 0, omega' = 0""",
    "closed form: t* = |u_0| / ((1 + 1/kappa) mu g); the centre's path is r_0 + v_0 t - mu g d t^2 / 2",
    dict(m="0.17", R="0.0286", kappa="0.4", mu="0.2", vx0="1.7", vy0="-0.4", wx0="35", wy0="-28", wz0="60", g="9.81"),
    dict(m="kg", R="m", kappa="I = kappa m R^2", mu="static and kinetic", vx0="m/s", vy0="m/s",
         wx0="rad/s, angular velocity at the start in global axes", wy0="rad/s", wz0="rad/s", g="m/s^2"),
    ["x", "y", "vx", "vy", "wx", "wy", "wz"], lambda p: [0, 0, p["vx0"], p["vy0"], p["wx0"], p["wy0"], p["wz0"]], "slide",
    solve, spatial_end, conventions="Angular velocity in global axes; z is up. `stick`: sliding ends, rolling begins.")
