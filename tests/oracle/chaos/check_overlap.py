#!/usr/bin/python3
"""The judge of overlaps must itself be right: gaps that are known by construction, in the plane and in space, for every
pair of shapes, turned and moved at random (a gap does not change with that), apart, touching and in each other."""
import itertools
import random
import sys

import numpy as np
from overlap import Core, gap

rng = random.Random(1)


def turn(dimension):
    q, r = np.linalg.qr(np.array([[rng.gauss(0, 1) for _ in range(dimension)] for _ in range(dimension)]))
    return q * np.sign(np.linalg.det(q)) ** np.array([1] + [0] * (dimension - 1))


def check(name, one, radius, two, radius2, wanted):
    dimension = len(one[0])
    for _ in range(20):
        q, move = turn(dimension), np.array([rng.uniform(-3, 3) for _ in range(dimension)])
        a, b = Core(one), Core(two)
        for first, r1, second, r2 in ((a, radius, b, radius2), (b, radius2, a, radius)):
            found = gap(first, first.placed(q, move), r1, second, second.placed(q, move), r2)
            # Of shapes that are apart an axis may tell less than the distance.
            if not (abs(found - wanted) < 1e-12 or (wanted > 0 and 0 < found < wanted)):
                sys.exit(f"{name}: gap {found!r}, must be {wanted!r}")


def box(middle, half):
    return [tuple(m + s * h for m, s, h in zip(middle, signs, half)) for signs in itertools.product((-1, 1), repeat=len(half))]


def square(x, y, a, b):
    return [(x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)]


for d in (0.3, 1e-6, -1e-6, -0.05):
    check("discs", [(0, 0)], 0.5, [(1 + d, 0)], 0.5, d)
    check("disc and side", [(0, 1 + d)], 0.5, square(0, 0, 1, 0.5), 0.0, d)
    check("squares", square(0, 0, 1, 0.5), 0.0, square(2 + d, 0.3, 1, 0.5), 0.0, d)
    check("corner and side", square(0, 0, 1, 1), 0.0, [(1 + d, 0.2), (3, -0.5), (3, 0.9)], 0.0, d)
    check("spheres", [(0, 0, 0)], 0.5, [(0, 1 + d, 0)], 0.5, d)
    check("sphere and face", [(0.2, 0.1, 1.5 + d)], 0.5, box((0, 0, 0), (1, 1, 1)), 0.0, d)
    check("sphere and edge", [(1 + (0.5 + d) * 0.6, 1 + (0.5 + d) * 0.8, 0.3)], 0.5, box((0, 0, 0), (1, 1, 1)), 0.0, d)
    check("sphere and vertex", [tuple(1 + (0.5 + d) * k / 7 for k in (2, 3, 6))], 0.5, box((0, 0, 0), (1, 1, 1)), 0.0, d)
    check("capsules crossing", [(-1, 0, 0), (1, 0, 0)], 0.2, [(0, -1, 0.5 + d), (0, 1, 0.5 + d)], 0.3, d)
    check("capsules in line", [(-1, 0, 0), (1, 0, 0)], 0.2, [(1.5 + d, 0, 0), (3, 0, 0)], 0.3, d)
    check("capsule on face", [(-0.5, 0, 1.2 + d), (0.5, 0, 1.4 + d)], 0.2, box((0, 0, 0), (1, 1, 1)), 0.0, d)
    check("capsule on edge", [(0.1 + 0.2 + d, -2, 1), (0.3 + d, 2, 1)], 0.2, box((-0.9, 0, 0), (1, 1, 2)), 0.0, d)
    check("boxes by faces", box((0, 0, 0), (1, 1, 1)), 0.0, box((2 + d, 0.1, 0.2), (1, 1, 1)), 0.0, d)
    # Two edges that cross: a box turned by 45 degrees about x, one about y, one above the other.
    s = 2 ** 0.5
    low = [(x, y, z) for x in (-1, 1) for y, z in ((0, 0), (s / 2, -s / 2), (-s / 2, -s / 2), (0, -s))]
    high = [(x, y, z + d) for y in (-1, 1) for x, z in ((0, 0), (s / 2, s / 2), (-s / 2, s / 2), (0, s))]
    check("boxes by edges", low, 0.0, high, 0.0, d)
    check("vertex on face", box((0, 0, 0), (1, 1, 1)), 0.0, [(0.1, 0.2, 1 + d), (1, 0, 2), (-1, 0.5, 2.1), (0, -1, 2.2)], 0.0, d)
print("all gaps as constructed")
