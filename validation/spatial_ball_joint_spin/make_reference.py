#!/usr/bin/env python3
"""Closed form of a disc that spins down in a ball joint: see README.md."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from mpmath import asinh, atan2, cos, mpf, sin, sqrt

import spatial_truth


def parts(p):
    tau = p["mu"] * p["R"] * p["m"] * p["g"]
    across = sqrt(p["w1"] ** 2 + p["w2"] ** 2)
    c = across / p["w3"] ** 2
    return tau, c, atan2(p["w2"], p["w1"])


def left(p, w):
    """Time until the stop when omega_3 is w: I3/tau times the integral of sqrt(1 + c^2 u^2) du from 0 to w."""
    tau, c, _ = parts(p)
    return 2 * p["I1"] / tau * (w / 2 * sqrt(1 + c * c * w * w) + asinh(c * w) / (2 * c))


def turned(p, w):
    """How far (omega_1, omega_2) has turned in the body when omega_3 is w: the integral of omega_3 dt (I3 - I1 = I1)."""
    tau, c, _ = parts(p)
    antiderivative = lambda u: (1 + c * c * u * u) ** (mpf(3) / 2) / (3 * c * c)
    return 2 * p["I1"] / tau * (antiderivative(p["w3"]) - antiderivative(w))


def state(p, w):
    _, c, angle = parts(p)
    a = angle + turned(p, w)
    return [c * w * w * cos(a), c * w * w * sin(a), w]


def solve(p):
    T = left(p, p["w3"])
    half = p["w3"] / 2
    return [dict(t=T - left(p, half), kind="guard_down", mode_before="slip", mode_after="slip", before=state(p, half),
                 after=state(p, half)),
            dict(t=T, kind="stick", mode_before="slip", mode_after="stick", before=[0, 0, 0], after=[0, 0, 0])], [0, 0, 0]


spatial_truth.write(
    "reference.toml", "spatial_ball_joint_spin", "A disc spins down in a ball joint at its centre",
    """A thin disc (I3 = 2 I1) is held at its centre by a ball joint of radius R, which carries its weight. It spins about an axis
between its own and its diameter; friction acts against its angular velocity. It stops in finite time, its angular
velocity turning in the body and in space all the while.""",
    """I1 omega_1' = (I1 - I3) omega_2 omega_3 - tau omega_1 / |omega|, I1 omega_2' = (I3 - I1) omega_1 omega_3 - tau omega_2 / |omega|
I3 omega_3' = -tau omega_3 / |omega|, tau = mu R m g""",
    "closed form in omega_3: |omega_12| = c omega_3^2; t and the angle of omega_12 are elementary integrals (README.md)",
    dict(m="1.5", I1="0.02", mu="0.3", R="0.02", w1="2.5", w2="1", w3="4", g="9.81"),
    dict(m="kg", I1="kg m^2, about a diameter; I3 = 2 I1", mu="static and kinetic", R="m, radius of the ball",
         w1="rad/s, body axes", w2="rad/s", w3="rad/s", g="m/s^2"),
    ["w1", "w2", "w3"], lambda p: [p["w1"], p["w2"], p["w3"]], "slip", solve, lambda p: mpf(3),
    conventions="Angular velocity in body axes. guard_down: omega_3 is half of what it was; `stick`: it stops.")
