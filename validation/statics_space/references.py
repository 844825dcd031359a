#!/usr/bin/env python3
# validation/statics_space/references.py
#
# Writes reference.toml of every problem in this folder from closed forms and independent computations with mpmath
# (40 digits). It knows nothing of hstar. Run it in this folder; the derivations are in the README of each problem.
import functools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from mpmath import (mp, mpf, pi, sin, cos, atan2, sqrt, findroot, diff, matrix, eye, zeros, diag, eigsy, eig, cholesky,
                    inverse, norm, acos, nstr, det, polyroots)

import truth_table

mp.dps = 40
write = functools.partial(truth_table.write, HERE)


def squares(K, M):
    """Eigenvalues of K x = w^2 M x, ascending, both symmetric."""
    L = inverse(cholesky(M))
    S = L * K * L.T
    return sorted(eigsy((S + S.T) / 2, eigvals_only=True))


def skew(a):
    return matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turn(th):
    """exp(th~), by its series: th may be a small difference."""
    X, term, out = skew(th), eye(3), eye(3)
    for i in range(1, 60):
        term = term * X / i
        out += term
    return out


def spherical_pendulum():
    cases = []
    for m, l, J in (("2.0", "0.4", "0.05 0.09 0.07 0.01 -0.02 0.015"), ("0.7", "0.15", "0.03 0.04 0.035 0.0 0.005 -0.005"),
                    ("1.0", "1.0", "0.1 0.1 0.15 0.0 0.0 0.0")):
        xx, yy, zz, xy, xz, yz = map(mpf, J.split())
        M, L, g = mpf(m), mpf(l), mpf("9.81")
        J0 = matrix([[xx + M * L**2, xy, xz], [xy, yy + M * L**2, yz], [xz, yz, zz]])
        I = inverse(J0)[:2, :2]
        w = [sqrt(M * g * L * x) for x in sorted(eigsy((I + I.T) / 2, eigvals_only=True))]
        names = dict(zip(("Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz"), J.split()))
        cases.append({"m": m, "l": l, **names, "frequencies": [mpf(0)] + w, "stability": "indifferent"})
    write("spherical_pendulum", "Frequencies of a body hanging from a ball joint", cases)


def universal_pendula():
    cases = []
    g, m1, m2 = mpf("9.81"), mpf("1.2"), mpf("0.8")
    A1, B1, A2, B2 = mpf("0.02"), mpf("0.03"), mpf("0.011"), mpf("0.006")
    for l, c1, P1, P2, way in (("0.5", "0.3", "0.005", "-0.002", "0.6"), ("0.4", "0.1", "0.0", "0.0", "0.0"),
                               ("0.7", "0.35", "-0.006", "0.003", "-1.1")):
        L, c, c2 = mpf(l), mpf(c1), mpf("0.2")
        M = zeros(4)
        for i in range(2):
            M[i, i] = (A1, B1)[i] + m1 * c**2 + m2 * L**2
            M[2 + i, 2 + i] = (A2, B2)[i] + m2 * c2**2
            M[i, 2 + i] = M[2 + i, i] = m2 * L * c2
        M[0, 1] = M[1, 0] = mpf(P1)
        M[2, 3] = M[3, 2] = mpf(P2)
        K = diag([(m1 * c + m2 * L) * g] * 2 + [m2 * c2 * g] * 2)
        cases.append({"l": l, "c1": c1, "P1": P1, "P2": P2, "turn": way, "frequencies": [sqrt(x) for x in squares(K, M)],
                      "stability": "stable"})
    write("universal_pendula", "Frequencies of a double pendulum with universal joints", cases)


def bushing_body():
    cases = []
    h = matrix([1, 1, 1]) / sqrt(mpf(3))
    g = skew(h) * matrix([1, 0, 0])
    g /= norm(g)
    f = skew(g) * h
    T = matrix([list(f), list(g), list(h)])
    for x, y, z, c in (("0.1", "-0.05", "0.2", "0"), ("0", "0", "0", "0"), ("0.02", "0.3", "-0.1", "0.0002")):
        s = matrix([mpf(x), mpf(y), mpf(z)])
        B = zeros(6)
        B[:3, :3], B[:3, 3:], B[3:, 3:] = T, -T * skew(s), T
        K = B.T * diag([4000, 6000, 9000, 120, 150, 200]) * B
        M = diag([3, 3, 3, mpf("0.04"), mpf("0.07"), mpf("0.05")])
        w = [sqrt(v) for v in squares(K, M)]
        cases.append({"x": x, "y": y, "z": z, "c": c, "frequencies": w, "damping": [mpf(c) * v / 2 for v in w],
                      "stability": "stable" if mpf(c) == 0 else "asymptotically stable"})
    write("bushing_body", "Six frequencies of a body in a bushing off its centre", cases)


def inclined_pendulum():
    cases = []
    J = matrix([["0.06", "0.01", "0.02"], ["0.01", "0.05", "-0.01"], ["0.02", "-0.01", "0.08"]])
    for beta, tilt in (("0.5", "0.6"), ("0", "-1.2"), ("1.2", "0.3")):
        b, m, d = mpf(beta), mpf("2.5"), mpf("0.35")
        u = matrix([cos(b), 0, sin(b)])
        about = (u.T * J * u)[0] + m * d**2
        cases.append({"beta": beta, "tilt": tilt, "frequency": sqrt(m * mpf("9.81") * d * cos(b) / about),
                      "place": [d * sin(b), mpf(0), -d * cos(b)], "angle": -mpf(tilt), "stability": "stable"})
    write("inclined_pendulum", "A physical pendulum about an inclined axis", cases)


def spherical_chain():
    cases = []
    m, l, g = mpf("0.5"), mpf("0.3"), mpf("9.81")
    for n in (1, 2, 4):
        M, K = zeros(n), zeros(n)
        for i in range(1, n + 1):
            K[i - 1, i - 1] = m * g * l * (n - i + mpf(1) / 2)
            for j in range(1, n + 1):
                M[i - 1, j - 1] = m * l**2 * (n - max(i, j) + (mpf(1) / 3 if i == j else mpf(1) / 2))
        w = [sqrt(x) for x in squares(K, M)]
        cases.append({"n": n, "frequencies": [mpf(0)] * n + [x for x in w for _ in range(2)], "stability": "indifferent"})
    write("spherical_chain", "Frequencies of a hanging chain of rods with ball joints", cases)


def hanging_plate():
    cases = []
    m, g, l0 = mpf(4), mpf("9.81"), mpf("0.4")
    J = [mpf("0.03"), mpf("0.04"), mpf("0.06")]
    P = [matrix(p) for p in (["0.5", 0, 0], ["-0.3", "0.4", 0], ["-0.3", "-0.4", "0.1"])]
    S = [matrix(p) for p in (["0.2", 0, "0.05"], ["-0.1", "0.2", "0.05"], ["-0.1", "-0.15", "0.05"])]
    for ks in (("300", "450", "250"), ("200", "200", "400")):
        k = [mpf(x) for x in ks]

        def gradient(r, A):
            """Of V by displacement and turn in body axes."""
            force, moment = matrix([0, 0, m * g]), matrix([0, 0, 0])
            for i in range(3):
                d = r + A * S[i] - P[i]
                n = k[i] * (1 - l0 / norm(d)) * d
                force += n
                moment += skew(S[i]) * (A.T * n)
            return matrix(list(force) + list(moment))

        def hessian(r, A):
            H, h = zeros(6), mpf(10)**-12
            for j in range(6):
                step = [matrix(3, 1), matrix(3, 1)]
                step[j // 3][j % 3] = h
                up = gradient(r + step[0], A * turn(step[1]))
                down = gradient(r - step[0], A * turn(-step[1]))
                for i in range(6):
                    H[i, j] = (up[i] - down[i]) / (2 * h)
            return H

        def potential(r, A):
            return m * g * r[2] + sum(k[i] / 2 * (norm(r + A * S[i] - P[i]) - l0)**2 for i in range(3))

        # Down by small steps, then Newton.
        r, A = matrix(["0.02", "0.01", "-0.45"]), eye(3)
        mp.dps = 20
        step = mpf("0.0005")
        for _ in range(6000):
            G = gradient(r, A)
            if norm(G) < mpf("1e-3"):
                break
            r = r - step * matrix(list(G)[:3])
            A = A * turn(-step * 20 * matrix(list(G)[3:]))
        mp.dps = 40
        for _ in range(12):
            G, H = gradient(r, A), hessian(r, A)
            x = mp.lu_solve(H, -G)
            r, A = r + matrix(list(x)[:3]), A * turn(matrix(list(x)[3:]))
        assert norm(gradient(r, A)) < mpf(10)**-25
        H = hessian(r, A)
        e0 = sqrt(1 + A[0, 0] + A[1, 1] + A[2, 2]) / 2
        e = [e0, (A[2, 1] - A[1, 2]) / (4 * e0), (A[0, 2] - A[2, 0]) / (4 * e0), (A[1, 0] - A[0, 1]) / (4 * e0)]
        stiff = squares((H + H.T) / 2, diag([m, m, m] + J))
        assert stiff[0] > 0
        cases.append({"k1": ks[0], "k2": ks[1], "k3": ks[2], "place": list(r), "orientation": e, "stiffness": stiff,
                      "stability": "stable"})
    write("hanging_plate", "Where a plate on three springs hangs", cases)


def tripod():
    m, g, R, k, l0 = mpf("1.5"), mpf("9.81"), mpf("0.6"), mpf(2000), mpf("0.65")
    V = lambda z: m * g * z + 3 * k / 2 * (sqrt(R**2 + z**2) - l0)**2
    at = lambda start: findroot(lambda z: diff(V, z), mpf(start))
    stable, top = [], []
    for cases, starts in ((stable, ("0.2", "-0.1", "0.35")), (top, ("0.03",))):
        for start in starts:
            z = at(start if cases is top else ("0.23" if mpf(start) > 0 else "-0.27"))
            c = diff(V, z, 2) / m
            assert (c < 0) == (cases is top)
            cases.append({"z": start, "height": z, "slide": z - mpf(start), "stiffness": c,
                          "stability": "unstable" if cases is top else "stable"})
    write("tripod", "The stable positions of a tripod that snaps through", stable)
    write("tripod_top", "The unstable position of a tripod that snaps through", top)


def hooke_driven():
    cases = []
    J1, J2, c = mpf("0.02"), mpf("0.05"), mpf("0.4")
    for beta, w, a, T in (("0.6", "8", "3", "0.3"), ("0.6", "8", "0", "1.1"), ("1.0", "20", "-15", "0.5"),
                          ("0", "5", "2", "0.4")):
        b, t = mpf(beta), mpf(T)
        one = lambda t: mpf(w) * t + mpf(a) * t**2 / 2
        two = lambda th: th + atan2(sin(th) * (cos(b) - 1) * cos(th), cos(th)**2 + cos(b) * sin(th)**2)
        th = one(t)
        rate, second = diff(two, th), diff(lambda t: two(one(t)), t, 2)
        torque = J1 * mpf(a) + (J2 * second + c * diff(lambda t: two(one(t)), t)) * rate
        cases.append({"beta": beta, "w": w, "a": a, "T": T, "torque": [torque] * 3,
                      "power": torque * (mpf(w) + mpf(a) * t)})
    write("hooke_driven", "Torque of a motor before a universal joint", cases)


def rssr_driven():
    cases = []
    a, b, c, X, Y = mpf("0.2"), mpf("0.5"), mpf("0.9"), mpf("0.6"), mpf("0.25")
    m, J, k, g = mpf("1.4"), mpf("0.04") + mpf("1.4") * mpf("0.25")**2, mpf(20), mpf("9.81")

    def rocker(th):
        A = 2 * b * (X - a * cos(th))
        C = c**2 - b**2 - (X - a * cos(th))**2 - (Y - a * sin(th))**2
        return mp.asin(C / A)

    for w, T in (("6", "0.2"), ("6", "0.9"), ("25", "0.1"), ("0.5", "2")):
        t, om = mpf(T), mpf(w)
        th = om * t
        ratio = diff(rocker, th)
        second = diff(rocker, th, 2) * om**2
        ph = rocker(th)
        torque = (k * ph - m * g * b / 2 * sin(ph) + J * second) * ratio
        cases.append({"w": w, "T": T, "torque": torque, "power": torque * om})
    write("rssr_driven", "Torque on the crank of an RSSR linkage", cases)


def gimbal_top():
    cases = []
    m, d, Jt, C, g = mpf("1.3"), mpf("0.12"), mpf("0.004"), mpf("0.007"), mpf("9.81")
    A = Jt + m * d**2
    free = lambda th, om: ((A * om**2 * cos(th) + m * g * d) / (C * om) - om * cos(th))
    for tilt, om, s in (("0.7", "2", "30"), ("1.2", "-3", "80"), ("0", "2", "50"),
                        ("0.7", "4", nstr(free(mpf("0.7"), mpf(4)), 17))):
        th, w, sp = mpf(tilt), mpf(om), mpf(s)
        hold = w * sin(th) * (C * (sp + w * cos(th)) - A * w * cos(th)) - m * g * d * sin(th)
        cases.append({"tilt": tilt, "Om": om, "s": s, "torques": [mpf(0), hold, mpf(0)]})
    write("gimbal_top", "Torque that holds a top at its tilt while it precesses and spins", cases)


def screw_jack():
    cases = []
    m, J, g, k, t = mpf(12), mpf("0.03"), mpf("9.81"), mpf(900), mpf(3)
    for pitch, beta, w, al in (("0.05", "0.4", "1", "2.5"), ("-0.02", "0", "10", "0"), ("0.3", "1.2", "-4", "6")):
        h, b = mpf(pitch) / (2 * pi), mpf(beta)
        angle, rate = mpf(w) * t + mpf(al) * t**2 / 2, mpf(w) + mpf(al) * t
        torque = J * mpf(al) + h * (m * h * mpf(al) + m * g * cos(b) + k * h * angle)
        cases.append({"pitch": pitch, "beta": beta, "w": w, "al": al, "torque": torque, "power": torque * rate})
    write("screw_jack", "Torque on a screw that lifts a load", cases)


def slider_driven():
    cases = []
    M, m, d, J, g, b = mpf(3), mpf("1.1"), mpf("0.4"), mpf("0.02"), mpf("9.81"), mpf("0.2")
    u = [mpf("0.6"), mpf("0.64"), mpf("0.48")]
    for psi, w, T in (("0.5", "3", "0.7"), ("-0.8", "9", "1.3"), ("2.0", "0.5", "2")):
        t = mpf(T)
        x = lambda t: b * sin(mpf(w) * t)
        ps = lambda t: mpf(psi) - mpf("0.3") * t**2
        place = [lambda t: x(t) * u[0] + d * sin(ps(t)), lambda t: x(t) * u[1], lambda t: x(t) * u[2] - d * cos(ps(t))]
        acc = [diff(p, t, 2) for p in place]
        x2, p = diff(x, t, 2), ps(t)
        force = M * x2 + m * sum(q * r for q, r in zip(acc, u)) + (M + m) * g * u[2]
        torque = -J * diff(ps, t, 2) - m * d * (acc[0] * cos(p) + (acc[2] + g) * sin(p))
        cases.append({"psi": psi, "w": w, "T": T, "force": force, "torque": torque,
                      "power": [force * diff(x, t), torque * mpf("0.6") * t]})
    write("slider_driven", "Force on a driven slider and torque on the arm that it carries", cases)


def ziegler():
    cases = []
    m, l, k, J1, J2 = mpf("1.5"), mpf("0.4"), mpf(6), mpf("0.03"), mpf("0.01")
    for P in ("5", "25", "60"):
        p = mpf(P)
        a, b, c = 3 * m * l**2 + J1, m * l**2, m * l**2 + J2
        # det([[a x + 2k - P l, b x - k + P l], [b x - k, c x + k]]) = 0, x = s^2
        q = [a * c - b * b, a * k + c * (2 * k - p * l) - b * (-k + p * l) + b * k, k * (2 * k - p * l) + k * (-k + p * l)]
        roots = polyroots(q, maxsteps=200, extraprec=200)
        s = [mp.sqrt(mp.mpc(x)) for x in roots]
        s = [x if x.imag >= 0 else -x for x in s]
        if all(abs(x.real) < mpf(10)**-30 for x in s):
            w = sorted(x.imag for x in s)
            case = {"P": P, "frequencies": w, "stability": "stable"}
        else:
            z = s[0]
            case = {"P": P, "frequencies": [abs(z)] * 2, "growth": sorted([-abs(z.real), abs(z.real)]),
                    "swing": [abs(z.imag)] * 2, "stability": "unstable (flutter)"}
        cases.append(case)
    write("ziegler", "Flutter of Ziegler's column in space", cases)


def ball_arm():
    cases = []
    s = mpf(2)
    for x, y, z in (("1.5", "1.0", "0.5"), ("2.5", "-0.3", "0.9"), ("-0.4", "1.9", "0.2")):
        r0 = matrix([mpf(x), mpf(y), mpf(z)])
        L = max([s] + [abs(v) for v in r0])
        far, ga = norm(r0), acos(r0[0] / norm(r0))
        cost = lambda ph: (far**2 + s**2 - 2 * s * far * cos(ga - ph)) / L**2 + ph**2
        ph = findroot(lambda p: diff(cost, p), ga / 2)
        u = skew(matrix([1, 0, 0])) * r0
        u /= norm(u)
        r = turn(ph * u) * matrix([s, 0, 0])
        cases.append({"x": x, "y": y, "z": z, "place": list(r), "orientation": [cos(ph / 2)] + list(sin(ph / 2) * u)})
    write("ball_arm", "The position of an arm on a ball joint nearest to an estimate", cases)


def stuck_gate():
    cases = []
    m, d, g, r, rt = mpf("2.5"), mpf("0.35"), mpf("9.81"), mpf("0.08"), mpf("0.05")
    for beta, tilt, mu in (("0.5", "0.05", "0.4"), ("0", "-0.08", "0.4"), ("1.1", "0.1", "0.3"), ("0.5", "0.6", "0.4")):
        b, t, f = mpf(beta), mpf(tilt), mpf(mu)
        most = mp.asin(f * (r * cos(b) + rt * sin(b)) / (d * cos(b)))
        held = abs(t) <= most
        case = {"beta": beta, "tilt": tilt, "mu": mu, "angle": [-most - t, most - t]}
        at = t if held else mpf(0)  # otherwise where nothing needs friction
        case["moment"] = m * g * d * cos(b) * sin(at)
        case["reserve"] = f * m * g * (r * cos(b) + rt * sin(b)) - abs(case["moment"])
        case["held"] = 1 if held else 0
        case["mode"], case["stability"] = "stick", "held"
        cases.append(case)
    write("stuck_gate", "Angles at which a gate stands by the friction of its hinge", cases)


def sliding_block():
    cases = []
    m, g, k = mpf(3), mpf("9.81"), mpf(400)
    for al, mu, Q, s in (("0.5", "0.3", "20", "-0.03"), ("0.2", "0.5", "-40", "0.01"), ("1.0", "0.2", "5", "-0.06")):
        a, f, q, x = mpf(al), mpf(mu), mpf(Q), mpf(s)
        N = sqrt((m * g * cos(a))**2 + q**2)
        force = k * x + m * g * sin(a)
        assert abs(force) <= f * N
        cases.append({"al": al, "mu": mu, "Q": Q, "s": s, "normal": N, "force": force,
                      "way": [(-f * N - m * g * sin(a)) / k, (f * N - m * g * sin(a)) / k], "stability": "held"})
    write("sliding_block", "Where a block on a rail stands, pressed sideways", cases)


def rssp_stuck():
    cases = []
    r, l, h, P = mpf("0.1"), mpf("0.4"), mpf("0.15"), mpf(500)
    for theta, mu in (("0.9", "0.2"), ("2.2", "0.15"), ("1.5", "0.4")):
        th, f = mpf(theta), mpf(mu)
        p = [r * cos(th), r * sin(th)]
        e = [sqrt(l**2 - h**2 - p[1]**2) / l, -p[1] / l, h / l]
        q, arm = sqrt(e[1]**2 + e[2]**2), p[0] * e[1] - p[1] * e[0]
        T = sorted(arm * P / (e[0] + sign * f * q) for sign in (1, -1))
        at = mpf(nstr((T[0] + T[1]) / 2, 17))
        S = at / arm
        cases.append({"theta": theta, "mu": mu, "torque": nstr(at, 17), "load": T,
                      "reserve": f * S * q - abs(P - S * e[0]), "stability": "held"})
    write("rssp_stuck", "Torques on the crank at which a spatial slider-crank stays stuck", cases)


def sled_driven():
    m, g, s, k, c, Q = mpf(4), mpf("9.81"), mpf("0.5"), mpf("0.3"), mpf(2), mpf(30)
    N = sqrt((m * g)**2 + Q**2)
    cases = []
    for T, v, acc in (("0.5", 0, 0), ("1.5", "0.5", 1), ("2.5", 1, 0), ("3.5", "0.5", -1), ("5", 0, 0)):
        F = [-s * N, s * N] if mpf(v) == 0 else [m * acc + k * N + c * mpf(v)] * 2
        cases.append({"T": T, "force": F, "power": F[0] * mpf(v) if mpf(v) else mpf(0), "stuck": "rail" if mpf(v) == 0 else ""})
    write("sled_driven", "Force of a winch that pulls a sled along a rail", cases)


def stool():
    cases = []
    W = mpf(5) * mpf("9.81")
    A = matrix([[1, 1, 1], ["0.2", "-0.15", "-0.1"], ["0.05", "0.18", "-0.2"]])
    for P, x, y in (("30", "0.1", "0.12"), ("10", "0.25", "-0.15"), ("60", "-0.2", "0.0")):
        weight = mp.lu_solve(A, matrix([W, 0, 0]))
        load = mp.lu_solve(A, matrix([1, mpf(x), mpf(y)]))
        ends = [-weight[i] / load[i] for i in range(3)]
        forces = [weight[i] + mpf(P) * load[i] for i in range(3)]
        assert min(forces) > 0
        low, high = max(e for e in ends if e < 0), min(e for e in ends if e > 0)
        cases.append({"P": P, "x": x, "y": y, "forces": forces, "loads": [low, high], "one": "closed",
                      "stability": "indifferent"})
    write("stool", "Forces under the feet of a loaded stool", cases)


def ball_in_corner():
    cases = []
    W, R = mpf("0.8") * mpf("9.81"), mpf("0.15")
    for a, b, c in (("0.3", "0.5", "0.4"), ("0.6", "0.2", "0.8")):
        A, B, C = mpf(a), mpf(b), mpf(c)
        n = [matrix([-A, 0, 1]), matrix([B, -A, 1]), matrix([A, C, 1])]
        rows = matrix([list(v / norm(v)) for v in n])
        r, N = mp.lu_solve(rows, matrix([R, R, R])), mp.lu_solve(rows.T, matrix([0, 0, W]))
        assert min(N) > 0
        cases.append({"a": a, "b": b, "c": c, "place": list(r), "forces": list(N), "stability": "indifferent"})
    write("ball_in_corner", "Where a ball rests in a corner of three planes", cases)


def four_bar():
    """The reference of the planar problem, by whoever computes that."""
    with open(os.path.join(HERE, "..", "statics", "four_bar", "reference.toml")) as planar:
        words = planar.read().replace('id = "statics/four_bar"', 'id = "statics_space/four_bar"')
    with open(os.path.join(HERE, "four_bar", "reference.toml"), "w") as out:
        out.write(words)


if __name__ == "__main__":
    spherical_pendulum()
    universal_pendula()
    bushing_body()
    inclined_pendulum()
    spherical_chain()
    hanging_plate()
    tripod()
    hooke_driven()
    rssr_driven()
    gimbal_top()
    screw_jack()
    slider_driven()
    ziegler()
    ball_arm()
    stuck_gate()
    sliding_block()
    rssp_stuck()
    sled_driven()
    stool()
    ball_in_corner()
    four_bar()
