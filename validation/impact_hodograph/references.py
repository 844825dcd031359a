#!/usr/bin/env python3
"""Impacts of single contacts in space, to 20 digits, by another way than hstar's (README.md).

hstar expands the sliding velocity in Taylor series of tau, dLambda_N = |w| d tau. Here the equations are integrated
  (a) in the normal impulse itself, where the contact does not stop sliding before the impact is over, and
  (b) in sigma = -log |w| with the direction as an angle, where it does; the rest of the way is then straight,
with mpmath at 30 digits. Prints the rows of the table in tests/laws/spatial_impacts.cpp.
"""
import sys

from mpmath import mp, mpf, matrix, sqrt, cos, sin, atan2, odefun, findroot, exp

mp.dps = 30

# name, M: G = M M^T (so that it is an inertia), gamma before (N, T1, T2), mu, e
CASES = [
    ("turns, no stop", [[1.3, 0, 0], [0.4, 1.1, 0], [-0.3, 0.5, 0.9]], [-2.0, 1.5, 2.5], 0.3, 0.6),
    ("stops, sticks", [[1.2, 0, 0], [0.2, 1.5, 0], [0.3, -0.4, 0.8]], [-3.0, 0.6, -0.5], 0.9, 0.5),
    ("stops in restitution", [[1.0, 0, 0], [-0.25, 1.0, 0], [0.2, 0.3, 1.2]], [-1.0, 0.5, 1.3], 0.7, 0.8),
    ("stops, slips again", [[0.8, 0, 0], [-0.36, 0.12, 0], [0.7, 0.79, 0.36]], [-1.61, 0.98, 1.84], 1.3, 0.32),
    ("swings round the origin", [[1.0, 0, 0], [0.8, 0.7, 0], [0.0, 0.1, 0.5]], [-1.5, -0.9, 0.02], 0.3, 0.7),
    ("compressed twice", [[0.62, 0, 0], [-0.81, 0.7, 0], [-0.21, 0.51, 0.9]], [-0.14, 0.23, 0.55], 1.42, 0.95),
]


class Impact:
    def __init__(self, M, v, mu):
        M = matrix([[mpf(str(x)) for x in row] for row in M])
        G = M * M.T
        self.G, self.v, self.mu = G, [mpf(str(x)) for x in v], mpf(str(mu))
        self.nn, self.g, self.B = G[0, 0], [G[1, 0], G[2, 0]], [[G[1, 1], G[1, 2]], [G[2, 1], G[2, 2]]]

    def rates(self, w):
        """d/dp of w1, w2, T1, T2 at w != 0."""
        s = sqrt(w[0] ** 2 + w[1] ** 2)
        t = [-self.mu * w[0] / s, -self.mu * w[1] / s]
        return [self.g[i] + self.B[i][0] * t[0] + self.B[i][1] * t[1] for i in (0, 1)] + t

    def gap(self, y, p):
        return self.v[0] + self.nn * p + self.g[0] * y[2] + self.g[1] * y[3]

    # y = (w1, w2, T1, T2, W)
    def by_impulse(self):
        f = lambda p, y: self.rates(y) + [self.gap(y, p)]
        return odefun(f, 0, [self.v[1], self.v[2], mpf(0), mpf(0), mpf(0)])

    # y = (angle, p, T1, T2, W) over sigma
    def by_log_speed(self, p0, y0):
        s0 = sqrt(y0[0] ** 2 + y0[1] ** 2)

        def f(sigma, y):
            u = [cos(y[0]), sin(y[0])]
            s = s0 * exp(-sigma)
            r = self.rates(u)
            along, across = r[0] * u[0] + r[1] * u[1], r[1] * u[0] - r[0] * u[1]
            step = -s / along
            return [-across / along, step, r[2] * step, r[3] * step, self.gap([0, 0, y[2], y[3]], y[1]) * step]

        return odefun(f, 0, [atan2(y0[1], y0[0]), p0, y0[2], y0[3], y0[4]])

    def after_stop(self):
        """t = dT/dp at w = 0: sticking, or the one slip that leaves."""
        det = self.B[0][0] * self.B[1][1] - self.B[0][1] ** 2
        g, B = self.g, self.B
        t = [-(B[1][1] * g[0] - B[0][1] * g[1]) / det, -(B[0][0] * g[1] - B[0][1] * g[0]) / det]
        if t[0] ** 2 + t[1] ** 2 <= self.mu ** 2:
            return t, "stick"
        # The slip: nothing across, more along; scanned, then polished.
        def across(phi):
            r = self.rates([cos(phi), sin(phi)])
            return -r[0] * sin(phi) + r[1] * cos(phi)

        n = 720
        for k in range(n):
            a, b = 2 * mp.pi * k / n, 2 * mp.pi * (k + 1) / n
            if across(a) * across(b) <= 0:
                phi = findroot(across, (a, b), solver="anderson", tol=1e-50)
                r = self.rates([cos(phi), sin(phi)])
                if r[0] * cos(phi) + r[1] * sin(phi) > 0:
                    return [r[2], r[3]], "slip again"
        raise ValueError("no way to leave")


def follow_roughly(I):
    """In floating point: does it stop, and from which impulse on does the speed only fall?"""
    g, B, mu = [float(x) for x in I.g], [[float(x) for x in row] for row in I.B], float(I.mu)
    w, p, dp, falls = [float(I.v[1]), float(I.v[2])], 0.0, 1e-5, 0.0
    while p < 8:
        s = (w[0] ** 2 + w[1] ** 2) ** 0.5
        if s < 5e-5:
            return True, falls
        u = [w[0] / s, w[1] / s]
        r = [g[i] - mu * (B[i][0] * u[0] + B[i][1] * u[1]) for i in (0, 1)]
        if r[0] * u[0] + r[1] * u[1] > -1e-3:
            falls = p + 0.01
        w = [w[0] + dp * r[0], w[1] + dp * r[1]]
        p += dp
    return False, 0.0


def solve(I, e):
    """Lambda by Poisson's and by Stronge's law."""
    stops, falls = follow_roughly(I)
    first = I.by_impulse()
    word = "slip"
    if stops:
        start = mpf(round(falls, 2))
        way = I.by_log_speed(start, first(start) if start > 0 else [I.v[1], I.v[2], mpf(0), mpf(0), mpf(0)])
        last = mpf(64)  # |w| falls by 1.6e-28
        end = way(last)
        t, after = I.after_stop()
        word += ", " + after
        p_stop, T_stop, W_stop = end[1], [end[2], end[3]], end[4]
        gap_stop = I.gap([0, 0] + T_stop, p_stop)
        rate = I.nn + I.g[0] * t[0] + I.g[1] * t[1]

        def state(x):  # x: impulse up to `start`, then sigma up to `last`, then impulse again
            if x <= start and start > 0:
                y = first(x)
                return x, [y[2], y[3]], y[4], I.gap(y, x)
            x -= start
            if x <= last:
                y = way(x)
                return y[1], [y[2], y[3]], y[4], I.gap([0, 0, y[2], y[3]], y[1])
            q = x - last
            return (p_stop + q, [T_stop[0] + t[0] * q, T_stop[1] + t[1] * q],
                    W_stop + gap_stop * q + rate * q * q / 2, gap_stop + rate * q)

        points = [start * k / 40 for k in range(40)] if start > 0 else []
        points += [start + last * k / 128 for k in range(129)] + [start + last + mpf(k) / 20 for k in range(1, 400)]
    else:

        def state(x):
            y = first(x)
            return x, [y[2], y[3]], y[4], I.gap(y, x)

        points = [mpf(k) / 20 for k in range(161)]

    gap = lambda x: state(x)[3]
    pieces = []  # between changes of sign of gamma_N
    for x, y in zip(points, points[1:]):
        if (gap(x) < 0) != (gap(y) < 0):
            middle = findroot(gap, (x, y), solver="anderson", tol=1e-56)
            pieces += [(x, middle), (middle, y)]
        else:
            pieces.append((x, y))
    return {law: impulse(law, e, pieces, state, gap) for law in ("poisson", "stronge")}, word, changes(pieces, gap)


def changes(pieces, gap):
    signs = [gap((x + y) / 2) < 0 for x, y in pieces]
    return sum(a != b for a, b in zip(signs, signs[1:]))


def impulse(law, e, pieces, state, gap):
    which, factor = (0, e) if law == "poisson" else (2, e * e)
    compression, restitution = mpf(0), mpf(0)
    for x, y in pieces:
        amount = state(y)[which] - state(x)[which]
        if gap((x + y) / 2) < 0:
            compression += abs(amount)
            continue
        left = factor * compression - restitution
        if left <= amount:
            at = state(x)[which] + left
            end = state(findroot(lambda z: state(z)[which] - at, (x, y), solver="anderson", tol=1e-56))
            return [end[0]] + end[1]
        restitution += amount
    return [mpf("nan")] * 3


if __name__ == "__main__":
    for name, M, v, mu, e in CASES:
        if len(sys.argv) > 1 and sys.argv[1] not in name:
            continue
        answers, word, signs = solve(Impact(M, v, mu), mpf(str(e)))
        print("//", name, "|", word, "| changes of sign of gamma_N:", signs)
        for law in ("poisson", "stronge"):
            print("   ", law, [mp.nstr(x, 20) for x in answers[law]])
