"""Judges a run by its books alone: nothing overlaps, nothing gains energy untold, horizontal momentum is kept where
nothing takes it. States come from trajectory.csv, told gains from events.csv; masses and shapes from the pile."""
import csv
import json
import math

import numpy as np

from overlap import Core, gap

DEEPEST = 1e-9     # of a body's size
MOST_ROWS = 4000   # of one run, spread evenly


def table(path):
    with open(path, newline="") as file:
        reader = csv.reader(line for line in file if not line.startswith("# "))
        header = next(reader)
        rows = [row for row in reader if len(row) == len(header)]
    return header, rows


def turn_of(values, spatial):
    if not spatial:
        c, s = math.cos(values["angle"]), math.sin(values["angle"])
        return np.array([[c, -s], [s, c]])
    e = np.array([values[f"e{k}"] for k in range(4)])
    w, x, y, z = e / np.linalg.norm(e)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Judge:
    def __init__(self, pile, folder):
        self.pile, self.folder = pile, folder
        self.cores = [Core(b.core) for b in pile.bodies]
        self.depth = self.gain = self.drift = 0.0  # the worst of each, relative
        self.where = ""
        header, rows = table(f"{folder}/trajectory.csv")
        column = {name: i for i, name in enumerate(header)}
        names = "x y z e0 e1 e2 e3 vx vy vz wx wy wz" if pile.spatial else "x y angle vx vy omega"
        self.columns = [[(n, column[f"{b.name}.{n}"]) for n in names.split()] for b in pile.bodies]
        self.rows = rows
        header, events = table(f"{folder}/events.csv")
        t, loss = header.index("t"), header.index("energy_loss")
        self.told = [(float(e[t]), -float(e[loss])) for e in events if e[loss] and float(e[loss]) < 0]

    def judge(self):
        """Complaints, empty if the books are in order."""
        step = max(1, len(self.rows) // MOST_ROWS)
        lowest, scale, momentum = math.inf, None, None
        for k, row in enumerate(self.rows):
            t = float(row[0])
            states = [{n: float(row[i]) for n, i in columns} for columns in self.columns]
            energy, momenta, thrown = self.mechanics(states)
            scale = scale or thrown
            told = sum(gain for at, gain in self.told if at <= t)
            lowest = min(lowest, energy - sum(gain for at, gain in self.told if at < t))
            self.note("gain", (energy - told - lowest) / scale, f"t = {t:.6g}")
            if self.pile.smooth:
                momentum = momenta if momentum is None else momentum
                self.note("drift", float(np.abs(momenta - momentum).max()) / math.sqrt(scale), f"t = {t:.6g}")
            if k % step == 0:
                self.overlaps(t, states)
        allowed = 1e-9 + 100 * self.pile.rtol
        complaints = []
        if self.depth > DEEPEST:
            complaints.append(f"overlap of {self.depth:.2g} of a body's size, {self.where}")
        if self.gain > allowed:
            complaints.append(f"energy gain of {self.gain:.2g} of the first energy untold")
        if self.drift > allowed:
            complaints.append(f"horizontal momentum off by {self.drift:.2g}")
        return complaints

    def note(self, what, amount, where):
        if amount > getattr(self, what):
            setattr(self, what, amount)
            if what == "depth":
                self.where = where

    def mechanics(self, states):
        """Energy, horizontal momentum, and kinetic energy plus height: what there is to lose."""
        energy, momentum, size = 0.0, np.zeros(2 if self.pile.spatial else 1), 0.0
        for b, s in zip(self.pile.bodies, states):
            height = s["z"] if self.pile.spatial else s["y"]
            velocity = [s[k] for k in (("vx", "vy", "vz") if self.pile.spatial else ("vx", "vy"))]
            kinetic = 0.5 * b.mass * sum(v * v for v in velocity)
            if self.pile.spatial:
                kinetic += 0.5 * sum(j * s[w] ** 2 for j, w in zip(b.inertia, ("wx", "wy", "wz")))
            else:
                kinetic += 0.5 * b.inertia * s["omega"] ** 2
            energy += kinetic + b.mass * self.pile.gravity * height
            size += kinetic + b.mass * self.pile.gravity * abs(height)
            momentum += b.mass * np.array(velocity[:-1])
        return energy, momentum, size

    def overlaps(self, t, states):
        placed = []
        for b, core, s in zip(self.pile.bodies, self.cores, states):
            place = np.array([s[k] for k in ("xyz" if self.pile.spatial else "xy")])
            placed.append((b, core, core.placed(turn_of(s, self.pile.spatial), place), place))
        for b, _, points, _ in placed:
            for name, point, normal in self.pile.planes:
                lowest = ((points - np.array(point)) @ np.array(normal, float)).min() - b.radius
                self.note("depth", -lowest / b.size, f"{b.name} in {name} at t = {t:.6g}")
        for i, (b, core, points, place) in enumerate(placed):
            for other, core2, points2, place2 in placed[i + 1:]:
                if np.linalg.norm(place - place2) > b.size + other.size:
                    continue
                apart = gap(core, points, b.radius, core2, points2, other.radius)
                self.note("depth", -apart / min(b.size, other.size), f"{b.name} in {other.name} at t = {t:.6g}")


def outcome(folder):
    """(status, message) as the run told it."""
    with open(f"{folder}/summary.json") as file:
        said = json.load(file)["outcome"]
    return said["status"], said.get("message", "")
