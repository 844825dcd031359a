#!/usr/bin/env python3
"""tests/validation/inspect_numpy.py HSTAR SOURCE: `hstar inspect` against an independent assembly of planar mechanisms.

What must hold: M, Phi, Phi_q, gamma, Q, and where nothing rubs a and lambda, are those that NumPy makes of the model as
`hstar info --json` resolves it, at the state that `hstar inspect --json` shows. Here Phi is written down joint by joint; its
derivatives are taken by complex steps (Phi_q) and by a difference of those (gamma), forces by virtual work on the lengths and
angles of springs, and accelerations from the saddle-point system: nothing of hstar's own derivatives is used. All planar
models of validation/ and examples/ whose elements are written down here are compared, ten at least.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

hstar, source = sys.argv[1], pathlib.Path(sys.argv[2])
KNOWN_JOINTS = {"revolute", "translational", "fixed", "distance"}


class Unknown(Exception):
    """What is not written down here."""


def numeric(x):
    if isinstance(x, (int, float)):
        return float(x)
    raise Unknown("formulas")


def pair(x):
    return np.array([numeric(x[0]), numeric(x[1])])


class Model:
    def __init__(self, spec, rows):
        if spec.get("dimension", 2) != 2 or spec.get("contact") or spec.get("state"):
            raise Unknown("space, contacts or states")
        self.spec = spec
        self.place = {}
        for i, name in enumerate(rows):  # "crank.x", "crank.y", "crank.angle"
            body, what = name.rsplit(".", 1)
            self.place[body, what] = i
        self.n = len(rows)
        for body in spec["body"]:
            if "motion" in body:
                raise Unknown("prescribed motion")
        for joint in spec.get("joint", []):
            if joint["type"] not in KNOWN_JOINTS:
                raise Unknown("joint " + joint["type"])

    def angle(self, body, q):
        i = self.place.get((body, "angle"))
        return 0.0 if i is None else q[i]

    def point(self, body, local, q):
        """Global coordinates of a point of a body, and of the body's x axis."""
        if body == "ground":
            return np.array(local, dtype=complex), np.array([1.0, 0.0], dtype=complex)
        c, s = np.cos(self.angle(body, q)), np.sin(self.angle(body, q))
        r = np.array([q[self.place[body, "x"]], q[self.place[body, "y"]]])
        return r + np.array([c * local[0] - s * local[1], s * local[0] + c * local[1]]), np.array([c, s])

    def phi(self, q):
        """Rows by name."""
        out = {}
        for joint in self.spec.get("joint", []):
            name, (a, b) = joint["name"], joint["bodies"]
            turns = [body for body in (a, b) if (body, "angle") in self.place]
            start = {body["name"]: numeric(body.get("angle", 0)) for body in self.spec["body"]}
            relative = self.angle(b, q) - self.angle(a, q) - joint.get("angle", start.get(b, 0.0) - start.get(a, 0.0))
            p, axis_a = self.point(a, pair(joint["points"][0]), q)
            r, _ = self.point(b, pair(joint["points"][1]), q)
            d = r - p
            row = lambda what: 'joint "%s" (%s)' % (name, what)
            if joint["type"] in ("revolute", "fixed"):
                out[row("x")], out[row("y")] = d
                if joint["type"] == "fixed" and turns:
                    out[row("angle")] = relative
            elif joint["type"] == "translational":
                u = pair(joint["axis"]) / np.linalg.norm(pair(joint["axis"]))
                axis = np.array([axis_a[0] * u[0] - axis_a[1] * u[1], axis_a[1] * u[0] + axis_a[0] * u[1]])
                out[row("normal")] = -axis[1] * d[0] + axis[0] * d[1]
                if turns:
                    out[row("angle")] = relative
            else:
                out[row("length")] = np.sqrt(d @ d) - numeric(joint["length"])
        return out

    def jacobian(self, q):
        """Complex steps: exact to round-off."""
        columns = []
        for j in range(self.n):
            moved = np.array(q, dtype=complex)
            moved[j] += 1e-30j
            columns.append({name: value.imag / 1e-30 for name, value in self.phi(moved).items()})
        return {name: np.array([c[name] for c in columns]) for name in (columns[0] if columns else {})}

    def gamma(self, q, v):
        """-(Phi_q v)_q v; constraints here do not know the time."""
        h = 1e-5
        ahead, behind = self.jacobian(q + h * v), self.jacobian(q - h * v)
        return {name: -(ahead[name] - behind[name]) @ v / (2 * h) for name in ahead}

    def springs(self):
        """(length or angle of q, stiffness, damping, free value) of every spring."""
        for force in self.spec.get("force", []):
            if force["type"] == "spring_damper":
                (one, other), axis = force["between"], force.get("axis")

                def length(q, one=one, other=other, axis=axis):
                    d = (self.point(other["body"], pair(other.get("point", [0, 0])), q)[0]
                         - self.point(one["body"], pair(one.get("point", [0, 0])), q)[0])
                    return d @ (pair(axis) / np.linalg.norm(pair(axis))) if axis else np.sqrt(d @ d)

                free = force.get("free_length", 0.0)
            elif force["type"] == "rotational_spring_damper":

                def length(q, bodies=force["bodies"]):
                    return self.angle(bodies[1], q) - self.angle(bodies[0], q)

                free = force.get("free_angle", 0.0)
            else:
                raise Unknown("force " + force["type"])
            if force.get("actuator", 0) != 0:
                raise Unknown("actuators")
            yield length, numeric(force.get("stiffness", 0)), numeric(force.get("damping", 0)), numeric(free)

    def forces(self, q, v, mass):
        Q = np.zeros(self.n)
        for (body, what), i in self.place.items():
            if what in "xy":
                Q[i] += mass[i] * self.spec["gravity"]["xy".index(what)]
        for length, stiffness, damping, free in self.springs():
            slope = np.array([length(q + 1e-30j * np.eye(self.n)[j]).imag / 1e-30 for j in range(self.n)])
            Q -= slope * (stiffness * (np.real(length(q.astype(complex))) - free) + damping * slope @ v)
        return Q


def compare(path, part):
    spec = json.loads(subprocess.run([hstar, "info", "--json", str(path)], capture_output=True, text=True, check=True).stdout)
    if "body" not in spec:
        raise Unknown("no bodies")
    s = spec["simulation"]
    t = s["start"] + part * (s["end"] - s["start"])
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([hstar, "inspect", str(path), "--at", repr(t), "--json", file.name], capture_output=True, check=True,
                       timeout=120)
        shown = json.load(open(file.name, encoding="utf-8"))["tables"]
    values = lambda name: np.array(shown[name]["values"], dtype=float)
    q, v, mass = values("q"), values("v"), values("M")
    model = Model(spec, shown["q"]["rows"])
    wrong = []

    def check(what, found, wanted, size):
        if not np.all(np.abs(found - wanted) <= 1e-9 * size):
            wrong.append("%s: shown %s, here %s" % (what, found, wanted))

    bodies = {b["name"]: b for b in spec["body"]}
    for (body, what), i in model.place.items():
        check("M of " + body, mass[i], numeric(bodies[body]["inertia" if what == "angle" else "mass"]), mass[i])
    Q = model.forces(q, v, mass)
    check("Q", values("Q"), Q, max(np.abs(Q).max(), np.abs(values("Q")).max(), 1e-300))
    rows = shown.get("Phi_q", {"rows": []})["rows"]
    phi, slopes, gammas = model.phi(q.astype(complex)), model.jacobian(q), model.gamma(q, v)
    names = [name for name in rows if name in phi]
    if any(name not in phi for name in rows if "stick" not in name):
        raise Unknown("rows " + ", ".join(name for name in rows if name not in phi))
    size = 1 + np.abs(q).max()
    for name in names:
        k = rows.index(name)
        check(name + " Phi", values("Phi")[k], phi[name].real, size)
        check(name + " Phi_q", values("Phi_q")[k], slopes[name], size)
        # (The difference of complex steps is good to h^2.)
        check(name + " gamma", values("gamma")[k], gammas[name], 10 * size * (1 + v @ v))
    if "friction" not in shown and len(names) == len(rows):
        J = np.array([slopes[name] for name in rows]).reshape(len(rows), model.n)
        zero = np.zeros((len(rows), len(rows)))
        system = np.block([[np.diag(mass), -J.T], [J, zero]])
        x = np.linalg.lstsq(system, np.concatenate([Q, [gammas[name] for name in rows]]), rcond=None)[0]
        a = values("a")
        check("a", a, x[:model.n], 100 * max(np.abs(x[:model.n]).max(), 1e-300))
        if len(rows) and np.linalg.matrix_rank(J) == len(rows):
            check("lambda", values("lambda"), x[model.n:], 100 * max(np.abs(x[model.n:]).max(), np.abs(Q).max(), 1e-300))
    return wrong


def main():
    compared, failed, reasons = [], 0, {}
    for path in sorted(source.glob("validation/*/model.toml")) + sorted(source.glob("examples/*.toml")):
        try:
            wrong = [line for part in (0.0, 0.03) for line in compare(path, part)]
        except Unknown as what:
            reasons[str(what)] = reasons.get(str(what), 0) + 1
            continue
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired, KeyError) as what:
            reasons[repr(what)[:60]] = reasons.get(repr(what)[:60], 0) + 1
            continue
        compared.append(path)
        for line in wrong:
            failed += 1
            print("%s: %s" % (path.relative_to(source), line))
    print("%d models compared; left out for %s" % (len(compared), ", ".join("%s (%d)" % r for r in sorted(reasons.items()))))
    return 1 if failed or len(compared) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
