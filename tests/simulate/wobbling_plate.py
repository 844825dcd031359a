#!/usr/bin/python3
"""Reference for tests/simulate/piles_space.cpp: a plate on four corners that wobbles about two axes, gaps linear in three
coordinates, all followed event by event in 70 digits (parabolas; impacts and accelerations by enumeration of the
complementarity problem). Prints when all rests: impacts slower than 1e-14 m/s end, the rest extrapolated."""
import itertools, sys
from mpmath import mp, mpf, matrix, sqrt, lu_solve
mp.dps = 70
G = mpf('9.81')

def lcp(A, c):
    """0 <= c + A f _|_ f >= 0 by enumeration (A positive semidefinite): smallest support first."""
    n = len(c)
    for k in range(n + 1):
        for S in itertools.combinations(range(n), k):
            f = [mpf(0)] * n
            if k:
                try: x = lu_solve(matrix([[A[i][j] for j in S] for i in S]), matrix([-c[i] for i in S]))
                except ZeroDivisionError: continue
                for a, i in enumerate(S): f[i] = x[a]
            scale = max([abs(z) for z in c] + [mpf(10) ** -60])
            if all(v >= 0 for v in f) and all(c[i] + sum(A[i][j] * f[j] for j in range(n)) >= -scale * mpf(10) ** -45 for i in range(n)): return f
    raise RuntimeError("no solution")

def run(a, b, e, q, tiny=mpf(10) ** -14):
    n = [(sx * a, mpf(1), sz * b) for sx in (1, -1) for sz in (1, -1)]
    A = [[sum(x * y for x, y in zip(n[i], n[j])) for j in range(4)] for i in range(4)]
    dot = lambda i, v: sum(x * y for x, y in zip(n[i], v))
    q = [mpf(x) for x in q]; v = [mpf(0)] * 3; t = mpf(0); closed = {i for i in range(4) if abs(dot(i, q)) < mpf(10) ** -45}; events = 0; history = []
    while True:
        C = sorted(closed)
        f = lcp([[A[i][j] for j in C] for i in C], [-G] * len(C))
        acc = [mpf(0), -G, mpf(0)]
        for i, x in zip(C, f):
            for k in range(3): acc[k] += n[i][k] * x
        closed = {i for i in C if abs(dot(i, acc)) < mpf(10) ** -20}
        if all(abs(x) < mpf(10) ** -20 for x in acc) and all(abs(x) < tiny for x in v): return t, events
        best = None
        for i in range(4):
            if i in closed: continue
            g, gd, gdd = dot(i, q), dot(i, v), dot(i, acc)
            if gdd == 0:
                s = -g / gd if gd < 0 else None
            else:
                disc = gd * gd - 2 * gdd * g
                if disc < 0: continue
                r = sqrt(disc)
                roots = [x for x in ((-gd - r) / gdd, (-gd + r) / gdd) if x > mpf(10) ** -40 and gd + gdd * x < 0]
                s = min(roots) if roots else None
            if s is not None and (best is None or s < best): best = s
        if best is None: raise RuntimeError(f"nothing happens at {t}: closed {closed} acc {acc} v {v} gaps {[mp.nstr(dot(i, q), 5) for i in range(4)]} rates {[mp.nstr(dot(i, v), 5) for i in range(4)]} acc {[mp.nstr(dot(i, acc), 5) for i in range(4)]}")
        q = [x + best * y + best * best / 2 * z for x, y, z in zip(q, v, acc)]
        v = [y + best * z for y, z in zip(v, acc)]
        t += best; events += 1
        touch = [i for i in range(4) if i in closed or abs(dot(i, q)) < mpf(10) ** -45]
        minus = [mpf(0) if i in closed else dot(i, v) for i in touch]
        c = [dot(i, v) + e[i] * m for i, m in zip(touch, minus)]
        f = lcp([[A[i][j] for j in touch] for i in touch], c)
        for i, x in zip(touch, f):
            for k in range(3): v[k] += n[i][k] * x
        new = set()
        for i in touch:
            d = dot(i, v)
            if i in closed and abs(d) < mpf(10) ** -30: new.add(i)
            elif i not in closed and abs(d) < tiny: new.add(i)   # the limit of its bounces, or no rebound
        closed = new
        # closed ones move with no velocity: put what is left of it to zero
        C = sorted(closed)
        if C:
            f = lcp_equal([[A[i][j] for j in C] for i in C], [dot(i, v) for i in C])
            for i, x in zip(C, f):
                for k in range(3): v[k] += n[i][k] * x

def lcp_equal(A, c):
    """least-squares forces that bring c to zero (A may be singular: four corners, three freedoms)"""
    n = len(c); idx = []
    for i in range(n):
        try:
            if abs(mp.det(matrix([[A[p][r] for r in idx + [i]] for p in idx + [i]]))) > mpf(10) ** -20: idx.append(i)
        except ZeroDivisionError: pass
    x = lu_solve(matrix([[A[i][j] for j in idx] for i in idx]), matrix([-c[i] for i in idx])) if idx else []
    f = [mpf(0)] * n
    for k, i in enumerate(idx): f[i] = x[k]
    return f

if __name__ == "__main__":
    cases = (("0.3", "0.5", "0.3", "0.1", "0.07", "0.05"), ("0.4", "0.4", "0", "0.1", "0.03", "0.02"),
             ("0.4", "0.4", "0.5", "0.1", "0.03", "0.02"), ("0.3", "0.5", "0", "0.1", "0.07", "0"))
    for a, b, e, x, ang, h in cases:
        a, b, e, x, ang, h = mpf(a), mpf(b), [mpf(e)] * 4, mpf(x), mpf(ang), mpf(h)
        t, n = run(a, b, e, (x, h + a * x + b * ang, ang))
        print(a, b, [mp.nstr(k, 3) for k in e], "rests at", mp.nstr(t, 20), "after", n, "events", flush=True)
