"""Random scenes that people would set up: each function draws one and returns it as a Scene.

Chains and frames that fall on a floor, blocks on wedges, belts, trucks and tables, chairs, doors, dice, grippers. Nothing
drives most of them: their energy never grows.
"""
import math
import random


def numbers(values):
    return "[" + ", ".join(repr(float(x)) for x in values) + "]"


def shape(body, kind, **keys):
    """One of the two shapes of a contact."""
    text = "".join(f", {key} = {value}" for key, value in keys.items())
    return f'{{ body = "{body}", shape = "{kind}"{text} }}'


def rectangle(body, width, height):
    corners = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    return polygon(body, corners)


def polygon(body, corners):
    return shape(body, "polygon", corners="[" + ", ".join(map(numbers, corners)) + "]")


def line(body="ground", normal=(0, 1), point=(0, 0), **keys):
    return shape(body, "line", normal=numbers(normal), point=numbers(point), **keys)


def plane(body="ground", normal=(0, 0, 1), point=(0, 0, 0)):
    return shape(body, "plane", normal=numbers(normal), point=numbers(point))


def box(body, sides):
    return shape(body, "box", sides=numbers(sides))


class Scene(random.Random):
    """Its own source of random numbers, and the text of a model."""

    def __init__(self, seed, dimension, end, law=None):
        super().__init__(seed)
        self.law = law or self.choice(["newton", "newton", "poisson"])
        self.driven = False
        gravity = [0] * (dimension - 1) + [-9.81]
        self.text = (f"dimension = {dimension}\ngravity = {numbers(gravity)}\n[simulation]\nend = {end}\noutput = 0.02\n"
                     "rtol = 1e-8\n")

    def add(self, section, name, **keys):
        self.text += f'[[{section}]]\nname = "{name}"\n' + "".join(f"{key} = {value}\n" for key, value in keys.items())

    def body(self, name, mass, inertia, position, angle=0.0, velocity=(0, 0), spin=0.0):
        self.add("body", name, mass=mass, inertia=inertia, position=numbers(position), angle=angle,
                 velocity=numbers(velocity), angular_velocity=spin)

    def solid(self, name, kind, position, velocity=(0, 0, 0), spin=(0, 0, 0), axis=(0, 0, 1), angle=0.0, **keys):
        self.add("body", name, shape=f'"{kind}"', density=1000, position=numbers(position), velocity=numbers(velocity),
                 angular_velocity=numbers(spin), axis=numbers(axis), angle=angle, **keys)

    def moved(self, name, **motion):
        self.driven = True
        self.add("body", name, motion="{ " + ", ".join(f'{key} = "{value}"' for key, value in motion.items()) + " }")

    def rubs(self, low=0.05, high=0.8):
        mu = self.uniform(low, high)
        return f"{{ mu_static = {mu * self.choice([1, 1, 1.2, 1.5])}, mu_kinetic = {mu} }}"

    def bounces(self):
        return self.choice([0, 0, 0.2, 0.5, 0.8])

    def contact(self, name, first, second, low=0.05, high=0.8):
        self.add("contact", name, between=f"[{first}, {second}]", restitution=self.bounces(),
                 impact_law=f'"{self.law}"', friction=self.rubs(low, high))

    def pin(self, name, bodies, points, radius=None):
        friction = {}
        if radius and self.random() < 0.6:
            friction["friction"] = f"{{ mu = {self.uniform(0.05, 0.5)}, radius = {radius} }}"
        self.add("joint", name, type='"revolute"', bodies=str(list(bodies)).replace("'", '"'),
                 points="[" + ", ".join(map(numbers, points)) + "]", **friction)

    def some(self, *values):
        return self.choice(values)

    def turn(self, most):
        return self.some(0.0, self.uniform(-most, most))


def chain(seed):
    """Links on dry pins fall on a floor and come to lie flat: corners and ends meet there in one place."""
    s = Scene(seed, 2, 2)
    count, length, width = s.randint(2, 4), s.uniform(0.2, 0.5), 0.03
    x, y = 0.0, s.uniform(0.4, 0.8) + count * length * 0.6
    for i in range(count):
        angle = s.turn(1.5)
        along = (length * math.cos(angle), length * math.sin(angle))
        s.body(f"link{i}", 1.0, (length**2 + width**2) / 12, (x + along[0] / 2, y + along[1] / 2), angle)
        x, y = x + along[0], y + along[1]
    for i in range(count - 1):
        s.pin(f"pin{i}", (f"link{i}", f"link{i + 1}"), ((length / 2, 0), (-length / 2, 0)), 0.02)
    for i in range(count):
        s.contact(f"floor{i}", line(), rectangle(f"link{i}", length, width))
    return s


def frame(seed):
    """Two legs on a pin slide apart on the floor until they lie flat."""
    s = Scene(seed, 2, 2)
    length, angle = s.uniform(0.5, 1), s.uniform(0.5, 1.3)
    x, y = length / 2 * math.cos(angle), length / 2 * math.sin(angle) + s.some(0, 0, 0.2)
    s.body("left", 1.0, length**2 / 12, (-x, y), angle)
    s.body("right", s.some(1.0, 2.0), length**2 / 12, (x, y), -angle)
    s.pin("top", ("left", "right"), ((length / 2, 0), (-length / 2, 0)), 0.02)
    for leg in ("left", "right"):
        for end in (-length / 2, length / 2):
            s.contact(f"{leg}{'b' if end > 0 else 'a'}", line(), shape(leg, "point", point=numbers((end, 0))))
    return s


def wedge(seed):
    """A block slides down a wedge that slides away, and off its tip."""
    s = Scene(seed, 2, 2)
    angle, base, side = s.uniform(0.2, 0.8), 0.6, 0.1
    height, down = base * math.tan(angle), s.uniform(0.2, 0.7)
    middle = (base / 3, height / 3)
    s.body("wedge", s.uniform(1, 5), 0.1, middle)
    slope = polygon("wedge", [(x - middle[0], y - middle[1]) for x, y in ((0, 0), (base, 0), (0, height))])
    above = side / 2 + s.some(0, 0.05)
    place = (down * base + above * math.sin(angle), height * (1 - down) + above * math.cos(angle))
    s.body("block", 1.0, side**2 / 6, place, -angle, (s.some(0, -0.5), 0))
    block = rectangle("block", side, side)
    s.contact("slope", slope, block)
    s.contact("under_wedge", line(), slope)
    s.contact("under_block", line(), block)
    return s


def stack(seed, low=2):
    """Blocks on each other on a truck, a belt or a floor where one of them is towed."""
    s = Scene(seed, 2, 2)
    under = s.some("truck", "belt", "tow")
    s.driven = True
    if under == "truck":
        s.moved("truck", x=s.some(f"{s.uniform(1, 8)}*t^2/2", f"0.05*sin({s.uniform(5, 20)}*t)"))
    ground = {"truck": line("truck"), "belt": line(surface_velocity=s.uniform(0.2, 2)), "tow": line()}[under]
    wall = line("truck" if under == "truck" else "ground", (1, 0), (-0.5, 0))
    count, width, y, blocks = s.randint(low, 4), s.uniform(0.15, 0.3), 0.0, []
    for i in range(count):
        height = s.uniform(0.08, 0.3)
        s.body(f"block{i}", s.uniform(0.5, 2), (width**2 + height**2) / 12, (s.turn(width / 3), y + height / 2))
        blocks.append(rectangle(f"block{i}", width, height))
        y += height
        s.contact(f"ground{i}", ground, blocks[i])
        s.contact(f"wall{i}", wall, blocks[i])
        if i > 0:
            s.contact(f"joint{i}", blocks[i - 1], blocks[i])
    if under == "tow":
        s.moved("tug", x=f"{s.uniform(0.02, 0.3)}*t")
        s.add("force", "rope", type='"spring_damper"', stiffness=s.uniform(50, 800), free_length=0.4, between=
              f'[{{ body = "tug", point = [0.6, 0.05] }}, {{ body = "block{s.randint(0, count - 1)}" }}]')
    return s


def gripper(seed):
    """Two fingers on dry guides close on a box and lift it."""
    s = Scene(seed, 2, 2)
    push, width, height = s.uniform(5, 40), 0.14, s.uniform(0.15, 0.25)
    s.moved("hand", y=f"{s.uniform(0.02, 0.1)}*(1 - cos({s.uniform(2, 20)}*t))")
    s.body("box", s.uniform(0.3, 2), (width**2 + height**2) / 12, (s.some(0, 0.02), height / 2))
    s.contact("floor", line(), rectangle("box", width, height))
    for side, name in ((-1, "left"), (1, "right")):
        s.body(name, 0.3, 0.001, (side * 0.12, 0.1))
        s.add("joint", f"guide_{name}", type='"translational"', bodies=f'["hand", "{name}"]', axis="[1, 0]",
              points="[[0, 0.1], [0, 0]]", friction=s.rubs(0.02, 0.3))
        s.add("force", f"push_{name}", type='"point_force"', body=f'"{name}"', force=f'["{-side * push}*step(t, 0.1)", "0"]')
        s.contact(f"grip_{name}", rectangle(name, 0.04, 0.06), rectangle("box", width, height))
    return s


def chain_in_space(seed):
    """Rods with round ends on ball joints and hinges fall on a floor."""
    s = Scene(seed, 3, 1.5)
    count, length, radius, z = s.randint(2, 3), 0.3, 0.02, s.uniform(0.1, 0.5)
    for i in range(count):
        s.solid(f"rod{i}", "rod", (i * length, 0, z), radius=radius, length=length)
    for i in range(count - 1):
        kind = s.some("spherical", "revolute")
        keys = {"axis": numbers(s.some((0, 1, 0), (0, 1, 1)))} if kind == "revolute" else {}
        s.add("joint", f"joint{i}", type=f'"{kind}"', bodies=f'["rod{i}", "rod{i + 1}"]',
              at=numbers(((i + 0.5) * length, 0, z)), friction="{ mu = 0.2, radius = 0.01 }", **keys)
    for i in range(count):
        ends = f"[{numbers((-length / 2, 0, 0))}, {numbers((length / 2, 0, 0))}]"
        s.contact(f"floor{i}", plane(), shape(f"rod{i}", "capsule", ends=ends, radius=radius))
    return s


def chair(seed):
    """Four feet of one body, pushed or thrown."""
    s = Scene(seed, 3, 1.5)
    side, height = s.uniform(0.2, 0.4), s.uniform(0.2, 0.5)
    s.add("body", "chair", mass=5, inertia="[0.2, 0.2, 0.2]", position=numbers((0, 0, height + s.some(0, 0.05))),
          velocity=numbers((s.turn(2), s.some(0, 1), 0)))
    for i, (x, y) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1))):
        s.contact(f"foot{i}", plane(), shape("chair", "point", point=numbers((x * side / 2, y * side / 2, -height))))
    if s.random() < 0.5:
        s.driven = True
        s.add("force", "push", type='"point_force"', body='"chair"', point=numbers((0, 0, s.uniform(-0.1, 0.2))),
              force=f'["{s.uniform(5, 40)}*sin({s.uniform(1, 10)}*t)", "{s.uniform(-10, 10)}*t", "0"]')
    return s


def turntable(seed):
    """A box on a table that turns."""
    s = Scene(seed, 3, 2)
    rate = s.uniform(0.5, 6)
    s.moved("table", angle=s.some(f"{rate}*t", f"{rate / 2}*t^2", f"0.5*sin({2 * rate}*t)"))
    sides = [s.uniform(0.05, 0.2) for _ in range(3)]
    s.solid("box", "box", (s.uniform(0.1, 0.4), 0, sides[2] / 2), angle=s.turn(3), sides=numbers(sides))
    s.contact("top", plane("table"), box("box", sides))
    return s


def struck_boxes(seed):
    """A ball on a rope swings into a box, or two on each other."""
    s = Scene(seed, 3, 1.5)
    rope, angle, side = 0.5, s.uniform(0.8, 1.8), 0.15
    s.solid("ball", "sphere", (-rope * math.sin(angle), 0.01, 0.6 - rope * math.cos(angle)), radius=0.06)
    s.add("joint", "rope", type='"spherical"', bodies='["ground", "ball"]', at="[0, 0.01, 0.6]")
    boxes = []
    for i in range(s.randint(1, 2)):
        s.solid(f"box{i}", "box", (0.06 + side / 2 + s.some(0, 0.02), s.some(0, 0.02) * i, side / 2 + i * side),
                sides=numbers([side] * 3))
        boxes.append(box(f"box{i}", [side] * 3))
        s.contact(f"floor{i}", plane(), boxes[i])
        s.contact(f"hit{i}", shape("ball", "sphere", radius=0.06), boxes[i])
        if i > 0:
            s.contact("joint", boxes[0], boxes[1])
    return s


def pushed_box(seed):
    """A slider with stops runs into a box on the floor."""
    s = Scene(seed, 3, 2, law="newton")
    s.solid("slider", "box", (0, 0, 0.05), velocity=(s.uniform(0.5, 3), 0, 0), sides="[0.1, 0.1, 0.1]")
    s.add("joint", "rail", type='"translational"', bodies='["ground", "slider"]', at="[0, 0, 0.05]", axis="[1, 0, 0]",
          limits=numbers((-0.3, s.uniform(0.2, 0.5))), restitution=s.bounces(), friction="{ mu = 0.2 }")
    s.solid("box", "box", (0.15 + s.some(0, -0.04, 0.05), s.some(0, 0.03), 0.1), sides="[0.1, 0.2, 0.2]")
    s.contact("floor", plane(), box("box", (0.1, 0.2, 0.2)))
    s.contact("hit", box("slider", (0.1, 0.1, 0.1)), box("box", (0.1, 0.2, 0.2)))
    return s


KINDS = (chain, frame, wedge, stack, gripper, chain_in_space, chair, turntable, struck_boxes, pushed_box)


def scene(number, seed):
    """The number-th of a campaign, and what it is."""
    kind = KINDS[number % len(KINDS)]
    return kind.__name__, kind(f"{seed} {number}")
