"""Random scenes of elements that scene.py lacks: clearance, slots, cams, gears of friction, brakes, screws, universal and
cylindrical joints, hulls, rolling friction, bushings, friction laws of other kinds, states that guards reset.
"""
import math

from scene import Scene, box, line, numbers, plane, polygon, rectangle, shape


def points(*all_of_them):
    return "[" + ", ".join(map(numbers, all_of_them)) + "]"


def disc(body, radius, at=(0, 0)):
    return shape(body, "circle", point=numbers(at), radius=radius)


def ball(body, radius, at=(0, 0, 0)):
    return shape(body, "sphere", point=numbers(at), radius=radius)


class Elements(Scene):
    def law_of_friction(self):
        mu = self.uniform(0.05, 0.7)
        return self.choice([
            f"{{ mu_static = {1.3 * mu}, mu_kinetic = {mu} }}",
            f"{{ mu = {mu} }}",
            f'{{ law = "stribeck", mu_static = {1.4 * mu}, mu_kinetic = {mu}, stribeck_velocity = {self.uniform(0.05, 0.5)} }}',
            f'{{ law = "table", table = [[0, {1.3 * mu}], [0.3, {mu}], [2, {0.8 * mu}]] }}',
            f"{{ mu = {mu}, viscous = {self.uniform(0.05, 1)} }}",
        ])

    def touch(self, name, first, second):
        self.add("contact", name, between=f"[{first}, {second}]", restitution=self.bounces(), impact_law=f'"{self.law}"',
                 friction=self.law_of_friction())

    def guide(self, name, bodies, axis, at, **keys):
        self.add("joint", name, type='"translational"', bodies=str(list(bodies)).replace("'", '"'), axis=numbers(axis),
                 points=f"[{numbers(at)}, [0, 0]]", friction=self.rubs(0.02, 0.3), **keys)

    def driver(self, name, body, turn, mass=2.0, inertia=0.01):
        """A body that turns about the origin as it is told, or that has once been turned."""
        self.driven = True
        if self.random() < 0.5:
            return self.moved(body, angle=f"{turn}*t")
        self.body(body, mass, inertia, (0, 0), 0.0, (0, 0), turn)
        self.pin(name, ("ground", body), ((0, 0), (0, 0)), 0.01)

    def torque(self, name, body, formula):
        self.driven = True
        self.add("force", name, type='"torque"', body=f'"{body}"', torque=f'"{formula}"')


def clearance(seed):
    """A slider-crank whose slider has clearance on its pin, by a torque that is switched on."""
    s = Elements(seed, 2, 1.0)
    crank, rod, gap = 0.1, 0.35, s.uniform(0.001, 0.01)
    s.body("crank", 1.0, 0.01, (crank / 2, 0))
    s.body("rod", 0.5, 0.006, (crank + rod / 2, 0))
    s.body("slider", 0.8, 0.001, (crank + rod, s.some(0, -gap)))
    s.pin("main", ("ground", "crank"), ((0, 0), (-crank / 2, 0)), 0.01)
    s.pin("crankpin", ("crank", "rod"), ((crank / 2, 0), (-rod / 2, 0)), 0.01)
    s.contact("bush", shape("rod", "hole", point=numbers((rod / 2, 0)), radius=0.02 + gap), disc("slider", 0.02))
    if s.random() < 0.5:
        s.guide("guide", ("ground", "slider"), (1, 0), (0, 0))
    else:
        s.contact("table", line(point=(0, -0.03 - gap)), rectangle("slider", 0.1, 0.06))
    s.torque("motor", "crank", f"{s.uniform(0.5, 5)}*step(t, 0.05)")
    return s


def gears(seed):
    """A disc on an arm is pressed against another, which a torque turns to and fro."""
    s = Elements(seed, 2, 1.5, law="newton")
    small, large = s.uniform(0.1, 0.2), s.uniform(0.1, 0.3)
    s.body("small", 1.0, 0.5 * small**2, (0, 0))
    s.body("large", 2.0, large**2, (small + large, 0), 0, (0, 0), s.some(0, 5))
    s.body("arm", 0.3, 0.001, (small + large, 0))
    s.pin("small_axle", ("ground", "small"), ((0, 0), (0, 0)), 0.02)
    s.pin("large_axle", ("arm", "large"), ((0, 0), (0, 0)), 0.02)
    s.guide("guide", ("ground", "arm"), (1, 0), (small + large, 0), limits="[-0.2, 0.5]", restitution=s.bounces())
    s.touch("teeth", disc("small", small), disc("large", large))
    s.add("force", "press", type='"point_force"', body='"arm"', force=f'["{-s.uniform(5, 40)} + {s.some(0, 30)}*sin(9*t)", "0"]')
    s.torque("motor", "small", f"{s.uniform(0.3, 2)}*sign(sin({s.uniform(3, 12)}*t))")
    return s


def cam(seed):
    """A polygon turns under a roller or a point on a dry guide."""
    s = Elements(seed, 2, 2)
    s.driver("axle", "cam", s.uniform(2, 12))
    count, phase = s.randint(3, 7), s.uniform(0, 1)
    turn = 2 * math.pi / count
    radii = [0.1 * (1 + 0.3 * math.cos(turn * i + phase)) for i in range(count)]
    s.body("follower", 0.5, 0.001, (0, 0.2))
    s.guide("guide", ("ground", "follower"), (0, 1), (0, 0.2))
    tip = disc("follower", 0.02, (0, -0.05)) if s.random() < 0.5 else shape("follower", "point", point="[0, -0.05]")
    s.touch("tip", polygon("cam", [(r * math.cos(turn * i), r * math.sin(turn * i)) for i, r in enumerate(radii)]), tip)
    s.add("force", "spring", type='"spring_damper"', stiffness=s.uniform(50, 800), damping=s.some(0, 2), free_length=0.1,
          between='[{ body = "ground", point = [0, 0.25] }, { body = "follower", point = [0, 0] }]')
    return s


def marbles(seed):
    """Discs in a shaken box."""
    s = Elements(seed, 2, 1.0)
    s.moved("box", **s.choice([{"x": f"0.05*sin({s.uniform(5, 25)}*t)"}, {"y": f"0.02*sin({s.uniform(10, 40)}*t)"},
                               {"angle": f"0.3*sin({s.uniform(2, 8)}*t)"}]))
    walls = {"floor": ((0, 1), (0, 0)), "left": ((1, 0), (-0.3, 0)), "right": ((-1, 0), (0.3, 0))}
    radii = [s.uniform(0.03, 0.08) for _ in range(s.randint(1, 3))]
    for i, radius in enumerate(radii):
        s.body(f"disc{i}", 1.0, 0.5 * radius**2, (-0.2 + 0.18 * i, radius + s.some(0, 0.1)), 0, (s.some(0, 1), 0))
        for name, wall in walls.items():
            s.touch(f"{name}{i}", line("box", *wall), disc(f"disc{i}", radius))
        for j in range(i):
            s.touch(f"pair{j}{i}", disc(f"disc{j}", radii[j]), disc(f"disc{i}", radius))
    return s


def slot(seed):
    """A pin of a wheel in the slot of a bar on a hinge."""
    s = Elements(seed, 2, 1.5)
    s.driver("axle", "wheel", s.uniform(1, 8), inertia=0.02)
    s.body("bar", 1.0, 0.05, (0, -0.1))
    s.pin("hinge", ("ground", "bar"), ((0, -0.4), (0, -0.3)), 0.01)
    s.touch("slot", shape("bar", "slot", ends="[[0, -0.05], [0, 0.35]]", radius=0.016), disc("wheel", 0.015, (0, 0.1)))
    return s


def brake(seed):
    """A drum whose brake is pressed by a formula, and a load on a rope."""
    s = Elements(seed, 2, 2)
    s.body("drum", 3.0, 0.05, (0, 0), 0, (0, 0), s.uniform(-10, 20))
    press = f"{s.uniform(10, 60)}*(t > 0.3) + {s.uniform(0, 20)}*abs(sin(5*t))"
    s.add("joint", "axle", type='"revolute"', bodies='["ground", "drum"]', points="[[0, 0], [0, 0]]",
          friction=f'{{ mu_static = 0.4, mu_kinetic = 0.3, radius = 0.1, normal_force = "{press}" }}')
    s.body("load", 1.0, 0.01, (0.3, -0.3))
    s.add("force", "rope", type='"spring_damper"', stiffness=s.uniform(50, 500), damping=s.some(0, 1), free_length=0.3,
          between='[{ body = "drum", point = [0.1, 0] }, { body = "load", point = [0, 0] }]')
    s.contact("floor", line(point=(0, -0.4)), rectangle("load", 0.1, 0.1))
    s.torque("pull", "drum", f"{s.uniform(1, 5)}*(mod(t, 0.5) < 0.2)")
    return s


def kicked(seed):
    """A box on a floor by forces that guards set, at places and at times."""
    s = Elements(seed, 2, 2)
    s.driven = True
    s.body("box", 1.0, 0.01, (0, 0.05), 0, (s.uniform(0.5, 2), 0))
    s.touch("floor", line(), rectangle("box", 0.2, 0.1))
    s.touch("wall", line(normal=(-1, 0), point=(0.5, 0)), rectangle("box", 0.2, 0.1))
    s.add("state", "push", initial=0.0, rate='"0"')
    s.add("state", "lift", initial=0.0, rate='"-lift/0.1"')
    s.add("guard", "kick", when=f'"box.x - {s.uniform(0.1, 0.3)}"', crossing='"falling"',
          reset=f"{{ push = {s.uniform(0, 10)} }}")
    s.add("guard", "beat", every=s.uniform(0.2, 0.6), reset=f'{{ push = "-push", lift = {s.uniform(0, 20)} }}')
    s.add("force", "by", type='"point_force"', body='"box"', force='["push", "lift"]')
    return s


def shaft(seed):
    """Two shafts on a universal joint, turned to and fro."""
    s = Elements(seed, 3, 1.5)
    s.driven = True
    angle = s.uniform(0.1, 0.8)
    along = (math.cos(angle), math.sin(angle), 0)
    s.solid("first", "rod", (-0.2, 0, 0), radius=0.02, length=0.4)
    s.solid("second", "rod", [0.2 * x for x in along], angle=angle, radius=0.05, length=0.4)
    s.add("joint", "in", type='"revolute"', bodies='["ground", "first"]', at="[-0.4, 0, 0]", axis="[1, 0, 0]",
          friction="{ mu = 0.2, radius = 0.02 }")
    s.add("joint", "cross", type='"universal"', bodies='["first", "second"]', at="[0, 0, 0]", axes="[[0, 1, 0], [0, 0, 1]]")
    s.add("joint", "out", type='"point_on_line"', bodies='["ground", "second"]', at=numbers([0.4 * x for x in along]),
          axis=numbers(along))
    s.add("force", "motor", type='"torque"', body='"first"',
          torque=f'["{s.uniform(0.2, 3)}*sign(sin({s.uniform(2, 10)}*t))", "0", "0"]')
    return s


def press(seed):
    """A screw lowers a plate onto a box. (Without restitution: a screw that locks has no impulses that turn it back.)"""
    s = Elements(seed, 3, 1.5, law="newton")
    s.driven = True
    s.solid("plate", "box", (0, 0, 0.3), sides="[0.2, 0.2, 0.02]")
    s.add("joint", "screw", type='"screw"', bodies='["ground", "plate"]', at="[0, 0, 0.3]", axis="[0, 0, 1]",
          pitch=s.uniform(0.005, 0.05), limits="[-0.25, 0.1]", restitution=s.bounces())
    sides = (0.15, 0.15, 0.2)
    s.solid("box", "box", (s.some(0, 0.02), 0, 0.1), sides=numbers(sides))
    s.contact("floor", plane(), box("box", sides))
    plate = box("plate", (0.2, 0.2, 0.02)) if s.random() < 0.5 else ball("plate", 0.01, (0.03, 0.02, -0.01))
    s.add("contact", "press", between=f"[{plate}, {box('box', sides)}]", friction=s.rubs())
    s.add("force", "hand", type='"torque"', body='"plate"', frame='"body"',
          torque=f'["0", "0", "{s.uniform(-1, 1)}*sin({s.uniform(1, 6)}*t)"]')
    return s


def roller(seed):
    """A ball whose rolling and spinning rub, on a belt and against a wall."""
    s = Elements(seed, 3, 2)
    s.driven = True
    radius, mu = 0.1, s.uniform(0.1, 0.8)
    s.solid("ball", "sphere", (0, 0, radius + s.some(0, 0.2)), velocity=(s.turn(2), s.turn(1), 0),
            spin=(s.turn(10), s.turn(10), s.turn(20)), radius=radius)
    turning = s.some("", f", rolling = {s.uniform(0.001, 0.02)}", ", rolling = 0.01, spinning = 0.005")
    belt = s.some({}, {"surface_velocity": numbers((s.uniform(0.1, 1), 0, 0))})
    ground = shape("ground", "plane", normal="[0, 0, 1]", point="[0, 0, 0]", **belt)
    s.add("contact", "belt", between=f"[{ground}, {ball('ball', radius)}]", restitution=s.bounces(),
          impact_law=f'"{s.law}"', friction=f"{{ mu_static = {mu * s.some(1, 1.2)}, mu_kinetic = {mu}{turning} }}")
    s.contact("wall", plane(normal=(-1, 0, 0), point=(0.6, 0, 0)), ball("ball", radius))
    return s


def hulls(seed):
    """A tetrahedron and a capsule, thrown on each other and a floor."""
    s = Elements(seed, 3, 1.0)
    corners = ((0.1, 0.1, 0.1), (-0.1, -0.1, 0.1), (-0.1, 0.1, -0.1), (0.1, -0.1, -0.1))
    ends = ((-0.15, 0, 0), (0.15, 0, 0))
    s.add("body", "hull", mass=1, inertia="[0.004, 0.004, 0.004]", position=numbers((0, 0, 0.18 + s.some(0, 0.1))),
          velocity=numbers((s.turn(1), 0, 0)), angular_velocity=numbers((s.turn(5), s.turn(5), 0)), angle=s.turn(1),
          axis="[1, 1, 0]")
    s.solid("capsule", "rod", (s.turn(0.05), s.turn(0.05), 0.6), radius=0.03, length=0.3, angle=s.turn(1), axis=(0, 1, 0))
    hull = shape("hull", "hull", points=points(*corners))
    capsule = shape("capsule", "capsule", ends=points(*ends), radius=0.03)
    s.touch("floor_hull", plane(), hull)
    s.touch("floor_capsule", plane(), capsule)
    s.touch("hit", capsule, hull)
    return s


def door(seed):
    """A ball strikes a door with stops, a closer and a pivot that rubs."""
    s = Elements(seed, 3, 1.5, law="newton")
    s.driven = True
    axis = numbers(s.some((0, 0, 1), (0, 0.1, 1)))
    s.solid("door", "box", (0.4, 0, 0.5), sides="[0.8, 0.03, 0.9]")
    s.add("joint", "hinge", type='"revolute"', bodies='["ground", "door"]', at="[0, 0, 0.5]", axis=axis,
          limits=numbers((-0.5, s.uniform(0.3, 1.5))), restitution=s.bounces(),
          friction=f"{{ mu = {s.uniform(0.05, 0.4)}, radius = 0.01, thrust_radius = 0.02 }}")
    s.add("force", "closer", type='"rotational_spring_damper"', bodies='["ground", "door"]', axis=axis,
          stiffness=s.uniform(0.5, 10), damping=s.some(0, 0.5), free_angle=s.turn(0.5))
    s.solid("ball", "sphere", (s.uniform(0.4, 0.7), -0.5, 0.12), velocity=(0, s.uniform(1, 4), s.some(0, 1)), radius=0.12)
    s.contact("floor", plane(), ball("ball", 0.12))
    s.contact("hit", ball("ball", 0.12), box("door", (0.8, 0.03, 0.9)))
    return s


def collar(seed):
    """A collar on a rod with stops carries a pendulum: the rod's friction and a stop hold it together."""
    s = Elements(seed, 3, 1.5)
    axis = s.some((0, 0, 1), (1, 0, 0.5))
    s.solid("collar", "box", (0, 0, 0), sides="[0.1, 0.1, 0.1]")
    s.add("joint", "rod", type='"cylindrical"', bodies='["ground", "collar"]', at="[0, 0, 0]", axis=numbers(axis),
          limits="[-0.3, 0.3]", restitution=s.bounces(),
          friction=f"{{ mu_static = 0.4, mu_kinetic = {s.uniform(0.1, 0.4)}, radius = 0.03 }}")
    s.solid("bob", "sphere", (0.4, 0, 0), radius=0.05, velocity=(0, s.some(0, 2), 0))
    s.add("joint", "ball", type='"spherical"', bodies='["collar", "bob"]', at="[0.1, 0, 0]",
          friction="{ mu = 0.2, radius = 0.02 }")
    return s


def groove(seed):
    """A rod rattles in the groove of a seat on a bushing."""
    s = Elements(seed, 3, 1.0)
    s.driven = True
    s.solid("rod", "rod", (0, 0, 0.1 + s.some(0, 0.05)), radius=0.02, length=0.3, velocity=(s.turn(1), 0, 0),
            angle=s.turn(0.3), axis=(0, 1, 0))
    s.solid("seat", "box", (0, 0, -0.2), sides="[0.2, 0.2, 0.1]")
    s.add("force", "mount", type='"bushing"', bodies='["ground", "seat"]', at="[0, 0, -0.2]",
          stiffness_matrix="[2e4, 2e4, 2e4, 200, 200, 200]", damping_matrix="[50, 50, 50, 1, 1, 1]")
    rod = shape("rod", "capsule", ends=points((-0.15, 0, 0), (0.15, 0, 0)), radius=0.02)
    for name, side in (("left", -1), ("right", 1)):
        s.touch(name, plane("seat", (0, side * math.sin(0.6), math.cos(0.6)), (0, 0, 0.2)), rod)
    return s


KINDS = (clearance, gears, cam, marbles, slot, brake, kicked, shaft, press, roller, hulls, door, collar, groove)


def scene(number, seed):
    """The number-th of a campaign, and what it is."""
    kind = KINDS[number % len(KINDS)]
    return kind.__name__, kind(f"{seed} {number}")
