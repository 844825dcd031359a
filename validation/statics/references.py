#!/usr/bin/env python3
# validation/statics/references.py
#
# Writes reference.toml of every problem in this folder from closed forms and independent computations with mpmath
# (40 digits): Lagrange's equations in minimal coordinates, Newton-Euler by hand, zeros of polynomials. It knows
# nothing of hstar. Run it in this folder; the derivations are in the README of each problem.
import functools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from mpmath import (mp, mpf, pi, sin, cos, tan, asin, atan, atan2, sqrt, findroot, diff, matrix, lu_solve, polyroots,
                    binomial, factorial, e as euler, nstr, expj, fabs)

import truth_table

mp.dps = 40
write = functools.partial(truth_table.write, HERE)


def ladder():
    cases = []
    L, m, g = mpf(4), mpf(20), mpf("9.81")
    W = m * g
    for mu1, mu2, theta in (("0.3", "0.2", "1.3"), ("0.5", "0.4", "1.1"), ("0.45", "0.1", "1.2")):
        f, w, th = mpf(mu1), mpf(mu2), mpf(theta)
        lowest = atan((1 - f * w) / (2 * f))
        c = 1 / tan(th)
        # up: friction of the wall upwards, the one free force
        up_most = w * c * W / 2 / (1 + w * c)
        up_least = -w * c * W / 2 / (1 - w * c)
        if c > f:
            up_least = max(up_least, (c * W / 2 - f * W) / (c - f))
        normal = lambda up: c * (W / 2 - up)
        cases.append({"mu_floor": mu1, "mu_wall": mu2, "theta": theta,
                      "angle": [pi / 2, pi - lowest], "x": [mpf(0), L / 2 * cos(lowest)],
                      "floor_normal": [W - up_most, W - up_least], "wall_normal": [normal(up_most), normal(up_least)],
                      "floor_friction": [-normal(up_least), -normal(up_most)],
                      "wall_friction": [-up_most, -up_least], "stability": "held"})
    write("ladder", "A ladder stands for these angles, and its forces", cases)


def slider_crank_load():
    cases = []
    r, l, P = mpf("0.1"), mpf("0.35"), mpf(500)
    for theta, mu in (("0.9", "0.2"), ("2.2", "0.15"), ("1.5", "0.4")):
        th, f = mpf(theta), mpf(mu)
        phi = asin(r * sin(th) / l)
        T = [-r * P * sin(th + phi) / (cos(phi) - f * sin(phi)), -r * P * sin(th + phi) / (cos(phi) + f * sin(phi))]
        at = (T[0] + T[1]) / 2
        S = -at / (r * sin(th + phi))
        cases.append({"theta": theta, "mu": mu, "torque": nstr(at, 17), "load": T,
                      "reserve": f * S * sin(phi) - fabs(P - S * cos(phi)), "stability": "held"})
    write("slider_crank_load", "Torques on the crank at which a slider-crank stays stuck", cases)


def slider_crank_driven():
    cases = []
    r, l, P, m, m_rod, J = mpf("0.1"), mpf("0.35"), mpf(500), mpf(2), mpf("0.6"), mpf("0.008")
    f = mpf("0.2")
    for theta, w in (("0.9", "0"), ("2.2", "0"), ("0.4", "7"), ("0.4", "40"), ("3.5", "20")):
        th, om = mpf(theta) + mpf(w) / 10, mpf(w)
        place = lambda t: (lambda p: (r * cos(t) + l * cos(p), r * cos(t) + l / 2 * cos(p), l / 2 * sin(p), -p))(
            asin(r * sin(t) / l))
        phi = asin(r * sin(th) / l)
        x1 = diff(lambda t: place(t)[0], th) * om
        acc = [diff(lambda t, i=i: place(t)[i], th, 2) * om**2 for i in range(4)]

        def torque(sign):  # friction of the piston: F = sign * |N|, N of the guide; unknowns Ax, Ay, Bx, By, N
            for side in (1, -1):
                # rod: A at the crank pin, B at the wrist; piston: -B, N, F = sign * side * mu * N
                M = matrix(5, 5)
                rhs = matrix(5, 1)
                M[0, 0] = M[0, 2] = 1
                rhs[0] = m_rod * acc[1]
                M[1, 1] = M[1, 3] = 1
                rhs[1] = m_rod * acc[2]
                half = (l / 2 * cos(phi), -l / 2 * sin(phi))  # from the centre to the wrist
                M[2, 0], M[2, 1], M[2, 2], M[2, 3] = half[1], -half[0], -half[1], half[0]
                rhs[2] = J * acc[3]
                M[3, 2], M[3, 4] = -1, sign * side * f
                rhs[3] = m * acc[0] + P
                M[4, 3], M[4, 4] = -1, 1
                s = lu_solve(M, rhs)
                if side * s[4] >= 0:
                    # the crank: -A at its pin, no angular acceleration
                    return -(r * cos(th) * -s[1] - r * sin(th) * -s[0])
            raise ValueError

        if om == 0:
            ends = sorted((torque(1), torque(-1)))
        else:
            ends = [torque(-1 if x1 > 0 else 1)] * 2
        cases.append({"theta": theta, "w": w, "torque": ends, "power": [ends[0] * om, ends[1] * om],
                      "stuck": "guide" if om == 0 else ""})
    write("slider_crank_driven", "Torque of the motor of a slider-crank with friction in its guide", cases)


def four_bar():
    a, b, c, d = mpf("0.3"), mpf("0.8"), mpf("0.6"), mpf("0.9")
    m1, m2, m3 = mpf("0.5"), mpf("1.5"), mpf(1)
    g = mpf("9.81")
    guess = [mpf("0.5"), mpf("1.7")]

    def loop(th):
        return findroot(lambda be, ga: [a * cos(th) + b * cos(be) - d - c * cos(ga),
                                        a * sin(th) + b * sin(be) - c * sin(ga)], guess)

    def place(th):
        be, ga = loop(th)
        return [a / 2 * cos(th), a / 2 * sin(th), th, a * cos(th) + b / 2 * cos(be), a * sin(th) + b / 2 * sin(be), be,
                d + c / 2 * cos(ga), c / 2 * sin(ga), ga]

    masses = [m1, m1, m1 * a**2 / 12, m2, m2, m2 * b**2 / 12, m3, m3, m3 * c**2 / 12]

    def length(th):
        q = place(th)
        return sqrt((q[3] - mpf("0.5"))**2 + (q[4] - mpf("1.2"))**2)

    modes, rest = [], []
    for k, kt, ct in ((15, 200, 8), (40, 100, 20), (15, 200, 0), (5, 400, 60)):
        V = lambda th: (g * sum(mm * y for mm, y in zip((m1, m2, m3), place(th)[1::3])) + mpf(k) / 2 * (th - mpf("0.8"))**2
                        + mpf(kt) / 2 * (length(th) - mpf("0.3"))**2)
        # Downhill from the estimate, then the root.
        mp.dps = 15
        th, way = mpf("0.8"), 0
        while True:
            down = 1 if V(th + mpf("1e-4")) > V(th - mpf("1e-4")) else -1
            if down * way < 0:
                break
            th, way = th - mpf("0.01") * down, down
        mp.dps = 40
        th = findroot(lambda t: diff(V, t), th)
        tangent = [diff(lambda t, i=i: place(t)[i], th) for i in range(9)]
        M = sum(mm * x**2 for mm, x in zip(masses, tangent))
        K = diff(V, th, 2)
        assert K > 0
        C = ct * diff(length, th)**2
        freq, zeta = sqrt(K / M), C / (2 * sqrt(K * M))
        case = {"k": k, "kt": kt, "ct": ct, "frequency": freq, "stability": "stable" if ct == 0 else "asymptotically stable"}
        if zeta < 1:
            case["damping"] = zeta
            case["eigenvalue"] = [-zeta * freq, freq * sqrt(1 - zeta**2)]
        modes.append(case)
        q = place(th)
        rest.append({"k": k, "kt": kt, "ct": ct, "crank": th, "coupler": q[3:6], "rocker": q[8], "stiffness": K / M,
                     "stability": "stable"})
    write("four_bar", "Eigenvalues of a four-bar linkage with springs and a damper", modes)
    write("four_bar_rest", "Equilibrium of a four-bar linkage with springs", rest)


def pendulum_chain():
    cases = []
    for n in (1, 2, 5, 10):
        zeros = sorted(x.real for x in polyroots([(-1)**k * binomial(n, k) / factorial(k) for k in range(n, -1, -1)],
                                                 maxsteps=400, extraprec=400))
        cases.append({"n": n, "frequencies": [sqrt(mpf("9.81") / mpf("0.25") * x) for x in zeros],
                      "stability": "stable"})
    write("pendulum_chain", "Natural frequencies of hanging chains of equal point masses", cases)


def spring_chain():
    cases = []
    m, k = mpf("0.7"), mpf(300)
    for n, c in ((3, "1.5"), (12, "1.5"), (12, "0")):
        w = [2 * sqrt(k / m) * sin(j * pi / (2 * (n + 1))) for j in range(1, n + 1)]
        cases.append({"n": n, "c": c, "frequencies": w, "damping": [mpf(c) * x / (2 * k) for x in w],
                      "stability": "stable" if c == "0" else "asymptotically stable"})
    write("spring_chain", "Natural frequencies and damping of a chain of masses and springs", cases)


def inverted_pendulum():
    m, l, g, J = mpf(2), mpf("0.5"), mpf("9.81"), mpf("0.02")
    Jt = J + m * l**2
    modes, rest = [], []
    for k in ("12", "8", "30"):
        s2 = (m * g * l - mpf(k)) / Jt
        if s2 < 0:
            modes.append({"k": k, "start": "0.05", "frequency": sqrt(-s2), "angle": 0, "stability": "stable"})
        else:
            modes.append({"k": k, "start": "0.05", "frequency": sqrt(s2), "growth": [-sqrt(s2), sqrt(s2)], "angle": 0,
                          "stability": "unstable (divergence)"})
    for k, start in (("12", "0.3"), ("8", "0.1"), ("8", "-0.1"), ("3", "0.2"), ("9.81", "0")):
        th = mpf(0)
        if mpf(k) < m * g * l:
            th = findroot(lambda t: mpf(k) * t - m * g * l * sin(t), [mpf("0.3"), mpf("3.1")], solver="anderson",
                          tol=1e-60) * (1 if mpf(start) > 0 else -1)
        stiffness = (mpf(k) - m * g * l * cos(th)) / Jt
        rest.append({"k": k, "start": start, "angle": -th, "stiffness": stiffness,
                     "stability": "indifferent" if stiffness == 0 else "stable"})
    write("inverted_pendulum", "Modes of an inverted pendulum on a spring about its upright position", modes)
    write("inverted_pendulum_rest", "Where an inverted pendulum on a spring comes to rest", rest)


def block_on_incline():
    cases = []
    m, g = mpf(3), mpf("9.81")
    for mu, incline, k, s in (("0.35", "0.2", "0", "0.02"), ("0.35", "0.2", "800", "0.01"), ("0.6", "-0.3", "500", "-0.01"),
                              ("0.35", "0.9", "800", "0.2")):
        f, al, ks = mpf(mu), mpf(incline), mpf(k)
        case = {"mu": mu, "incline": incline, "k": k, "s": s}
        at = mpf(s)
        if ks > 0:
            ends = [(m * g * sin(al) - f * m * g * cos(al)) / ks, (m * g * sin(al) + f * m * g * cos(al)) / ks]
            if not ends[0] <= at <= ends[1]:
                at = m * g * sin(al) / ks  # where nothing needs friction
            case["x"] = [e * cos(al) for e in ends]
        case["normal"] = m * g * cos(al)
        case["friction"] = ks * at - m * g * sin(al)
        case["reserve"] = f * m * g * cos(al) - fabs(case["friction"])
        if ks == 0:
            case["inclines"] = [-atan(f), atan(f)]
        case["mu_least"] = fabs(case["friction"]) / case["normal"]
        case["held"] = at == mpf(s)
        cases.append(case)
    write("block_on_incline", "A block on a rough incline: positions, inclines and friction at which it rests", cases)


def wedge():
    cases = []
    W = mpf(2000)
    for alpha, mu, P in (("0.15", "0.12", "100"), ("0.4", "0.12", "800"), ("0.15", "0.05", "280")):
        a, phi = mpf(alpha), atan(mpf(mu))
        ends = [W * (tan(a - phi) - tan(phi)), W * (tan(a + phi) + tan(phi))]
        cases.append({"alpha": alpha, "mu": mu, "P": P, "force": ends})
    write("wedge", "Forces between which a wedge neither is driven in nor squeezed out", cases)


def lever_pin():
    cases = []
    a, b, R, W = mpf("0.8"), mpf("0.5"), mpf("0.04"), mpf(250)
    for mu, beta, F in (("0.3", "0.6", "480"), ("0.3", "0", "400"), ("0.8", "1.2", "1150")):
        f, be = mpf(mu) * R, mpf(beta)
        # (W a - F b cos)^2 = (mu R)^2 (F^2 + W^2 + 2 F W cos)
        A = (b * cos(be))**2 - f**2
        B = -2 * W * a * b * cos(be) - 2 * f**2 * W * cos(be)
        C = (W * a)**2 - (f * W)**2
        D = sqrt(B**2 - 4 * A * C)
        cases.append({"mu": mu, "beta": beta, "F": F, "effort": [(-B - D) / (2 * A), (-B + D) / (2 * A)],
                      "reserve": f * sqrt(mpf(F)**2 + W**2 + 2 * mpf(F) * W * cos(be)) - fabs(W * a - mpf(F) * b * cos(be))})
    write("lever_pin", "Efforts at which a lever on a rough pin stays at rest", cases)


def balance():
    cases = []
    M, h, a, ee, p, J, g = mpf("0.8"), mpf("0.02"), mpf("0.15"), mpf("0.005"), mpf("0.2"), mpf("0.01"), mpf("9.81")
    for mL, mR in (("0.105", "0.1"), ("0.1", "0.1"), ("0.05", "0.2")):
        l, r = mpf(mL), mpf(mR)
        th = atan((l - r) * a / ((l + r) * ee + M * h))
        left = [-a * cos(th) + ee * sin(th), -a * sin(th) - ee * cos(th) - p]
        right = [a * cos(th) + ee * sin(th), a * sin(th) - ee * cos(th) - p]
        cases.append({"mL": mL, "mR": mR, "angle": th, "left": left, "right": right,
                      "knife": [mpf(0), -(-(M + l + r) * g)], "stability": "stable"})
    write("balance", "Angle of a beam balance and the places of its pans", cases)


def ziegler():
    cases = []
    m, l, k = mpf("1.5"), mpf("0.4"), mpf(6)
    critical = (mpf(7) / 2 - sqrt(2)) * k / l
    for P in ("0", "25", "33", "45", "60"):
        p = mpf(P) * l
        # det(M s^2 + K) = 0, M = m l^2 [[3, 1], [1, 1]], K = [[2k - Pl, -k + Pl], [-k, k]]
        u = m * l**2
        A = 2 * u**2
        B = u * (3 * k + (2 * k - p) - (-k + p) + k)
        C = (2 * k - p) * k - (-k + p) * (-k)
        D = mp.mpc(B**2 - 4 * A * C)
        s2 = [(-B - mp.sqrt(D)) / (2 * A), (-B + mp.sqrt(D)) / (2 * A)]
        s = [mp.sqrt(x) for x in s2]
        if D.real >= 0:
            assert all(x.real < 0 for x in s2) and mpf(P) < critical
            w = sorted(fabs(x) for x in s)
            cases.append({"P": P, "frequencies": w, "stability": "stable"})
        else:
            assert mpf(P) > critical
            root = max(s, key=lambda x: x.real)
            cases.append({"P": P, "frequencies": [abs(root), abs(root)], "growth": [-abs(root.real), abs(root.real)],
                          "swing": [abs(root.imag), abs(root.imag)], "stability": "unstable (flutter)"})
    write("ziegler", "Eigenvalues of Ziegler's column below and above its critical load", cases)


def belt_spring():
    cases = []
    m, k, l0, X, Y, g = mpf(2), mpf(400), mpf("0.4"), mpf("-0.4"), mpf("0.3"), mpf("9.81")
    for mu, v in (("0.4", "0.5"), ("0.2", "0.5"), ("0.05", "-0.2")):
        f, way = mpf(mu), (1 if mpf(v) > 0 else -1)
        L = lambda x: sqrt((x - X)**2 + Y**2)
        Fx = lambda x: -k * (L(x) - l0) * (x - X) / L(x)
        Fy = lambda x: k * (L(x) - l0) * Y / L(x)
        total = lambda x: Fx(x) + way * f * (m * g - Fy(x))
        x = findroot(total, [mpf("-0.15"), mpf("0.02")], solver="anderson", tol=1e-60)
        s2 = diff(total, x) / m
        assert s2 < 0
        cases.append({"mu": mu, "v": v, "x": x, "normal": m * g - Fy(x), "friction": way * f * (m * g - Fy(x)),
                      "stiffness": -s2, "stability": "stable"})
    write("belt_spring", "A mass on a running belt: where it stays, and its stiffness there", cases)


def nearest_point():
    r = mpf(2)
    plain, weighted, kept = [], [], []
    for x, y in (("3", "4"), ("-0.5", "0.2"), ("1.5", "-1.9")):
        X, Y = mpf(x), mpf(y)
        h = sqrt(X**2 + Y**2)
        plain.append({"x": x, "y": y, "at": [r * X / h, r * Y / h]})
        # weights 3 of x and 1 of y: minimise 9 (r cos - X)^2 + (r sin - Y)^2
        D = lambda t: 9 * (r * cos(t) - X)**2 + (r * sin(t) - Y)**2
        best = min((mp.mpf(i) * 2 * pi / 720 for i in range(720)), key=D)
        t = findroot(lambda s: diff(D, s), best)
        weighted.append({"x": x, "y": y, "at": [r * cos(t), r * sin(t)]})
    for x, y in (("1.2", "4"), ("-0.5", "0.2"), ("1.5", "-1.9")):
        X, Y = mpf(x), mpf(y)
        kept.append({"x": x, "y": y, "at": [X, sqrt(r**2 - X**2) * (1 if Y > 0 else -1)]})
    write("nearest_point", "The point of a circle nearest to an estimate", plain)
    write("nearest_point_weighted", "The same where x weighs three times as much", weighted)
    write("nearest_point_kept", "The same where x is kept", kept)


def sled_driven():
    m, g, s, k, c = mpf(4), mpf("9.81"), mpf("0.5"), mpf("0.3"), mpf(2)
    cases = []
    for T, v, acc in (("0.5", 0, 0), ("1.5", "0.5", 1), ("2.5", 1, 0), ("3.5", "0.5", -1), ("5", 0, 0)):
        if mpf(v) == 0:
            F = [-s * m * g, s * m * g]
        else:
            F = [m * acc + k * m * g + c * mpf(v)] * 2
        cases.append({"T": T, "force": F, "power": F[0] * mpf(v) if mpf(v) else mpf(0), "stuck": "plate" if mpf(v) == 0 else ""})
    write("sled_driven", "Force of the winch of a sled that is held, pulled and stopped", cases)


if __name__ == "__main__":
    ladder()
    slider_crank_load()
    slider_crank_driven()
    four_bar()
    pendulum_chain()
    spring_chain()
    inverted_pendulum()
    block_on_incline()
    wedge()
    lever_pin()
    balance()
    ziegler()
    belt_spring()
    nearest_point()
    sled_driven()
