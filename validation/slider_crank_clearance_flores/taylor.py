#!/usr/bin/env python3
"""Makes taylor.toml: the slider-crank with clearance computed independently of hstar (needs mpmath).

The slider does not turn (both corners of a side share every impulse, and friction's moment is far inside what they can
carry), so that two angles and one gap to each wall remain. Taylor series of the equations of motion in multiple
precision, in contact with the normal force as a third unknown; roots of the series of the gap, of the normal force and
of the sliding velocity; accumulations followed until the impact speed is below `cut`, then closed at their limit. Runs
with 40 digits and cut 1e-14 and with 60 digits and cut 1e-22 agree in all digits that taylor.toml gives.

    taylor.py [digits [cut]] > taylor.toml
"""
import sys

from mpmath import cos, linspace, lu_solve, matrix, mp, mpf, polyval, sin

mp.dps = int(sys.argv[1]) if len(sys.argv) > 1 else 60
cut = mpf(sys.argv[2]) if len(sys.argv) > 2 else mpf("1e-22")
order = int(0.73 * mp.dps)

l1, l2, play, g = mpf("0.153"), mpf("0.306"), mpf("0.001"), mpf("9.81")
m1, m2, m3, J1, J2 = mpf("0.038"), mpf("0.038"), mpf("0.076"), mpf("7.4e-5"), mpf("5.9e-4")
e, mu = mpf("0.4"), mpf("0.01")
M11 = J1 + (m1 / 4 + m2 + m3) * l1**2
M22 = J2 + (m2 / 4 + m3) * l2**2
M12 = (m2 / 2 + m3) * l1 * l2  # times cos(theta1 - theta2)
W1, W2 = (m1 / 2 + m2 + m3) * g * l1, (m2 / 2 + m3) * g * l2


def product(x, y, k, first=0):
    """Coefficient k of the product of two series, terms of x from `first` on."""
    return sum((x[i] * y[k - i] for i in range(first, k + 1)), mpf(0))


def series(theta, omega, side, slip):
    """Series of theta1, theta2, omega1, omega2, slider x, y and normal force N. side: wall in contact (+1 upper, -1
    lower, 0 none), slip: sign of the slider's velocity."""
    A, B, U, V, N = [theta[0]], [theta[1]], [omega[0]], [omega[1]], []
    s1, c1, s2, c2 = [sin(A[0])], [cos(A[0])], [sin(B[0])], [cos(B[0])]
    sd, cd = [sin(A[0] - B[0])], [cos(A[0] - B[0])]
    uu, vv, a, b = [], [], [], []
    for k in range(order):
        uu.append(product(U, U, k))
        vv.append(product(V, V, k))
        r1 = -M12 * product(sd, vv, k) - W1 * c1[k] - M12 * sum((cd[i] * b[k - i] for i in range(1, k + 1)), mpf(0))
        r2 = M12 * product(sd, uu, k) - W2 * c2[k] - M12 * sum((cd[i] * a[k - i] for i in range(1, k + 1)), mpf(0))
        m12 = M12 * cd[0]
        if side == 0:
            det = M11 * M22 - m12**2
            a.append((r1 * M22 - m12 * r2) / det)
            b.append((M11 * r2 - m12 * r1) / det)
        else:
            # The wall pushes with -side N, friction with -slip mu N; the slider's height stays.
            q1 = [l1 * (slip * mu * s1[i] - side * c1[i]) for i in range(k + 1)]
            q2 = [l2 * (slip * mu * s2[i] - side * c2[i]) for i in range(k + 1)]
            r1 += sum((q1[i] * N[k - i] for i in range(1, k + 1)), mpf(0))
            r2 += sum((q2[i] * N[k - i] for i in range(1, k + 1)), mpf(0))
            r3 = l1 * (product(s1, uu, k) - sum((c1[i] * a[k - i] for i in range(1, k + 1)), mpf(0)))
            r3 += l2 * (product(s2, vv, k) - sum((c2[i] * b[k - i] for i in range(1, k + 1)), mpf(0)))
            x = lu_solve(matrix([[M11, m12, -q1[0]], [m12, M22, -q2[0]], [l1 * c1[0], l2 * c2[0], 0]]), matrix([r1, r2, r3]))
            a.append(x[0])
            b.append(x[1])
            N.append(x[2])
        U.append(a[k] / (k + 1))
        V.append(b[k] / (k + 1))
        A.append(U[k] / (k + 1))
        B.append(V[k] / (k + 1))
        for S, C, rate in ((s1, c1, U), (s2, c2, V), (sd, cd, [U[i] - V[i] for i in range(k + 1)])):
            next_s, next_c = product(C, rate, k) / (k + 1), -product(S, rate, k) / (k + 1)
            S.append(next_s)
            C.append(next_c)
    x = [l1 * c1[i] + l2 * c2[i] for i in range(order)]
    y = [l1 * s1[i] + l2 * s2[i] for i in range(order)]
    return A[:order], B[:order], U[:order], V[:order], x, y, N


def at(p, h):
    return polyval(p[::-1], h)


def reach(A, B):
    """A step that leaves no more than round-off of the series out."""
    tiny = mpf(10) ** (4 - mp.dps)
    return mpf("0.9") * min((tiny / abs(p[k])) ** (mpf(1) / k) for p in (A, B) for k in (order - 1, order - 2) if p[k] != 0)


def first_root(p, h):
    """The first place in (0, h] where p becomes negative, or None."""
    places = linspace(0, h, 201)
    for lo, hi in zip(places, places[1:]):
        if at(p, hi) < 0:
            for _ in range(4 * mp.dps):
                middle = (lo + hi) / 2
                lo, hi = (lo, middle) if at(p, middle) < 0 else (middle, hi)
            return (lo + hi) / 2
    return None


def response(theta):
    """Rows of the slider's velocity in x and y, and the inverse of the mass matrix."""
    m12 = M12 * cos(theta[0] - theta[1])
    det = M11 * M22 - m12**2
    inverse = matrix([[M22, -m12], [-m12, M11]]) / det
    return (matrix([-l1 * sin(theta[0]), -l2 * sin(theta[1])]), matrix([l1 * cos(theta[0]), l2 * cos(theta[1])]), inverse)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


def impact(theta, omega, side):
    """Newton's restitution, Coulomb's law on the sliding velocity after the impact; here it always slips."""
    jx, jy, inverse = response(theta)
    n = -side * jy
    approach, slide = dot(n, omega), dot(jx, omega)
    nn, nt, tt = dot(n, inverse * n), dot(n, inverse * jx), dot(jx, inverse * jx)
    for d in (1, -1):
        normal = -(1 + e) * approach / (nn - d * mu * nt)
        tangential = -d * mu * normal
        if normal > 0 and d * (slide + nt * normal + tt * tangential) > 0:
            return omega + inverse * (n * normal + jx * tangential), -approach
    raise ArithmeticError("sticks")


def onto_wall(theta, omega, side):
    for _ in range(6):
        _, jy, inverse = response(theta)
        gap = side * play - (l1 * sin(theta[0]) + l2 * sin(theta[1]))
        theta = theta + inverse * jy * (gap / dot(jy, inverse * jy))
    jx, jy, inverse = response(theta)
    omega = omega - inverse * jy * (dot(jy, omega) / dot(jy, inverse * jy))
    return theta, omega, 1 if dot(jx, omega) > 0 else -1


def main():
    end, outputs = mpf("0.2"), [mpf(x) for x in "0.0025 0.005 0.01 0.02 0.03 0.05 0.1 0.2".split()]
    t, theta, omega, side, slip = mpf(0), matrix([0, 0]), matrix([150, -75]), 0, 0
    left, power = 0, 0  # the wall just left, and the power of time with which its gap begins
    rows, events = [], {"impact": [], "zeno": [], "liftoff": [], "reversal": []}
    while t < end:
        A, B, U, V, x, y, N = series(theta, omega, side, slip)
        h = min(reach(A, B), end - t)
        found = []
        if side == 0:
            for wall in (1, -1):
                gap = [(play if i == 0 else 0) - wall * c for i, c in enumerate(y)]
                found.append((first_root(gap[power:] if wall == left else gap, h), "impact", wall))
        else:
            found.append((first_root(N, h), "liftoff", side))
            found.append((first_root([slip * i * x[i] for i in range(1, order)], h), "reversal", side))
        found = [f for f in found if f[0] is not None]
        step, kind, wall = min(found) if found else (h, None, 0)
        rows += [(o, at(A, o - t), at(B, o - t), at(U, o - t), at(V, o - t)) for o in outputs if t < o <= t + step]
        theta, omega, t, left = matrix([at(A, step), at(B, step)]), matrix([at(U, step), at(V, step)]), t + step, 0
        if kind == "impact":
            omega, speed = impact(theta, omega, wall)
            if speed > mpf("1e-4") and not events["zeno"]:
                events[kind].append(t)
            left, power = wall, 1
            if speed < cut:
                towards = 2 * wall * series(theta, omega, 0, 0)[5][2]
                t += 2 * e * speed / towards / (1 - e)
                theta, omega, slip = onto_wall(theta, omega, wall)
                side = wall
                events["zeno"].append(t)
        elif kind == "liftoff":
            left, power, side = side, 3, 0
            events[kind].append(t)
        elif kind == "reversal":
            slip = -slip
            events[kind].append(t)
    print("# Made by taylor.py, independently of hstar: Taylor series with %d digits." % mp.dps)
    for name, times in events.items():
        print("%s = [%s]" % (name, ", ".join(mp.nstr(x, 16) for x in times)))
    print('columns = ["t", "theta1", "theta2", "omega1", "omega2"]')
    print("rows = [\n%s\n]" % ",\n".join("  [%s]" % ", ".join(mp.nstr(x, 16) for x in row) for row in rows))


main()
