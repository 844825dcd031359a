"""How deep two convex shapes are in each other, from their corners alone (separating axes; distances of features).

A shape is a core and a radius: corners placed in the world, edges and faces as lists of corners. Cores that do not meet
have a distance; of cores that meet the least way out along all candidate axes is their depth (exact for polyhedra: an
axis of least depth is a face's normal or crosses two edges)."""
import itertools
import math

import numpy as np


class Core:
    """Faces and edges of a convex body, found once in its own axes; `placed` moves its corners."""

    def __init__(self, corners):
        points = np.array(corners, float)
        self.corners, self.dimension = points, points.shape[1]
        n = len(points)
        self.faces, self.edges = [], [(0, 1)] if n == 2 else []
        if n > 2 and self.dimension == 2:
            self.edges = [(i, (i + 1) % n) for i in range(n)]
        if n > 2 and self.dimension == 3:
            found = set()
            for i, j, k in itertools.combinations(range(n), 3):
                normal = np.cross(points[j] - points[i], points[k] - points[i])
                heights = (points - points[i]) @ normal
                flat = 1e-9 * np.abs(heights).max()
                if heights.max() <= flat or heights.min() >= -flat:
                    if heights.max() > flat:
                        normal = -normal
                    # All corners of this face, in order around it.
                    on = [m for m in range(n) if abs(heights[m]) <= flat]
                    middle = points[on].mean(axis=0)
                    u = points[i] - middle
                    w = np.cross(normal, u)
                    on.sort(key=lambda m: math.atan2((points[m] - middle) @ w / np.linalg.norm(w), (points[m] - middle) @ u / np.linalg.norm(u)))
                    found.add(tuple(on[on.index(min(on)):] + on[:on.index(min(on))]))
            self.faces = [list(f) for f in found]
            self.edges = sorted({tuple(sorted((f[m], f[(m + 1) % len(f)]))) for f in self.faces for m in range(len(f))})

    def placed(self, turn, place):
        return self.corners @ turn.T + place


def axes_of(core, points):
    """Outward normals of the faces (in the plane: of the edges)."""
    if core.dimension == 2:
        d = [points[j] - points[i] for i, j in core.edges]
        return [np.array([v[1], -v[0]]) / np.hypot(*v) for v in d]
    normals = []
    for f in core.faces:
        n = np.cross(points[f[1]] - points[f[0]], points[f[2]] - points[f[0]])
        normals.append(n / np.linalg.norm(n))
    return normals


def separation_along(axes, a, b):
    """The largest gap between the two sets of points along any of the axes."""
    if not len(axes):
        return -math.inf
    axes = np.array(axes)
    pa, pb = a @ axes.T, b @ axes.T
    return max((pb.min(axis=0) - pa.max(axis=0)).max(), (pa.min(axis=0) - pb.max(axis=0)).max())


def point_segment(p, a, b):
    d = b - a
    s = min(1.0, max(0.0, float((p - a) @ d) / float(d @ d)))
    return np.linalg.norm(p - a - s * d)


def segment_segment(a, b, c, d):
    """Distance of segments ab and cd (the inner extremum if it lies on both, else an end to a segment)."""
    best = min(point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b))
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = u @ u, u @ v, v @ v, u @ w, v @ w
    det = uu * vv - uv * uv
    if det > 1e-14 * uu * vv:
        s, t = (uv * vw - vv * uw) / det, (uu * vw - uv * uw) / det
        if 0 <= s <= 1 and 0 <= t <= 1:
            best = min(best, np.linalg.norm(w + s * u - t * v))
    return best


def point_face(p, face, normal):
    """Distance of a point from the plane of a face if it lies over the face, else infinity (an edge is nearer)."""
    for m in range(len(face)):
        edge = face[(m + 1) % len(face)] - face[m]
        if np.cross(edge, p - face[m]) @ normal < 0:
            return math.inf
    return abs((p - face[0]) @ normal)


def gap(a, pa, ra, b, pb, rb):
    """Minus the depth if two shapes overlap; else a positive number, at most their distance."""
    if len(pa) == 1 and len(pb) == 1:
        return np.linalg.norm(pa[0] - pb[0]) - ra - rb
    axes = axes_of(a, pa) + axes_of(b, pb)
    if a.dimension == 3:
        for i, j in a.edges:
            for k, m in b.edges:
                n = np.cross(pa[j] - pa[i], pb[m] - pb[k])
                size = np.linalg.norm(n)
                if size > 1e-6 * np.linalg.norm(pa[j] - pa[i]) * np.linalg.norm(pb[m] - pb[k]):
                    axes.append(n / size)
    along = separation_along(axes, pa, pb)
    if along > ra + rb or (len(pa) > 2 and len(pb) > 2):
        return along - ra - rb
    # Around a point or a segment axes are not enough.
    apart = distance(a, pa, b, pb)
    return (apart if apart > 0 else min(along, 0.0)) - ra - rb


def distance(a, pa, b, pb):
    """Of two cores of which at least one is a point or a segment; 0 where they meet."""
    if len(pa) > len(pb):
        a, pa, b, pb = b, pb, a, pa
    normals = axes_of(b, pb) if len(pb) > 2 else []
    starts = [pb[e[0]] for e in b.edges] if b.dimension == 2 else [pb[f[0]] for f in b.faces]
    if normals and any(all((p - q) @ n <= 0 for q, n in zip(starts, normals)) for p in pa):
        return 0.0
    best = math.inf
    edges_a = [(pa[i], pa[j]) for i, j in a.edges]
    edges_b = [(pb[i], pb[j]) for i, j in b.edges]
    for p in pa:
        for c, d in edges_b:
            best = min(best, point_segment(p, c, d))
        if b.dimension == 3:
            for f, n in zip(b.faces, normals):
                best = min(best, point_face(p, pb[f], n))
    for c, d in edges_a:
        for p in pb:
            best = min(best, point_segment(p, c, d))
        for e, f in edges_b:
            best = min(best, segment_segment(c, d, e, f))
        for f, n in zip(b.faces, normals) if b.dimension == 3 else ():
            hc, hd = (c - pb[f[0]]) @ n, (d - pb[f[0]]) @ n
            if hc * hd < 0 and point_face(c + (d - c) * hc / (hc - hd), pb[f], n) < math.inf:
                return 0.0
    return best
