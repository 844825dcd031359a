#!/usr/bin/env python3
"""Closed form of discs that spin down on a pivot: see README.md."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from mpmath import cos, mpf, sin

import spatial_truth


def rates(p):
    return [p["mu"] * p["r_p"] * p["m"] * p["g"] / p["I"],
            (p["mu"] * p["r_p"] * p["m"] * p["g"] + p["mu"] * p["R"] * p["F"]) / p["I"]]


def state(p, t):
    x = []
    for a in rates(p):
        s = min(t, p["w0"] / a)
        angle = p["w0"] * s - a * s * s / 2
        x.append([cos(angle), sin(angle), p["w0"] - a * s])
    return x[0][:2] + x[1][:2] + [x[0][2], x[1][2]]


def solve(p):
    free, pressed = rates(p)
    t1, t2 = p["w0"] / pressed, p["w0"] / free
    return [dict(t=t1, kind="stick", where="pressed", mode_before="turn/turn", mode_after="turn/stick",
                 before=state(p, t1), after=state(p, t1)),
            dict(t=t2, kind="stick", where="free", mode_before="turn/stick", mode_after="stick/stick",
                 before=state(p, t2), after=state(p, t2))], state(p, end(p))


def end(p):
    return mpf(12)


spatial_truth.write(
    "reference.toml", "spatial_pivot_disc", "Discs spinning down on a pivot",
    """Two equal discs turn about a vertical axis, each on a pivot that carries its weight at the radius r_p. The second is
pressed sideways with a force F, which its shaft of radius R carries.""",
    "I omega' = -mu r_p m g; I omega' = -mu (r_p m g + R F)",
    "closed form: t* = I omega_0 / (mu r_p m g), t* = I omega_0 / (mu (r_p m g + R F))",
    dict(m="3", I="0.06", mu="0.15", r_p="0.004", R="0.01", F="20", w0="3", g="9.81"),
    dict(m="kg", I="kg m^2, about the axis", mu="static and kinetic", r_p="m, where the pivot's force rubs",
         R="m, radius of the shaft", F="N, sideways", w0="rad/s", g="m/s^2"),
    ["cos1", "sin1", "cos2", "sin2", "omega1", "omega2"], lambda p: [1, 0, 1, 0, p["w0"], p["w0"]], "turn/turn", solve, end,
    conventions="`stick`: a disc stops. 1: the free disc, 2: the one that is pressed.")
