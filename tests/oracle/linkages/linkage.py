"""Random planar mechanisms with joints, friction, stops and contacts, as model files."""
import math
import random

KINDS = ("chain", "slider", "cart", "fourbar", "rider", "seesaw", "dumbbell")


class Linkage:
    """One mechanism of a seed; `text(...)` is its model file for a method."""

    def __init__(self, seed, index):
        self.random = random.Random(f"linkage {seed}/{index}")
        self.elements = []
        self.kind = self.random.choice(KINDS)
        self.end = self.number(0.6, 2.0)
        self.impact_law = self.random.choice(["newton", "poisson", "poisson", "stronge"])
        self.friction_law = self.random.choice(["coulomb", "coulomb", "coulomb", "stribeck", "viscous"])
        self.stops = False
        getattr(self, self.kind)()

    def number(self, low, high):
        return round(self.random.uniform(low, high), 3)

    def chance(self, share):
        return self.random.random() < share

    # Elements of the model file.

    def add(self, section, **keys):
        self.elements.append((section, {key: value for key, value in keys.items() if value is not None}))

    def friction(self, radius=None, most=0.6, share=1.0):
        if not self.chance(share):
            return None
        kinetic = self.number(0.05, most)
        static = round(kinetic * self.random.choice([1, 1, self.number(1, 1.6)]), 4)
        law = {"mu_static": static, "mu_kinetic": kinetic}
        if self.friction_law == "stribeck":
            law |= {"law": "stribeck", "stribeck_velocity": self.number(0.05, 0.5)}
        if self.friction_law == "viscous":
            law |= {"viscous": self.number(0.01, 0.3)}
        return law | ({"radius": radius} if radius else {})

    def restitution(self):
        return self.random.choice([0.0, self.number(0.1, 0.9), self.number(0.1, 0.9)])

    def limits(self, at, least, most, share):
        """Stops around a coordinate that is `at` at the start; `restitution` comes with them."""
        if not self.chance(share):
            return {}
        self.stops = True
        return {"limits": [round(at - self.number(least, most), 4), round(at + self.number(least, most), 4)],
                "restitution": self.restitution()}

    def body(self, name, mass, inertia, x, y, angle=0.0, vx=0.0, vy=0.0, omega=0.0):
        turns = {"inertia": round(inertia, 8), "angle": angle, "angular_velocity": omega} if inertia else {}
        self.add("body", name=name, mass=mass, position=[x, y], velocity=[vx, vy], **turns)

    def pin(self, name, first, second, at_first, at_second, friction=None, **keys):
        self.add("joint", name=name, type="revolute", bodies=[first, second], points=[list(at_first), list(at_second)],
                 friction=friction, **keys)

    def guide(self, name, body, friction=None, **keys):
        self.add("joint", name=name, type="translational", bodies=["ground", body], axis=[1.0, 0.0], friction=friction, **keys)

    def contact(self, name, first, second, share=0.7):
        self.add("contact", name=name, between=[first, second], restitution=self.restitution(), impact_law=self.impact_law,
                 friction=self.friction(most=0.5, share=share))

    def line(self, x, y, nx, ny, body="ground"):
        return {"body": body, "shape": "line", "point": [x, y], "normal": [nx, ny]}

    def torque(self, body, size):
        wave = f"{self.number(0.2 * size, size)}*sin({self.number(2, 15)}*t + {self.number(0, 6)})"
        self.add("force", name="motor", type="torque", body=body, torque=f"{self.number(-size, size)} + {wave}")

    def spring(self, first, second, stiffness, length, damping):
        self.add("force", name="spring", type="spring_damper", between=[first, second], stiffness=self.number(*stiffness),
                 free_length=length, damping=damping)

    # Kinds.

    def chain(self):
        """One to three rods on pins, driven or not, over a floor and before a wall."""
        x = y = vx = vy = before = 0.0
        previous, end = "ground", (0.0, 0.0)
        half = 0.0
        for i in range(self.random.randint(1, 3)):
            half, mass = self.number(0.1, 0.4), self.number(0.2, 3)
            angle = self.number(-3, 3) if i == 0 else before + self.number(-1.2, 1.2)
            omega = self.number(-4, 4) if self.chance(0.6) else 0.0
            dx, dy = half * math.cos(angle), half * math.sin(angle)
            self.body(f"rod{i}", mass, mass * half * half / 3, x + dx, y + dy, angle, vx - dy * omega, vy + dx * omega, omega)
            self.pin(f"pin{i}", previous, f"rod{i}", end, (-half, 0.0), self.friction(self.number(0.01, 0.08), share=0.6),
                     **self.limits(angle - before, 0.05, 1.0, 0.3))
            x, y, vx, vy = x + 2 * dx, y + 2 * dy, vx - 2 * dy * omega, vy + 2 * dx * omega
            previous, end, before = f"rod{i}", (half, 0.0), angle
        if self.chance(0.5):
            self.torque("rod0", 8)
        if self.chance(0.6):
            self.contact("floor", self.line(0.0, round(min(y, 0) - self.number(0.02, 0.3), 4), 0.0, 1.0),
                         {"body": previous, "shape": "point", "point": [half, 0.0]})
        if self.chance(0.4):
            self.contact("wall", self.line(round(max(x, 0) + self.number(0.02, 0.3), 4), 0.0, -1.0, 0.0),
                         {"body": previous, "shape": "circle", "point": [half, 0.0], "radius": 0.01})

    def slider(self):
        """A slider-crank with friction in its joints, driven by a torque or in its angle, that may strike a block."""
        r = self.number(0.05, 0.15)
        l, theta = round(r * self.number(1.8, 4), 4), self.number(0.2, 2.9)
        phi = math.asin(r * math.sin(theta) / l)
        omega = self.random.choice([0.0, self.number(-20, 20), self.number(-20, 20)])
        turns = r * math.cos(theta) * omega / (l * math.cos(phi))
        driven = self.chance(0.35)
        sx, cx = r * math.sin(theta), r * math.cos(theta)
        x, speed = cx + l * math.cos(phi), -sx * omega - l * math.sin(phi) * turns
        self.body("crank", self.number(0.5, 2), self.number(0.005, 0.05), 0.0, 0.0, theta, omega=omega)
        mass = self.number(0.2, 1)
        self.body("rod", mass, mass * l * l / 12, cx + l / 2 * math.cos(phi), l / 2 * math.sin(phi), -phi,
                  -sx * omega - l / 2 * math.sin(phi) * turns, l / 2 * math.cos(phi) * turns, -turns)
        self.body("slider", self.number(0.3, 2), 0.01, x, 0.0, vx=speed)
        rough = lambda share: self.friction(self.number(0.005, 0.02), 0.3, share)
        self.pin("pivot", "ground", "crank", (0.0, 0.0), (0.0, 0.0), rough(0.5))
        self.pin("crankpin", "crank", "rod", (r, 0.0), (-l / 2, 0.0), rough(0.4))
        self.pin("wrist", "rod", "slider", (l / 2, 0.0), (0.0, 0.0), rough(0.4))
        self.guide("guide", "slider", self.friction(most=0.35, share=0.85))
        if driven:
            wave = f"{self.number(0, 1)}*(1 - cos({self.number(3, 12)}*t))"
            self.add("joint", name="driver", type="absolute_angle", body="crank", value=f"{theta} + {omega}*t + {wave}")
        else:
            self.torque("crank", 4)
        if self.chance(0.5):
            at = x + 0.1 + self.number(0.01, 0.08)
            self.body("block", self.number(0.2, 2), None, at, 0.0)
            self.guide("rail", "block", self.friction(most=0.5, share=0.8))
            self.contact("bump", self.line(0.05, 0.0, 1.0, 0.0, "slider"), {"body": "block", "shape": "point", "point": [-0.05, 0.0]}, 0)
            if self.chance(0.5):
                self.spring({"body": "ground", "point": [round(at + 0.5, 4), 0.0]}, {"body": "block"}, (20, 400),
                            self.number(0.4, 0.6), self.number(0, 4))

    def cart(self):
        """A cart on a rough rail between stops, with a pendulum on a rough pin."""
        l, angle, v, omega = self.number(0.1, 0.5), self.number(-3, 0), self.number(-2, 2), self.number(-5, 5)
        x, y = l * math.cos(angle), l * math.sin(angle)
        self.body("cart", self.number(0.5, 4), 0.01, 0.0, 0.0, vx=v)
        mass = self.number(0.2, 2)
        self.body("bob", mass, mass * self.number(0.001, 0.02), x, y, angle, v - y * omega, x * omega, omega)
        self.guide("rail", "cart", self.friction(most=0.4, share=0.85), **self.limits(0.0, 0.05, 0.4, 0.6))
        self.pin("pin", "cart", "bob", (0.0, 0.0), (-l, 0.0), self.friction(self.number(0.01, 0.1), share=0.6))
        if self.chance(0.7):
            self.add("force", name="spring", type="spring_damper", between=[{"body": "ground"}, {"body": "cart"}], axis=[1.0, 0.0],
                     stiffness=self.number(5, 300), damping=self.number(0, 2))
        if self.chance(0.5):
            self.add("force", name="push", type="point_force", body="cart",
                     force=[f"{self.number(5, 40)}*sin({self.number(2, 12)}*t)", 0])
        if self.chance(0.4):
            self.contact("floor", self.line(0.0, -round(max(-y, 0.7 * l) + 0.02 + self.number(0.001, 0.1), 4), 0.0, 1.0),
                         {"body": "bob", "shape": "circle", "radius": 0.02})

    def fourbar(self):
        """A four-bar linkage with friction in its pins and a stop at one."""
        while True:
            a, b, c, d = self.number(0.05, 0.3), self.number(0.1, 0.5), self.number(0.1, 0.4), self.number(0.1, 0.5)
            theta = self.number(0, 6.2)
            ax, ay = a * math.cos(theta), a * math.sin(theta)
            reach = math.hypot(d - ax, ay)
            if abs(b - c) + 0.03 < reach < b + c - 0.03:
                break
        coupler = math.atan2(-ay, d - ax) + math.acos((b * b + reach * reach - c * c) / (2 * b * reach))
        bx, by = ax + b * math.cos(coupler), ay + b * math.sin(coupler)
        rocker = math.atan2(by, bx - d)
        omega = self.number(-6, 6) if self.chance(0.6) else 0.0
        mass = [self.number(0.2, 2) for _ in range(3)]
        self.body("crank", mass[0], mass[0] * a * a / 12 + 1e-3, ax / 2, ay / 2, theta, -ay / 2 * omega, ax / 2 * omega, omega)
        self.body("coupler", mass[1], mass[1] * b * b / 12, (ax + bx) / 2, (ay + by) / 2, coupler)
        self.body("rocker", mass[2], mass[2] * c * c / 12, (d + bx) / 2, by / 2, rocker)
        rough = lambda share: self.friction(self.number(0.005, 0.03), share=share)
        self.pin("o1", "ground", "crank", (0.0, 0.0), (-a / 2, 0.0), rough(0.6))
        self.pin("p1", "crank", "coupler", (a / 2, 0.0), (-b / 2, 0.0), rough(0.4))
        self.pin("p2", "coupler", "rocker", (b / 2, 0.0), (c / 2, 0.0), rough(0.4))
        self.pin("o2", "ground", "rocker", (d, 0.0), (-c / 2, 0.0), rough(0.5), **self.limits(rocker, 0.02, 0.4, 0.4))
        if self.chance(0.7):
            self.torque("crank", 4)

    def rider(self):
        """A block on a shaken, inclined table, a ball on the block."""
        tilt = self.number(-0.3, 0.3) if self.chance(0.5) else 0.0
        lift = self.random.choice([0, self.number(0, 0.02)])
        self.add("body", name="table", motion={"x": f"{self.number(0.005, 0.08)}*sin({self.number(4, 25)}*t)",
                                               "y": f"{lift}*sin({self.number(4, 25)}*t)"})
        along, up = (math.cos(tilt), math.sin(tilt)), (-math.sin(tilt), math.cos(tilt))
        h, w, mass, v = self.number(0.05, 0.2), self.number(0.05, 0.2), self.number(0.5, 4), self.number(-1, 1)
        turns = self.chance(0.5)
        self.body("lower", mass, mass * (h * h + w * w) / 3 if turns else None, up[0] * h, up[1] * h, tilt, along[0] * v, along[1] * v)
        plate = self.line(0.0, 0.0, *up, "table")
        if turns:
            top = {"body": "lower", "shape": "polygon", "corners": [[-w, -h], [w, -h], [w, h], [-w, h]]}
            self.contact("base", plate, top)
        else:
            self.contact("base", plate, {"body": "lower", "shape": "point", "point": [-up[0] * h, -up[1] * h]})
            top = self.line(up[0] * h, up[1] * h, *up, "lower")
        if self.chance(0.7):
            r, gap, mass = self.number(0.02, 0.1), self.random.choice([0.0, self.number(0, 0.2)]), self.number(0.2, 3)
            beside, high, v = self.number(-0.6, 0.6) * w, 2 * h + r + gap, self.number(-1, 1)
            self.body("ball", mass, mass * r * r * self.number(0.3, 0.9) if self.chance(0.6) else None,
                      up[0] * high + along[0] * beside, up[1] * high + along[1] * beside, 0.0, along[0] * v, along[1] * v)
            ball = {"body": "ball", "shape": "circle", "radius": r}
            self.contact("top", top, ball)
            self.contact("fall", plate, ball)
        if self.chance(0.5):
            self.spring({"body": "ground", "point": [self.number(0.6, 1), self.number(0, 0.5)]}, {"body": "lower"}, (20, 400),
                        self.number(0.4, 1), self.number(0, 3))

    def seesaw(self):
        """A beam on a rough pivot, on which one or two balls land."""
        half, mass = self.number(0.3, 0.6), self.number(0.5, 3)
        self.body("beam", mass, mass * half * half / 3, 0.0, 0.5, self.number(-0.3, 0.3))
        self.pin("pivot", "ground", "beam", (0.0, 0.5), (0.0, 0.0), self.friction(self.number(0.01, 0.06), share=0.7))
        beam = {"body": "beam", "shape": "polygon", "corners": [[-half, -0.02], [half, -0.02], [half, 0.02], [-half, 0.02]]}
        floor = self.line(0.0, round(0.5 - half * self.number(0.4, 0.7), 4), 0.0, 1.0)
        self.contact("stop", floor, beam)
        for i in range(self.random.randint(1, 2)):
            r, mass = self.number(0.02, 0.08), self.number(0.1, 2)
            self.body(f"ball{i}", mass, mass * r * r / 2, self.number(-0.8, 0.8) * half, 0.82 + r + self.number(0.05, 0.4) + 0.3 * i, 0.0,
                      self.number(-0.5, 0.5), self.number(-2, 1), self.number(-5, 5))
            ball = {"body": f"ball{i}", "shape": "circle", "radius": r}
            self.contact(f"land{i}", beam, ball)
            self.contact(f"ground{i}", floor, ball)

    def dumbbell(self):
        """Two discs or point masses, tied by a rod or a spring, over a floor and before a wall."""
        l, angle, omega = self.number(0.2, 0.6), self.number(-1.2, 1.2), self.number(-5, 5)
        y, v = 0.2 + self.number(0, 0.6) + l, (self.number(-2, 2), self.number(-2, 1))
        turns = self.friction_law != "stribeck"
        for i, (dx, dy) in enumerate([(0.0, 0.0), (l * math.cos(angle), l * math.sin(angle))]):
            mass = self.number(0.2, 3)
            self.body(f"d{i}", mass, mass * 0.00125 if turns else None, dx, y + dy, 0.0, v[0] - dy * omega, v[1] + dx * omega,
                      self.number(-6, 6))
            disc = {"body": f"d{i}", "shape": "circle", "radius": 0.05}
            self.contact(f"floor{i}", self.line(0.0, 0.0, 0.0, 1.0), disc)
            if i == 1 and self.chance(0.6):
                self.contact("wall", self.line(1.2, 0.0, -1.0, 0.0), disc)
        if self.chance(0.7):
            self.add("joint", name="rod", type="distance", bodies=["d0", "d1"], length=l)
        else:
            self.spring({"body": "d0"}, {"body": "d1"}, (20, 400), l, self.number(0, 2))

    # The model file.

    def text(self, integrator, formulation, rtol):
        law = "newton" if self.stops else self.impact_law  # that of stops
        simulation = {"end": self.end, "integrator": integrator, "formulation": formulation, "rtol": rtol, "output": 0.05}
        if law == "stronge":
            simulation["multiple_impact"] = "sequential"
        lines = [f'title = "{self.kind}"', "gravity = [0.0, -9.81]", "", "[simulation]"]
        lines += [f"{key} = {toml(value)}" for key, value in simulation.items()]
        for section, keys in self.elements:
            if section == "contact":
                keys = keys | {"impact_law": law}
            lines += ["", f"[[{section}]]"] + [f"{key} = {toml(value)}" for key, value in keys.items()]
        return "\n".join(lines) + "\n"


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(entry) for entry in value) + "]"
    return f'"{value}"' if isinstance(value, str) else repr(value)
