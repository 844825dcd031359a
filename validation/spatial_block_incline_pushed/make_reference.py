#!/usr/bin/env python3
"""Closed form of a block pushed sideways on an incline: see README.md."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from mpmath import mpf, sin, cos, tan

import spatial_truth


def along(p, z):
    """t, x (downhill), y, vx, vy where tan(phi / 2) = z, phi the angle of the velocity from downhill; from the stop back."""
    k = p["mu"] / tan(p["alpha"])
    z0 = tan(p["phi0"] / 2)
    C = p["v0"] * sin(p["phi0"]) / z0**k
    a = p["g"] * sin(p["alpha"])
    t = C / (2 * a) * (z ** (k - 1) / (k - 1) + z ** (k + 1) / (k + 1))
    x = C**2 / (8 * a) * (z ** (2 * k - 2) / (k - 1) - z ** (2 * k + 2) / (k + 1))
    y = C**2 / (2 * a) * (z ** (2 * k - 1) / (2 * k - 1) + z ** (2 * k + 1) / (2 * k + 1))
    return t, x, y, C * z ** (k - 1) * (1 - z * z) / 2, C * z**k


def solve(p):
    z0 = tan(p["phi0"] / 2)
    T, X, Y, _, _ = along(p, z0)
    where = lambda z: (lambda t, x, y, vx, vy: (T - t, [X - x, Y - y, vx, vy]))(*along(p, z))
    t_turn, turn = where(mpf(1))
    stop = [X, Y, mpf(0), mpf(0)]
    return [dict(t=t_turn, kind="guard_up", mode_before="slide", mode_after="slide", before=turn, after=turn),
            dict(t=T, kind="stick", mode_before="slide", mode_after="stick", before=stop, after=stop)], stop


spatial_truth.write(
    "reference.toml", "spatial_block_incline_pushed", "Block pushed sideways and uphill on an incline: its sliding direction turns",
    """A block slides on an incline, pushed across and a little uphill. Gravity turns its velocity towards downhill while
friction takes its speed; it stops, and stays, as mu > tan(alpha).""",
    """s' = g sin(alpha) cos(phi) - mu g cos(alpha), s phi' = -g sin(alpha) sin(phi)
s the speed, phi the angle of the velocity from downhill; z = tan(phi/2), k = mu / tan(alpha)""",
    "closed form in z: s sin(phi) = C z^k; t, x, y are sums of two powers of z (README.md)",
    dict(m="2", alpha="0.3", mu="0.55", v0="2", phi0="1.9", g="9.81"),
    dict(m="kg", alpha="rad, slope", mu="static and kinetic", v0="m/s", phi0="rad, angle of the push from downhill",
         g="m/s^2"),
    ["x", "y", "vx", "vy"], lambda p: [0, 0, p["v0"] * cos(p["phi0"]), p["v0"] * sin(p["phi0"])], "slide", solve,
    lambda p: mpf(1), conventions="x is downhill, y across, both in the plane. guard_up: the velocity is across the slope; "
    "`stick`: it stops.")
