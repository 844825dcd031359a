#!/usr/bin/env python3
"""Writes reference.toml: the free motion of an asymmetric body in Jacobi elliptic functions, 30 digits (mpmath).

Landau & Lifshitz, Mechanics, 3rd ed., sec. 37, with I1 < I2 < I3, M^2 > 2 E I2 and omega_2 = 0 at t = 0. The attitude:
with Z along the angular momentum M, R = Z(psi) X(theta) Z(phi) has the third row M_body / M, which gives theta and phi;
psi' = M (I1 w1^2 + I2 w2^2) / ((I1 w1)^2 + (I2 w2)^2) is integrated numerically. A(t) = R(0)^T R(t)."""
from mpmath import mp, mpf, sqrt, ellipfun, quad, matrix, cos, sin, atan2, acos, linspace

mp.dps = 30
I = [mpf("0.2"), mpf("0.3"), mpf("0.4")]
w0 = [mpf(2), mpf(0), mpf("1.45")]
E2 = sum(i * w * w for i, w in zip(I, w0))
M2 = sum((i * w) ** 2 for i, w in zip(I, w0))
M = sqrt(M2)
rate = sqrt((I[2] - I[1]) * (M2 - E2 * I[0]) / (I[0] * I[1] * I[2]))
m = (I[1] - I[0]) * (E2 * I[2] - M2) / ((I[2] - I[1]) * (M2 - E2 * I[0]))  # k^2


def omega(t):
    tau = rate * t
    return [sqrt((E2 * I[2] - M2) / (I[0] * (I[2] - I[0]))) * ellipfun("cn", tau, m=m),
            sqrt((E2 * I[2] - M2) / (I[1] * (I[2] - I[1]))) * ellipfun("sn", tau, m=m),
            sqrt((M2 - E2 * I[0]) / (I[2] * (I[2] - I[0]))) * ellipfun("dn", tau, m=m)]


def psi_rate(t):
    w = omega(t)
    return M * (I[0] * w[0] ** 2 + I[1] * w[1] ** 2) / ((I[0] * w[0]) ** 2 + (I[1] * w[1]) ** 2)


def rotation(psi, w):
    L = [i * x / M for i, x in zip(I, w)]
    theta, phi = acos(L[2]), atan2(L[0], L[1])
    z = lambda a: matrix([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])
    x = matrix([[1, 0, 0], [0, cos(theta), -sin(theta)], [0, sin(theta), cos(theta)]])
    return z(psi) * x * z(phi)


start = rotation(mpf(0), w0).T
rows, psi, last = [], mpf(0), mpf(0)
for t in [mpf(k) / 2 for k in range(1, 41)]:
    psi += quad(psi_rate, linspace(last, t, 3))
    last = t
    if t not in (1, 2, 5, 7.5, 10, 15, 20):
        continue
    w = omega(t)
    A = start * rotation(psi, w)
    rows.append([t] + w + [A[i, 0] for i in range(3)] + [A[i, 2] for i in range(3)])

with open("reference.toml", "w") as out:
    out.write("# Written by make_reference.py (mpmath, 30 digits).\n[reference]\n")
    out.write('columns = ["t", "w1", "w2", "w3", "xx", "xy", "xz", "zx", "zy", "zz"]\n')
    out.write("# body axes x and z in global ones: xx, xy, xz and zx, zy, zz\nrows = [\n")
    for r in rows:
        out.write("  [" + ", ".join(mp.nstr(x, 20, strip_zeros=False) for x in r) + "],\n")
    out.write("]\n")
