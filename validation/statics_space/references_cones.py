#!/usr/bin/env python3
# validation/statics_space/references_cones.py
#
# References of the problems of this folder in which friction has several directions, from closed forms and, for
# pushed_table, the limit theorem by motions (mpmath, 40 digits). It knows nothing of hstar. Run it in this folder; the
# derivations are in the README of each problem.
import functools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from mpmath import mp, mpf, pi, sin, cos, asin, acos, atan, sqrt, findroot, matrix, hypot, inf

import truth_table

mp.dps = 40
write = functools.partial(truth_table.write, HERE)
g = mpf("9.81")


def turned_incline():
    cases = []
    W = 3 * g
    for alpha, H, mu in (("0.2", "2.0", "0.5"), ("0.1", "0.0", "0.3"), ("0.0", "5.0", "0.4"), ("-0.15", "-3.0", "0.6")):
        a, h, f = map(mpf, (alpha, H, mu))
        end = asin(sqrt((f**2 - (h / W)**2) / (1 + f**2)))
        side = sqrt((f * W * cos(a))**2 - (W * sin(a))**2)
        cases.append({"alpha": alpha, "H": H, "mu": mu, "angles": [-end, end], "forces": [-side, side],
                      "least": hypot(W * sin(a), h) / (W * cos(a)), "bounded": 0, "stability": "held",
                      "way": ", ".join("incline.vertex%d slips" % i for i in (1, 2, 3, 4))})
    write("turned_incline", "A block on an incline turned about its edge, pushed sideways", cases)


def largest_push(load, feet, limit):
    """min of sum limit |v + w x r_i| over motions (vx, vy, w) on which `load` has power 1."""
    along = matrix(load) / (load[0]**2 + load[1]**2 + load[2]**2)
    # Two directions that the load does not feel.
    first = matrix([-load[1], load[0], 0])
    second = matrix([load[0] * load[2], load[1] * load[2], -(load[0]**2 + load[1]**2)])
    twist = lambda x, y: along + x * first + y * second
    speed = lambda t, r: hypot(t[0] - t[2] * r[1], t[1] + t[2] * r[0])
    cost = lambda x, y: limit * sum(speed(twist(x, y), r) for r in feet)
    # Coarse, by cells that shrink; then Newton on the gradient. At a corner one foot stands still.
    x, y, step = mpf(0), mpf(0), mpf(4)
    while step > mpf(10)**-9:
        best = min(((cost(x + i * step, y + j * step), i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)), key=lambda c: c[0])
        x, y = x + best[1] * step, y + best[2] * step
        if best[1] == 0 and best[2] == 0:
            step /= 2
    still = [r for r in feet if speed(twist(x, y), r) < mpf(10)**-7]
    if still:
        # v = w (r_y, -r_x) and power 1.
        r, = still
        w = 1 / (load[0] * r[1] - load[1] * r[0] + load[2])
        return limit * sum(abs(w) * hypot(q[0] - r[0], q[1] - r[1]) for q in feet), True

    def gradient(x, y):
        t = twist(x, y)
        by = matrix([0, 0, 0])
        for r in feet:
            u = matrix([t[0] - t[2] * r[1], t[1] + t[2] * r[0]]) / speed(t, r)
            by += matrix([u[0], u[1], u[1] * r[0] - u[0] * r[1]])
        return [(by.T * first)[0], (by.T * second)[0]]

    x, y = findroot(gradient, (x, y), tol=mpf(10)**-70)
    return cost(x, y), False


def pushed_table():
    cases, corners = [], 0
    m, mu, R = mpf(12), mpf("0.35"), mpf("0.5")
    feet = [(R * cos(2 * pi * i / 3), R * sin(2 * pi * i / 3)) for i in (1, 2, 3)]
    for phi, arm in (("0.3", "0.2"), ("0.0", "0.0"), ("1.1", "-0.4"), ("0.7", "1.5"), ("1.5707963267948966", "0.5")):
        f, a = mpf(phi), mpf(arm)
        d = (cos(f), sin(f))
        # p = arm (sin, -cos), p x d = arm
        ends = []
        for sign in (-1, 1):
            if a == 0:
                ends.append(sign * mu * m * g)
                continue
            value, corner = largest_push((sign * d[0], sign * d[1], sign * a), feet, mu * m * g / 3)
            ends.append(sign * value)
            corners += corner
        cases.append({"phi": phi, "arm": arm, "push": ends, "normal": m * g / 3, "leg": "stick", "stability": "held"})
    assert corners > 0
    write("pushed_table", "The largest push at a table on three legs", cases)


def rod_pressures(x, y, z, c, mu_a, mu_b, W):
    """p_1, min(p_2, p_A), and what is left between."""
    n = sqrt(x**2 + y**2 + z**2)
    ux, uy, uz = -x / n, y / n, z / n
    A = uy**2 + uz**2 - (mu_b * ux)**2
    root = (c * W * uz)**2 - A * (c * W)**2
    if root < 0:
        return None
    p1 = (c * W)**2 / (c * W * uz + sqrt(root))
    p2 = (c * W * uz + sqrt(root)) / A if A > 0 else inf
    slope = hypot(ux, uy) - mu_a * uz
    pa = mu_a * (1 - c) * W / slope if slope > 0 else inf
    return p1, p2, pa, root, (ux, uy, uz)


def leaning_rod():
    cases = []
    m, z = mpf(4), mpf("1.2")
    for x, y, c, mu_foot, mu_top in (("0.6", "0.2", "0.5", "0.5", "0.6"), ("0.8", "-0.1", "0.4", "0.6", "0.3"),
                                     ("0.5", "0.3", "0.6", "0.8", "0.9"), ("0.7", "0.1", "0.5", "0.27", "0.8")):
        args = [mpf(x), None, z, mpf(c), mpf(mu_foot), mpf(mu_top), m * g]

        def at(y):
            return rod_pressures(args[0], y, *args[2:])

        def room(y):
            found = at(y)
            return mpf(-1) if found is None else min(found[1], found[2]) - found[0]

        low, high = abs(mpf(y)), mpf(30)
        assert room(low) > 0 > room(high)
        while high - low > mpf(10)**-36:
            middle = (low + high) / 2
            low, high = (middle, high) if room(middle) > 0 else (low, middle)
        width = low
        by_wall = abs(width - args[5] * args[0]) < mpf(10)**-30  # p_1 = p_2: u_y = mu_top u_x
        print("leaning_rod: the top slides alone" if by_wall else "leaning_rod: both ends slide")
        p1, p2, pa, _, (ux, uy, uz) = at(mpf(y))
        p = [p1, min(p2, pa)]
        W, C = m * g, mpf(c)
        sideways = sorted(q * uy for q in p)
        hangs = sorted(C * W - q * uz for q in p)
        cases.append({"x": x, "y": y, "c": c, "mu_foot": mu_foot, "mu_top": mu_top, "top": [-q * ux for q in p],
                      "foot": [(1 - C) * W + q * uz for q in p], "sideways": sideways, "hangs": hangs,
                      "width": [-width, width], "ends": "stick", "stability": "indifferent"})
    write("leaning_rod", "A rod that leans in space", cases)


def v_groove():
    cases = []
    W = 2 * g
    for beta, mu, Q in (("0.7", "0.3", "1.0"), ("0.5", "0.4", "8.0"), ("1.2", "0.25", "-4.0")):
        b, f, q = map(mpf, (beta, mu, Q))
        s, c = sin(b), cos(b)
        det = s**2 - (f * c)**2
        # mu^2 (A + tau c)^2 - s^2 tau^2 = s^2 Q^2 / 4
        A = W / 2
        root = sqrt((f**2 * A * c)**2 + det * ((f * A)**2 - (s * q / 2)**2))
        end = f * W / sqrt(det)
        cases.append({"beta": beta, "mu": mu, "Q": Q, "least": abs(q) * s / sqrt(W**2 + (q * c)**2), "push": [-end, end],
                      "bounded": [1, 0], "normal": [(A + (f**2 * A * c + e * root) / det * c) / s for e in (-1, 1)],
                      "stability": "indifferent"})
    write("v_groove", "A ball between two plates, pushed along the groove", cases)


def sleeve():
    cases = []
    m, d, mu, r = mpf("1.8"), mpf("0.05"), mpf("0.45"), mpf("0.06")
    for a, tilt, P in (("0.3", "0.1", "2.0"), ("0.1", "-0.3", "-1.0"), ("0.0", "0.2", "4.0"), ("0.3", "0.1", "9.0")):
        b, t, p = map(mpf, (a, tilt, P))
        N, S = m * g * cos(b), m * g * sin(b) - p
        M = N * d * sin(t)
        half = sqrt((mu * N)**2 - (M / r)**2)
        turn = asin(r * sqrt((mu * N)**2 - S**2) / (N * d))
        carried = hypot(S, M / r)
        # The weight turns the shaft back: friction about the axis is +M.
        cases.append({"a": a, "tilt": tilt, "P": P, "pull": [m * g * sin(b) - half, m * g * sin(b) + half],
                      "angle": [-turn - t, turn - t], "reserve": mu * N - carried, "carried": carried,
                      "along": [S * cos(b), S * sin(b)], "about": [M * cos(b), M * sin(b)], "slides": [0, 0],
                      "mode": "stick", "stability": "held"})
    write("sleeve", "A shaft in an inclined sleeve", cases)


def lamp():
    cases = []
    m, d, r = mpf("0.7"), mpf("0.05"), mpf("0.06")
    for th, mu, M in (("0.4", "0.5", "0.02"), ("-0.2", "0.3", "-0.05"), ("0.1", "0.4", "0.0")):
        t, f, k = map(mpf, (th, mu, M))
        W = m * g
        end = asin(sqrt((f * r * W)**2 - k**2) / (W * d))
        moment = sqrt((f * r * W)**2 - (W * d * sin(t))**2)
        # r x (-W e_z) at r = d sin(th) (cos, sin)(0.3) is held by its opposite.
        x, y = d * sin(t) * cos(mpf("0.3")), d * sin(t) * sin(mpf("0.3"))
        cases.append({"th": th, "mu": mu, "M": M, "angle": [-end, end], "moment": [-moment, moment], "normal": W,
                      "reserve": f * W - hypot(k, W * d * sin(t)) / r, "torque": [y * W, -x * W, -k], "mode": "stick",
                      "stability": "held"})
    write("lamp", "An arm on a ball joint that friction holds", cases)


def rocking_body():
    cases = []
    m, r = mpf("1.4"), mpf("0.2")
    for e, A, B in (("0.07", "0.012", "0.019"), ("0.12", "0.02", "0.011"), ("0.01", "0.015", "0.015")):
        E = mpf(e)
        w = sorted(sqrt(m * g * E / (mpf(J) + m * (r - E)**2)) for J in (A, B))
        cases.append({"e": e, "A": A, "B": B, "freedoms": 2, "frequencies": w, "stability": "stable"})
    write("rocking_body", "Frequencies of a body that rocks on its round bottom", cases)


def rocking_plate():
    cases = []
    m = mpf("0.9")
    for R, h, A, B in (("0.3", "0.04", "0.011", "0.017"), ("0.1", "0.09", "0.02", "0.012"), ("0.05", "0.08", "0.01", "0.03")):
        w2 = sorted((m * g * (mpf(R) - mpf(h)) / (mpf(J) + m * mpf(h)**2) for J in (A, B)), key=abs)
        if w2[0] > 0:
            re, im = [0, 0, 0], [0] + [sqrt(w) for w in w2]
        else:
            re, im = [0] + [e * sqrt(-w2[0]) for e in (-1, 1)], [0, 0, 0]
        cases.append({"R": R, "h": h, "A": A, "B": B, "freedoms": 3, "re": re, "im": im,
                      "stability": "indifferent" if w2[0] > 0 else "unstable (divergence)"})
    write("rocking_plate", "Frequencies of a plate that rocks on a fixed ball", cases)


def sleeve_driven():
    cases = []
    m, a, mu, mk, r = mpf("1.8"), mpf("0.3"), mpf("0.45"), mpf("0.3"), mpf("0.06")
    N, S = m * g * cos(a), m * g * sin(a)
    for u, w in (("0", "0"), ("0.2", "5.0"), ("-0.1", "0"), ("0", "-2.0"), ("0.01", "-40")):
        U, V = mpf(u), r * mpf(w)
        s = hypot(U, V)
        if s == 0:
            force, torque = [S - mu * N, S + mu * N], [-r * mu * N, r * mu * N]
        else:
            force, torque = [S + mk * N * U / s] * 2, [mk * N * r * V / s] * 2
        cases.append({"u": u, "w": w, "force": force, "torque": torque, "stuck": "sleeve" if s == 0 else ""})
    write("sleeve_driven", "A shaft driven along and about an inclined sleeve", cases)


def ball_on_incline():
    cases = []
    m, R, mu, spinning = mpf("0.5"), mpf("0.1"), mpf("0.4"), mpf("0.004")
    W = m * g
    for alpha, rolling, M in (("0.03", "0.006", "0.005"), ("-0.02", "0.05", "-0.01"), ("0.01", "0.03", "0.0194")):
        a, roll, k = map(mpf, (alpha, rolling, M))
        ends = {"rolls": atan(roll / R), "slips": atan(mu), "spins": acos(abs(k) / (spinning * W))}
        first = min(ends, key=lambda e: ends[e])
        end, N = ends[first], W * cos(a)
        cases.append({"alpha": alpha, "rolling": rolling, "M": M, "angle": [-end, end], "moment": [-spinning * N, spinning * N],
                      "reserves": [mu * N - abs(W * sin(a)), roll * N - abs(W * R * sin(a)), spinning * N - abs(k)],
                      "mode": "stick", "ends": "incline " + first, "turns": "incline spins", "stability": "held"})
    write("ball_on_incline", "A ball held on an incline by rolling and spinning friction", cases)


if __name__ == "__main__":
    turned_incline()
    pushed_table()
    leaning_rod()
    v_groove()
    sleeve()
    lamp()
    rocking_body()
    rocking_plate()
    sleeve_driven()
    ball_on_incline()
