"""Random piles: bodies thrown at each other and at a floor, as model files and as shapes for the judge."""
import math
import random

LAWS = ("newton", "poisson", "stronge", "whittaker")


class Body:
    """`core` is what a radius is laid around: a point, the two ends of a segment, or the corners of a convex body."""

    def __init__(self, name, mass, inertia, core, radius, shape):
        self.name, self.mass, self.inertia, self.core, self.radius, self.shape = name, mass, inertia, core, radius, shape
        self.size = max(math.hypot(*c) for c in core) + radius
        self.position = self.velocity = self.angle = self.spin = None


class Pile:
    """Bodies, the planes they may not pass as (point, normal), and everything the model file says."""

    def __init__(self, seed, index, spatial):
        self.random = random.Random(f"{seed}/{index}")
        self.spatial, self.name = spatial, f"pile {index} of seed {seed}"
        pick = self.random.choice
        self.law = pick(LAWS)
        self.sequential = self.law == "stronge" or (self.law != "poisson" and self.random.random() < 0.2)
        self.smooth = self.random.random() < 0.2  # neither friction nor walls: horizontal momentum is kept
        self.restitution = pick([0.0, 1.0, None, None, None, None])
        if self.restitution is None:
            self.restitution = self.number(0.05, 0.95)
        self.mu = 0.0 if self.smooth else pick([0.0, self.number(0.05, 0.6), self.number(0.05, 0.6), self.number(0.6, 1.5)])
        self.gravity = self.number(5, 12)
        if self.law == "whittaker":
            self.mu = min(self.mu, 0.3)  # its kinematic slip has no solution for much more
        # Rows between steps are interpolated: these tolerances leave them below what an overlap may be.
        self.integrator, self.rtol = pick([("dopri5", 1e-9), ("dopri5", 1e-10), ("dop853", 1e-10), ("ode23", 1e-8)])
        self.end = self.number(0.8, 1.6)
        count = self.random.randint(2, 8 if not spatial else 5)
        make = self.spatial_body if spatial else self.planar_body
        self.bodies = [make(f"b{i}") for i in range(count)]
        self.place()
        up = (0, 0, 1) if spatial else (0, 1)
        self.planes = [("floor", tuple(0.0 for _ in up), up)]
        if not self.smooth and self.random.random() < 0.4:
            wide = 2.5
            for side, sign in (("left", 1.0), ("right", -1.0)):
                self.planes.append((side, (-sign * wide,) + tuple(0.0 for _ in up[1:]), (sign,) + tuple(0.0 for _ in up[1:])))

    def number(self, low, high):
        return round(self.random.uniform(low, high), 3)

    def planar_body(self, name):
        mass, size = self.number(0.3, 4), self.number(0.1, 0.25)
        kind = self.random.choice(["circle", "box", "polygon"])
        if kind == "circle":
            return Body(name, mass, mass * size * size / 2, [(0.0, 0.0)], size, f'shape = "circle", radius = {size}')
        if kind == "box":
            other = self.number(0.1, 0.25)
            corners = [(-size, -other), (size, -other), (size, other), (-size, other)]
        else:
            n = self.random.randint(3, 6)
            turn = self.random.uniform(0, 6)
            corners = [(round(size * math.cos(turn + 2 * math.pi * k / n + self.random.uniform(-0.3, 0.3) / n), 6),
                        round(size * math.sin(turn + 2 * math.pi * k / n + self.random.uniform(-0.3, 0.3) / n), 6))
                       for k in range(n)]
        inertia = mass * sum(x * x + y * y for x, y in corners) / len(corners) / 2
        text = ", ".join(f"[{x}, {y}]" for x, y in corners)
        return Body(name, mass, inertia, corners, 0.0, f'shape = "polygon", corners = [{text}]')

    def spatial_body(self, name):
        mass, size = self.number(0.3, 4), self.number(0.1, 0.2)
        kind = self.random.choice(["sphere", "box", "capsule", "hull"])
        if kind == "sphere":
            j = 0.4 * mass * size * size
            return Body(name, mass, (j, j, j), [(0.0, 0.0, 0.0)], size, f'shape = "sphere", radius = {size}')
        if kind == "capsule":
            half = self.number(0.05, 0.2)
            across = mass * (size * size / 4 + half * half / 3)
            return Body(name, mass, (mass * size * size / 2, across + size * size * mass / 8, across + size * size * mass / 8),
                        [(-half, 0.0, 0.0), (half, 0.0, 0.0)], size,
                        f'shape = "capsule", ends = [[{-half}, 0.0, 0.0], [{half}, 0.0, 0.0]], radius = {size}')
        if kind == "box":
            a, b, c = size, self.number(0.1, 0.2), self.number(0.1, 0.2)
            corners = [(x * a, y * b, z * c) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
            shape = f'shape = "box", sides = [{2 * a!r}, {2 * b!r}, {2 * c!r}]'
        else:
            # A crooked octahedron: six points, the centre inside.
            axes = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
            corners = [tuple(round(size * (x + self.random.uniform(-0.25, 0.25)), 6) for x in axis) for axis in axes]
            a = b = c = size * 0.7
            shape = "shape = \"hull\", points = [" + ", ".join(f"[{x}, {y}, {z}]" for x, y, z in corners) + "]"
        inertia = (mass * (b * b + c * c) / 3, mass * (a * a + c * c) / 3, mass * (a * a + b * b) / 3)
        return Body(name, mass, inertia, corners, 0.0, shape)

    def place(self):
        """Above each other and beside, clear of each other by their sizes, and thrown."""
        height, dimensions = 0.0, 3 if self.spatial else 2
        for body in self.bodies:
            height += body.size * 1.02 + 0.01
            across = [self.number(-0.3, 0.3) for _ in range(dimensions - 1)]
            body.position = (*across, round(height, 6))
            height += body.size
            body.velocity = tuple(self.number(-1.5, 1.5) for _ in range(dimensions))
            spin = [self.number(-4, 4) for _ in range(3)]
            body.spin = spin if self.spatial else spin[0]
            body.angle = self.number(0, 3)
            body.axis = [self.number(0.1, 1) for _ in range(3)]

    def contact(self, name, first, second):
        text = f'\n[[contact]]\nname = "{name}"\nbetween = [{first}, {second}]\nrestitution = {self.restitution}\nimpact_law = "{self.law}"\n'
        return text + (f"friction = {{ mu = {self.mu} }}\n" if self.mu else "")

    def text(self):
        """The model file."""
        vector = lambda v: "[" + ", ".join(repr(float(x)) for x in v) + "]"
        gravity = (0, 0, -self.gravity) if self.spatial else (0, -self.gravity)
        text = f'title = "{self.name}"\n' + ("dimension = 3\n" if self.spatial else "") + f"gravity = {vector(gravity)}\n"
        text += f'\n[simulation]\nend = {self.end}\nintegrator = "{self.integrator}"\nrtol = {self.rtol}\noutput = 0.01\n'
        if self.sequential:
            text += 'multiple_impact = "sequential"\n'
        for b in self.bodies:
            text += f'\n[[body]]\nname = "{b.name}"\nmass = {b.mass}\nposition = {vector(b.position)}\nvelocity = {vector(b.velocity)}\nangle = {b.angle}\n'
            if self.spatial:
                text += f"inertia = {vector(b.inertia)}\naxis = {vector(b.axis)}\nangular_velocity = {vector(b.spin)}\n"
            else:
                text += f"inertia = {b.inertia!r}\nangular_velocity = {b.spin}\n"
        plane = "plane" if self.spatial else "line"
        for name, point, normal in self.planes:
            for b in self.bodies:
                first = f'{{ body = "ground", shape = "{plane}", point = {vector(point)}, normal = {vector(normal)} }}'
                text += self.contact(f"{name}_{b.name}", first, f'{{ body = "{b.name}", {b.shape} }}')
        for i, b in enumerate(self.bodies):
            for other in self.bodies[i + 1:]:
                text += self.contact(f"{b.name}_{other.name}", f'{{ body = "{b.name}", {b.shape} }}', f'{{ body = "{other.name}", {other.shape} }}')
        return text
